/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * verify: the judgement of a bracket on made-up figures, and clocks that are wrong on purpose, each of which must be
 * found and named; the real ones must pass.
 */
#include "base/mono.h"
#include "lab/clocks.h"
#include "lab/coherence.h"
#include "lab/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#define S  1000000000ull
#define MS 1000000ull

static void test_bracket_judge(void **state)
{
	static const struct {
		uint64_t before, value, after;
		struct xt_bounds bounds;
		enum xt_bracket want;
	} rows[] = {
		{100, 150, 200, {.unit_ns = 1}, XT_BRACKET_OK},
		{100, 100, 100, {.unit_ns = 1}, XT_BRACKET_OK},
		{100, 99, 200, {.unit_ns = 1}, XT_BRACKET_OLD},
		{100, 99, 200, {.unit_ns = 1, .lag_ns = 1}, XT_BRACKET_OK},
		{100, 201, 200, {.unit_ns = 1}, XT_BRACKET_AHEAD},
		{100, 201, 200, {.unit_ns = 1, .ahead_ns = 1}, XT_BRACKET_OK},
		/* microseconds cut what the system call shows in ns */
		{5999, 5000, 7000, {.unit_ns = 1000}, XT_BRACKET_OK},
		{6000, 5000, 7000, {.unit_ns = 1000}, XT_BRACKET_OLD},
		/* time(): the same second, a tick late, two ticks late, a second ahead */
		{100 * S + 999 * MS, 100 * S, 101 * S, {.unit_ns = S, .lag_ns = 4 * MS}, XT_BRACKET_OK},
		{101 * S + 3 * MS, 100 * S, 101 * S + 4 * MS, {.unit_ns = S, .lag_ns = 4 * MS}, XT_BRACKET_OK},
		{101 * S + 8 * MS, 100 * S, 101 * S + 9 * MS, {.unit_ns = S, .lag_ns = 4 * MS}, XT_BRACKET_OLD},
		{100 * S, 101 * S, 100 * S + 1, {.unit_ns = S, .lag_ns = 4 * MS}, XT_BRACKET_AHEAD},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(xt_bracket_judge(rows[i].before, rows[i].value, rows[i].after, &rows[i].bounds),
		                 rows[i].want);
}

/* The kernel's clock with something wrong with it. */
static int read_wrong(int64_t offset_ns, struct xt_instant *out)
{
	struct timespec ts;
	int64_t ns;

	syscall(SYS_clock_gettime, CLOCK_REALTIME, &ts);
	ns = (int64_t)ts.tv_sec * (int64_t)S + ts.tv_nsec + offset_ns;
	*out = (struct xt_instant){ns / (int64_t)S, ns % (int64_t)S, (int64_t)S};
	return 0;
}

static int right(const struct xt_call *call, struct xt_instant *out)
{
	(void)call;
	return read_wrong(0, out);
}

static int one_second_ahead(const struct xt_call *call, struct xt_instant *out)
{
	(void)call;
	return read_wrong((int64_t)S, out);
}

static int lags_25_ms(const struct xt_call *call, struct xt_instant *out)
{
	(void)call;
	return read_wrong(-25 * (int64_t)MS, out);
}

static int not_normalised(const struct xt_call *call, struct xt_instant *out)
{
	(void)call;
	read_wrong(0, out);
	out->sec--;
	out->sub += (int64_t)S;
	return 0;
}

/* Every hundredth reading is two seconds back. */
static int steps_back(const struct xt_call *call, struct xt_instant *out)
{
	int *n = (int *)(uintptr_t)call->state;

	return read_wrong(++*n % 100 ? 0 : -2 * (int64_t)S, out);
}

static const struct xt_check *find(const struct xt_checks *checks, const char *name)
{
	for (size_t i = 0; i < checks->n; i++)
		if (!strcmp(checks->v[i].check, name))
			return &checks->v[i];
	fail_msg("no check %s", name);
	return NULL;
}

static void verify(const char *name, int (*value)(const struct xt_call *, struct xt_instant *),
                   struct xt_checks *checks)
{
	static int counter;
	struct xt_verify_setup setup = {.duration_ns = 10 * MS, .threads = 2, .max_failures = 10};
	struct xt_call call = {.path = XT_PATH_LIBC, .available = true, .id = CLOCK_REALTIME, .value = value};
	struct xt_err err = {0};

	counter = 0;
	strcpy(call.name, name);
	call.state = (struct xt_clock_state *)(uintptr_t)&counter;
	assert_int_equal(xt_verify_values(&call, &setup, checks, &err), 0);
}

static void test_a_right_clock_passes(void **state)
{
	struct xt_checks checks = {0};

	(void)state;
	verify("clock-gettime-realtime", right, &checks);
	assert_int_equal(checks.n, 5);
	for (size_t i = 0; i < checks.n; i++) {
		assert_int_equal(checks.v[i].failures, 0);
		if (strcmp(checks.v[i].check, "bracket-migrating"))
			assert_true(checks.v[i].tried > 50);
	}
	free(checks.v);
}

static void test_c09_one_second_ahead_is_found(void **state)
{
	struct xt_checks checks = {0};

	(void)state;
	verify("clock-gettime-realtime", one_second_ahead, &checks);
	assert_int_equal(find(&checks, "bracket")->failures, 10);
	assert_true(find(&checks, "bracket")->tried <= 1000);
	assert_non_null(strstr(find(&checks, "bracket")->detail, "ahead"));
	free(checks.v);
}

static void test_lag_is_found_in_a_fine_clock(void **state)
{
	struct xt_checks checks = {0};

	(void)state;
	verify("clock-gettime-realtime", lags_25_ms, &checks);
	assert_true(find(&checks, "bracket")->failures > 0);
	assert_non_null(strstr(find(&checks, "bracket")->detail, "older"));
	free(checks.v);
}

static void test_not_normalised_is_found(void **state)
{
	struct xt_checks checks = {0};

	(void)state;
	verify("clock-gettime-realtime", not_normalised, &checks);
	assert_true(find(&checks, "normalised")->failures > 0);
	assert_int_equal(find(&checks, "bracket")->failures, 0);
	free(checks.v);
}

static void test_steps_back_are_found(void **state)
{
	struct xt_checks checks = {0};

	(void)state;
	verify("clock-gettime-realtime", steps_back, &checks);
	assert_true(find(&checks, "monotonic")->failures > 0);
	assert_non_null(strstr(find(&checks, "monotonic")->detail, "back"));
	assert_true(find(&checks, "monotonic-threads")->failures > 0);
	free(checks.v);
}

static void rows(struct xt_clocks *clocks)
{
	struct xt_clocks_setup setup = {.bench = {.threads = 1}, .sources = true};
	struct xt_err err = {0};

	assert_int_equal(xt_clocks_rows(&setup, -1, clocks, &err), 0);
}

static void test_the_machines_clocks_pass(void **state)
{
	struct xt_verify_setup setup = {.duration_ns = 2 * MS, .threads = 2, .max_failures = 10};
	struct xt_checks checks = {0};
	struct xt_clocks clocks;
	struct xt_err err = {0};

	(void)state;
	rows(&clocks);
	for (size_t i = 0; i < clocks.calls.n; i++) {
		const struct xt_call *call = &clocks.calls.v[i];

		if (call->available && call->value && call->path != XT_PATH_NONE && strcmp(call->source, "constant"))
			assert_int_equal(xt_verify_values(call, &setup, &checks, &err), 0);
	}
	for (size_t i = 0; i < checks.n; i++)
		if (checks.v[i].failures)
			fail_msg("%s by %s %s, %s: %s", checks.v[i].call, xt_path_name(checks.v[i].path),
			         checks.v[i].source, checks.v[i].check, checks.v[i].detail);
	free(checks.v);
	xt_clocks_free(&clocks);
}

static void test_arguments_are_answered_as_they_may_be(void **state)
{
	struct xt_checks checks = {0};
	struct xt_clocks clocks;
	struct xt_err err = {0};

	(void)state;
	rows(&clocks);
	for (size_t i = 0; i < clocks.calls.n; i++) {
		const struct xt_call *call = &clocks.calls.v[i];
		bool wanted = strstr(call->name, "realtime") || call->id == 0;

		if (call->available && wanted && call->path != XT_PATH_NONE)
			assert_int_equal(xt_verify_arguments(call, &checks, &err), 0);
	}
	assert_true(checks.n > 10);
	for (size_t i = 0; i < checks.n; i++)
		if (checks.v[i].failures)
			fail_msg("%s by %s %s: %s", checks.v[i].call, xt_path_name(checks.v[i].path),
			         checks.v[i].source, checks.v[i].detail);
	free(checks.v);
	xt_clocks_free(&clocks);
}

/* libc's time() that looks at its pointer and says EINVAL: no path may do that with a valid one. */
static time_t refuses(time_t *t)
{
	return t ? (time_t)-1 : 1;
}

static void test_a_wrong_answer_to_arguments_is_found(void **state)
{
	struct xt_call call = {.name = "time", .path = XT_PATH_LIBC, .available = true, .fn = {.time = refuses}};
	struct xt_checks checks = {0};
	struct xt_err err = {0};

	(void)state;
	assert_int_equal(xt_verify_arguments(&call, &checks, &err), 0);
	assert_true(checks.v[0].failures > 0);
	assert_non_null(strstr(checks.v[0].detail, "a valid pointer"));
	free(checks.v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bracket_judge),
		cmocka_unit_test(test_a_right_clock_passes),
		cmocka_unit_test(test_c09_one_second_ahead_is_found),
		cmocka_unit_test(test_lag_is_found_in_a_fine_clock),
		cmocka_unit_test(test_not_normalised_is_found),
		cmocka_unit_test(test_steps_back_are_found),
		cmocka_unit_test(test_the_machines_clocks_pass),
		cmocka_unit_test(test_arguments_are_answered_as_they_may_be),
		cmocka_unit_test(test_a_wrong_answer_to_arguments_is_found),
	};

	xt_mono_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
