/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The comparison of two arms: pure functions on arrays of per-block log ratios.
 */
#ifndef XT_STATS_COMPARE_H
#define XT_STATS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

enum xt_verdict {
	XT_TOO_FEW,
	XT_FASTER,
	XT_SLOWER,
	XT_NO_DIFFERENCE,
	XT_VOID,
};

const char *xt_verdict_name(enum xt_verdict verdict); /* "too_few", "faster", ... */

struct xt_estimate {
	size_t n;              /* blocks given */
	size_t used;           /* after merging */
	unsigned merged;       /* merge factor: 1, 2, 4, ... */
	double lag1;           /* lag-1 autocorrelation before merging; NAN when undefined */
	double ratio;          /* exp(Hodges-Lehmann of the log ratios); NAN when n is 0 */
	double lo, hi;         /* 95 % signed-rank interval of the ratio; NAN when n < 6 */
	double min_detectable; /* 1.43 x half width of [lo, hi] (as a ratio difference); NAN when n < 6 */
};

/* log_ratio: one per block, in time order. Leaves the array alone. Allocates; -1 when out of memory. */
int xt_estimate_ratio(const double *log_ratio, size_t n, struct xt_estimate *out);

/* void_arm: an arm of the comparison was never called. */
enum xt_verdict xt_verdict_of(const struct xt_estimate *estimate, const struct xt_estimate *control, bool void_arm);

/* Predicted ratio t / (t - d): t = ns of worker time a transaction takes under A (W / tps), d = ns saved by B.
 * NAN when undefined (t <= 0 or d >= t). */
double xt_predict_ratio(double saved_ns, double transaction_ns);

/* log((b + 0.5) / seconds_b) - log((a + 0.5) / seconds_a): what one block adds. */
double xt_block_log_ratio(double count_a, double seconds_a, double count_b, double seconds_b);

#endif
