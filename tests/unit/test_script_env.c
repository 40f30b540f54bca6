/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * script: variables and their conversions, random streams, inclusion and presets, shell commands, limits.
 */
#include "script_run.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct xt_program *compile(const char *text)
{
	const struct xt_compile_options options = {.allow_shell = true};
	struct xt_program *program = xt_program_new(&options);
	struct xt_err err;

	assert_non_null(program);
	if (xt_program_add_text(program, "t.sql", text, strlen(text), &err))
		fail_msg("%s", err.text);
	return program;
}

static const char *refusal(const char *text, size_t len)
{
	static struct xt_err err;
	struct xt_program *program = xt_program_new(NULL);

	assert_non_null(program);
	err.text[0] = '\0';
	if (!xt_program_add_text(program, "t.sql", text, len, &err))
		snprintf(err.text, sizeof(err.text), "accepted");
	xt_program_free(program);
	return err.text;
}

static const struct {
	const char *text;
	const char *value; /* of \set y :x, printed; or the error */
} wire_rows[] = {
	{"5", "5"},
	{" 5", "5"},
	{"+5", "5"},
	{"-9223372036854775808", "-9223372036854775808"},
	{"5 ", "malformed variable \"x\" value: \"5 \""},
	{"99999999999999999999", "value \"99999999999999999999\" is out of range for type bigint"},
	{"5.5", "5.5"},
	{"1e3", "1000"},
	{"0x10", "16"},
	{"nan", "NaN"},
	{"-inf", "-Infinity"},
	{"1e999", "malformed variable \"x\" value: \"1e999\""},
	{"null", "NULL"},
	{"NULL", "NULL"},
	{"t", "true"},
	{"Tru", "true"},
	{"y", "true"},
	{"on", "true"},
	{"o", "malformed variable \"x\" value: \"o\""},
	{"of", "false"},
	{"off", "false"},
	{"n", "false"},
	{"False", "false"},
	{"abc", "malformed variable \"x\" value: \"abc\""},
};

static void test_wire_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(wire_rows) / sizeof(wire_rows[0]); i++) {
		struct xt_program *program = compile("\\set y :x");
		const struct xt_command *set = xt_program_code(program, 0, XT_RUN)->commands;
		struct xt_env_options options = script_env_options();
		struct xt_value value;
		struct xt_env *env;
		struct xt_err err;
		char out[256];

		assert_int_equal(xt_program_define(program, "x", wire_rows[i].text, &err), 0);
		env = xt_env_new(program, &options);
		assert_non_null(env);
		if (xt_expr_eval(set->expr, env, &value, &err))
			assert_string_equal(err.text, wire_rows[i].value);
		else if (xt_value_print(&value, out, sizeof(out)) > 0)
			assert_string_equal(out, wire_rows[i].value);
		xt_env_free(env);
		xt_program_free(program);
	}
}

static void test_counts(void **state)
{
	static const struct {
		const char *expr;
		int64_t count; /* -1: refused */
	} rows[] = {{"3", 3},      {"2.0", 2},   {"2.5", -1},  {"'7'", 7},   {"'x'", -1},
	            {"1 / 0", -1}, {"true", -1}, {"null", -1}, {"1e300", -1}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct xt_env_options options = script_env_options();
		struct xt_program *program;
		struct xt_env *env;
		struct xt_err err;
		char text[64];
		int64_t count = -1;
		int rc;

		snprintf(text, sizeof(text), "\\time %s", rows[i].expr);
		program = compile(text);
		env = xt_env_new(program, &options);
		assert_non_null(env);
		rc = xt_expr_eval_count(xt_program_code(program, 0, XT_RUN)->commands[0].expr, env, &count, &err);
		assert_int_equal(rc, rows[i].count < 0 ? -1 : 0);
		if (!rc)
			assert_int_equal(count, rows[i].count);
		else
			assert_int_equal(err.kind, XT_ERR_FAILED);
		xt_env_free(env);
		xt_program_free(program);
	}
}

