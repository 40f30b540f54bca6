/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The statistics against figures from tests/data/stats/reference.py (brute force over sign patterns, Python's standard
 * library), against their defining properties, and on simulated experiments: no effect, drift, a known effect.
 */
#include "base/rng.h"
#include "stats/compare.h"
#include "stats/summary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void assert_near(double a, double b, double tolerance)
{
	if (!(fabs(a - b) <= tolerance))
		fail_msg("%.17g is not within %g of %.17g", a, tolerance, b);
}

/* Park and Miller's generator and the sample of reference.py. */
static double minimal_standard(int64_t *state)
{
	*state = *state * 16807 % 2147483647;
	return (double)*state / 2147483647;
}

static void fill_sample(double *v, size_t n, int64_t seed, double shift)
{
	for (size_t i = 0; i < n; i++) {
		double sum = 0;

		for (int k = 0; k < 4; k++)
			sum += minimal_standard(&seed);
		v[i] = shift + 0.02 * (sum - 2);
	}
}

static double gaussian(struct xt_rng *rng)
{
	double u = 1 - xt_rng_unit(rng);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * xt_rng_unit(rng));
}

static void test_quantiles(void **state)
{
	static const size_t want[][2] = {
		{0, 0},   {5, 0},   {6, 1},   {7, 3},   {8, 4},    {9, 6},      {10, 9},
		{12, 14}, {15, 26}, {20, 53}, {25, 90}, {50, 435}, {100, 1956}, {200, 8445},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++)
		assert_int_equal(xt_stats_signed_rank_quantile(want[i][0]), want[i][1]);
	/* Beyond 200 the approximation: the exact ones are 8533, 19629, 35567. */
	assert_near((double)xt_stats_signed_rank_quantile(201), 8533, 2);
	assert_near((double)xt_stats_signed_rank_quantile(300), 19629, 2);
	assert_near((double)xt_stats_signed_rank_quantile(400), 35567, 3);
}

static void test_reference(void **state)
{
	static const struct {
		int64_t seed;
		size_t n;
		double shift, ratio, lo, hi, lag1;
	} row[] = {
		{1, 1, 0.05, 1.03760588046164, NAN, NAN, NAN},
		{2, 5, 0.05, 1.03714187883518, NAN, NAN, -0.704061618026925},
		{3, 6, 0.05, 1.03761203942677, 1.01790472921261, 1.0485626372733, -0.43516593892822},
		{4, 7, 0.0, 0.993422767377054, 0.982855815368809, 1.00406052493168, -0.260788115261271},
		{5, 20, 0.06, 1.06139182752728, 1.05671702290586, 1.06624989066214, -0.115232754556431},
		{6, 101, -0.03, 0.971052741769789, 0.968835210230186, 0.973419231166392, 0.0231099387894989},
		{7, 200, 0.001, 1.00202757333244, 1.00004359928335, 1.00394036003425, 0.0424838449096705},
		{8, 300, 0.01, 1.00921303686083, 1.00787548502327, 1.01054627407429, 0.00980937384629695},
	};
	double v[300];

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		/* Above n = 200 the approximate quantile may be a rank or two off. */
		double tolerance = row[i].n > 200 ? 2e-5 : 1e-13;
		struct xt_estimate e;

		fill_sample(v, row[i].n, row[i].seed, row[i].shift);
		assert_int_equal(xt_estimate_ratio(v, row[i].n, &e), 0);
		assert_int_equal(e.n, row[i].n);
		assert_int_equal(e.used, row[i].n);
		assert_int_equal(e.merged, 1);
		assert_near(e.ratio, row[i].ratio, 1e-13);
		if (row[i].n > 1)
			assert_near(e.lag1, row[i].lag1, 1e-12);
		else
			assert_true(isnan(e.lag1));
		if (row[i].n < 6) {
			assert_true(isnan(e.lo) && isnan(e.hi) && isnan(e.min_detectable));
			assert_int_equal(xt_verdict_of(&e, NULL, false), XT_TOO_FEW);
			continue;
		}
		assert_near(e.lo, row[i].lo, tolerance);
		assert_near(e.hi, row[i].hi, tolerance);
		assert_near(e.min_detectable, 1.43 * (e.hi - e.lo) / 2, 1e-15);
	}
}

