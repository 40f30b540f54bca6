/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lab's judgement of pairs on made-up readings, its engine on readings that a fake libc hands out, and its probes
 * on the real machine (shape only).
 */
#include "base/mono.h"
#include "base/vdso.h"
#include "lab/coherence.h"
#include "lab/probe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define S  1000000000u
#define MS 1000000u

/* first, second, unit, tolerance: what the pair is and by how much. */
static void test_pair_judge(void **state)
{
	static const struct {
		uint64_t first, second, unit, tolerance;
		enum xt_pair pair;
		uint64_t lag;
	} rows[] = {
		/* time() after a fine reading of the same second, and exactly at its end */
		{100ull * S + 999999999u, 100ull * S, S, 0, XT_PAIR_OK, 0},
		{101ull * S, 100ull * S, S, 8 * MS, XT_PAIR_LAG, 0},
		{101ull * S + 3 * MS, 100ull * S, S, 8 * MS, XT_PAIR_LAG, 3 * MS},
		{101ull * S + 8 * MS, 100ull * S, S, 8 * MS, XT_PAIR_LAG, 8 * MS},
		{101ull * S + 8 * MS + 1, 100ull * S, S, 8 * MS, XT_PAIR_BACKWARD, 8 * MS + 1},
		/* gettimeofday() cuts what clock_gettime() showed */
		{100ull * S + 1999, 100ull * S + 1000, 1000, 0, XT_PAIR_OK, 0},
		{100ull * S + 2000, 100ull * S + 1000, 1000, 0, XT_PAIR_LAG, 0},
		{100ull * S + 2001, 100ull * S + 1000, 1000, 0, XT_PAIR_BACKWARD, 1},
		/* a step back of two seconds */
		{100ull * S, 98ull * S, 1, 8 * MS, XT_PAIR_BACKWARD, 2ull * S - 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t lag = 0;

		assert_int_equal(xt_pair_judge(rows[i].first, rows[i].second, rows[i].unit, rows[i].tolerance, &lag),
		                 rows[i].pair);
		assert_int_equal(lag, rows[i].lag);
	}
}

/* A clock that says 10 ms of itself may lag 18 ms and not 25, whatever the kernel's tick is. */
static void test_c06_tolerance_from_resolution(void **state)
{
	uint64_t t[XT_READINGS], lag;

	(void)state;
	xt_coherence_tolerances(4 * MS, 10 * MS, t);
	assert_int_equal(t[XT_READ_TIME], 20 * MS);
	assert_int_equal(t[XT_READ_GETTIMEOFDAY], 20 * MS);
	assert_int_equal(t[XT_READ_COARSE], 8 * MS);
	assert_int_equal(xt_pair_judge(101ull * S + 18 * MS, 100ull * S, S, t[XT_READ_TIME], &lag), XT_PAIR_LAG);
	assert_int_equal(xt_pair_judge(101ull * S + 25 * MS, 100ull * S, S, t[XT_READ_TIME], &lag), XT_PAIR_BACKWARD);
	for (unsigned tick = 1; tick <= 10; tick += 3) {
		xt_coherence_tolerances(tick * MS, 0, t);
		assert_int_equal(t[XT_READ_TIME], 2 * tick * MS);
		assert_int_equal(t[XT_READ_REALTIME], 0);
	}
}

static void run(enum xt_scope scope, unsigned readings, struct xt_coherence *seen)
{
	struct xt_coherence_setup setup = {
		.readings = readings,
		.scope = scope,
		.workers = scope == XT_SCOPE_THREAD ? 1 : 3,
		.duration_ns = 30 * MS,
	};
	struct xt_err err = {0};

	xt_coherence_tolerances(xt_coarse_tick_ns(), 0, setup.tolerance_ns);
	assert_int_equal(xt_coherence_run(&setup, seen, &err), 0);
}

static void test_every_ordered_pair_is_read(void **state)
{
	(void)state;
	for (int scope = 0; scope < XT_SCOPES; scope++) {
		struct xt_coherence seen;

		run((enum xt_scope)scope, 0xf, &seen);
		for (int f = 0; f < XT_READINGS; f++)
			for (int s = 0; s < XT_READINGS; s++) {
				assert_true(seen.cell[f][s].reads > 0);
				assert_int_equal(seen.cell[f][s].backward, 0);
			}
	}
}

static void test_fine_clocks_agree_and_coarse_lags(void **state)
{
	struct xt_coherence seen;
	uint64_t total = 0;

	(void)state;
	run(XT_SCOPE_THREAD, 1u << XT_READ_REALTIME | 1u << XT_READ_COARSE, &seen);
	assert_int_equal(seen.cell[XT_READ_TIME][XT_READ_COARSE].reads, 0);
	assert_int_equal(seen.cell[XT_READ_COARSE][XT_READ_REALTIME].violations, 0);
	assert_true(seen.cell[XT_READ_REALTIME][XT_READ_COARSE].violations > 0);
	assert_true(seen.cell[XT_READ_REALTIME][XT_READ_COARSE].max_lag_ns > 0);
	for (int i = 0; i < 65; i++)
		total += seen.differences[XT_READ_REALTIME][i];
	assert_true(total > 100);
}

static void test_too_many_workers_is_usage(void **state)
{
	struct xt_coherence_setup setup = {.readings = 3, .scope = XT_SCOPE_THREADS, .workers = 65};
	struct xt_coherence seen;
	struct xt_err err = {0};

	(void)state;
	assert_int_equal(xt_coherence_run(&setup, &seen, &err), -1);
	assert_int_equal(err.kind, XT_ERR_USAGE);
}

static void test_vvar_is_not_writable(void **state)
{
	struct xt_vvar vvar;
	struct xt_err err = {0};

	(void)state;
	assert_int_equal(xt_lab_vvar(&vvar, &err), 0);
	if (!vvar.found)
		skip();
	assert_true(vvar.readonly);
	assert_true(vvar.killed);
}

static void enter_kernel(void *arg)
{
	struct timespec t;

	(void)arg;
	syscall(SYS_clock_gettime, CLOCK_REALTIME, &t);
	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
}

static void stay_outside(void *arg)
{
	volatile int *p = arg;

	(*p)++;
}

static void test_system_calls_are_counted(void **state)
{
	int n = 0;
	double per_call = xt_lab_count_syscalls(enter_kernel, NULL, 100);

	(void)state;
	if (isnan(per_call))
		skip();
	assert_true(per_call == 2);
	assert_true(xt_lab_count_syscalls(stay_outside, &n, 100) == 0);
}

static void test_libc_time_leads_somewhere(void **state)
{
	struct xt_libc_time libc;
	struct xt_err err = {0};

	(void)state;
	assert_int_equal(xt_lab_libc_time(0, &libc, &err), 0);
	assert_int_equal(libc.second, XT_SECOND_UNKNOWN);
	assert_int_not_equal(libc.leads_to, XT_LEADS_ELSEWHERE);
	if (libc.leads_to == XT_LEADS_VDSO_TIME && !isnan(libc.syscalls_per_call))
		assert_true(libc.syscalls_per_call == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pair_judge),
		cmocka_unit_test(test_c06_tolerance_from_resolution),
		cmocka_unit_test(test_every_ordered_pair_is_read),
		cmocka_unit_test(test_fine_clocks_agree_and_coarse_lags),
		cmocka_unit_test(test_too_many_workers_is_usage),
		cmocka_unit_test(test_vvar_is_not_writable),
		cmocka_unit_test(test_system_calls_are_counted),
		cmocka_unit_test(test_libc_time_leads_somewhere),
	};

	xt_mono_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
