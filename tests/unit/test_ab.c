/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The A/B's arithmetic on made slices: plan, comparison, prediction, dose, merging of runs.
 */
#include "ab/dose.h"
#include "ab/point.h"
#include "ab/runs.h"
#include "record/host.h"
#include "stats/student.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct xt_ab_words defaults = {NULL, "syscall-gettimeofday", "syscall-time", "time", NULL};

static void test_plan(void **state)
{
	static const struct {
		struct xt_ab_words words;
		unsigned arms; /* 0: refused */
		const char *says;
	} rows[] = {
		{{0}, 2, ""},
		{{.arms = "coarse,libc,gettimeofday@hpet"}, 3, ""},
		{{.a = "gettimeofday@1000ns", .b = "coarse"}, 2, ""},
		{{.a = "gettimeofday", .add_ns = "0,100,200"}, 3, ""},
		{{.arms = "coarse"}, 0, "two or more"},
		{{.arms = "coarse,coarse"}, 0, "twice"},
		{{.arms = "coarse,nonsense"}, 0, "nonsense"},
		{{.arms = "coarse,,libc"}, 0, "missing"},
		{{.arms = "coarse,libc", .a = "libc"}, 0, "exclude"},
		{{.a = "gettimeofday", .add_ns = "0,200,100"}, 0, "rise"},
		{{.a = "gettimeofday", .add_ns = "5"}, 0, "two numbers"},
		{{.a = "gettimeofday", .add_ns = "0,x"}, 0, "--add-ns"},
		{{.b = "coarse", .add_ns = "0,100"}, 0, "exclude"},
		{{.a = "vdso-time", .b = "coarse", .swap = "gettimeofday"}, 0, "vdso-time"},
		{{.swap = "nothing"}, 0, "--swap"},
	};
	struct xt_ab_plan plan;
	struct xt_err err;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		int rc = xt_ab_plan_parse(&rows[i].words, &defaults, &plan, &err);

		if (rc != (rows[i].arms ? 0 : -1))
			fail_msg("row %zu: %s", i, rc ? err.text : "accepted");
		if (!rc)
			assert_int_equal(plan.arms, rows[i].arms);
		else if (!strstr(err.text, rows[i].says))
			fail_msg("row %zu: '%s' does not say '%s'", i, err.text, rows[i].says);
	}
}

static bool no_single_writer(const struct xt_db *db)
{
	(void)db;
	return false;
}

/* A point of one thread: blocks of slices of 10 ms in which a transaction of 20 statements takes base_ns plus
 * calls x what its arm adds. */
struct made {
	struct xt_driver driver;
	struct xt_engine engine;
	struct xt_ab ab;
	struct xt_point point;
};

static struct xt_cost_series series_of(double value)
{
	struct xt_cost_series series = {.v = malloc(sizeof(double)), .n = 1, .room = 1};

	assert_non_null(series.v);
	series.v[0] = value;
	return series;
}

static void done(struct made *m)
{
	free(m->point.slicing.slices.v);
	xt_cost_pool_free(&m->point.cost);
	free(m);
}

/* The plan of these words, and a point whose transactions take 100 us beside 120 reads; cost_ns is of the arms' reads.
 */
static struct made *make(const struct xt_ab_words *words, unsigned blocks, const double *cost_ns)
{
	const double base_ns = 100000, calls = 120;
	struct made *m = calloc(1, sizeof(*m));
	struct xt_err err;
	unsigned arms;

