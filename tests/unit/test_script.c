/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * script: expressions and their errors, what is accepted and refused, control flow, options.
 */
#include "script_run.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct xt_program *compile(const char *text, struct xt_err *err)
{
	struct xt_program *program = xt_program_new(NULL);

	assert_non_null(program);
	err->text[0] = '\0';
	if (xt_program_add_text(program, "t.sql", text, strlen(text), err)) {
		xt_program_free(program);
		return NULL;
	}
	return program;
}

/* What `\set x EXPR` leaves in x, printed; or the error's text. */
static const char *value_of(const char *expr)
{
	static char out[2048];
	struct xt_env_options options = script_env_options();
	struct script_run run = {0};
	struct xt_program *program;
	struct xt_env *env;
	struct xt_err err;
	char script[2048];

	snprintf(script, sizeof(script), "\\set x %s\n", expr);
	program = compile(script, &err);
	if (!program) {
		snprintf(out, sizeof(out), "%s", err.text);
		return out;
	}
	env = xt_env_new(program, &options);
	assert_non_null(env);
	if (script_run(xt_program_code(program, 0, XT_RUN), env, &run, &err))
		snprintf(out, sizeof(out), "%s", err.text);
	else
		xt_value_print(xt_env_get(env, xt_program_code(program, 0, XT_RUN)->commands[0].slot), out,
		               sizeof(out));
	xt_env_free(env);
	xt_program_free(program);
	return out;
}

static const struct {
	const char *expr, *value;
} value_rows[] = {
	{"1 + 2 * 3", "7"},
	{"(1 + 2) * 3", "9"},
	{"7 / 2", "3"},
	{"-7 / 2", "-3"},
	{"-7 % 2", "-1"},
	{"7 / 2.0", "3.5"},
	{"1 | 2 & 4", "0"},
	{"~1 + 2", "-4"},
	{"1 << 65", "2"},
	{"-8 >> 1", "-4"},
	{"5 # 3", "6"},
	{"- -3", "3"},
	{"-9223372036854775808", "-9223372036854775808"},
	{"-9223372036854775808 % -1", "0"},
	{"not 1 = 2", "true"},
	{"1 = 2 or 3 < 4 and not false", "true"},
	{"1 is null", "false"},
	{"null is null", "true"},
	{"1 is null is null", "false"},
	{"null isnull is not true", "false"},
	{"null notnull", "false"},
	{"1 is true", "false"},
	{"true is not false", "true"},
	{"1 + null", "NULL"},
	{"null and false", "NULL"},
	{"null or true", "NULL"},
	{"true and null", "NULL"},
	{"null or 1", "NULL"},
	{"false and 1 / 0 = 1", "false"},
	{"case when 1 > 2 then 3 when 2 > 1 then 4 else 1 / 0 end", "4"},
	{"case when false then 1 end", "NULL"},
	{"greatest(1, 2.5, 2)", "2.5"},
	{"least(3, 2, 1)", "1"},
	{"int(5.4 + 3.8)", "9"},
	{"int(2.5)", "2"},
	{"double(2)", "2"},
	{"abs(-17)", "17"},
	{"abs(-1.5)", "1.5"},
	{"mod(54, 32)", "22"},
	{"pow(2, 10)", "1024"},
	{"power(2.0, 0.5)", "1.4142135623731"},
	{"sqrt(2.0)", "1.4142135623731"},
	{"ln(exp(1))", "1"},
	{"pi()", "3.14159265358979"},
	{"hash(10, 5432)", "-5817877081768721676"},
	{"hash_murmur2(10, 5432)", "-5817877081768721676"},
	{"hash_fnv1a(10, 5432)", "-7793829335365542153"},
	{"random(3, 3)", "3"},
	{"1 + \\\n 2", "3"},
	{"'a' = 'a' and 'a''b' <> 'ab'", "true"},
	{"'a' || 1 + 1 || 'b' || 2.5 || true", "a2b2.5true"},
	{"'a' || null", "NULL"},
	{"contains('dtgvp', 'g') and not contains('dtgvp', 'f')", "true"},
	{"length('') + 10 * length('dtgvp') + 100 * length('größe')", "550"},
	{"substr('größe', 3, 2) || substr('abc', 3, 9) || substr('abc', 4, 1) || substr('abc', 1, 0)", "ößc"},
	{"1e3", "1000"},
	{".5 + 1.", "1.5"},
	{"PI() > 3 AND NoT FALSE", "true"},
	{"2147483647 + 1", "2147483648"},
};

