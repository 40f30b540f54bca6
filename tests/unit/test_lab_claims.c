/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The claims of 2018 and 2019, and that of 2007 on word sizes, on made-up figures: each verdict that a claim can have
 * is reached by figures chosen for it.
 */
#include "reproduce/claim.h"
#include "reproduce/claims2007.h"
#include "reproduce/claims2018.h"
#include "reproduce/claims2019.h"
#include "reproduce/clockrefs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void add(json_t *record, const char *call, const char *path, double ns)
{
	json_t *rows = json_object_get(record, "rows");

	json_array_append_new(rows, json_pack("{s:s, s:s, s:o, s:b}", "call", call, "path", path, "ns",
	                                      isnan(ns) ? json_null() : json_real(ns), "available", !isnan(ns)));
}

static json_t *make(void)
{
	return json_pack("{s:[], s:f}", "rows", "counter_hz", 3e9);
}

/* vDSO hires, coarse, syscall hires, coarse, pwrite. */
static json_t *make_2018(double a, double b, double c, double d, double pwrite_ns)
{
	json_t *record = make();

	add(record, "clock-gettime-realtime", "vdso", a);
	add(record, "clock-gettime-realtime-coarse", "vdso", b);
	add(record, "clock-gettime-realtime", "syscall", c);
	add(record, "clock-gettime-realtime-coarse", "syscall", d);
	add(record, "pwrite-tmpfs", "none", pwrite_ns);
	return record;
}

static void coarse(json_t *record, double per_second, double hz, int zeros)
{
	json_object_set_new(record, "coarse",
	                    json_pack("{s:f, s:f, s:i}", "per_second", per_second, "hz", hz, "min_zeros", zeros));
}

/* Takes the reference to claims' owner record. */
static const char *verdict(const json_t *claims, const char *id)
{
	const json_t *claim;
	size_t i;

	json_array_foreach(claims, i,
	                   claim) if (!strcmp(json_string_value(json_object_get(claim, "id")),
	                                      id)) return json_string_value(json_object_get(claim, "verdict"));
	return "missing";
}

static void expect_2018(json_t *record, const char *id, const char *want)
{
	json_t *claims = xt_claims_2018(record);

	assert_non_null(claims);
	assert_int_equal(json_array_size(claims), 7);
	assert_string_equal(verdict(claims, id), want);
	json_decref(claims);
	json_decref(record);
}

static void test_four(void **state)
{
	(void)state;
	expect_2018(make_2018(37.18, 6.44, 161.62, 133.87, 400), "four", "reproduced");
	expect_2018(make_2018(140, 6, 170, 133, 400), "four", "partly"); /* a slow counter */
	expect_2018(make_2018(6, 37, 160, 130, 400), "four", "not");
	expect_2018(make_2018(NAN, 6, 160, 130, 400), "four", "cannot_tell");
}

static void test_gap_cycles(void **state)
{
	(void)state;
	expect_2018(make_2018(36, 6, 160, 132, 400), "gap-cycles", "reproduced"); /* 90 and 84 cycles at 3 GHz */
	expect_2018(make_2018(26, 6, 160, 132, 400), "gap-cycles", "partly");     /* 60 */
	expect_2018(make_2018(16, 6, 160, 132, 400), "gap-cycles", "not");        /* 30 */
	expect_2018(make_2018(86, 6, 160, 132, 400), "gap-cycles", "not");        /* 240 */
	expect_2018(make_2018(36, NAN, 160, 132, 400), "gap-cycles", "cannot_tell");
}

static void test_gaps_and_entries_are_equal(void **state)
{
	(void)state;
	expect_2018(make_2018(37.18, 6.44, 161.62, 133.87, 400), "gap-equal", "reproduced");
	expect_2018(make_2018(37.18, 6.44, 161.62, 80, 400), "gap-equal", "not");
	expect_2018(make_2018(37, 6, 130, 130, 400), "gap-equal", "cannot_tell");
	expect_2018(make_2018(37.18, 6.44, 161.62, 133.87, 400), "entry-equal", "reproduced");
	expect_2018(make_2018(37.18, 6.44, 300, 133.87, 400), "entry-equal", "not");
}

static void test_pwrite_and_surcharge(void **state)
{
	(void)state;
	expect_2018(make_2018(37.18, 6.44, 161.62, 133.87, 400), "pwrite", "reproduced");
	expect_2018(make_2018(37.18, 6.44, 161.62, 133.87, 900), "pwrite", "not");
	expect_2018(make_2018(37.18, 6.44, 161.62, 133.87, NAN), "pwrite", "cannot_tell");
	expect_2018(make_2018(37.18, 6.44, 161.62, 133.87, 400), "surcharge", "reproduced");
	expect_2018(make_2018(37.18, 6.44, 161.62, 133.87, 250), "surcharge", "partly");
	expect_2018(make_2018(37.18, 6.44, 161.62, 133.87, 2000), "surcharge", "not");
	expect_2018(make_2018(37.18, 6.44, 161.62, 133.87, NAN), "surcharge", "cannot_tell");
}

