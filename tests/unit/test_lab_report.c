/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables, layouts and verdicts of clocks, verify and coherence records, from made-up records: exact text where other
 * programs read it, the wording of each verdict where people do.
 */
#include "report/checks.h"
#include "report/clocks.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void add(json_t *record, const char *call, const char *path, double ns)
{
	json_t *value = isnan(ns) ? json_null() : json_real(ns);
	json_t *ci95 = isnan(ns) ? json_null() : json_pack("[f, f]", ns - 0.5, ns + 0.5);

	json_array_append_new(json_object_get(record, "rows"),
	                      json_pack("{s:s, s:n, s:s, s:o, s:o, s:o, s:n, s:b, s:f}", "call", call, "source", "path",
	                                path, "ns", value, "ci95", ci95, "ns_net", json_copy(value), "resolution_ns",
	                                "available", !isnan(ns), "entries_per_call", 0.0));
}

/* The 2018 mail's machine. */
static json_t *clocks(void)
{
	json_t *record = json_pack("{s:s, s:i, s:[], s:{s:s, s:[s, s], s:s, s:s}}", "schema", "xtime.clocks/1",
	                           "threads", 1, "rows", "host", "clocksource", "tsc", "clocksources", "tsc", "hpet",
	                           "kernel", "6.1", "cpu", "Ryzen");

	add(record, "clock-gettime-realtime", "vdso", 37.18);
	add(record, "clock-gettime-realtime", "libc", 37.6);
	add(record, "clock-gettime-realtime", "syscall", 161.62);
	add(record, "clock-gettime-realtime-coarse", "vdso", 6.44);
	add(record, "clock-gettime-realtime-coarse", "libc", 7);
	add(record, "clock-gettime-realtime-coarse", "syscall", 133.87);
	add(record, "gettimeofday", "vdso", 565);
	add(record, "gettimeofday", "libc", 565);
	add(record, "getcpu", "vdso", NAN);
	add(record, "time", "libc", 2);
	add(record, "empty", "none", 0.3);
	return record;
}

/* What a writer prints, to be freed. */
static char *text_of(void (*write)(const json_t *, FILE *), const json_t *record)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	write(record, out);
	fclose(out);
	return text;
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in:\n%s", part, text);
}

static void test_lkml2018_byte_for_byte(void **state)
{
	json_t *record = clocks();
	char *text = text_of(xt_report_clocks_lkml2018, record);

	(void)state;
	assert_string_equal(text, "vdso hires:       37.18ns\nvdso coarse:       6.44ns\nsysc hires:      161.62ns\n"
	                          "sysc coarse:     133.87ns\n");
	free(text);
	json_decref(record);
}

static void test_vdsotest_layout(void **state)
{
	json_t *record = clocks();
	char *text = text_of(xt_report_clocks_vdsotest, record);

	(void)state;
	assert_has(text, "clock-gettime-realtime: syscall: 161 nsec/call\n"
	                 "clock-gettime-realtime:    libc: 37 nsec/call\n"
	                 "clock-gettime-realtime:    vdso: 37 nsec/call\n");
	assert_has(text, "getcpu:    vdso: not tested\n");
	free(text);
	json_decref(record);
}

static void test_verdict_in_words(void **state)
{
	json_t *record = clocks();
	struct xt_buf words = {0};

	(void)state;
	xt_report_clocks_verdict(record, &words);
	assert_has(words.data, "Clock source: tsc, as the kernel says in sysfs (available: tsc hpet).\n");
	assert_has(words.data, "the fine clock is served in user space, by counted system calls");
	assert_has(words.data, "A read of the fine clock costs 37.6 ns, of the coarse clock 7 ns, of the fine clock by "
	                       "system call 162 ns.\n");
	assert_has(words.data, "121 reads x 565 ns = 68.4 us of each PostgreSQL oltp_read_write transaction; with the "
	                       "coarse clock 847 ns.\n");
	assert_null(strstr(words.data, "tracer"));
	xt_buf_free(&words);
	json_object_set_new(json_object_get(record, "host"), "clocksource", json_null());
	json_object_set_new(json_object_get(record, "host"), "traced", json_true());
	json_object_set_new(json_array_get(json_object_get(record, "rows"), 0), "entries_per_call", json_real(1));
	json_object_set_new(json_array_get(json_object_get(record, "rows"), 1), "backward_steps", json_integer(3));
	xt_report_clocks_verdict(record, &words);
	assert_has(words.data, "Clock source: unknown");
	assert_has(words.data, "the fine clock is NOT served in user space");
	assert_has(words.data, "WRONG: clock-gettime-realtime by libc went backwards 3 times.\n");
	assert_has(words.data, "A tracer is attached");
	xt_buf_free(&words);
	json_decref(record);
}

static void test_table_marks_what_is_not_there(void **state)
{
	json_t *record = clocks();
	char *text = text_of(xt_report_clocks_table, record);

	(void)state;
	assert_has(text, "37.18 ± 0.50");
	assert_has(text, "n/t");
	assert_has(text, "Clock source: tsc");
	free(text);
	json_decref(record);
}