	assert_non_null(m);
	assert_int_equal(xt_ab_plan_parse(words, &defaults, &m->ab.plan, &err), 0);
	arms = m->ab.plan.arms + 1;
	m->driver.single_writer = no_single_writer;
	m->engine.driver = &m->driver;
	m->ab.engine = &m->engine;
	m->point.threads = 1;
	m->point.visits = m->point.visits_wanted = 1;
	m->point.totals.transactions = 1000000;
	m->point.totals.credited = 20000000;
	m->point.client.of[XT_FN_TIME][0] = (uint64_t)(1000000 * calls);
	for (unsigned a = 1; a < arms; a++)
		m->point.client.of[XT_FN_TIME][a] = 1;
	for (unsigned a = 0; a < arms; a++)
		m->point.cost.call[XT_FN_TIME][a] = series_of(cost_ns[a < m->ab.plan.arms ? a : 0]);
	m->point.slicing.slices.v = calloc(blocks * arms, sizeof(struct xt_slice));
	assert_non_null(m->point.slicing.slices.v);
	m->point.slicing.slices.n = blocks * arms;
	for (unsigned i = 0; i < blocks * arms; i++) {
		struct xt_slice *s = &m->point.slicing.slices.v[i];
		unsigned arm = (i % arms + i / arms) % arms; /* every arm once a block, the order moves */
		double t = base_ns + calls * cost_ns[arm < m->ab.plan.arms ? arm : 0];

		*s = (struct xt_slice){
			.begin_ns = (uint64_t)i * 1000000000u,
			.end_ns = (uint64_t)(i + 1) * 1000000000u,
			.arm = arm,
			.statements = (uint64_t)llround(20e9 / t * (1 + 1e-4 * (double)(i / arms % 5))),
		};
	}
	return m;
}

static void test_measured_equals_predicted(void **state)
{
	static const double cost[] = {1000, 10};
	const struct xt_ab_words words = {.a = "gettimeofday@1000ns", .b = "coarse"};
	struct made *m = make(&words, 40, cost);
	struct xt_point_result r;
	struct xt_err err;

	(void)state;
	assert_int_equal(xt_point_evaluate(&m->point, &m->ab, &r, &err), 0);
	assert_int_equal(r.blocks, 40);
	/* (100000 + 120000) / (100000 + 1200) */
	assert_true(fabs(r.comparison[1].estimate.ratio / 2.173913 - 1) < 0.002);
	assert_true(fabs(r.comparison[1].predicted / r.comparison[1].estimate.ratio - 1) < 0.002);
	assert_int_equal(r.comparison[1].verdict, XT_FASTER);
	assert_true(fabs(r.comparison[2].estimate.ratio - 1) < 0.001);
	done(m);
}

/* What a wait does to the caller's caches belongs to the cost of a read; foretold is from the cheaper arm's time, so
 * that an error of the cost is an error of the gain as large, whichever arm is the base. */
#define FELT(ns) ((ns) / XT_POINT_COOLING)
static void test_predicted_with_cooling(void **state)
{
	static const struct {
		struct xt_ab_words words;
		double cost[2], cooling[2], predicted;
	} rows[] = {
		/* 100000 + 120 x 10 under B; the costs say 120 x (1000 + 80 - 10) more under A */
		{{.a = "gettimeofday@1000ns", .b = "coarse"}, {1000, 10}, {FELT(80), NAN}, 1 + 120 * 1070 / 101200.0},
		{{.a = "coarse", .b = "gettimeofday@1000ns"},
	         {10, 1000},
	         {NAN, FELT(80)},
	         1 / (1 + 120 * 1070 / 101200.0)},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct made *m = make(&rows[i].words, 40, rows[i].cost);
		struct xt_point_result r;
		struct xt_err err;

		for (unsigned a = 0; a < 2; a++)
			if (!isnan(rows[i].cooling[a]))
				m->point.cost.cooling[XT_FN_TIME][a] = series_of(rows[i].cooling[a]);
		assert_int_equal(xt_point_evaluate(&m->point, &m->ab, &r, &err), 0);
		assert_true(fabs(r.comparison[1].predicted / rows[i].predicted - 1) < 0.002);
		done(m);
	}
}

/* Two CPUs share a device: 202.4 us under B, 120 x 555 ns more make 269.0, and a read finds the device taken by the
 * other CPU for 67.8 us of each transaction's t: t = 269.0 + 67.8^2 / 2t = 277.29 us. */
