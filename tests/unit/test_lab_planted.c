/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clocks that are wrong on purpose, in place of libc's: this program defines the functions that the engine reads, so
 * what it plants is what the engine must find and name. Values stay right where nothing is planted.
 */
#include "base/mono.h"
#include "lab/coherence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define S  1000000000
#define MS 1000000

enum plan { RIGHT, TIME_LAGS_25_MS, TIME_LAGS_18_MS, TIME_AHEAD, STEPS_BACK_ONCE, FINE_FROM_COARSE };

static atomic_int plan;
static atomic_uint reads;

static int64_t kernel_ns(clockid_t id)
{
	struct timespec ts;

	syscall(SYS_clock_gettime, id, &ts);
	return (int64_t)ts.tv_sec * S + ts.tv_nsec;
}

/* The fine clock; two seconds back for ever from the 5,000th reading on, where that is the plan. */
static int64_t fine_ns(void)
{
	int64_t ns = kernel_ns(plan == FINE_FROM_COARSE ? CLOCK_REALTIME_COARSE : CLOCK_REALTIME);

	if (plan == STEPS_BACK_ONCE && atomic_fetch_add(&reads, 1) >= 5000)
		ns -= 2ll * S;
	return ns;
}

time_t time(time_t *t)
{
	int64_t ns = fine_ns();

	if (plan == TIME_LAGS_25_MS)
		ns -= 25 * MS;
	if (plan == TIME_LAGS_18_MS)
		ns -= 18 * MS;
	if (plan == TIME_AHEAD)
		ns += S;
	if (t)
		*t = ns / S;
	return ns / S;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
	int64_t ns = fine_ns();

	(void)zone;
	*tv = (struct timeval){ns / S, ns % S / 1000};
	return 0;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
	int64_t ns;

	if (id != CLOCK_REALTIME)
		return (int)syscall(SYS_clock_gettime, id, ts);
	ns = fine_ns();
	*ts = (struct timespec){ns / S, ns % S};
	return 0;
}

/* Reads under a plan, over a boundary of the second, and adds up what is outside the rows for information. */
static uint64_t run_once(enum plan what, enum xt_scope scope, uint64_t resolution_ns, struct xt_cell *sum)
{
	struct xt_coherence_setup setup = {
		.readings = 1u << XT_READ_TIME | 1u << XT_READ_GETTIMEOFDAY | 1u << XT_READ_REALTIME,
		.scope = scope,
		.workers = scope == XT_SCOPE_THREAD ? 1 : 3,
	};
	uint64_t wall = xt_wall_ns(), into = wall % S;
	struct xt_coherence seen;
	struct xt_err err = {0};

	/* From 30 ms before a boundary to 60 ms after it. */
	xt_mono_sleep_until(xt_mono_ns() + (into < 970 * MS ? 970 * MS - into : 0));
	setup.duration_ns = 90 * MS;
	atomic_store(&plan, (int)what);
	atomic_store(&reads, 0);
	xt_coherence_tolerances(4 * MS, resolution_ns, setup.tolerance_ns);
	assert_int_equal(xt_coherence_run(&setup, &seen, &err), 0);
	atomic_store(&plan, RIGHT);
	*sum = (struct xt_cell){0};
	for (int f = 0; f < XT_READINGS; f++)
		for (int s = 0; s < XT_READINGS; s++) {
			sum->reads += seen.cell[f][s].reads;
			sum->violations += seen.cell[f][s].violations;
			sum->backward += seen.cell[f][s].backward;
			if (seen.cell[f][s].max_lag_ns > sum->max_lag_ns)
				sum->max_lag_ns = seen.cell[f][s].max_lag_ns;
		}
	return seen.boundaries;
}

enum want { A_BOUNDARY, A_VIOLATION, A_BACKWARD_STEP };

/* A fault shows for a few milliseconds of a second. A busy machine may let us sleep through them, so up to ten seconds
 * are looked at until it has been seen. */
static struct xt_cell run(enum plan what, enum xt_scope scope, uint64_t resolution_ns, enum want want)
{
	struct xt_cell sum;
	uint64_t boundaries = 0;

	for (int second = 0; second < 10; second++) {
		boundaries = run_once(what, scope, resolution_ns, &sum);
		if (!boundaries)
			continue;
		if (want == A_BOUNDARY || (want == A_VIOLATION && sum.violations) ||
		    (want == A_BACKWARD_STEP && sum.backward))
			break;
	}
	assert_true(boundaries > 0);
	return sum;
}

static void test_right_clocks_are_right(void **state)
{
	(void)state;
	for (int scope = 0; scope < XT_SCOPES; scope++) {
		struct xt_cell sum = run(RIGHT, (enum xt_scope)scope, 0, A_BOUNDARY);

		assert_true(sum.reads > 1000);
		assert_int_equal(sum.violations, 0);
	}
}

static void test_a_lag_of_25_ms_is_beyond_two_ticks(void **state)
{
	(void)state;
	for (int scope = 0; scope < XT_SCOPES; scope++) {
		struct xt_cell sum = run(TIME_LAGS_25_MS, (enum xt_scope)scope, 0, A_BACKWARD_STEP);

		assert_true(sum.violations > 0 && sum.backward > 0);
		assert_true(sum.max_lag_ns > 8 * MS && sum.max_lag_ns <= 26 * MS);
	}
}

static void test_c06_a_lag_within_the_stated_resolution_passes(void **state)
{
	struct xt_cell sum = run(TIME_LAGS_18_MS, XT_SCOPE_THREAD, 10 * MS, A_VIOLATION);

	(void)state;
	assert_true(sum.violations > 0);
	assert_int_equal(sum.backward, 0);
	sum = run(TIME_LAGS_25_MS, XT_SCOPE_THREAD, 10 * MS, A_BACKWARD_STEP);
	assert_true(sum.backward > 0);
}

static void test_one_second_ahead_is_found(void **state)
{
	(void)state;
	for (int scope = 0; scope < XT_SCOPES; scope++)
		assert_true(run(TIME_AHEAD, (enum xt_scope)scope, 0, A_BACKWARD_STEP).backward > 0);
}

static void test_c02_one_step_back_is_one_step_back(void **state)
{
	struct xt_cell sum = run(STEPS_BACK_ONCE, XT_SCOPE_THREAD, 0, A_BACKWARD_STEP);

	(void)state;
	assert_int_equal(sum.backward, 1);
	assert_true(sum.max_lag_ns > 900 * MS);
	sum = run(STEPS_BACK_ONCE, XT_SCOPE_THREADS, 0, A_BACKWARD_STEP);
	assert_true(sum.backward >= 1 && sum.backward <= 6);
}

/* time() from the same coarse clock as the others: all agree, however coarse they are. */
static void test_equal_coarseness_is_coherent(void **state)
{
	(void)state;
	assert_int_equal(run(FINE_FROM_COARSE, XT_SCOPE_THREADS, 0, A_BOUNDARY).backward, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_right_clocks_are_right),
		cmocka_unit_test(test_a_lag_of_25_ms_is_beyond_two_ticks),
		cmocka_unit_test(test_c06_a_lag_within_the_stated_resolution_passes),
		cmocka_unit_test(test_one_second_ahead_is_found),
		cmocka_unit_test(test_c02_one_step_back_is_one_step_back),
		cmocka_unit_test(test_equal_coarseness_is_coherent),
	};

	xt_mono_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