static void test_round(void **state)
{
	json_t *r = make_2018(37, 6, 161, 133, 400);

	(void)state;
	expect_2018(json_deep_copy(r), "round", "cannot_tell");
	coarse(r, 250.4, 250, 0);
	expect_2018(json_deep_copy(r), "round", "reproduced");
	coarse(r, 100, 250, 6);
	expect_2018(r, "round", "not");
}

static void test_empty_record_of_2018_cannot_tell(void **state)
{
	json_t *record = make();
	json_t *claims = xt_claims_2018(record);
	const json_t *claim;
	size_t i;

	(void)state;
	json_array_foreach(claims, i, claim)
		assert_string_equal(json_string_value(json_object_get(claim, "verdict")), "cannot_tell");
	json_decref(claims);
	json_decref(record);
}

static const char *const gettimes[] = {"monotonic", "monotonic-coarse", "monotonic-raw",  "tai",
                                       "boottime",  "realtime",         "realtime-coarse"};

/* vDSO figures for all calls: gettime rows at `gettime`, getres rows at `getres` (NAN: n/t); syscalls at 120. */
static json_t *make_2019(double gettime, double getres)
{
	json_t *record = make();

	for (size_t i = 0; i < 7; i++) {
		char name[64] = "clock-gettime-";

		add(record, strcat(name, gettimes[i]), "vdso", gettime);
		add(record, name, "syscall", 120);
		strcpy(name, "clock-getres-");
		add(record, strcat(name, gettimes[i]), "vdso", getres);
		add(record, name, "syscall", 120);
	}
	add(record, "gettimeofday", "vdso", gettime);
	add(record, "gettimeofday", "syscall", 120);
	add(record, "getcpu", "vdso", NAN);
	return record;
}

static void expect_2019(json_t *record, json_t *old, const char *id, const char *want)
{
	json_t *claims = xt_claims_2019(record, old);

	assert_non_null(claims);
	assert_int_equal(json_array_size(claims), 3);
	assert_string_equal(verdict(claims, id), want);
	json_decref(claims);
	json_decref(record);
	json_decref(old);
}

static void test_2019_one_kernel(void **state)
{
	(void)state;
	expect_2019(make_2019(30, 5), NULL, "new-rows", "reproduced");
	expect_2019(make_2019(30, NAN), NULL, "new-rows", "partly");
	expect_2019(make_2019(NAN, NAN), NULL, "new-rows", "not");
	expect_2019(make_2019(30, 5), NULL, "dramatic", "reproduced");
	expect_2019(make_2019(60, 5), NULL, "dramatic", "not");
	expect_2019(make_2019(NAN, NAN), NULL, "dramatic", "cannot_tell");
	expect_2019(make_2019(30, 5), NULL, "minor", "cannot_tell");
}

static void test_2019_two_kernels(void **state)
{
	json_t *old = make_2019(90, NAN), *new_record = make_2019(30, 5);

	(void)state;
	assert_true(xt_2019_before(new_record, old, "gettimeofday") == 90);
	assert_true(xt_2019_before(new_record, NULL, "gettimeofday") == 120);
	assert_true(xt_2019_after(new_record, "gettimeofday") == 30);
	assert_true(isnan(xt_2019_after(new_record, "getcpu")));
	expect_2019(json_deep_copy(new_record), json_deep_copy(old), "dramatic", "reproduced");
	expect_2019(new_record, old, "minor", "partly"); /* the coarse rows gain too */
	expect_2019(make_2019(30, 5), make_2019(29, NAN), "minor", "not");
}

static void test_references_stand_beside_our_own(void **state)
{
	json_t *record = make_2018(30, 5, 100, 80, 300), *rows;

	(void)state;
	assert_int_equal(xt_references_2018(record), 0);
	assert_int_equal(xt_references_2019(record, NULL), 0);
	rows = json_object_get(json_array_get(json_object_get(record, "references"), 0), "rows");
	assert_int_equal(json_array_size(rows), 5);
	assert_true(json_number_value(json_object_get(json_array_get(rows, 0), "published_ns")) == 37.18);
	assert_true(json_number_value(json_object_get(json_array_get(rows, 0), "ns")) == 30);
	assert_true(json_number_value(json_object_get(json_array_get(rows, 4), "ns")) == 300);
	rows = json_object_get(json_array_get(json_object_get(record, "references"), 1), "rows");
	assert_int_equal(json_array_size(rows), 16);
	assert_true(json_number_value(json_object_get(json_array_get(rows, 10), "published_before_ns")) == 149);
	assert_true(json_number_value(json_object_get(json_array_get(rows, 10), "before_ns")) == 100);
	assert_true(json_number_value(json_object_get(json_array_get(rows, 10), "after_ns")) == 30);
	assert_true(json_is_null(json_object_get(json_array_get(rows, 14), "published_before_ns")));
	json_decref(record);
}

