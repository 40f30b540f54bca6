/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Aligned, zeroed allocation.
 */
#include "base/align.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *xt_aligned_calloc(size_t n, size_t size)
{
	size_t bytes;
	void *p;

	if (__builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX - XT_CACHE_LINE)
		return NULL;
	bytes = (bytes + XT_CACHE_LINE - 1) / XT_CACHE_LINE * XT_CACHE_LINE;
	if (!bytes)
		bytes = XT_CACHE_LINE;
	p = aligned_alloc(XT_CACHE_LINE, bytes);
	if (p)
		memset(p, 0, bytes);
	return p;
}
