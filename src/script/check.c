/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a workload says of itself: \check, a condition on the data that must hold, and \figure, a number that the
 * report shows. A comparison that fails is told by both of its sides.
 */
#include "script/compile.h"
#include "script/eval.h"

#include <string.h>

enum { SIDE_MAX = 160 };

int xt_meta_check(struct xt_compiler *compiler, struct xt_meta *meta)
{
	struct xt_command *command;
	struct xt_sql_part *subject;
	struct xt_expr *expr;
	const char *words;
	size_t start, len, count;

	if (xt_compile_quoted(compiler, meta, &start, &len))
		return -1;
	compiler->scan.start = start;
	xt_buf_reset(&compiler->scan.joints);
	if (xt_compile_parts(compiler, compiler->file->origin.text + start, len, &subject, &count))
		return -1;
	xt_lex_more(&meta->lex);
	start = meta->lex.pos;
	if (xt_compile_expr(compiler, meta, &expr))
		return -1;
	for (len = meta->lex.pos - start; len && strchr(" \t\r\n", compiler->file->origin.text[start + len - 1]); len--)
		;
	words = xt_arena_strndup(&compiler->program->arena, compiler->file->origin.text + start, len);
	command = xt_compile_add(compiler, XT_OP_CHECK, meta->offset);
	if (!command || !words)
		return xt_compile_oom(compiler);
	command->expr = expr;
	command->sql.prefix = words;
	command->sql.parts = subject;
	command->sql.part_count = count;
	return 0;
}

/* The figure's number, a new one for a new name. */
static int figure(struct xt_compiler *compiler, struct xt_meta *meta, size_t start, size_t len)
{
	struct xt_program *program = compiler->program;
	const char *name = compiler->file->origin.text + start;
	size_t i = 0;

	if (!xt_vars_valid_name(name, len))
		return xt_lex_error(&meta->lex, start, "invalid name of a figure: letters, digits and underscores");
	while (i < program->figure_count &&
	       (strlen(program->figures[i].name) != len || memcmp(program->figures[i].name, name, len)))
		i++;
	if (i < program->figure_count)
		return (int)i;
	if (i == XT_MAX_FIGURES)
		return xt_lex_error(&meta->lex, start, "at most %d figures are allowed", XT_MAX_FIGURES);
	program->figures[i].name = xt_arena_strndup(&program->arena, name, len);
	if (!program->figures[i].name)
		return xt_compile_oom(compiler);
	return (int)i;
}

int xt_meta_figure(struct xt_compiler *compiler, struct xt_meta *meta)
{
	struct xt_program *program = compiler->program;
	const char *text = compiler->file->origin.text;
	struct xt_command *command;
	struct xt_expr *expr;
	size_t start, len;
	bool max;
	int i;

	if (!xt_lex_word(&meta->lex, &start, &len))
		return xt_lex_error(&meta->lex, meta->lex.pos, "missing argument: the figure's name");
	i = figure(compiler, meta, start, len);
	if (i < 0)
		return -1;
	if (!xt_lex_word(&meta->lex, &start, &len))
		return xt_lex_error(&meta->lex, meta->lex.pos, "sum or max is expected behind the figure's name");
	if (len != 3 || (memcmp(text + start, "sum", 3) && memcmp(text + start, "max", 3)))
		return xt_lex_error(&meta->lex, start, "sum or max is expected behind the figure's name");
	max = !memcmp(text + start, "max", 3);
	if ((size_t)i == program->figure_count) {
		program->figures[i].max = max;
		program->figure_count++;
	} else if (program->figures[i].max != max) {
		return xt_lex_error(&meta->lex, start, "figure %s is a %s elsewhere", program->figures[i].name,
		                    max ? "sum" : "maximum");
	}
	if (xt_compile_expr(compiler, meta, &expr))
		return -1;
	command = xt_compile_add(compiler, XT_OP_FIGURE, meta->offset);
	if (!command)
		return xt_compile_oom(compiler);
	command->expr = expr;
	command->slot = i;
	return 0;
}

static int print_side(const struct xt_expr *e, struct xt_env *env, char *out, struct xt_err *err)
{
	struct xt_value value;

	if (xt_expr_eval(e, env, &value, err))
		return -1;
	xt_value_print(&value, out, SIDE_MAX);
	return 0;
}

/* a = b, a < b and their like: a is what was found, b what was expected. */
static int tell(const struct xt_expr *e, struct xt_env *env, const char *subject, struct xt_err *err)
{
	static const char *const words[2][4] = {{"", "anything but ", "less than ", "at most "},
	                                        {"", "anything but ", "more than ", "at least "}};
	char found[SIDE_MAX], expected[SIDE_MAX];

	if (print_side(e->args[e->swapped], env, found, err) || print_side(e->args[!e->swapped], env, expected, err))
		return -1;
	return xt_err_failed(err, "%s: expected %s%s, found %s", subject, words[e->swapped][e->fn - XT_FN_EQ], expected,
	                     found);
}

int xt_command_check(const struct xt_command *command, struct xt_env *env, struct xt_err *err)
{
	const struct xt_expr *e = command->expr;
	struct xt_buf subject = {0};
	bool holds;
	int rc = 0;

	if (xt_expr_eval_bool(e, env, &holds, err))
		return -1;
	if (holds)
		return 0;
	if (xt_sql_render(command->sql.parts, command->sql.part_count, env, true, &subject, err))
		rc = -1;
	else if (e->kind == XT_EXPR_CALL && e->fn >= XT_FN_EQ && e->fn <= XT_FN_LE)
		rc = tell(e, env, subject.data ? subject.data : "", err);
	else
		rc = xt_err_failed(err, "%s: does not hold: %s", subject.data ? subject.data : "", command->sql.prefix);
	xt_buf_free(&subject);
	return rc;
}
