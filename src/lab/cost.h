/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a call costs under each arm: measured in this process, through the shim's own code and with its counting, in
 * short batches that visit the arms in shuffled order. ab's predictions use these figures.
 */
#ifndef XT_LAB_COST_H
#define XT_LAB_COST_H

#include "clock/arm.h"
#include "shim/page.h"

#include <stdbool.h>
#include <stdint.h>

/* ns per call, gross (loop included); NAN where the function is not swapped or the arm cannot serve it. */
struct xt_cost {
	double ns[XT_FUNCTIONS];         /* XT_FN_TIME, GETTIMEOFDAY, CLOCK_GETTIME, MONOTONIC are filled */
	double cooling_ns[XT_FUNCTIONS]; /* by how much the caller is slower after a wait; NAN where that was not
	                                  * measured
	                                  */
};

/* Measures arms 0 .. arms-1 of the page for about budget_ns in all. The process must be under the shim with this page;
 * the page's word is left at slice 0, arm 0. One thread; nothing else may flip. */
void xt_cost_measure(struct xt_page *page, unsigned arms, uint64_t seed, uint64_t budget_ns, struct xt_cost *out);

/* Calls the libc symbol of a function so many times. Any thread. */
void xt_cost_call(enum xt_function function, unsigned calls);

/* Whether a function is swapped and the arm of the page can serve it. */
bool xt_cost_measurable(const struct xt_page *page, unsigned arm, enum xt_function function);

/* Samples of measurements, a slice and a thread each; start with zeroes, end with xt_cost_pool_free(). */
struct xt_cost_series {
	double *v;
	size_t n, room;
};

struct xt_cost_pool {
	struct xt_cost_series call[XT_FUNCTIONS][XT_MAX_ARMS];    /* ns */
	struct xt_cost_series cooling[XT_FUNCTIONS][XT_MAX_ARMS]; /* ns */
};

/* The same figures while `threads` threads call at once (as many as the load keeps CPUs busy), and beside them what a
 * call costs its caller afterwards: see lab/working_set.h. Adds to *into. -1: no memory or no thread. */
struct xt_cost_load {
	unsigned arms; /* 0 .. arms-1 of the page */
	bool cooling;  /* measure that too */
	unsigned threads;
	uint64_t seed;
	uint64_t budget_ns;
};
int xt_cost_measure_loaded(struct xt_page *page, const struct xt_cost_load *load, struct xt_cost_pool *into);
/* Located as an experiment's ratios are (Hodges-Lehmann): a slice that was taken away spoils a sample, not the figure,
 * and of a fast and a slow state of the machine both count. Sorts the samples. */
void xt_cost_of_pool(const struct xt_cost_pool *pool, unsigned arms, struct xt_cost *out);
void xt_cost_pool_free(struct xt_cost_pool *pool);

#endif
