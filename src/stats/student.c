/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mean and t interval of log ratios.
 */
#include "stats/student.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum { FEWEST_RUNS = 3 };

/* As for blocks: 80 % power at 5 %. */
static const double SPAN_DETECTABLE = 1.43;

void xt_estimate_runs(const double *log_ratio, size_t n, struct xt_estimate *out)
{
	double sum = 0, squares = 0, mean, half;
	size_t used = 0;

	*out = (struct xt_estimate){.n = n, .merged = 1, .lag1 = NAN, .ratio = NAN, .lo = NAN, .hi = NAN};
	out->min_detectable = NAN;
	for (size_t i = 0; i < n; i++)
		if (isfinite(log_ratio[i])) {
			sum += log_ratio[i];
			used++;
		}
	out->used = used;
	if (!used)
		return;
	mean = sum / (double)used;
	out->ratio = exp(mean);
	if (used < FEWEST_RUNS)
		return;
	for (size_t i = 0; i < n; i++)
		if (isfinite(log_ratio[i]))
			squares += (log_ratio[i] - mean) * (log_ratio[i] - mean);
	half = gsl_cdf_tdist_Pinv(0.975, (double)used - 1) * sqrt(squares / ((double)used - 1) / (double)used);
	out->lo = exp(mean - half);
	out->hi = exp(mean + half);
	out->min_detectable = SPAN_DETECTABLE * (out->hi - out->lo) / 2;
}
