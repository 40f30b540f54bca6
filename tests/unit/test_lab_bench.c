/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The microbench: its statistics on made-up batches, and on this machine's clocks the shape of what comes out (which
 * is cheaper than which), never how many ns.
 */
#include "base/mono.h"
#include "lab/clocks.h"
#include "lab/record.h"
#include "lab/stamps.h"
#include "record/record.h"
#include "record/schema.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Ranks of the interval of a median for n = 6, 10, 25, 100: 1, 2, 8, 40, as in any table of the sign test. */
static void test_median_interval_has_the_sign_tests_ranks(void **state)
{
	static const struct {
		size_t n, rank;
	} rows[] = {{6, 1}, {10, 2}, {25, 8}, {100, 40}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t n = rows[i].n;
		double v[100];
		struct xt_timing t;

		for (size_t k = 0; k < n; k++)
			v[k] = (double)((k * 7) % n); /* 0 .. n-1 in another order: 7 divides none of the n */
		xt_bench_summarise(v, n, &t);
		assert_int_equal(t.batches, n);
		assert_true(t.ns == (double)(n - 1) / 2);
		assert_true(t.lo == (double)(rows[i].rank - 1));
		assert_true(t.hi == (double)(n - rows[i].rank));
	}
}

static void test_few_batches_have_no_interval(void **state)
{
	double v[5] = {5, 1, 4, 2, 3};
	struct xt_timing t;

	(void)state;
	xt_bench_summarise(v, 5, &t);
	assert_true(t.ns == 3);
	assert_true(isnan(t.lo) && isnan(t.hi));
	xt_bench_summarise(v, 0, &t);
	assert_true(isnan(t.ns));
}

static void test_one_stolen_batch_does_not_move_the_figure(void **state)
{
	double v[21];
	struct xt_timing t;

	(void)state;
	for (int i = 0; i < 21; i++)
		v[i] = i == 3 ? 1e6 : 20 + i * 0.01;
	xt_bench_summarise(v, 21, &t);
	assert_true(t.ns > 20 && t.ns < 20.3 && t.hi < 20.3);
}

static void test_steps_give_resolution_and_backward(void **state)
{
	static const uint64_t readings[] = {1000, 1000, 5000, 9000, 8000, 9000, 9000};
	struct xt_timing t = {.resolution_ns = NAN};
	uint64_t last = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(readings) / sizeof(readings[0]); i++) {
		xt_bench_note_step(last, readings[i], &t);
		last = readings[i];
	}
	assert_true(t.resolution_ns == 1000);
	assert_int_equal(t.backward, 1);
}

static void test_calibration_scales(void **state)
{
	(void)state;
	assert_int_equal(xt_bench_scale(100, 1000, 50000), 5000);
	assert_int_equal(xt_bench_scale(1, 1000000, 50000), 1);
	assert_int_equal(xt_bench_scale(8, 0, 80), 640);
}

static void test_order_is_a_permutation_of_the_seed(void **state)
{
	size_t a[50], b[50], c[50];
	unsigned seen[50] = {0};

	(void)state;
	xt_bench_shuffle(42, 7, a, 50);
	xt_bench_shuffle(42, 7, b, 50);
	xt_bench_shuffle(42, 8, c, 50);
	assert_memory_equal(a, b, sizeof(a));
	assert_memory_not_equal(a, c, sizeof(a));
	for (int i = 0; i < 50; i++)
		seen[a[i]]++;
	for (int i = 0; i < 50; i++)
		assert_int_equal(seen[i], 1);
}

static void measure(struct xt_clocks *clocks, unsigned threads, bool sources)
{
	struct xt_clocks_setup setup = {
		.bench = {.duration_ns = 200000000, .threads = threads, .seed = 1},
		.sources = sources,
	};
	struct xt_err err = {0};

	assert_int_equal(xt_clocks_measure(&setup, clocks, &err), 0);
}

static const struct xt_timing *timing(const struct xt_clocks *clocks, const char *name, enum xt_path path,
                                      const char *source)
{
	const struct xt_call *call = xt_clocks_find(clocks, name, path, source);

	assert_non_null(call);
	return call->available ? &clocks->timing[call - clocks->calls.v] : NULL;
}

