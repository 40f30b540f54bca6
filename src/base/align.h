/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cache-line alignment for data that one thread writes and others read.
 */
#ifndef XT_BASE_ALIGN_H
#define XT_BASE_ALIGN_H

#include <stddef.h>

/* Two lines: the adjacent-line prefetcher of x86 couples neighbours. */
#define XT_CACHE_LINE 128

#define XT_ALIGNED _Alignas(XT_CACHE_LINE)

/* n zeroed objects of size bytes each, the first on a cache line; size should be a multiple of XT_CACHE_LINE when
 * neighbours belong to different threads. NULL when out of memory; released with free(). */
void *xt_aligned_calloc(size_t n, size_t size);

#endif