/* Any n is answered; what cannot be compared is left out; the input stays as it was. */
static void test_edges(void **state)
{
	double ramp[] = {0.5, NAN, 0.0, 0.3, -INFINITY, 0.2, 0.1, 0.4};
	double same[8] = {-0.0, 0.0, 0.0, -0.0, 0.0, 0.0, -0.0, 0.0};
	struct xt_estimate e;

	(void)state;
	assert_int_equal(xt_estimate_ratio(NULL, 0, &e), 0);
	assert_true(isnan(e.ratio) && isnan(e.lo) && isnan(e.lag1));
	assert_int_equal(e.used, 0);
	assert_int_equal(xt_estimate_ratio(ramp, 8, &e), 0);
	assert_int_equal(e.n, 8);
	assert_int_equal(e.used, 6);
	assert_near(log(e.ratio), 0.25, 1e-15);
	assert_near(e.lo, 1, 0);
	assert_near(e.hi, exp(0.5), 0);
	assert_true(ramp[0] == 0.5 && isnan(ramp[1]) && ramp[7] == 0.4);
	assert_int_equal(xt_estimate_ratio(same, 8, &e), 0);
	assert_true(e.ratio == 1 && e.lo == 1 && e.hi == 1 && isnan(e.lag1));
	assert_int_equal(xt_verdict_of(&e, NULL, false), XT_NO_DIFFERENCE);
	assert_near(xt_stats_median((double[]){3, 1, 2}, 3), 2, 0);
	assert_near(xt_stats_median((double[]){4, 1, 2, 3}, 4), 2.5, 0);
	assert_true(isnan(xt_stats_median(NULL, 0)));
	assert_true(isnan(xt_stats_median((double[]){1, NAN}, 2)));
}

/* An outlier moves neither estimate nor interval far: blocks need not be dropped. */
static void test_outlier(void **state)
{
	double v[20];
	struct xt_estimate clean, dirty;

	(void)state;
	fill_sample(v, 20, 5, 0.06);
	assert_int_equal(xt_estimate_ratio(v, 20, &clean), 0);
	v[7] = -3;
	assert_int_equal(xt_estimate_ratio(v, 20, &dirty), 0);
	assert_near(dirty.ratio, clean.ratio, 0.002);
	assert_true(dirty.hi - dirty.lo < 2 * (clean.hi - clean.lo));
}

static void test_merging(void **state)
{
	size_t n = 2001;
	double *v = malloc(n * sizeof(*v));
	struct xt_rng rng;
	struct xt_estimate e;
	double x = 0;

	(void)state;
	assert_non_null(v);
	xt_rng_init(&rng, 1, 0, XT_RNG_TEST);
	for (size_t i = 0; i < n; i++)
		v[i] = 0.01 * gaussian(&rng);
	assert_int_equal(xt_estimate_ratio(v, n, &e), 0); /* more than 2000 blocks */
	assert_int_equal(e.merged, 2);
	assert_int_equal(e.used, 1000);
	for (size_t i = 0; i < 400; i++)
		v[i] = x = 0.8 * x + 0.01 * gaussian(&rng);
	assert_int_equal(xt_estimate_ratio(v, 400, &e), 0); /* correlated */
	assert_true(e.lag1 > 0.6);
	assert_true(e.merged >= 4);
	assert_int_equal(e.used, 400 / e.merged);
	for (size_t i = 0; i < 39; i++)
		v[i] = 0.01 * (double)i; /* correlated, but half of it would be below 20 */
	assert_int_equal(xt_estimate_ratio(v, 39, &e), 0);
	assert_true(e.lag1 > 2 / sqrt(39));
	assert_int_equal(e.merged, 1);
	for (size_t i = 0; i < 41; i++)
		v[i] = (double)i; /* merged once, the odd block into the last mean */
	assert_int_equal(xt_estimate_ratio(v, 41, &e), 0);
	assert_int_equal(e.merged, 2);
	assert_int_equal(e.used, 20);
	assert_near(log(e.ratio), 19.5, 1e-12);
	free(v);
}

