/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base: numbers, random streams, histogram, vDSO, buffers, errors.
 */
#include "base/buf.h"
#include "base/hist.h"
#include "base/mono.h"
#include "base/num.h"
#include "base/rng.h"
#include "base/vdso.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static void test_counts(void **state)
{
	struct xt_counts c;
	struct xt_err err;

	(void)state;
	assert_int_equal(xt_num_counts("1-5", 4096, &c, &err), 0);
	assert_int_equal(c.n, 5);
	assert_int_equal(c.v[4], 5);
	assert_int_equal(xt_num_counts("1,2,4-6", 4096, &c, &err), 0);
	assert_int_equal(c.n, 5);
	for (const char *const *bad = (const char *const[]){"0", "5-1", "2,2", "", "1,", "a", "1-", "1-2-3", "-1", "1 ",
	                                                    "99999", "1-3,2", "99999999999999999999", NULL};
	     *bad; bad++) {
		if (!xt_num_counts(*bad, 4096, &c, &err))
			fail_msg("'%s' was accepted", *bad);
		assert_int_equal(err.kind, XT_ERR_USAGE);
	}
}

static void test_numbers(void **state)
{
	struct xt_err err;
	int64_t i;
	double d;
	uint64_t ns;

	(void)state;
	assert_int_equal(xt_num_count("10k", 0, INT64_MAX, &i, &err), 0);
	assert_int_equal(i, 10000);
	assert_int_equal(xt_num_bytes("10k", 0, INT64_MAX, &i, &err), 0);
	assert_int_equal(i, 10240);
	assert_int_equal(xt_num_count("1e3", 0, 100, &i, &err), -1);
	assert_int_equal(xt_num_count("9223372036854775808", 0, INT64_MAX, &i, &err), -1);
	assert_int_equal(xt_num_count("9223372036854775807k", 0, INT64_MAX, &i, &err), -1);
	assert_int_equal(xt_num_double("nan", 0, 1, &d, &err), -1);
	assert_int_equal(xt_num_double("inf", 0, 1e308, &d, &err), -1);
	assert_int_equal(xt_num_double("0x10", 0, 100, &d, &err), -1);
	assert_int_equal(xt_num_double("1e1", 0, 100, &d, &err), 0);
	assert_true(d == 10);
	assert_int_equal(xt_num_duration("2ms", 1000000000, 0, UINT64_MAX / 2, &ns, &err), 0);
	assert_int_equal(ns, 2000000);
	assert_int_equal(xt_num_duration("1.5", 1000000000, 0, UINT64_MAX / 2, &ns, &err), 0);
	assert_int_equal(ns, 1500000000);
	assert_int_equal(xt_num_duration("abc", 1000000000, 0, UINT64_MAX / 2, &ns, &err), -1);
	assert_int_equal(xt_num_duration("1h", 1000000000, 0, UINT64_MAX / 2, &ns, &err), -1);
}

static void test_hist(void **state)
{
	static struct xt_hist h;
	double last = 0;

	(void)state;
	xt_hist_init(&h);
	assert_true(isnan(xt_hist_quantile(&h, 0.5)));
	xt_hist_add(&h, 1234567);
	assert_true(xt_hist_quantile(&h, 0) == 1234567 && xt_hist_quantile(&h, 1) == 1234567);
	xt_hist_init(&h);
	for (uint64_t v = 1; v <= 1000000; v++)
		xt_hist_add(&h, v * 997);
	for (double q = 0.01; q < 1; q += 0.01) {
		double want = q * 1000000 * 997, got = xt_hist_quantile(&h, q);

		assert_true(fabs(got / want - 1) < 0.01);
		assert_true(got >= last);
		last = got;
	}
	xt_hist_add(&h, UINT64_MAX);
	assert_int_equal(h.max, UINT64_MAX);
	for (unsigned i = 0; i < XT_HIST_BUCKETS - 130; i += 7)
		assert_int_equal(xt_hist_index(xt_hist_low(i)), i);
}

static void test_rng(void **state)
{
	struct xt_rng a, b, c;
	int seen[6] = {0};

	(void)state;
	xt_rng_init(&a, 1, 2, XT_RNG_TEST);
	xt_rng_init(&b, 1, 2, XT_RNG_TEST);
	xt_rng_init(&c, 2, 1, XT_RNG_TEST);
	assert_true(xt_rng_u64(&a) == xt_rng_u64(&b));
	assert_true(xt_rng_u64(&a) != xt_rng_u64(&c));
	for (int i = 0; i < 60000; i++)
		seen[xt_rng_range(&a, -2, 3) + 2]++;
	for (int i = 0; i < 6; i++)
		assert_in_range(seen[i], 9500, 10500);
	assert_true(xt_rng_range(&a, INT64_MIN, INT64_MAX) != xt_rng_range(&a, INT64_MIN, INT64_MAX));
}

static void test_vdso(void **state)
{
	struct xt_vdso v;
	struct timespec t;

	(void)state;
	xt_vdso_lookup(&v);
	assert_null(xt_vdso_symbol("__vdso_no_such_thing"));
	if (v.clock_gettime) {
		assert_int_equal(v.clock_gettime(CLOCK_REALTIME, &t), 0);
		assert_in_range(t.tv_nsec, 0, 999999999);
	}
	xt_mono_init();
	uint64_t first = xt_mono_ns();
	assert_int_equal(xt_mono_sleep_until(first + 1000000), 0);
	assert_true(xt_mono_ns() >= first + 1000000);
}

static void test_err(void **state)
{
	struct xt_err err;

	(void)state;
	assert_int_equal(xt_err_usage(&err, "no %s", "x"), -1);
	xt_err_context(&err, "file:%d", 3);
	assert_string_equal(err.text, "file:3: no x");
	assert_int_equal(err.kind, XT_ERR_USAGE);
	assert_int_equal(xt_err_failed(NULL, "x"), -1);
}

static void test_buf(void **state)
{
	struct xt_buf b = {0};

	(void)state;
	for (int i = 0; i < 100; i++)
		xt_buf_printf(&b, "%d,", i);
	assert_int_equal(b.len, strlen(b.data));
	assert_int_equal(b.len, 290);
	xt_buf_free(&b);
	assert_int_equal(xt_buf_read_file(&b, "/no/such/file", 10), -1);
	xt_buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts), cmocka_unit_test(test_numbers), cmocka_unit_test(test_hist),
		cmocka_unit_test(test_rng),    cmocka_unit_test(test_vdso),    cmocka_unit_test(test_err),
		cmocka_unit_test(test_buf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