static void test_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(value_rows) / sizeof(value_rows[0]); i++)
		if (strcmp(value_of(value_rows[i].expr), value_rows[i].value))
			fail_msg("%s is %s, not %s", value_rows[i].expr, value_of(value_rows[i].expr),
			         value_rows[i].value);
}

static const struct {
	const char *expr, *message;
} error_rows[] = {
	{"1 / 0", "t.sql:1:1: division by zero"},
	{"1 % 0", "t.sql:1:1: division by zero"},
	{"9223372036854775807 + 1", "t.sql:1:1: bigint add out of range"},
	{"-9223372036854775808 - 1", "t.sql:1:1: bigint sub out of range"},
	{"9223372036854775807 * 2", "t.sql:1:1: bigint mul out of range"},
	{"-9223372036854775808 / -1", "t.sql:1:1: bigint div out of range"},
	{"- -9223372036854775808", "t.sql:1:1: bigint sub out of range"},
	{"int(1e30)", "t.sql:1:1: double to int overflow for 1000000000000000019884624838656.000000"},
	{"random(5, 3)", "t.sql:1:1: empty range given to random"},
	{"random(-9223372036854775808, 9223372036854775807)", "t.sql:1:1: random range is too large"},
	{"random_gaussian(1, 5, 1.5)", "t.sql:1:1: gaussian parameter must be at least 2.000000 (not 1.500000)"},
	{"random_zipfian(1, 5, 1)", "t.sql:1:1: zipfian parameter must be in range [1.001, 1000] (not 1.000000)"},
	{"random_exponential(1, 5, 0)", "t.sql:1:1: exponential parameter must be greater than zero (not 0.000000)"},
	{"permute(1, 0)", "t.sql:1:1: permute size parameter must be greater than zero"},
	{":nothing", "t.sql:1:1: undefined variable \"nothing\""},
	{"true and 1", "t.sql:1:1: cannot coerce int to boolean"},
	{"true + 1", "t.sql:1:1: cannot coerce boolean to int"},
	{"sqrt(true)", "t.sql:1:1: cannot coerce boolean to double"},
	{"greatest(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17)",
         "t.sql:1:1: too many function arguments, maximum is 16"},
	{"foo(1)", "t.sql:1:8: unexpected function name (foo) in command \"set\"\n\\set x foo(1)\n       ^"},
	{"sqrt(1, 2)",
         "t.sql:1:8: unexpected number of arguments (sqrt) in command \"set\"\n\\set x sqrt(1, 2)\n       ^"},
	{"least()", "t.sql:1:8: at least one argument expected (least) in command \"set\"\n\\set x least()\n       ^"},
	{"1 < 2 < 3", "t.sql:1:14: syntax error in command \"set\"\n\\set x 1 < 2 < 3\n             ^"},
	{"9223372036854775808", "t.sql:1:8: syntax error in command \"set\"\n\\set x 9223372036854775808\n       ^"},
	{"", "t.sql:1:8: syntax error in command \"set\"\n\\set x \n       ^"},
	{"1e400", "t.sql:1:8: double constant overflow (1e400) in command \"set\"\n\\set x 1e400\n       ^"},
	{"99999999999999999999", "t.sql:1:8: bigint constant overflow (99999999999999999999) in command \"set\"\n"
                                 "\\set x 99999999999999999999\n       ^"},
	{"1 $", "t.sql:1:10: unexpected character ($) in command \"set\"\n\\set x 1 $\n         ^"},
	{"\t1 +\t)", "t.sql:1:13: syntax error in command \"set\"\n\\set x \t1 +\t)\n       \t   \t^"},
};

static void test_errors(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(error_rows) / sizeof(error_rows[0]); i++)
		if (strcmp(value_of(error_rows[i].expr), error_rows[i].message))
			fail_msg("%s: says\n%s\nnot\n%s", error_rows[i].expr, value_of(error_rows[i].expr),
			         error_rows[i].message);
}

static void collect(void *ctx, const struct xt_command *command, const char *text, size_t len)
{
	(void)command;
	xt_buf_add(ctx, text, len);
	xt_buf_puts(ctx, ";");
}

