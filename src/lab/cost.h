/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a call costs under each arm: measured in this process, through the shim's own code and with its counting, in
 * short batches that visit the arms in shuffled order. ab's predictions use these figures.
 */
#ifndef XT_LAB_COST_H
#define XT_LAB_COST_H

#include "clock/arm.h"
#include "shim/page.h"

/* ns per call, gross (loop included); NAN where the function is not swapped or the arm cannot serve it. */
struct xt_cost {
	double ns[XT_FUNCTIONS]; /* XT_FN_TIME, GETTIMEOFDAY, CLOCK_GETTIME, MONOTONIC are filled */
};

/* Measures arms 0 .. arms-1 of the page for about budget_ns in all. The process must be under the shim with this page;
 * the page's word is left at slice 0, arm 0. One thread; nothing else may flip. */
void xt_cost_measure(struct xt_page *page, unsigned arms, uint64_t seed, uint64_t budget_ns, struct xt_cost *out);

#endif