/* System calls gettimeofday() and time(), and time() in the vDSO. */
static struct xt_wordsize rows_of(unsigned bits, double before, double after, double vdso)
{
	return (struct xt_wordsize){
		.bits = bits,
		.row = {{"time", XT_PATH_VDSO, vdso},
	                {"time", XT_PATH_SYSCALL, after},
	                {"gettimeofday", XT_PATH_SYSCALL, before}},
	};
}

static void expect_32_bit(const struct xt_wordsize *native, const struct xt_wordsize *narrow, const char *want)
{
	struct xt_probes_2007 probes = {.native = native, .narrow = narrow};
	json_t *claims = json_array();

	xt_claims_2007_append_probes(claims, &probes);
	assert_string_equal(verdict(claims, "32-bit"), want);
	json_decref(claims);
}

static void test_word_sizes_in_the_record(void **state)
{
	struct xt_wordsize wide = rows_of(64, 120, 70, 2), narrow = rows_of(32, 150, 100, NAN);
	struct xt_probes_2007 probes = {.native = &wide};
	json_t *sizes = xt_word_sizes_json(&probes);

	(void)state;
	assert_int_equal(json_array_size(sizes), 1);
	json_decref(sizes);
	probes.narrow = &narrow;
	sizes = xt_word_sizes_json(&probes);
	assert_int_equal(json_array_size(sizes), 2);
	for (size_t i = 0; i < 2; i++) {
		const json_t *size = json_array_get(sizes, i);

		assert_int_equal(json_integer_value(json_object_get(size, "bits")), i ? 32 : 64);
		assert_int_equal(json_array_size(json_object_get(size, "rows")), XT_WORDSIZE_ROWS);
	}
	json_decref(sizes);
}

static void test_2007_32_bit(void **state)
{
	struct xt_wordsize wide = rows_of(64, 120, 70, 2), narrow = rows_of(32, 150, 100, 3);
	struct xt_wordsize enters = rows_of(32, 150, 100, NAN), saves_nothing = rows_of(32, 100, 100, 3);
	struct xt_wordsize wide_saves_nothing = rows_of(64, 70, 70, 2);

	(void)state;
	expect_32_bit(&wide, NULL, "cannot_tell");
	expect_32_bit(&wide, &enters, "reproduced");
	expect_32_bit(&wide_saves_nothing, &narrow, "reproduced");
	expect_32_bit(&wide, &narrow, "not");
	expect_32_bit(&wide, &saves_nothing, "not");
}

/* A script in place of the 32-bit program: good, cut short, failing, not there. */
static void test_rows_of_another_program(void **state)
{
	static const struct {
		const char *script;
		int want;
	} cases[] = {
		{"#!/bin/sh\necho bits 32; for i in 1 2 3 4 5 6 7; do echo time vdso $i.5; done; echo time syscall "
	         "n/t\n",
	         0},
		{"#!/bin/sh\necho bits 32; echo time vdso 1\n", -1},
		{"#!/bin/sh\necho hello\n", -1},
		{"#!/bin/sh\nexit 3\n", -1},
	};
	char path[] = "/tmp/xtime-claims-XXXXXX";
	struct xt_wordsize rows;
	struct xt_err err = {0};

	(void)state;
	close(mkstemp(path));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		FILE *f = fopen(path, "w");

		fputs(cases[i].script, f);
		fclose(f);
		chmod(path, 0700);
		assert_int_equal(xt_wordsize_run(path, &rows, &err), cases[i].want);
		if (!cases[i].want) {
			assert_int_equal(rows.bits, 32);
			assert_true(rows.row[6].ns == 7.5 && isnan(rows.row[7].ns));
		}
	}
	unlink(path);
	assert_int_equal(xt_wordsize_run(path, &rows, &err), -1);
	assert_non_null(strstr(err.text, "No such file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_four),
		cmocka_unit_test(test_gap_cycles),
		cmocka_unit_test(test_gaps_and_entries_are_equal),
		cmocka_unit_test(test_pwrite_and_surcharge),
		cmocka_unit_test(test_round),
		cmocka_unit_test(test_empty_record_of_2018_cannot_tell),
		cmocka_unit_test(test_2019_one_kernel),
		cmocka_unit_test(test_2019_two_kernels),
		cmocka_unit_test(test_references_stand_beside_our_own),
		cmocka_unit_test(test_2007_32_bit),
		cmocka_unit_test(test_word_sizes_in_the_record),
		cmocka_unit_test(test_rows_of_another_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