/* The statements of a script's run section, or its error. */
static const char *statements_of(const char *text)
{
	static char out[8192];
	struct xt_env_options options = script_env_options();
	struct xt_buf buf = {0};
	struct script_run run = {.statement = collect, .ctx = &buf, .limit = 100000};
	struct xt_err err;
	struct xt_program *program = compile(text, &err);
	struct xt_env *env;

	if (!program) {
		snprintf(out, sizeof(out), "%s", err.text);
		return out;
	}
	env = xt_env_new(program, &options);
	assert_non_null(env);
	if (script_run(xt_program_code(program, 0, XT_RUN), env, &run, &err))
		xt_buf_printf(&buf, "%s", err.text);
	snprintf(out, sizeof(out), "%s", buf.data ? buf.data : "");
	xt_buf_free(&buf);
	xt_env_free(env);
	xt_program_free(program);
	return out;
}

static const struct {
	const char *script, *statements;
} flow_rows[] = {
	{"SELECT 1;", "SELECT 1;"},
	{"SELECT 1", "SELECT 1;"},
	{"SELECT 1;\r\nSELECT 2;\r\n", "SELECT 1;SELECT 2;"},
	{"\xef\xbb\xbfSELECT 1;", "SELECT 1;"},
	{"SELECT ';', \"a;b\", $x$;$x$, (1;2) /* ; */ -- ;\n;", "SELECT ';', \"a;b\", $x$;$x$, (1;2) /* ; */ -- ;;"},
	{"SELECT E'\\';' ;SELECT 2", "SELECT E'\\';';SELECT 2;"},
	{"-- only\n/* this */ SELECT 1;;;", "SELECT 1;"},
	{"SELECT 1 \\; SELECT 2;", "SELECT 1 ; SELECT 2;"},
	{"\\set a 5\nSELECT :a, ':a', a::int, :::a, :b, '12:30';", "SELECT 5, '5', a::int, :::a, :b, '12:30';"},
	{"\\set n 3\nSELECT * FROM t:{n} WHERE x = ':{n}' and y = :n;", "SELECT * FROM t3 WHERE x = '3' and y = 3;"},
	{"\\set t 'it''s'\nSELECT :t;", "SELECT 'it''s';"},
	{"\\if 0\nA;\n\\elif 0\nB;\n\\elif 1\nC;\n\\else\nD;\n\\endif\nE;", "C;E;"},
	{"\\if 1\nA;\n\\elif 1/0\nB;\n\\else\nC;\n\\endif\nD;", "A;D;"},
	{"\\if 0\nA;\n\\else\n\\if null\nB;\n\\else\nC;\n\\endif\n\\endif\nD;", "C;D;"},
	{"\\if 0\n\\endif\nA;", "A;"},
	{"\\set i 0\n\\repeat 3\n\\set i :i + 1\nA :i;\n\\endrepeat\nB;", "A 1;A 2;A 3;B;"},
	{"\\repeat 2\n\\repeat 3\nA;\n\\endrepeat\nB;\n\\endrepeat", "A;A;A;B;A;A;A;B;"},
	{"\\repeat 0\nA;\n\\endrepeat\n\\repeat -5\nB;\n\\endrepeat\nC;", "C;"},
	{"A \\if 1\nB;\n\\endif", "A;B;"},
	{"CREATE FUNCTION f() BEGIN ATOMIC SELECT 1; SELECT CASE WHEN 1 THEN 2 END; END; A;",
         "CREATE FUNCTION f() BEGIN ATOMIC SELECT 1; SELECT CASE WHEN 1 THEN 2 END; END;A;"},
	{"CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END; A;",
         "CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END;A;"},
	{"BEGIN; A; END;", "BEGIN;A;END;"},
	{"\\set \xc3\xa4\xe2\x82\xac_1 7\nSELECT :\xc3\xa4\xe2\x82\xac_1;", "SELECT 7;"},
	{"\\SET X 1\nSELECT :X, :x;", "SELECT 1, :x;"},
	{"\\sleep 0 us\n\\sleep 1ms\n\\set s 2\n\\sleep :s s\nA;", "A;"},
	{"\\startpipeline\nA;\n\\syncpipeline\nB;\n\\endpipeline", "A;B;"},
	{"SELECT :is_sqlite, :is_pgsql, :threads, :client_id, :random_seed, :scale;",
         "SELECT true, false, 1, 0, 1, 1;"},
};

