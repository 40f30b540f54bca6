/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Robust summaries: median, lag-1 autocorrelation, and location with interval from the Walsh averages, which are
 * counted and never stored (two million of them for 2,000 blocks). Pure functions.
 */
#include "stats/summary.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_TO = 200 }; /* beyond it the normal approximation is within one rank of 9,000 */

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double xt_stats_median(const double *v, size_t n)
{
	double *sorted;
	double median;

	for (size_t i = 0; i < n; i++)
		if (isnan(v[i]))
			return NAN;
	sorted = n ? malloc(n * sizeof(*sorted)) : NULL;
	if (!sorted)
		return NAN;
	memcpy(sorted, v, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), compare_doubles);
	median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
	free(sorted);
	return median;
}

double xt_stats_lag1(const double *v, size_t n)
{
	double mean = 0, lagged = 0, square = 0;

	for (size_t i = 0; i < n; i++)
		mean += v[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		square += (v[i] - mean) * (v[i] - mean);
		if (i)
			lagged += (v[i] - mean) * (v[i - 1] - mean);
	}
	return n >= 2 && square > 0 ? lagged / square : NAN;
}

/* Cumulative distribution of the sum of a random subset of {1..n}, by adding one rank after another. */
static size_t exact_quantile(size_t n)
{
	static const size_t cells = EXACT_TO * (EXACT_TO + 1) / 2 + 1;
	size_t top = n * (n + 1) / 2, k = 0;
	double *p = calloc(cells, sizeof(*p));
	double below;

	if (!p)
		return 0;
	p[0] = 1;
	for (size_t rank = 1; rank <= n; rank++)
		for (size_t sum = rank * (rank + 1) / 2 + 1; sum-- > 0;)
			p[sum] = (p[sum] + (sum >= rank ? p[sum - rank] : 0)) / 2;
	for (below = p[0]; below < 0.025 && k < top; below += p[k])
		k++;
	free(p);
	return k;
}

size_t xt_stats_signed_rank_quantile(size_t n)
{
	double dn = (double)n;
	double mean = dn * (dn + 1) / 4, sd = sqrt(dn * (dn + 1) * (2 * dn + 1) / 24);

	if (n < 6)
		return 0;
	return n <= EXACT_TO ? exact_quantile(n) : (size_t)ceil(mean - 1.959963984540054 * sd - 0.5);
}

/* How many of the Walsh averages (v[i] + v[j]) / 2, i <= j, are at most x. v is sorted. */
static size_t count_walsh(const double *v, size_t n, double x)
{
	size_t count = 0, j = n;

	for (size_t i = 0; i < n; i++) {
		while (j > 0 && (v[i] + v[j - 1]) / 2 > x)
			j--;
		if (j <= i)
			break;
		count += j - i;
	}
	return count;
}

/* Doubles in their order as unsigned integers, and back. */
static uint64_t to_ordered(double x)
{
	uint64_t u;

	memcpy(&u, &x, sizeof(u));
	return u >> 63 ? ~u : u | UINT64_C(1) << 63;
}

static double from_ordered(uint64_t u)
{
	double x;

	u = u >> 63 ? u & ~(UINT64_C(1) << 63) : ~u;
	memcpy(&x, &u, sizeof(x));
	return x;
}

/* The k-th smallest Walsh average (k from 1): bisection over the doubles between the smallest and the largest value,
 * so that it ends, exact, after at most 64 counts. */
static double select_walsh(const double *v, size_t n, size_t k)
{
	uint64_t lo = to_ordered(v[0]), hi = to_ordered(v[n - 1]);

	while (lo < hi) {
		uint64_t middle = lo + (hi - lo) / 2;

		if (count_walsh(v, n, from_ordered(middle)) >= k)
			hi = middle;
		else
			lo = middle + 1;
	}
	return from_ordered(lo);
}

void xt_stats_signed_rank(double *v, size_t n, double *location, double *lo, double *hi)
{
	size_t pairs = n * (n + 1) / 2, k = xt_stats_signed_rank_quantile(n);

	*location = *lo = *hi = NAN;
	if (!n)
		return;
	for (size_t i = 0; i < n; i++)
		v[i] += 0.0; /* -0 becomes +0: one zero in the order of the bits */
	qsort(v, n, sizeof(*v), compare_doubles);
	*location = (select_walsh(v, n, (pairs + 1) / 2) + select_walsh(v, n, pairs / 2 + 1)) / 2;
	if (k) {
		*lo = select_walsh(v, n, k);
		*hi = select_walsh(v, n, pairs + 1 - k);
	}
}