static void test_verdicts(void **state)
{
	static const struct {
		double lo, hi, control_lo, control_hi;
		bool void_arm;
		enum xt_verdict want;
	} row[] = {
		{1.01, 1.03, 0.998, 1.002, false, XT_FASTER},
		{1.01, 1.03, 0.998, 1.012, false, XT_NO_DIFFERENCE}, /* inside the noise that A'/A shows */
		{1.01, 1.03, 0.97, 0.99, false, XT_FASTER},
		{0.999, 1.03, 0.97, 0.99, false, XT_NO_DIFFERENCE},
		{0.96, 0.98, 0.998, 1.002, false, XT_SLOWER},
		{0.96, 0.98, 0.97, 1.002, false, XT_NO_DIFFERENCE},
		{0.96, 1.002, 1.01, 1.02, false, XT_NO_DIFFERENCE},
		{1.01, 1.03, NAN, NAN, false, XT_FASTER},
		{NAN, NAN, NAN, NAN, false, XT_TOO_FEW},
		{1.01, 1.03, 0.998, 1.002, true, XT_VOID},
		{NAN, NAN, NAN, NAN, true, XT_VOID},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct xt_estimate e = {.n = 20, .used = 20, .lo = row[i].lo, .hi = row[i].hi};
		struct xt_estimate control = {.n = 20, .used = 20, .lo = row[i].control_lo, .hi = row[i].control_hi};

		assert_int_equal(xt_verdict_of(&e, &control, row[i].void_arm), row[i].want);
	}
	assert_string_equal(xt_verdict_name(XT_TOO_FEW), "too_few");
	assert_string_equal(xt_verdict_name(XT_FASTER), "faster");
	assert_string_equal(xt_verdict_name(XT_SLOWER), "slower");
	assert_string_equal(xt_verdict_name(XT_NO_DIFFERENCE), "no_difference");
	assert_string_equal(xt_verdict_name(XT_VOID), "void");
}

static void test_prediction(void **state)
{
	(void)state;
	/* 120 reads, 91.1 ns cheaper each, of a transaction of 175 us: 175000 / (175000 - 10932). */
	assert_near(xt_predict_ratio(120 * 91.1, 175000), 1.0666309091352366, 1e-13);
	assert_near(xt_predict_ratio(-1000, 9000), 0.9, 1e-15);
	assert_near(xt_predict_ratio(0, 9000), 1, 0);
	assert_true(isnan(xt_predict_ratio(1, 0)));
	assert_true(isnan(xt_predict_ratio(9000, 9000)));
	assert_true(isnan(xt_predict_ratio(NAN, 9000)));
	assert_true(isnan(xt_predict_ratio(1, NAN)));
	assert_near(xt_block_log_ratio(100, 0.005, 106, 0.004), 0.28113080896455855, 1e-14);
	assert_true(isfinite(xt_block_log_ratio(0, 0.005, 0, 0.004)));
	assert_true(isnan(xt_block_log_ratio(1, 0, 1, 1)));
}

/* One simulated experiment: a block is three slices in random order; the rate of the system falls by `drift` from block
 * to block and rises or falls by the noise from slice to slice. */
