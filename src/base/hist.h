/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A log-linear histogram of 64-bit values (ns): 128 buckets per power of two, so a bucket is at most 1/128 of its
 * value wide and its middle at most 0.4 % off; no upper limit. Exact count, sum, minimum and maximum beside it. One
 * writer; merge after the writer has stopped. 59 kB.
 */
#ifndef XT_BASE_HIST_H
#define XT_BASE_HIST_H

#include <stdint.h>

enum { XT_HIST_SUB = 128, XT_HIST_BUCKETS = XT_HIST_SUB * 58 };

struct xt_hist {
	uint64_t count;
	uint64_t min, max; /* min is UINT64_MAX when count is 0 */
	double sum;
	double sum_squares;
	uint64_t bucket[XT_HIST_BUCKETS];
};

void xt_hist_init(struct xt_hist *hist);
void xt_hist_merge(struct xt_hist *into, const struct xt_hist *from);

static inline unsigned xt_hist_index(uint64_t v)
{
	unsigned e;

	if (v < 2 * XT_HIST_SUB)
		return (unsigned)v;
	e = 63u - (unsigned)__builtin_clzll(v) - 7u;
	return e * XT_HIST_SUB + (unsigned)(v >> e);
}

static inline void xt_hist_add(struct xt_hist *hist, uint64_t v)
{
	hist->count++;
	hist->sum += (double)v;
	hist->sum_squares += (double)v * (double)v;
	if (v < hist->min)
		hist->min = v;
	if (v > hist->max)
		hist->max = v;
	hist->bucket[xt_hist_index(v)]++;
}

/* Lowest value of a bucket, and the first value past it (saturating). */
uint64_t xt_hist_low(unsigned index);
uint64_t xt_hist_high(unsigned index);

/* The value at quantile q (0..1): middle of the bucket that holds the ceil(q * count)-th value, never outside
 * [min, max]; NAN when empty. Non-decreasing in q. */
double xt_hist_quantile(const struct xt_hist *hist, double q);
double xt_hist_mean(const struct xt_hist *hist);   /* NAN when empty */
double xt_hist_stddev(const struct xt_hist *hist); /* population, as pgbench's; NAN when empty */

#endif