static void test_flow(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(flow_rows) / sizeof(flow_rows[0]); i++)
		if (strcmp(statements_of(flow_rows[i].script), flow_rows[i].statements))
			fail_msg("%s\ngives\n%s\nnot\n%s", flow_rows[i].script, statements_of(flow_rows[i].script),
			         flow_rows[i].statements);
}

static const struct {
	const char *script, *message; /* the message's first line */
} refused_rows[] = {
	{"", "t.sql:1:1: no commands (empty script)"},
	{" \n-- x\n/* y */ ; ;", "t.sql:1:1: no commands (empty script)"},
	{"\\option a 1", "t.sql:1:1: no commands (empty script)"},
	{"\\foo", "t.sql:1:1: invalid command in command \"foo\""},
	{"\\ set x 1", "t.sql:1:1: a backslash without a command's name"},
	{"\\set", "t.sql:1:5: missing argument in command \"set\""},
	{"\\set 1x 2", "t.sql:1:6: invalid variable name: \"1x\" in command \"set\""},
	{"\\if 1", "t.sql:1:1: \\if without matching \\endif"},
	{"A;\n\\endif", "t.sql:2:1: \\endif without matching \\if in command \"endif\""},
	{"\\else", "t.sql:1:1: \\else without matching \\if in command \"else\""},
	{"\\elif 1", "t.sql:1:1: \\elif without matching \\if in command \"elif\""},
	{"\\if 1\n\\else\n\\else\n\\endif", "t.sql:3:1: \\else after \\else in command \"else\""},
	{"\\if 1\n\\else\n\\elif 1\n\\endif", "t.sql:3:1: \\elif after \\else in command \"elif\""},
	{"\\if 1\n\\endif x", "t.sql:2:8: unexpected argument (x) in command \"endif\""},
	{"\\if\n\\endif", "t.sql:1:4: syntax error in command \"if\""},
	{"\\repeat 1\nA;", "t.sql:1:1: \\repeat without matching \\endrepeat"},
	{"\\repeat 1\n\\if 1\n\\endrepeat\n\\endif",
         "t.sql:3:1: \\endrepeat inside an open \\if in command \"endrepeat\""},
	{"\\if 1\n\\repeat 1\n\\endif\n\\endrepeat", "t.sql:3:1: \\endif inside an open \\repeat in command \"endif\""},
	{"\\if 1\n\\section run\n\\endif",
         "t.sql:2:1: a section cannot begin inside an open \\if in command \"section\""},
	{"\\section foo",
         "t.sql:1:10: unknown section \"foo\": prepare, warmup, connect, run, disconnect, validate or cleanup in "
         "command \"section\""},
	{"\\gset", "t.sql:1:1: \\gset must follow an SQL command in command \"gset\""},
	{"A \\gset\n\\gset x", "t.sql:2:1: \\gset must follow an SQL command in command \"gset\""},
	{"A;\n\\set x 1\n\\aset", "t.sql:3:1: \\aset must follow an SQL command in command \"aset\""},
	{"A \\gset a b", "t.sql:1:11: too many arguments (b) in command \"gset\""},
	{"\\sleep", "t.sql:1:7: missing argument in command \"sleep\""},
	{"\\sleep 1 h", "t.sql:1:10: unrecognized time unit, must be us, ms or s (h) in command \"sleep\""},
	{"\\sleep 1.5", "t.sql:1:9: unrecognized time unit, must be us, ms or s (.5) in command \"sleep\""},
	{"\\sleep 1 s s", "t.sql:1:12: too many arguments (s) in command \"sleep\""},
	{"\\shell x", "t.sql:1:1: shell commands are off (--allow-shell lets a script run them) in command \"shell\""},
	{"SELECT 'x", "t.sql:1:8: quoted text without its end"},
	{"SELECT 1 /* x", "t.sql:1:10: comment without its end"},
	{"\\barrier", "t.sql:1:1: only the prepare section has barriers in command \"barrier\""},
	{"\\load t 1 a = 1", "t.sql:1:1: only the prepare section loads tables in command \"load\""},
	{"\\section prepare\n\\load t 1", "t.sql:2:10: a column is expected: column = expression in command \"load\""},
	{"\\section prepare\n\\load t 1 a = 1, a = 2", "t.sql:2:18: column \"a\" stands twice in command \"load\""},
	{"\\section prepare\n\\load t:n 1 a = 1",
         "t.sql:2:7: a variable in a table's name is written :{name} in command \"load\""},
	{"\\option A 1", "t.sql:1:9: an option's name is a small letter, then small letters, digits and "
                         "underscores, at most 63 in command \"option\""},
	{"\\option a", "t.sql:1:10: missing argument: the default in command \"option\""},
	{"\\option a 1x", "t.sql:1:11: a default is an integer, a double, on or off, 'text', or choices a|b|c "
                          "in command \"option\""},
	{"\\option a 1\n\\option a 2\nA;", "t.sql:2:1: option a is declared twice in this file in command \"option\""},
	{"\\option a x\nA;", "t.sql:1:1: option a has one word for its default, but no file declares its choices"},
	{"\\option a 1 \"x\nA;", "t.sql:1:13: text without its closing quote in command \"option\""},
	{"\\option a 1 min=x\nA;", "t.sql:1:13: min= takes an integer in command \"option\""},
	{"\\option a 1 min=2\nA;", "t.sql:1:13: the default is less than that in command \"option\""},
	{"\\option a on min=1\nA;", "t.sql:1:14: min=N is for integers in command \"option\""},
	{"\\option a x|x\nA;", "t.sql:1:13: choice \"x\" stands twice in command \"option\""},
	{"\\errors never", "t.sql:1:9: restart or pgbench is expected in command \"errors\""},
	{"\\ab c=1", "t.sql:1:5: swap=LIST, a=ARM or b=ARM is expected in command \"ab\""},
	{"\\include", "t.sql:1:9: missing argument: the file to include in command \"include\""},
	{"\\include /nonexistent/x.sql", "t.sql:1:10: cannot read \"/nonexistent/x.sql\": No such file or directory"},
	{"A;\n\n  \\set \xc3\xa4\xc3\xb6 (", "t.sql:3:12: syntax error in command \"set\""},
	{"\\startpipeline\n\\startpipeline", "t.sql:2:1: already in pipeline mode in command \"startpipeline\""},
	{"\\endpipeline", "t.sql:1:1: not in pipeline mode in command \"endpipeline\""},
	{"\\startpipeline\nA;", "t.sql:1:1: end of script reached with pipeline open"},
	{"\\startpipeline\nA \\gset\n\\endpipeline",
         "t.sql:2:3: \\gset is not allowed in pipeline mode in command \"gset\""},
	{"\\set x 'a", "t.sql:1:8: text without its closing quote in command \"set\""},
};

