/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Student's t for a few independent runs. Pure.
 */
#ifndef XT_STATS_STUDENT_H
#define XT_STATS_STUDENT_H

#include "stats/compare.h"

#include <stddef.h>

/* The estimate from the log ratios of n fresh processes: their mean, and from n = 3 on the 95 % interval of Student's
 * t. Below that lo, hi and min_detectable are NAN; values that are not finite are left out. */
void xt_estimate_runs(const double *log_ratio, size_t n, struct xt_estimate *out);

#endif
