/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random integers in lo..hi: pgbench's distributions and sysbench's. All need lo <= hi and hi - lo + 1 within 63
 * bits, which the caller checks. What a distribution can compute ahead is kept in struct xt_dist.
 */
#ifndef XT_SCRIPT_DIST_H
#define XT_SCRIPT_DIST_H

#include "base/rng.h"
#include "script/script.h"

#include <stdint.h>

#define XT_GAUSSIAN_MIN 2.0
#define XT_ZIPFIAN_MIN  1.001
#define XT_ZIPFIAN_MAX  1000.0

/* Rejection-inversion for a bounded Zipf law (Hoermann and Derflinger 1996), for one exponent and one n. */
struct xt_zipf {
	double exponent;
	int64_t n;
	double s;    /* acceptance without a test below it */
	double h_x1; /* the integral's ends */
	double h_n;
};

struct xt_dist {
	struct xt_rand_options options;
	double pareto_power; /* log(h) / log(1 - h) */
	struct xt_zipf zipf;
};

void xt_dist_init(struct xt_dist *dist, const struct xt_rand_options *options);

/* sysbench's, by xt_rand_options. */
int64_t xt_dist_gaussian(const struct xt_dist *dist, struct xt_rng *rng, int64_t lo, int64_t hi);
int64_t xt_dist_special(const struct xt_dist *dist, struct xt_rng *rng, int64_t lo, int64_t hi);
int64_t xt_dist_pareto(const struct xt_dist *dist, struct xt_rng *rng, int64_t lo, int64_t hi);
int64_t xt_dist_zipf(struct xt_dist *dist, struct xt_rng *rng, int64_t lo, int64_t hi);
/* The one that the options name. */
int64_t xt_dist_default(struct xt_dist *dist, struct xt_rng *rng, int64_t lo, int64_t hi);

/* pgbench's, with their parameter (checked by the caller). */
int64_t xt_dist_pg_exponential(struct xt_rng *rng, int64_t lo, int64_t hi, double parameter);
int64_t xt_dist_pg_gaussian(struct xt_rng *rng, int64_t lo, int64_t hi, double parameter);
int64_t xt_dist_pg_zipfian(struct xt_rng *rng, int64_t lo, int64_t hi, double parameter);

#endif