static void test_compare_sets_two_side_by_side(void **state)
{
	json_t *record = clocks(), *old = clocks();
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	json_object_set_new(json_array_get(json_object_get(old, "rows"), 0), "ns", json_real(74.36));
	json_array_remove(json_object_get(old, "rows"), 10);
	xt_report_clocks_compare(old, record, out);
	fclose(out);
	assert_has(text, "74.36   37.18    2.00x");
	assert_has(text, "565.00  565.00    1.00x");
	assert_has(text, "n/t    0.30");
	assert_has(text, "old: 6.1, Ryzen\nnew: 6.1, Ryzen\n");
	free(text);
	json_decref(record);
	json_decref(old);
}

static json_t *check(const char *call, const char *name, int tried, int failures, const char *detail)
{
	return json_pack("{s:s, s:n, s:s, s:s, s:i, s:i, s:s}", "call", call, "source", "path", "vdso", "check", name,
	                 "tried", tried, "failures", failures, "detail", detail);
}

static void test_verify_tables(void **state)
{
	json_t *record = json_pack("{s:[o, o]}", "rows", check("time", "bracket", 1000, 0, ""),
	                           check("getcpu", "arguments", 36, 0, ""));
	char *text = text_of(xt_report_verify_table, record);

	(void)state;
	assert_has(text, "vdso       2             0   1036         0  right\n");
	free(text);
	text = text_of(xt_report_verify_vdsotest, record);
	assert_string_equal(text, "");
	free(text);
	json_array_append_new(json_object_get(record, "rows"), check("time", "monotonic", 50, 10, "3 ns back"));
	text = text_of(xt_report_verify_table, record);
	assert_has(text, "WRONG");
	assert_has(text, "3 ns back");
	free(text);
	text = text_of(xt_report_verify_vdsotest, record);
	assert_has(text, "time/verify: 10 failures/inconsistencies encountered (vdso, monotonic: 3 ns back)\n");
	free(text);
	json_decref(record);
}

static json_t *coherence(int violations, double lag_ms, int backward, int boundaries)
{
	return json_pack("{s:{s:f}, s:[{s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:f, s:i, s:b}]}", "host",
	                 "coarse_resolution_ns", 4e6, "rows", "implementation", "libc", "first", "gettimeofday",
	                 "second", "time", "scope", "thread", "reads", 1000, "boundaries", boundaries, "violations",
	                 violations, "max_lag_ms", lag_ms, "backward_steps", backward, "info", 0);
}

static void expect_coherence(json_t *record, bool wrong, const char *words)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	xt_report_coherence_table(record, out);
	fclose(out);
	assert_int_equal(xt_coherence_is_wrong(record), wrong);
	for (char *p = text; *p; p++)
		if (*p == '\n')
			*p = ' '; /* lines are wrapped */
	assert_has(text, words);
	free(text);
	json_decref(record);
}

static void test_coherence_verdicts(void **state)
{
	json_t *record;

	(void)state;
	expect_coherence(coherence(0, 0, 0, 3), false, "libc: coherent: no reading behind");
	expect_coherence(coherence(0, 0, 0, 0), false, "no boundary of the second was passed");
	expect_coherence(coherence(7, 6, 0, 3), false, "time gave an earlier second than gettimeofday had");
	expect_coherence(coherence(7, 6, 0, 3), false, "6.000 ms (1.5 ticks)");
	expect_coherence(coherence(7, 25, 2, 3), true, "libc: WRONG: 2 times");
	record = coherence(0, 0, 0, 3);
	json_object_set_new(json_array_get(json_object_get(record, "rows"), 0), "info", json_true());
	json_object_set_new(json_array_get(json_object_get(record, "rows"), 0), "backward_steps", json_integer(5));
	expect_coherence(record, false, "libc");
	record = coherence(0, 0, 0, 3);
	json_object_set_new(record, "file_stamps",
	                    json_pack("[{s:s, s:b, s:i, s:i, s:f, s:i, s:i}]", "filesystem", "ext4", "local", 1,
	                              "writes", 100, "older", 9, "max_lag_ms", 50.0, "wrong", 9, "backward_steps", 0));
	expect_coherence(record, true, "file stamps on ext4: WRONG");
}

static void test_histogram_has_the_columns_of_pg_test_timing(void **state)
{
	json_t *record = coherence(0, 0, 0, 3);
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	json_object_set_new(record, "differences",
	                    json_pack("[{s:s, s:s, s:[i, i, i]}]", "implementation", "libc", "call", "gettimeofday",
	                              "log2_ns", 75, 0, 25));
	xt_report_coherence_histogram(record, out);
	fclose(out);
	assert_has(text, "   <= ns   % of total  running %      count\n");
	assert_has(text, "       0      75.0000    75.0000         75\n");
	assert_has(text, "       3      25.0000   100.0000         25\n");
	free(text);
	json_decref(record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lkml2018_byte_for_byte),
		cmocka_unit_test(test_vdsotest_layout),
		cmocka_unit_test(test_verdict_in_words),
		cmocka_unit_test(test_table_marks_what_is_not_there),
		cmocka_unit_test(test_compare_sets_two_side_by_side),
		cmocka_unit_test(test_verify_tables),
		cmocka_unit_test(test_coherence_verdicts),
		cmocka_unit_test(test_histogram_has_the_columns_of_pg_test_timing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