/* A retry repeats the values; another client or seed draws others; default_seed is common to all clients. */
static void test_streams(void **state)
{
	struct xt_program *program =
		compile("\\set x random(1, 1000000000)\n\\set y :default_seed\n\\set t random_string('#@-x')");
	const struct xt_command *commands = xt_program_code(program, 0, XT_RUN)->commands;
	struct xt_env_options options = script_env_options();
	struct xt_value a, b, seed_a, seed_b, text;
	struct xt_env *one, *two;
	struct xt_err err;

	(void)state;
	one = xt_env_new(program, &options);
	options.client_id = 1;
	two = xt_env_new(program, &options);
	assert_non_null(one);
	assert_non_null(two);
	xt_env_mark(one);
	assert_int_equal(xt_expr_eval(commands[0].expr, one, &a, &err), 0);
	xt_env_rewind(one);
	assert_int_equal(xt_expr_eval(commands[0].expr, one, &b, &err), 0);
	assert_int_equal(a.u.i, b.u.i);
	assert_int_equal(xt_expr_eval(commands[0].expr, one, &b, &err), 0);
	assert_int_not_equal(a.u.i, b.u.i);
	assert_int_equal(xt_expr_eval(commands[0].expr, two, &b, &err), 0);
	assert_int_not_equal(a.u.i, b.u.i);
	assert_int_equal(xt_expr_eval(commands[1].expr, one, &seed_a, &err), 0);
	assert_int_equal(xt_expr_eval(commands[1].expr, two, &seed_b, &err), 0);
	assert_int_equal(seed_a.u.i, seed_b.u.i);
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(xt_expr_eval(commands[2].expr, one, &text, &err), 0);
		assert_int_equal(text.len, 4);
		assert_in_range(text.u.s[0], '0', '9');
		assert_in_range(text.u.s[1], 'a', 'z');
		assert_memory_equal(text.u.s + 2, "-x", 2);
	}
	xt_env_free(one);
	xt_env_free(two);
	xt_program_free(program);
}

/* Every digit and letter comes up about as often as any other, at each place of a long text. */
static void test_random_string(void **state)
{
	struct xt_program *program = compile("\\set t random_string('####################@@@@@@@@@@@@@@@@@@@@')");
	const struct xt_command *set = xt_program_code(program, 0, XT_RUN)->commands;
	struct xt_env_options options = script_env_options();
	static unsigned seen[40][128];
	struct xt_env *env = xt_env_new(program, &options);
	struct xt_value text;
	struct xt_err err;

	(void)state;
	assert_non_null(env);
	for (int i = 0; i < 26000; i++) {
		assert_int_equal(xt_expr_eval(set->expr, env, &text, &err), 0);
		for (int at = 0; at < 40; at++)
			seen[at][(unsigned char)text.u.s[at]]++;
	}
	for (int at = 0; at < 40; at++)
		for (int c = at < 20 ? '0' : 'a'; c <= (at < 20 ? '9' : 'z'); c++)
			assert_in_range(seen[at][c], at < 20 ? 2300 : 820, at < 20 ? 2900 : 1190);
	xt_env_free(env);
	xt_program_free(program);
}

static void test_setting_texts(void **state)
{
	struct xt_program *program = compile("\\set a 'one'\n\\set b :a\n\\set a :a || :b || 2\nSELECT :a, :c;");
	const struct xt_code *code = xt_program_code(program, 0, XT_RUN);
	struct xt_env_options options = script_env_options();
	struct xt_env *env = xt_env_new(program, &options);
	struct script_run run = {.limit = 100};
	struct xt_value null = xt_null();
	struct xt_err err;

	(void)state;
	assert_non_null(env);
	assert_null(xt_env_get(env, code->commands[0].slot));
	for (int round = 0; round < 3; round++) {
		if (script_run(code, env, &run, &err))
			fail_msg("%s", err.text);
		assert_int_equal(xt_env_get(env, code->commands[2].slot)->len, 7);
		assert_memory_equal(xt_env_get(env, code->commands[2].slot)->u.s, "oneone2", 7);
	}
	/* a captured NULL is an empty text */
	assert_int_equal(xt_env_set_name(env, "c", &null, &err), 0);
	assert_int_equal(xt_env_get(env, code->commands[3].sql.params[1])->type, XT_TEXT);
	assert_int_equal(xt_env_get(env, code->commands[3].sql.params[1])->len, 0);
	assert_string_equal(xt_env_slot_name(env, code->commands[3].sql.params[1]), "c");
	xt_env_free(env);
	xt_program_free(program);
}