static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused_rows) / sizeof(refused_rows[0]); i++) {
		struct xt_err err;
		struct xt_program *program = compile(refused_rows[i].script, &err);
		size_t len = strlen(refused_rows[i].message);

		if (program)
			fail_msg("%s\nis accepted", refused_rows[i].script);
		assert_int_equal(err.kind, XT_ERR_USAGE);
		if (strncmp(err.text, refused_rows[i].message, len) || (err.text[len] && err.text[len] != '\n'))
			fail_msg("%s\nsays\n%s\nnot\n%s", refused_rows[i].script, err.text, refused_rows[i].message);
	}
}

static void test_options(void **state)
{
	const struct xt_script_option *options;
	struct xt_program *program;
	struct xt_value value;
	struct xt_err err;

	(void)state;
	program =
		compile("\\option rows 10 \"how many\"\n\\option ratio 0.5\n\\option fast off\n\\option name 'it''s'\n"
	                "\\option kind a|b|c \"which\"\n\\ab swap=time,gettimeofday a=libc b=coarse@hpet+5ns\n"
	                "\\errors restart\n\\section run\n",
	                &err);
	assert_non_null(program);
	assert_int_equal(xt_program_options(program, &options), 5);
	assert_string_equal(options[0].name, "rows");
	assert_string_equal(options[0].help, "how many");
	assert_int_equal(options[1].type, XT_OPT_DOUBLE);
	assert_int_equal(options[2].type, XT_OPT_BOOL);
	assert_int_equal(options[3].type, XT_OPT_TEXT);
	assert_string_equal(options[4].choices[2], "c");
	assert_string_equal(xt_program_ab(program, "swap"), "time,gettimeofday");
	assert_string_equal(xt_program_ab(program, "b"), "coarse@hpet+5ns");
	assert_int_equal(xt_program_errors(program), XT_ERRORS_RESTART);
	assert_int_equal(xt_program_set_option(program, "rows", "10k", &err), 0);
	assert_int_equal(xt_program_value(program, "rows", &value), 0);
	assert_int_equal(value.u.i, 10000);
	assert_int_equal(xt_program_set_option(program, "fast", NULL, &err), 0);
	assert_int_equal(xt_program_value(program, "fast", &value), 0);
	assert_true(value.type == XT_BOOL && value.u.b);
	assert_int_equal(xt_program_set_option(program, "kind", "d", &err), -1);
	assert_string_equal(err.text, "--kind: 'd' is not a choice: a, b, c");
	assert_int_equal(xt_program_set_option(program, "none", "1", &err), -1);
	assert_string_equal(err.text, "--none: no such option");
	assert_int_equal(xt_program_set_option(program, "rows", "x", &err), -1);
	assert_int_equal(err.kind, XT_ERR_USAGE);
	assert_int_equal(xt_program_define(program, "rows", "7", &err), 0);
	assert_int_equal(xt_program_set_option(program, "rows", "9", &err), 0);
	assert_int_equal(xt_program_value(program, "rows", &value), 0);
	assert_int_equal(value.type, XT_TEXT);
	assert_int_equal(xt_program_define(program, "1a", "7", &err), -1);
	xt_program_free(program);
}

