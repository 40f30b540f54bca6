/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The histogram's cold half.
 */
#include "base/hist.h"

#include <math.h>
#include <string.h>

_Static_assert(XT_HIST_BUCKETS > (63 - 7) * XT_HIST_SUB + 255, "every 64-bit value has a bucket");

void xt_hist_init(struct xt_hist *hist)
{
	memset(hist, 0, sizeof(*hist));
	hist->min = UINT64_MAX;
}

void xt_hist_merge(struct xt_hist *into, const struct xt_hist *from)
{
	if (!from->count)
		return;
	into->count += from->count;
	into->sum += from->sum;
	into->sum_squares += from->sum_squares;
	if (from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
	for (unsigned i = xt_hist_index(from->min); i <= xt_hist_index(from->max); i++)
		into->bucket[i] += from->bucket[i];
}

uint64_t xt_hist_low(unsigned index)
{
	unsigned e;

	if (index < 2 * XT_HIST_SUB)
		return index;
	e = index / XT_HIST_SUB - 1;
	return (uint64_t)(index - e * XT_HIST_SUB) << e;
}

uint64_t xt_hist_high(unsigned index)
{
	uint64_t high = xt_hist_low(index + 1);

	return high > xt_hist_low(index) ? high : UINT64_MAX;
}

double xt_hist_quantile(const struct xt_hist *hist, double q)
{
	double want = ceil(q * (double)hist->count);
	uint64_t seen = 0;
	double mid;
	unsigned i;

	if (!hist->count)
		return NAN;
	if (want < 1)
		want = 1;
	for (i = 0; i < XT_HIST_BUCKETS - 1; i++) {
		seen += hist->bucket[i];
		if ((double)seen >= want)
			break;
	}
	mid = i < 2 * XT_HIST_SUB ? (double)i : ((double)xt_hist_low(i) + (double)xt_hist_high(i)) / 2;
	if (mid < (double)hist->min)
		mid = (double)hist->min;
	if (mid > (double)hist->max)
		mid = (double)hist->max;
	return mid;
}

double xt_hist_mean(const struct xt_hist *hist)
{
	return hist->count ? hist->sum / (double)hist->count : NAN;
}

double xt_hist_stddev(const struct xt_hist *hist)
{
	double mean, variance;

	if (!hist->count)
		return NAN;
	mean = hist->sum / (double)hist->count;
	variance = hist->sum_squares / (double)hist->count - mean * mean;
	return variance > 0 ? sqrt(variance) : 0;
}