static void test_shell(void **state)
{
	static const struct {
		const char *script, *message; /* NULL: fine, and x is 5 where it is set */
	} rows[] = {
		{"\\setshell x echo 5; exit 3", NULL},
		{"\\setshell x echo $(( :n + 4 ))", NULL},
		{"\\setshell x printf '5 \\n6'", NULL},
		{"\\setshell x test -z \"$LD_PRELOAD$XTIME_PAGE\" && echo 5", NULL},
		{"\\shell test ::n = :n", "shell command ended with status 1"},
		{"\\shell exit 3", "shell command ended with status 3"},
		{"\\shell kill -9 $$", "shell command was ended by signal 9"},
		{"\\shell true", NULL},
		{"\\shell echo :none", "undefined variable \"none\""},
		{"\\setshell x echo a", "shell command must return an integer (not \"a\")"},
		{"\\setshell x echo 5 6", "shell command must return an integer (not \"5 6\")"},
		{"\\setshell x true", "could not read result of shell command"},
	};

	(void)state;
	setenv("LD_PRELOAD", "", 1);
	setenv("XTIME_PAGE", "fd:1:1", 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct xt_program *program = compile(rows[i].script);
		const struct xt_command *command = xt_program_code(program, 0, XT_RUN)->commands;
		struct xt_env_options options = script_env_options();
		pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
		struct xt_shell shell = {.lock = &lock};
		struct xt_err err = {.text = ""};
		struct xt_env *env;
		int rc;

		assert_int_equal(xt_program_define(program, "n", "1", &err), 0);
		env = xt_env_new(program, &options);
		assert_non_null(env);
		rc = xt_command_shell(command, env, &shell, &err);
		assert_int_equal(shell.group, 0);
		if (rows[i].message) {
			assert_int_equal(rc, -1);
			assert_string_equal(err.text, rows[i].message);
		} else if (rc) {
			fail_msg("%s: %s", rows[i].script, err.text);
		} else if (command->op == XT_OP_SETSHELL) {
			assert_int_equal(xt_env_get(env, command->slot)->u.i, 5);
		}
		xt_env_free(env);
		xt_program_free(program);
	}
	unsetenv("LD_PRELOAD");
	unsetenv("XTIME_PAGE");
}

/* A folder of scripts for \include. */
static char folder[] = "/tmp/xtime-test-script-XXXXXX";

