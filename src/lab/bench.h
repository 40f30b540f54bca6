/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times a list of calls: calibrated batches that visit all calls in a shuffled order, round after round, so that drift
 * of the machine hits all rows alike; from one thread, or from several that run the same batch at the same moment.
 * The summary of batches is a pure function. Nothing here knows what the calls are.
 */
#ifndef XT_LAB_BENCH_H
#define XT_LAB_BENCH_H

#include "base/err.h"
#include "lab/call.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct xt_timing {
	double ns, lo, hi;    /* median per call, loop included, and its 95 % interval; NAN when not measured */
	size_t batches;       /* that it stands on */
	double resolution_ns; /* smallest step seen between two readings; NAN when none was seen */
	uint64_t backward;    /* readings that were less than the one before */
};

struct xt_bench_setup {
	uint64_t duration_ns; /* in all; the estimate, not a limit: at least 7 rounds are run */
	unsigned threads;
	uint64_t seed;
	const atomic_int *interrupted; /* not 0: end after this round; may be NULL */
};

/* Measures calls[0 .. n-1] (those available) into out[0 .. n-1]. */
int xt_bench_run(const struct xt_call *calls, size_t n, const struct xt_bench_setup *setup, struct xt_timing *out,
                 struct xt_err *err);

/* Median and 95 % interval (order statistics of the binomial distribution) of v; sorts v. NAN for n = 0, and an
 * interval of NAN for n < 6. */
void xt_bench_summarise(double *v, size_t n, struct xt_timing *out);

/* Adds one more reading to what is known of a clock: resolution_ns and backward. last: the one before, 0 for none. */
void xt_bench_note_step(uint64_t last, uint64_t now, struct xt_timing *out);

/* How many calls a batch of about target_ns needs when `calls` of them took took_ns; at least 1. */
size_t xt_bench_scale(size_t calls, uint64_t took_ns, uint64_t target_ns);

/* Fills order with a random permutation of 0 .. n-1, a function of seed and round alone. */
void xt_bench_shuffle(uint64_t seed, uint64_t round, size_t *order, size_t n);

#endif