static void test_predicted_with_queue(void **state)
{
	static const double cost[] = {565, 10};
	const struct xt_ab_words words = {.a = "gettimeofday@hpet", .b = "coarse"};
	struct made *m;
	struct xt_point_result r;
	struct xt_err err;

	(void)state;
	if (xt_host_cpus() < 2)
		skip();
	m = make(&words, 40, cost);
	m->point.threads = 2; /* together they make what the slices hold */
	for (unsigned a = 0; a < 3; a++)
		m->ab.alone[a].ns[XT_FN_TIME] = cost[a == 1];
	m->point.cost.call[XT_FN_TIME][0].v[0] = 1130; /* callers that do nothing else stand in the queue for ever */
	assert_int_equal(xt_point_evaluate(&m->point, &m->ab, &r, &err), 0);
	assert_true(fabs(r.comparison[1].predicted / (277.29 / 202.4) - 1) < 0.001);
	done(m);
}

/* Stalls in a third of the cheaper arm's slices, and in as many of the other's: the typical block knows nothing of
 * them, and so must not what is foretold. */
static void test_predicted_beside_stalls(void **state)
{
	static const double cost[] = {1000, 10};
	const struct xt_ab_words words = {.a = "gettimeofday@1000ns", .b = "coarse"};
	struct made *m = make(&words, 60, cost);
	struct xt_point_result r;
	struct xt_err err;

	(void)state;
	for (unsigned i = 0; i < 60 * 3; i++)
		if ((i / 3 + m->point.slicing.slices.v[i].arm) % 3 == 0)
			m->point.slicing.slices.v[i].statements /= 2;
	assert_int_equal(xt_point_evaluate(&m->point, &m->ab, &r, &err), 0);
	assert_true(fabs(r.comparison[1].predicted / 2.173913 - 1) < 0.005);
	done(m);
}

/* A late flip drops its block and nothing else; an arm that was never called is void. */
static void test_late_and_void(void **state)
{
	static const double cost[] = {130, 80};
	struct made *m = make(&(struct xt_ab_words){0}, 40, cost);
	struct xt_point_result r;
	struct xt_err err;

	(void)state;
	m->point.slicing.slices.v[4].late = 1;
	m->point.client.of[XT_FN_TIME][1] = 0;
	assert_int_equal(xt_point_evaluate(&m->point, &m->ab, &r, &err), 0);
	assert_int_equal(r.blocks, 39);
	assert_int_equal(r.dropped, 1);
	assert_int_equal(r.comparison[1].verdict, XT_VOID);
	assert_true(isnan(r.comparison[1].estimate.ratio));
	done(m);
}

static struct xt_dose fitted(const struct made *m)
{
	struct xt_point_result r;
	struct xt_dose dose;
	struct xt_err err;

	assert_int_equal(xt_point_evaluate(&m->point, &m->ab, &r, &err), 0);
	assert_int_equal(xt_dose_fit(&m->point, &m->ab, &r, &dose), 0);
	return dose;
}

static void test_dose(void **state)
{
	static const double cost[] = {20, 120, 220, 820};
	const struct xt_ab_words words = {.a = "gettimeofday", .add_ns = "0,100,200,800"};
	struct made *m = make(&words, 40, cost);
	struct xt_dose dose;

	(void)state;
	dose = fitted(m);
	assert_true(fabs(dose.calls.value - 120) < 0.5);
	assert_true(fabs(dose.loss.value / (120 / 102400.0) - 1) < 0.005);
	/* 1 % of 102400 ns over 120 reads */
	assert_true(fabs(dose.break_even.value / (102400 * (1 / 0.99 - 1) / 120) - 1) < 0.005);
	assert_true(dose.break_even.lo <= dose.break_even.value && dose.break_even.value <= dose.break_even.hi);
	assert_true(fabs(dose.counted - 120) < 0.01);
	done(m);
}

/* A tenth more for each added ns, and a walk that finds a tenth: none of it counted the reads are 132, a fifth of the
 * time beyond 110. The loss knows nothing of cooling. */
