/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Robust summaries of small samples. Pure functions; any n is answered, too few values with NAN.
 */
#ifndef XT_STATS_SUMMARY_H
#define XT_STATS_SUMMARY_H

#include <stddef.h>

/* Median; NAN when n is 0, when a value is NAN, or when out of memory. Leaves the array alone. */
double xt_stats_median(const double *v, size_t n);

/* Lag-1 autocorrelation about the mean; NAN when n < 2 or all values are equal. */
double xt_stats_lag1(const double *v, size_t n);

/* Sorts v. location: Hodges-Lehmann (median of the Walsh averages), NAN when n is 0. [lo, hi]: 95 % interval from the
 * signed-rank distribution, exact to n = 200 and normal with continuity correction above; NAN when n < 6. */
void xt_stats_signed_rank(double *v, size_t n, double *location, double *lo, double *hi);

/* The smallest k with P(T <= k) >= 0.025 for the signed-rank statistic T of n values without ties; 0 for n < 6. */
size_t xt_stats_signed_rank_quantile(size_t n);

#endif