static void test_vdso_is_at_most_the_system_call(void **state)
{
	struct xt_clocks clocks;

	(void)state;
	measure(&clocks, 1, true);
	for (size_t i = 0; i < clocks.calls.n; i++) {
		const struct xt_call *call = &clocks.calls.v[i];
		const struct xt_timing *t = &clocks.timing[i], *syscall_timing;

		if (!call->available)
			continue;
		assert_true(t->ns > 0 && t->lo <= t->ns && t->ns <= t->hi);
		assert_int_equal(t->backward, 0);
		if (call->path != XT_PATH_VDSO || !(clocks.entries[i] == 0))
			continue;
		syscall_timing = timing(&clocks, call->name, XT_PATH_SYSCALL, "");
		if (syscall_timing)
			assert_true(t->ns < syscall_timing->ns);
	}
	assert_true(timing(&clocks, "empty", XT_PATH_NONE, "")->ns < timing(&clocks, "load", XT_PATH_NONE, "")->ns);
	assert_non_null(timing(&clocks, "time", XT_PATH_SHIM, "syscall-gettimeofday"));
	assert_null(xt_clocks_find(&clocks, "gettimeofday", XT_PATH_SHIM, "syscall-time"));
	xt_clocks_free(&clocks);
}

static void test_threads_at_once_make_a_valid_record(void **state)
{
	char *argv[] = {"clocks", NULL};
	struct xt_clocks clocks;
	struct xt_coarse_steps steps;
	struct xt_stamps stamps;
	struct xt_err err = {0};
	json_t *record;

	(void)state;
	measure(&clocks, 2, false);
	xt_coarse_watch(50000000, &steps);
	assert_int_equal(xt_stamps_measure(NULL, 50000000, 1, &stamps, &err), 0);
	record = xt_record_new(XT_SCHEMA_CLOCKS, 1, argv, 1);
	assert_non_null(record);
	assert_int_equal(xt_clocks_to_record(&clocks, record), 0);
	assert_int_equal(xt_coarse_to_record(&steps, record), 0);
	assert_int_equal(xt_stamps_to_record(&stamps, NULL, record), 0);
	assert_int_equal(xt_schema_check(record, &err), 0);
	assert_int_equal(json_integer_value(json_object_get(record, "threads")), 2);
	json_decref(record);
	xt_clocks_free(&clocks);
}

static void test_stamps_of_tmpfs(void **state)
{
	struct xt_stamps stamps;
	struct xt_err err = {0};

	(void)state;
	assert_int_equal(xt_stamps_measure(NULL, 100000000, 1, &stamps, &err), 0);
	assert_true(stamps.writes > 100 && stamps.distinct >= 1 && stamps.distinct <= stamps.writes);
	assert_int_equal(stamps.backward, 0);
	assert_true(stamps.both.ns > stamps.pwrite.ns);
	assert_int_equal(xt_stamps_measure("/nonexistent/folder", 100000000, 1, &stamps, &err), -1);
	assert_int_equal(err.kind, XT_ERR_USAGE);
}

static void test_multigrain_is_told_by_the_number_of_stamps(void **state)
{
	struct xt_stamps stamps = {.writes = 10000, .ticks = 5};

	(void)state;
	stamps.distinct = 6;
	assert_false(xt_stamps_multigrain(&stamps));
	stamps.distinct = 9900;
	assert_true(xt_stamps_multigrain(&stamps));
}

static void test_trailing_zeros(void **state)
{
	(void)state;
	assert_int_equal(xt_trailing_zeros(0), 9);
	assert_int_equal(xt_trailing_zeros(4000000), 6);
	assert_int_equal(xt_trailing_zeros(123456789), 0);
	assert_int_equal(xt_trailing_zeros(123456780), 1);
}

/* Ticks of 4 ms, two of which were slept through. */
static void test_coarse_rate_leaves_out_what_was_missed(void **state)
{
	double steps[] = {4e6, 8e6, 4e6, 4.001e6, 12e6, 3.999e6};

	(void)state;
	assert_true(fabs(xt_coarse_rate(steps, 6) - 250) < 0.01);
	assert_true(isnan(xt_coarse_rate(steps, 2)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_median_interval_has_the_sign_tests_ranks),
		cmocka_unit_test(test_few_batches_have_no_interval),
		cmocka_unit_test(test_one_stolen_batch_does_not_move_the_figure),
		cmocka_unit_test(test_steps_give_resolution_and_backward),
		cmocka_unit_test(test_calibration_scales),
		cmocka_unit_test(test_order_is_a_permutation_of_the_seed),
		cmocka_unit_test(test_vdso_is_at_most_the_system_call),
		cmocka_unit_test(test_threads_at_once_make_a_valid_record),
		cmocka_unit_test(test_stamps_of_tmpfs),
		cmocka_unit_test(test_multigrain_is_told_by_the_number_of_stamps),
		cmocka_unit_test(test_trailing_zeros),
		cmocka_unit_test(test_coarse_rate_leaves_out_what_was_missed),
	};

	xt_mono_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
