/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A caller's working set: lines that fill most of the first-level cache, walked in a random order that no prefetcher
 * follows. How much slower a walk is after a clock read than without one is what the read did to its caller: while it
 * spins or is in the kernel, a neighbour on the same core takes lines away.
 */
#ifndef XT_LAB_WORKING_SET_H
#define XT_LAB_WORKING_SET_H

#include <stdint.h>

struct xt_working_set;

/* NULL when out of memory. One per thread; the caller frees it. */
struct xt_working_set *xt_working_set_new(uint64_t seed);
void xt_working_set_free(struct xt_working_set *set);

/* Goes on through half of the set, ns that this took; 0 when it took so long that an interrupt was in it. */
uint64_t xt_working_set_walk(struct xt_working_set *set);

#endif