static void test_parts(void **state)
{
	struct xt_env_options options = script_env_options();
	struct xt_value value = xt_int(5);
	struct xt_program *program;
	const struct xt_sql *sql;
	struct xt_buf buf = {0};
	struct xt_env *env;
	struct xt_err err;

	(void)state;
	program = compile(
		"\\set q 1\nSELECT :a, :b::int, :a;\nSELECT :a, ':q', ':c:d' /* :q */, $$:q$$, \":e\", t:{a};", &err);
	assert_non_null(program);
	assert_int_equal(xt_program_sql_count(program), 2);
	sql = &xt_program_code(program, 0, XT_RUN)->commands[1].sql;
	assert_string_equal(sql->text, "SELECT $1, $2::int, $3");
	assert_int_equal(sql->param_count, 3);
	assert_int_equal(sql->params[0], sql->params[2]);
	assert_int_equal(sql->statements, 1);
	sql = &xt_program_code(program, 0, XT_RUN)->commands[2].sql;
	assert_null(sql->text);
	assert_int_equal(sql->param_count, 1);
	env = xt_env_new(program, &options);
	assert_non_null(env);
	assert_int_equal(xt_sql_render(sql->parts, sql->part_count, env, false, &buf, &err), -1);
	assert_string_equal(err.text, "undefined variable \"a\"");
	assert_int_equal(xt_env_set_name(env, "a", &value, &err), 0);
	assert_int_equal(xt_env_set_name(env, "q", &value, &err), 0);
	xt_buf_reset(&buf);
	assert_int_equal(xt_sql_render(sql->parts, sql->part_count, env, false, &buf, &err), 0);
	assert_string_equal(buf.data, "SELECT $1, '5', ':c:d' /* 5 */, $$5$$, \":e\", t5");
	assert_int_equal(xt_env_set_name(env, "nowhere", &value, &err), 0);
	assert_int_equal(xt_env_set_name(env, "?column?", &value, &err), -1);
	xt_buf_free(&buf);
	xt_env_free(env);
	xt_program_free(program);
}

/* Compiles a shipped workload; count of its statements per transaction and a hash of them for a client. */
struct shape {
	uint64_t hash;
	unsigned kinds[3], statements;
};

static void hash_statement(void *ctx, const struct xt_command *command, const char *text, size_t len)
{
	struct shape *shape = ctx;

	for (size_t i = 0; i < len; i++)
		shape->hash = (shape->hash ^ (unsigned char)text[i]) * 0x100000001b3u;
	shape->kinds[command->sql.kind]++;
	shape->statements++;
}

static struct xt_program *load_workload(const char *name)
{
	struct xt_program *program = xt_program_new(NULL);
	char path[4096];
	struct xt_err err;

