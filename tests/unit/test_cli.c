/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Option tables: accept and reject rows, word order.
 */
#include "base/num.h"
#include "cli/commands.h"
#include "cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct values {
	struct xt_counts threads;
	uint64_t time_ns;
	int64_t size;
	bool flag;
	int choice;
	const char *text, *maybe;
	struct xt_arg_list list;
};

static const struct xt_arg args[] = {
	{"threads", NULL, XT_ARG_COUNTS, offsetof(struct values, threads), 1, 64, "1", "N", "threads"},
	{"time", NULL, XT_ARG_SECONDS, offsetof(struct values, time_ns), 0, 100, "10", "SECONDS", "time"},
	{"table-size", "rows", XT_ARG_INT, offsetof(struct values, size), 1, 1e9, "10000", "N", "rows"},
	{"flag", NULL, XT_ARG_FLAG, offsetof(struct values, flag), 0, 0, NULL, NULL, "a switch"},
	{"choice", NULL, XT_ARG_CHOICE, offsetof(struct values, choice), 0, 0, "b", "a|b|cc", "a choice"},
	{"text", NULL, XT_ARG_TEXT, offsetof(struct values, text), 0, 0, NULL, "TEXT", "a text"},
	{"maybe", NULL, XT_ARG_OPTIONAL_TEXT, offsetof(struct values, maybe), 0, 0, NULL, "FILE", "a text or none"},
	{"list", NULL, XT_ARG_LIST, offsetof(struct values, list), 0, 0, NULL, "X", "many"},
};
static const struct xt_arg_table table = {"Test", args, sizeof(args) / sizeof(*args)};

static int parse(struct values *v, struct xt_arg_rest *rest, const char *const *words, struct xt_err *err)
{
	struct xt_arg_set set = {&table, v, 0};
	int argc = 0;

	memset(v, 0, sizeof(*v));
	memset(rest, 0, sizeof(*rest));
	while (words[argc])
		argc++;
	return xt_args_parse(argc, (char **)words, &set, 1, rest, err);
}

static void test_accepts(void **state)
{
	struct values v;
	struct xt_arg_rest rest;
	struct xt_err err;
	const char *const words[] = {"cmd",        "--threads",   "1-3",     "--table_size=5k", "--flag", "word",
	                             "--time=1.5", "--choice=cc", "--maybe", "--list=a",        "--list", "b",
	                             "--text=",    NULL};

	(void)state;
	assert_int_equal(parse(&v, &rest, words, &err), 0);
	assert_int_equal(v.threads.n, 3);
	assert_int_equal(v.size, 5000);
	assert_true(v.flag);
	assert_int_equal(v.time_ns, 1500000000);
	assert_int_equal(v.choice, 2);
	assert_string_equal(v.maybe, "");
	assert_int_equal(v.list.n, 2);
	assert_string_equal(v.list.v[1], "b");
	assert_string_equal(v.text, "");
	assert_int_equal(rest.words, 1);
}

static void test_defaults(void **state)
{
	struct values v;
	struct xt_arg_rest rest;
	struct xt_err err;

	(void)state;
	assert_int_equal(parse(&v, &rest, (const char *const[]){"cmd", NULL}, &err), 0);
	assert_int_equal(v.threads.v[0], 1);
	assert_int_equal(v.size, 10000);
	assert_int_equal(v.choice, 1);
	assert_null(v.maybe);
}

/* Each message names the option and what is allowed. */
static void test_rejects(void **state)
{
	static const struct {
		const char *word, *part;
	} rows[] = {
		{"--threads=0", "1 to 64"},    {"--threads=5-1", "falling"},     {"--threads=2,2", "twice"},
		{"--time=abc", "--time"},      {"--time=-1", "--time"},          {"--time=101", "0 ns to 100 s"},
		{"--table-size=0", "1 to"},    {"--table-size=1e3", "trailing"}, {"--choice=c", "a|b|cc"},
		{"--flag=maybe", "on or off"}, {"--thread=3", "--threads"},      {"--nonsense-xyz", "unknown option"},
		{"--text", "needs a value"},   {"-x", "unknown option -x"},
	};
	struct values v;
	struct xt_arg_rest rest;
	struct xt_err err;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *const words[] = {"cmd", rows[i].word, NULL};

		if (!parse(&v, &rest, words, &err))
			fail_msg("%s was accepted", rows[i].word);
		assert_int_equal(err.kind, XT_ERR_USAGE);
		if (!strstr(err.text, rows[i].part))
			fail_msg("%s: '%s' does not say '%s'", rows[i].word, err.text, rows[i].part);
	}
}

static void test_word_orders(void **state)
{
	static const char *const orders[][6] = {
		{"xtime", "run", "noop", "--threads=2", NULL},
		{"xtime", "--threads=2", "noop", "run", NULL},
		{"xtime", "--threads", "2", "noop", "run", NULL},
		{"xtime", "noop", "run", "--threads=2", NULL},
	};
	const struct xt_cli_command *command;
	char *sorted[8];
	struct xt_err err;
	int argc, n;

	(void)state;
	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
		for (argc = 0; orders[i][argc]; argc++)
			;
		assert_int_equal(xt_cli_sort(argc, (char **)orders[i], &command, &n, sorted, &err), 0);
		assert_string_equal(command->name, "run");
		assert_string_equal(sorted[0], "run");
		assert_int_equal(n, argc - 1);
	}
	assert_int_equal(xt_cli_sort(2, (char *[]){"xtime", "nonsense", NULL}, &command, &n, sorted, &err), -1);
	assert_int_equal(xt_cli_sort(3, (char *[]){"xtime", "noop", "exec", NULL}, &command, &n, sorted, &err), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accepts),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_rejects),
		cmocka_unit_test(test_word_orders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
