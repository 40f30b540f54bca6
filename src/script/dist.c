/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The distributions. Each maps a real number onto lo..hi; rounding could step over hi, so the end is clamped.
 */
#include "script/dist.h"

#include <math.h>

static int64_t place(int64_t lo, int64_t hi, double offset)
{
	uint64_t span = (uint64_t)hi - (uint64_t)lo;

	if (!(offset >= 0))
		return lo;
	if (offset >= 0x1p63 || (uint64_t)offset > span)
		return hi;
	return (int64_t)((uint64_t)lo + (uint64_t)offset);
}

static double width(int64_t lo, int64_t hi)
{
	return (double)((uint64_t)hi - (uint64_t)lo) + 1.0;
}

void xt_dist_init(struct xt_dist *dist, const struct xt_rand_options *options)
{
	*dist = (struct xt_dist){.options = *options};
	dist->pareto_power = log(options->pareto_h) / log(1.0 - options->pareto_h);
}

/* The mean of several uniform numbers: in [0, 1), close to normal. */
static double bell(const struct xt_dist *dist, struct xt_rng *rng)
{
	unsigned n = dist->options.spec_iter ? dist->options.spec_iter : 1;
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += xt_rng_unit(rng);
	return sum / n;
}

int64_t xt_dist_gaussian(const struct xt_dist *dist, struct xt_rng *rng, int64_t lo, int64_t hi)
{
	return place(lo, hi, bell(dist, rng) * width(lo, hi));
}

/* sysbench 1.0's special distribution: of the draws, spec_res per cent fall evenly on a band around the middle, the
 * rest on the whole range in the shape of a bell. The band is spec_pct per cent of the range and one value more; since
 * the draw that chooses the band also places the value in it, its first 100 - spec_res per cent stay empty. */
int64_t xt_dist_special(const struct xt_dist *dist, struct xt_rng *rng, int64_t lo, int64_t hi)
{
	double t = width(lo, hi) - 1.0;
	double band = t * dist->options.spec_pct / 100.0;
	double u = xt_rng_unit(rng);

	if (u * 100.0 < 100.0 - dist->options.spec_res)
		return place(lo, hi, bell(dist, rng) * t);
	return place(lo, hi, t / 2.0 - band / 2.0 + u * (band + 1.0));
}

int64_t xt_dist_pareto(const struct xt_dist *dist, struct xt_rng *rng, int64_t lo, int64_t hi)
{
	return place(lo, hi, width(lo, hi) * pow(xt_rng_unit(rng), dist->pareto_power));
}

/* log1p(x)/x and expm1(x)/x, exact near 0. */
static double log_ratio(double x)
{
	return fabs(x) > 1e-8 ? log1p(x) / x : 1.0 - x * (0.5 - x * (1.0 / 3.0 - 0.25 * x));
}

static double exp_ratio(double x)
{
	return fabs(x) > 1e-8 ? expm1(x) / x : 1.0 + x * 0.5 * (1.0 + x * (1.0 / 3.0) * (1.0 + 0.25 * x));
}

/* The integral of x^-exponent, and back. */
static double integral(double exponent, double x)
{
	double log_x = log(x);

	return exp_ratio((1.0 - exponent) * log_x) * log_x;
}

static double integral_inverse(double exponent, double y)
{
	double t = y * (1.0 - exponent);

	return exp(log_ratio(t < -1.0 ? -1.0 : t) * y);
}

static void zipf_prepare(struct xt_zipf *zipf, double exponent, int64_t n)
{
	zipf->exponent = exponent;
	zipf->n = n;
	zipf->h_x1 = integral(exponent, 1.5) - 1.0;
	zipf->h_n = integral(exponent, (double)n + 0.5);
	zipf->s = 2.0 - integral_inverse(exponent, integral(exponent, 2.5) - pow(2.0, -exponent));
}

int64_t xt_dist_zipf(struct xt_dist *dist, struct xt_rng *rng, int64_t lo, int64_t hi)
{
	struct xt_zipf *zipf = &dist->zipf;
	int64_t n = hi - lo + 1;

	if (zipf->n != n)
		zipf_prepare(zipf, dist->options.zipfian_exp, n);
	for (;;) {
		double u = zipf->h_n + xt_rng_unit(rng) * (zipf->h_x1 - zipf->h_n);
		double x = integral_inverse(zipf->exponent, u);
		double k = floor(x + 0.5);

		if (k < 1.0)
			k = 1.0;
		if (k > (double)n)
			k = (double)n;
		if (k - x <= zipf->s || u >= integral(zipf->exponent, k + 0.5) - pow(k, -zipf->exponent))
			return place(lo, hi, k - 1.0);
	}
}

int64_t xt_dist_default(struct xt_dist *dist, struct xt_rng *rng, int64_t lo, int64_t hi)
{
	switch (dist->options.type) {
	case XT_DIST_GAUSSIAN:
		return xt_dist_gaussian(dist, rng, lo, hi);
	case XT_DIST_SPECIAL:
		return xt_dist_special(dist, rng, lo, hi);
	case XT_DIST_PARETO:
		return xt_dist_pareto(dist, rng, lo, hi);
	case XT_DIST_ZIPFIAN:
		return xt_dist_zipf(dist, rng, lo, hi);
	case XT_DIST_UNIFORM:
		break;
	}
	return xt_rng_range(rng, lo, hi);
}

/* An exponential law cut off at the parameter and stretched over the range. */
int64_t xt_dist_pg_exponential(struct xt_rng *rng, int64_t lo, int64_t hi, double parameter)
{
	double cut = exp(-parameter);
	double u = 1.0 - xt_rng_unit(rng); /* in (0, 1] */

	return place(lo, hi, width(lo, hi) * (-log(cut + (1.0 - cut) * u) / parameter));
}

/* A normal law cut off at -parameter and +parameter and stretched over the range (Box and Muller's transform). */
int64_t xt_dist_pg_gaussian(struct xt_rng *rng, int64_t lo, int64_t hi, double parameter)
{
	double z;

	do {
		double radius = sqrt(-2.0 * log(1.0 - xt_rng_unit(rng)));

		z = radius * sin(2.0 * M_PI * xt_rng_unit(rng));
	} while (z < -parameter || z >= parameter);
	return place(lo, hi, width(lo, hi) * ((z + parameter) / (2.0 * parameter)));
}

/* Devroye, Non-Uniform Random Variate Generation (1986), page 551: rejection from a Pareto law; exponents above 1. */
int64_t xt_dist_pg_zipfian(struct xt_rng *rng, int64_t lo, int64_t hi, double parameter)
{
	double n = width(lo, hi);
	double b = pow(2.0, parameter - 1.0);

	if (lo == hi)
		return lo;
	for (;;) {
		double u = 1.0 - xt_rng_unit(rng);
		double v = xt_rng_unit(rng);
		double x = floor(pow(u, -1.0 / (parameter - 1.0)));
		double t = pow(1.0 + 1.0 / x, parameter - 1.0);

		if (x <= n && v * x * (t - 1.0) / (b - 1.0) <= t / b)
			return place(lo, hi, x - 1.0);
	}
}
