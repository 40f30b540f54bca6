/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparison of two arms from per-block log ratios: Hodges-Lehmann estimate, signed-rank interval, merging of
 * correlated neighbours, verdict, prediction. Pure functions on arrays: no clocks, no I/O, no state between calls.
 */
#include "stats/compare.h"

#include "stats/summary.h"

#include <math.h>
#include <stdlib.h>

enum {
	FEWEST_BLOCKS = 6, /* 2^-5 > 2.5 %: with five signs no 95 % interval exists */
	FEWEST_MERGED = 20,
	MOST_BLOCKS = 2000,
};

static const double SPAN_DETECTABLE = 1.43; /* (1.96 + 0.84) / 1.96: 80 % power at 5 % */

const char *xt_verdict_name(enum xt_verdict verdict)
{
	static const char *const name[] = {
		[XT_TOO_FEW] = "too_few", [XT_FASTER] = "faster",
		[XT_SLOWER] = "slower",   [XT_NO_DIFFERENCE] = "no_difference",
		[XT_VOID] = "void",
	};

	return (size_t)verdict < sizeof(name) / sizeof(*name) ? name[verdict] : "unknown";
}

/* Means of groups of m neighbours; the last group takes what is left over, so that no block is lost. */
static size_t merge_blocks(const double *in, size_t n, size_t m, double *out)
{
	size_t groups = n / m;

	for (size_t g = 0; g < groups; g++) {
		size_t end = g + 1 == groups ? n : (g + 1) * m;
		double sum = 0;

		for (size_t i = g * m; i < end; i++)
			sum += in[i];
		out[g] = sum / (double)(end - g * m);
	}
	return groups;
}

int xt_estimate_ratio(const double *log_ratio, size_t n, struct xt_estimate *out)
{
	double *finite = malloc((n ? n : 1) * sizeof(*finite));
	double *merged = malloc((n ? n : 1) * sizeof(*merged));
	size_t kept = 0, used;
	double location, lo, hi, lag1;
	unsigned m = 1;

	*out = (struct xt_estimate){.n = n, .merged = 1, .lag1 = NAN, .ratio = NAN, .lo = NAN, .hi = NAN};
	out->min_detectable = NAN;
	if (!finite || !merged) {
		free(finite);
		free(merged);
		return -1;
	}
	for (size_t i = 0; i < n; i++)
		if (isfinite(log_ratio[i]))
			finite[kept++] = log_ratio[i];
	used = merge_blocks(finite, kept, 1, merged);
	out->lag1 = lag1 = xt_stats_lag1(merged, used);
	while ((used > MOST_BLOCKS || lag1 > 2 / sqrt((double)used)) && used / 2 >= FEWEST_MERGED) {
		m *= 2;
		used = merge_blocks(finite, kept, m, merged);
		lag1 = xt_stats_lag1(merged, used);
	}
	out->used = used;
	out->merged = m;
	xt_stats_signed_rank(merged, used, &location, &lo, &hi);
	out->ratio = exp(location);
	if (used >= FEWEST_BLOCKS) {
		out->lo = exp(lo);
		out->hi = exp(hi);
		out->min_detectable = SPAN_DETECTABLE * (out->hi - out->lo) / 2;
	}
	free(finite);
	free(merged);
	return 0;
}

enum xt_verdict xt_verdict_of(const struct xt_estimate *estimate, const struct xt_estimate *control, bool void_arm)
{
	/* fmax and fmin pass over a control without an interval. */
	double above = fmax(1, control ? control->hi : NAN);
	double below = fmin(1, control ? control->lo : NAN);

	if (void_arm)
		return XT_VOID;
	if (isnan(estimate->lo) || isnan(estimate->hi))
		return XT_TOO_FEW;
	if (estimate->lo > above)
		return XT_FASTER;
	if (estimate->hi < below)
		return XT_SLOWER;
	return XT_NO_DIFFERENCE;
}

double xt_predict_ratio(double saved_ns, double transaction_ns)
{
	if (!(transaction_ns > 0) || !(saved_ns < transaction_ns) || !isfinite(transaction_ns) || !isfinite(saved_ns))
		return NAN;
	return transaction_ns / (transaction_ns - saved_ns);
}

double xt_block_log_ratio(double count_a, double seconds_a, double count_b, double seconds_b)
{
	if (!(seconds_a > 0) || !(seconds_b > 0))
		return NAN;
	return log((count_b + 0.5) / seconds_b) - log((count_a + 0.5) / seconds_a);
}