static void simulate(struct xt_rng *rng, double effect, double drift, struct xt_estimate out[2])
{
	enum { BLOCKS = 100 };
	double log_b[BLOCKS], log_control[BLOCKS];
	double rate = 40000;

	for (size_t block = 0; block < BLOCKS; block++) {
		double count[3], seconds = 0.004;

		for (size_t arm = 0; arm < 3; arm++)
			count[arm] = floor(rate * seconds * (arm == 1 ? effect : 1) * exp(0.03 * gaussian(rng)));
		log_b[block] = xt_block_log_ratio(count[0], seconds, count[1], seconds);
		log_control[block] = xt_block_log_ratio(count[0], seconds, count[2], seconds);
		rate *= 1 - drift;
	}
	assert_int_equal(xt_estimate_ratio(log_b, BLOCKS, &out[0]), 0);
	assert_int_equal(xt_estimate_ratio(log_control, BLOCKS, &out[1]), 0);
}

static void test_no_effect_is_not_found(void **state)
{
	struct xt_rng rng;
	int significant = 0, verdicts = 0;

	(void)state;
	xt_rng_init(&rng, 20070625, 0, XT_RNG_TEST);
	for (int i = 0; i < 40; i++) {
		struct xt_estimate e[2];
		enum xt_verdict verdict;

		simulate(&rng, 1, 0, e);
		verdict = xt_verdict_of(&e[0], &e[1], false);
		significant += e[0].lo > 1 || e[0].hi < 1;
		verdicts += verdict == XT_FASTER || verdict == XT_SLOWER;
	}
	assert_true(significant <= 5);
	assert_true(verdicts <= significant);
}

/* A target that gets 1 % slower with each block (2.7 times over the run) biases nothing, an effect is still found, and
 * intervals cover the truth as often as they say. */
static void test_drift(void **state)
{
	struct xt_rng rng;
	int found = 0, covered = 0, control_covered = 0;

	(void)state;
	xt_rng_init(&rng, 20071018, 0, XT_RNG_TEST);
	for (int i = 0; i < 200; i++) {
		struct xt_estimate e[2];

		simulate(&rng, 1.06, 0.01, e);
		found += xt_verdict_of(&e[0], &e[1], false) == XT_FASTER;
		covered += e[0].lo <= 1.06 && e[0].hi >= 1.06;
		control_covered += e[1].lo <= 1 && e[1].hi >= 1;
		assert_near(e[0].ratio, 1.06, 0.025);
	}
	assert_int_equal(found, 200);
	assert_in_range(covered, 180, 199); /* 190 +- 3.2 standard deviations */
	assert_in_range(control_covered, 180, 199);
}

/* Selection by counting agrees with a sort of all Walsh averages, on values with many ties. */
static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void test_selection(void **state)
{
	enum { N = 60 };
	double v[N], sorted[N], walsh[N * (N + 1) / 2], location, lo, hi;
	size_t m, k = xt_stats_signed_rank_quantile(N);
	struct xt_rng rng;

	(void)state;
	xt_rng_init(&rng, 3, 0, XT_RNG_TEST);
	for (int round = 0; round < 20; round++) {
		m = 0;
		for (size_t i = 0; i < N; i++)
			sorted[i] = v[i] = (double)xt_rng_range(&rng, -3, 3) * 0.1;
		for (size_t i = 0; i < N; i++)
			for (size_t j = i; j < N; j++)
				walsh[m++] = (v[i] + v[j]) / 2;
		qsort(walsh, m, sizeof(*walsh), compare);
		xt_stats_signed_rank(sorted, N, &location, &lo, &hi);
		assert_near(location, (walsh[(m - 1) / 2] + walsh[m / 2]) / 2, 0);
		assert_near(lo, walsh[k - 1], 0);
		assert_near(hi, walsh[m - k], 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quantiles),  cmocka_unit_test(test_reference),
		cmocka_unit_test(test_edges),      cmocka_unit_test(test_outlier),
		cmocka_unit_test(test_merging),    cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_prediction), cmocka_unit_test(test_no_effect_is_not_found),
		cmocka_unit_test(test_drift),      cmocka_unit_test(test_selection),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