static void put(const char *name, const char *text)
{
	char path[PATH_MAX];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static struct xt_program *add(const char *name, struct xt_err *err)
{
	struct xt_program *program = xt_program_new(NULL);
	char path[PATH_MAX];

	assert_non_null(program);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (!xt_program_add_file(program, name, path, err))
		return program;
	xt_program_free(program);
	return NULL;
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	static const char *const names[] = {"a.sql", "b.sql", "c.sql", "base.sql", "preset.sql", "bad.sql"};
	char path[PATH_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	return rmdir(folder);
}

static void expect_error(const char *name, const char *part)
{
	struct xt_err err;
	struct xt_program *program = add(name, &err);

	if (program)
		fail_msg("%s is accepted", name);
	assert_int_equal(err.kind, XT_ERR_USAGE);
	if (!strstr(err.text, part))
		fail_msg("%s says\n%s\nwithout\n%s", name, err.text, part);
}

static void test_include_errors(void **state)
{
	(void)state;
	put("a.sql", "SELECT 1;\n  \\include b.sql\n");
	put("b.sql", "\\include c.sql");
	put("c.sql", "\\include a.sql\n");
	expect_error("a.sql", "a.sql\" includes itself");
	put("c.sql", "SELECT 2;\n\\set x )\n");
	expect_error("a.sql", "c.sql:2:8: syntax error in command \"set\"\n\\set x )\n       ^\nincluded from ");
	expect_error("a.sql", "b.sql:1\nincluded from a.sql:2");
	put("c.sql", "\\if 1\n");
	expect_error("a.sql", "c.sql:1:1: \\if without matching \\endif");
	put("c.sql", "\\endif\n");
	put("b.sql", "\\if 1\n\\include c.sql\n\\endif");
	expect_error("a.sql", "c.sql:1:1: \\endif without matching \\if");
	put("a.sql", "\\include .\n");
	expect_error("a.sql", "\" is not a regular file");
	put("a.sql", "\\include none.sql\n");
	expect_error("a.sql", "a.sql:1:10: cannot read ");
	expect_error("none.sql", "cannot read script ");
	put("a.sql", "");
	expect_error("a.sql", "a.sql:1:1: no commands");
}

/* Presets: the first default, the declaration's type, choices and help. */
static void test_presets(void **state)
{
	const struct xt_script_option *options;
	struct xt_program *program;
	struct xt_value value;
	struct xt_err err;

	(void)state;
	put("base.sql", "\\option n 1 \"number\"\n\\option d 0.5\n\\option kind a|b|c \"which\"\n\\ab a=libc b=coarse\n"
	                "\\errors restart\n\\section connect\nSELECT 1;\n\\section run\nSELECT :n;\n");
	put("preset.sql",
	    "\\option n 7\n\\option d 2\n\\option kind b\n\\ab b=constant\n\\errors pgbench\n\\include base.sql\n"
	    "SELECT 2;\n");
	program = add("preset.sql", &err);
	if (!program)
		fail_msg("%s", err.text);
	assert_int_equal(xt_program_options(program, &options), 3);
	assert_string_equal(options[0].help, "number");
	assert_int_equal(options[0].def.u.i, 7);
	assert_int_equal(options[1].type, XT_OPT_DOUBLE);
	assert_true(options[1].def.u.d > 1.99 && options[1].def.u.d < 2.01);
	assert_int_equal(options[2].type, XT_OPT_CHOICE);
	assert_memory_equal(options[2].def.u.s, "b", 1);
	assert_string_equal(xt_program_ab(program, "a"), "libc");
	assert_string_equal(xt_program_ab(program, "b"), "constant");
	assert_null(xt_program_ab(program, "swap"));
	assert_int_equal(xt_program_errors(program), XT_ERRORS_PGBENCH);
	assert_int_equal(xt_program_set_option(program, "kind", "c", &err), 0);
	assert_int_equal(xt_program_value(program, "kind", &value), 0);
	assert_memory_equal(value.u.s, "c", 1);
	/* behind an \include the including file's section goes on */
	assert_int_equal(xt_program_code(program, 0, XT_RUN)->count, 2);
	assert_int_equal(xt_program_code(program, 0, XT_CONNECT)->count, 1);
	/* a second script shares the options: the same file again is no second declaration */
	{
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s/base.sql", folder);
		assert_int_equal(xt_program_add_file(program, "base.sql", path, &err), 0);
	}
	assert_int_equal(xt_program_scripts(program), 2);
	assert_string_equal(xt_program_name(program, 1), "base.sql");
	xt_program_free(program);
	put("bad.sql", "\\option kind d\n\\include base.sql\n");
	expect_error("bad.sql", "base.sql:3:1: option kind is preset to what this declaration does not allow");
	put("bad.sql", "\\option n 1.5\n\\include base.sql\n");
	expect_error("bad.sql",
	             "base.sql:1:1: option n is preset to what this declaration does not allow: it takes an integer");
}

static bool builtin(const char *name)
{
	return !strcmp(name, "threads");
}

static void test_builtin_option(void **state)
{
	const struct xt_compile_options options = {.is_builtin_option = builtin};
	struct xt_program *program = xt_program_new(&options);
	const char *text = "\\option threads 5\nSELECT 1;";
	struct xt_err err;

	(void)state;
	assert_int_equal(xt_program_add_text(program, "t.sql", text, strlen(text), &err), -1);
	assert_non_null(strstr(err.text, "t.sql:1:9: xtime has an option of its own that is named threads"));
	xt_program_free(program);
}

static char *repeated(const char *head, const char *unit, size_t n, const char *tail)
{
	size_t unit_len = strlen(unit);
	char *text = malloc(strlen(head) + n * unit_len + strlen(tail) + 1);
	char *p;

	assert_non_null(text);
	p = stpcpy(text, head);
	for (size_t i = 0; i < n; i++)
		p = stpcpy(p, unit);
	strcpy(p, tail);
	return text;
}

static const struct {
	const char *head, *unit;
	size_t n;
	const char *tail, *message; /* NULL: accepted */
} limit_rows[] = {
	{"\\set x ", "(", 900, "1", "syntax error"},
	{"\\set x ", "(", 100000, "1", "expression is nested too deep (at most 1000 levels)"},
	{"\\set x ", "-", 100000, "1", "expression is nested too deep"},
	{"\\set x ", "not ", 100000, "1", "expression is nested too deep"},
	{"\\set x 1", "+1", 900, "", NULL},
	{"\\set x 1", "+1", 100000, "", "expression is nested too deep"},
	{"\\set x ", "case when 1 then ", 100000, "1", "expression is nested too deep"},
	{"\\set x greatest(1", ",1", 20000, ")", NULL},
	{"", "\\if 1\n", 64, "", "\\if without matching \\endif"},
	{"", "\\if 1\n", 65, "", "blocks are nested too deep (at most 64)"},
	{"SELECT 1", ", :a", 255, ";", NULL},
	{"SELECT 1", ", :a", 256, ";", "statement has too many arguments (maximum is 255)"},
	{"SELECT :", "n", 255, ";", NULL},
	{"SELECT :", "n", 256, ";", "t.sql:1:8: variable name is longer than 255 bytes"},
	{"\\set x :", "n", 256, "", "t.sql:1:8: variable name is longer than 255 bytes"},
	{"\\set ", "n", 256, " 1", "t.sql:1:6: invalid variable name"},
	{"\\option ", "n", 64, " 1\nA;", "an option's name is a small letter"},
	{"\\set x ", "9", 500, "", "constant is too long"},
	{"SELECT /*", "/*", 100000, "", "comment without its end"},
	{"", "SELECT 1;", 20000, "", NULL},
	{"", "\xc3\xa4", 20000, " \\set x $", "unexpected character ($)"},
};

static void test_limits(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(limit_rows) / sizeof(limit_rows[0]); i++) {
		char *text = repeated(limit_rows[i].head, limit_rows[i].unit, limit_rows[i].n, limit_rows[i].tail);
		const char *said = refusal(text, strlen(text));

		if (!strstr(said, limit_rows[i].message ? limit_rows[i].message : "accepted"))
			fail_msg("%s %s x %zu says %s", limit_rows[i].head, limit_rows[i].unit, limit_rows[i].n, said);
		free(text);
	}
	assert_non_null(strstr(refusal("SELECT 1;\0", 10), "t.sql:1:10: unexpected NUL byte"));
}

/* The caret stands below the fault: columns are code points, tabs are kept, a long line is cut before it. */
static void test_caret(void **state)
{
	char *text = repeated("\\set x 1", " ", 300, "$");
	const char *said, *caret, *line;

	(void)state;
	assert_string_equal(refusal("\t\\set x \xc3\xa4\xc3\xb6(1)", 15),
	                    "t.sql:1:9: unexpected function name (\xc3\xa4\xc3\xb6) in command \"set\"\n"
	                    "\t\\set x \xc3\xa4\xc3\xb6(1)\n"
	                    "\t       ^");
	/* nothing that a terminal would act upon */
	assert_string_equal(refusal("\\set a\033[2Jb 1", 13),
	                    "t.sql:1:6: invalid variable name: \"a?[2Jb\" in command \"set\"\n"
	                    "\\set a?[2Jb 1\n"
	                    "     ^");
	said = refusal(text, strlen(text));
	line = strchr(said, '\n') + 1;
	caret = strchr(line, '\n') + 1;
	assert_int_equal(strncmp(line, "...", 3), 0);
	assert_int_equal(line[strcspn(caret, "^")], '$');
	assert_true(strlen(caret) < 120);
	free(text);
}

static void test_kinds(void **state)
{
	static const struct {
		const char *sql;
		enum xt_sql_kind kind;
	} rows[] = {
		{"SELECT 1", XT_SQL_READ},
		{"/* insert */ select 1", XT_SQL_READ},
		{"(SELECT 1) UNION (SELECT 2)", XT_SQL_READ},
		{"VALUES (1)", XT_SQL_READ},
		{"INSERT INTO t VALUES (1)", XT_SQL_WRITE},
		{"update t set a = 1", XT_SQL_WRITE},
		{"DELETE FROM t", XT_SQL_WRITE},
		{"REPLACE INTO t VALUES (1)", XT_SQL_WRITE},
		{"MERGE INTO t USING u ON true WHEN MATCHED THEN DELETE", XT_SQL_WRITE},
		{"WITH x AS (SELECT 1) SELECT * FROM x", XT_SQL_READ},
		{"WITH x AS (SELECT 1), y AS (SELECT 2) INSERT INTO t SELECT * FROM x", XT_SQL_WRITE},
		{"WITH x AS (DELETE FROM t RETURNING a) SELECT * FROM x", XT_SQL_WRITE},
		{"WITH x AS (SELECT 'insert', \"update\") SELECT * FROM x", XT_SQL_READ},
		{"EXPLAIN DELETE FROM t", XT_SQL_READ},
		{"EXPLAIN ANALYZE DELETE FROM t", XT_SQL_WRITE},
		{"EXPLAIN (ANALYZE, BUFFERS) UPDATE t SET a = 1", XT_SQL_WRITE},
		{"EXPLAIN QUERY PLAN SELECT 1", XT_SQL_READ},
		{"BEGIN IMMEDIATE", XT_SQL_OTHER},
		{"COMMIT", XT_SQL_OTHER},
		{"CREATE TABLE t (a int)", XT_SQL_OTHER},
		{"SELECT 1 \\; DELETE FROM t", XT_SQL_WRITE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct xt_program *program = compile(rows[i].sql);

		if (xt_program_code(program, 0, XT_RUN)->commands[0].sql.kind != rows[i].kind)
			fail_msg("%s is of kind %d", rows[i].sql,
			         xt_program_code(program, 0, XT_RUN)->commands[0].sql.kind);
		xt_program_free(program);
	}
}

static void test_capture(void **state)
{
	struct xt_program *program = compile("A \\;\\; /* x */ \\; B \\gset p_\nA \\; B \\aset\nC;");
	const struct xt_code *code = xt_program_code(program, 0, XT_RUN);

	(void)state;
	assert_int_equal(code->count, 3);
	assert_int_equal(code->commands[0].sql.statements, 2);
	assert_int_equal(code->commands[0].sql.capture, XT_GSET);
	assert_string_equal(code->commands[0].sql.prefix, "p_");
	assert_false(code->commands[0].sql.row_wanted[0]);
	assert_true(code->commands[0].sql.row_wanted[1]);
	assert_true(code->commands[1].sql.row_wanted[0]);
	assert_true(code->commands[1].sql.row_wanted[1]);
	assert_null(code->commands[2].sql.row_wanted);
	assert_int_equal(code->commands[2].sql.id, 2);
	assert_int_equal(code->commands[2].line, 3);
	assert_string_equal(code->commands[2].source, "C;");
	xt_program_free(program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wire_values),    cmocka_unit_test(test_counts),
		cmocka_unit_test(test_streams),        cmocka_unit_test(test_random_string),
		cmocka_unit_test(test_setting_texts),  cmocka_unit_test(test_shell),
		cmocka_unit_test(test_include_errors), cmocka_unit_test(test_presets),
		cmocka_unit_test(test_builtin_option), cmocka_unit_test(test_limits),
		cmocka_unit_test(test_caret),          cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_capture),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