static void test_dose_cooling(void **state)
{
	static const double cost[] = {20, 130, 240, 900}, timed[] = {20, 120, 220, 820};
	const struct xt_ab_words words = {.a = "gettimeofday", .add_ns = "0,100,200,800"};
	struct made *m = make(&words, 40, cost);
	struct xt_dose dose;

	(void)state;
	for (unsigned a = 0; a < 4; a++) {
		m->point.cost.call[XT_FN_TIME][a].v[0] = timed[a];
		m->point.cost.cooling[XT_FN_TIME][a] = series_of(5 + cost[a] - timed[a]);
	}
	dose = fitted(m);
	assert_true(fabs(dose.calls.value - 132 / (1 + XT_POINT_COOLING / 10)) < 0.5);
	assert_true(fabs(dose.calls.lo - 110) < 0.5);
	assert_true(fabs(dose.calls.hi - 132) < 0.5);
	assert_true(fabs(dose.loss.value / (132 / 102400.0) - 1) < 0.005);
	done(m);
}

/* t(0.975, 2) = 4.302653: mean 0.02, standard deviation 0.01, half width 4.302653 x 0.01 / sqrt(3) = 0.024841. */
static void test_runs(void **state)
{
	static const double logs[] = {0.01, 0.02, 0.03};
	struct xt_estimate e;

	(void)state;
	xt_estimate_runs(logs, 3, &e);
	assert_true(fabs(log(e.ratio) - 0.02) < 1e-12);
	assert_true(fabs(log(e.lo) - (0.02 - 0.02484138)) < 1e-7);
	assert_true(fabs(log(e.hi) - (0.02 + 0.02484138)) < 1e-7);
	xt_estimate_runs(logs, 2, &e);
	assert_true(isfinite(e.ratio) && isnan(e.lo));
	xt_estimate_runs(logs, 0, &e);
	assert_true(isnan(e.ratio));
}

static void test_merge(void **state)
{
	static const char *const run =
		"{\"schema\": \"xtime.ab/1\", \"interrupted\": false, \"points\": [{\"threads\": 1, "
		"\"transactions\": %d, \"seconds\": 2.5, \"arms\": [{\"tps\": %d.0}, {\"tps\": 1.0}], "
		"\"comparisons\": [{\"ratio\": %s, \"verdict\": \"faster\", \"predicted_ratio\": 1.1}, "
		"{\"ratio\": 1.0, \"verdict\": \"no_difference\", \"predicted_ratio\": 1.0}]}]}";
	json_t *records = json_array(), *merged, *point, *c;
	char text[1024];

	(void)state;
	for (int k = 0; k < 3; k++) {
		snprintf(text, sizeof(text), run, 100 + k, 10 + k, (const char *[]){"1.10", "1.11", "1.12"}[k]);
		json_array_append_new(records, json_loads(text, 0, NULL));
	}
	merged = xt_runs_merge(records);
	point = json_array_get(json_object_get(merged, "points"), 0);
	c = json_array_get(json_object_get(point, "comparisons"), 0);
	assert_int_equal(json_integer_value(json_object_get(point, "transactions")), 303);
	assert_true(fabs(json_number_value(json_object_get(point, "seconds")) - 7.5) < 1e-9);
	assert_true(fabs(json_number_value(json_object_get(c, "ratio")) - 1.109970) < 1e-5);
	assert_int_equal(json_array_size(json_object_get(c, "runs")), 3);
	assert_string_equal(json_string_value(json_object_get(c, "verdict")), "faster");
	json_decref(merged);
	json_decref(records);
	assert_null(xt_runs_merge(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plan),
		cmocka_unit_test(test_measured_equals_predicted),
		cmocka_unit_test(test_predicted_with_cooling),
		cmocka_unit_test(test_predicted_with_queue),
		cmocka_unit_test(test_predicted_beside_stalls),
		cmocka_unit_test(test_late_and_void),
		cmocka_unit_test(test_dose),
		cmocka_unit_test(test_dose_cooling),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_merge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