	snprintf(path, sizeof(path), "%s/workloads/%s.sql", XT_TOP_SRCDIR, name);
	if (xt_program_add_file(program, name, path, &err))
		fail_msg("%s", err.text);
	return program;
}

static struct shape shape_of(const struct xt_program *program, const struct xt_env_options *options,
                             int64_t *time_calls)
{
	struct xt_env *env = xt_env_new(program, options);
	struct shape shape = {0};
	struct script_run run = {.statement = hash_statement, .ctx = &shape, .limit = 1000000};
	struct xt_err err;

	assert_non_null(env);
	if (script_run(xt_program_code(program, 0, XT_CONNECT), env, &run, &err) ||
	    script_run(xt_program_code(program, 0, XT_RUN), env, &run, &err))
		fail_msg("%s", err.text);
	if (time_calls)
		*time_calls = run.time_calls;
	xt_env_free(env);
	return shape;
}

static void test_read_write(void **state)
{
	struct xt_program *program = load_workload("oltp_read_write");
	struct xt_env_options options = script_env_options();
	struct shape one, two;
	int64_t time_calls;
	struct xt_err err;

	(void)state;
	one = shape_of(program, &options, &time_calls);
	assert_int_equal(one.kinds[XT_SQL_READ], 14);
	assert_int_equal(one.kinds[XT_SQL_WRITE], 4);
	assert_int_equal(one.kinds[XT_SQL_OTHER], 2);
	assert_int_equal(time_calls, 0);
	two = shape_of(program, &options, NULL);
	assert_true(one.hash == two.hash);
	options.client_id = 1;
	two = shape_of(program, &options, NULL);
	assert_true(one.hash != two.hash);
	assert_int_equal(xt_program_set_option(program, "range-selects", "off", &err), 0);
	assert_int_equal(xt_program_set_option(program, "skip_trx", "on", &err), 0);
	assert_int_equal(xt_program_set_option(program, "point_selects", "3", &err), 0);
	assert_int_equal(shape_of(program, &options, NULL).statements, 3 + 4);
	xt_program_free(program);

	program = load_workload("oltp_time");
	options.client_id = 0;
	assert_true(shape_of(program, &options, &time_calls).hash == one.hash);
	assert_int_equal(time_calls, 120);
	assert_int_equal(xt_program_set_option(program, "time_calls", "1", &err), 0);
	shape_of(program, &options, &time_calls);
	assert_int_equal(time_calls, 20);
	xt_program_free(program);
}

/* Compiles a shipped workload for a database and runs all its sections; what an engine would capture is not there, so
 * that a workload which reads it is only compiled. */
static void check_shipped(const char *name, bool pgsql)
{
	struct xt_program *program = load_workload(name);
	struct xt_env_options options = script_env_options();
	struct script_run run = {.limit = 1000000};
	struct xt_env *env;
	struct xt_err err;

	options.is_sqlite = !pgsql;
	options.is_pgsql = pgsql;
	env = xt_env_new(program, &options);
	assert_non_null(env);
	for (int section = 0; section < XT_SECTIONS; section++)
		if (section != XT_VALIDATE && /* it looks at answers */
		    script_run(xt_program_code(program, 0, section), env, &run, &err) &&
		    !strstr(err.text, "undefined variable \"behind\""))
			fail_msg("%s: %s", name, err.text);
	assert_true(xt_program_code(program, 0, XT_RUN)->present);
	if (!strncmp(name, "oltp_", 5))
		assert_int_equal(run.rows, 10000);
	xt_env_free(env);
	xt_program_free(program);
}

static void test_shipped(void **state)
{
	glob_t found;

	(void)state;
	assert_int_equal(glob(XT_TOP_SRCDIR "/workloads/*.sql", 0, NULL, &found), 0);
	assert_true(found.gl_pathc >= 19);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char name[256];
		const char *slash = strrchr(found.gl_pathv[i], '/') + 1;

		snprintf(name, sizeof(name), "%.*s", (int)(strlen(slash) - 4), slash);
		check_shipped(name, false);
		check_shipped(name, true);
	}
	globfree(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),     cmocka_unit_test(test_errors),  cmocka_unit_test(test_flow),
		cmocka_unit_test(test_refused),    cmocka_unit_test(test_options), cmocka_unit_test(test_parts),
		cmocka_unit_test(test_read_write), cmocka_unit_test(test_shipped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
