/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Meta-commands: the table of their names, and those that become one command of their own.
 */
#include "script/compile.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct xt_parser xt_compile_parser(struct xt_compiler *compiler, struct xt_meta *meta)
{
	return (struct xt_parser){.lex = &meta->lex,
	                          .vars = &compiler->program->vars,
	                          .texts = &compiler->program->texts,
	                          .script = compiler->script,
	                          .command = compiler->build[compiler->section].commands};
}

int xt_compile_expr(struct xt_compiler *compiler, struct xt_meta *meta, struct xt_expr **out)
{
	struct xt_parser parser = xt_compile_parser(compiler, meta);

	return xt_parse_whole(&parser, out);
}

int xt_compile_slot(struct xt_compiler *compiler, struct xt_meta *meta, size_t start, size_t len)
{
	const char *name = compiler->file->origin.text + start;
	int slot;

	if (!xt_vars_valid_name(name, len))
		return xt_lex_error(&meta->lex, start, "invalid variable name: \"%.*s\"", (int)(len > 60 ? 60 : len),
		                    name);
	slot = xt_vars_intern(&compiler->program->vars, &compiler->program->arena, name, len);
	return slot < 0 ? xt_compile_oom(compiler) : slot;
}

int xt_compile_quoted(struct xt_compiler *compiler, struct xt_meta *meta, size_t *start, size_t *len)
{
	const struct xt_origin *origin = &compiler->file->origin;
	struct xt_lexer *lex = &meta->lex;
	size_t end;

	if (!xt_lex_more(lex) || origin->text[lex->pos] != '"')
		return xt_lex_error(lex, lex->pos, "a text in double quotes is expected");
	for (end = lex->pos + 1; end < origin->len && origin->text[end] != '"' && origin->text[end] != '\n'; end++)
		;
	if (end == origin->len || origin->text[end] != '"')
		return xt_lex_error(lex, lex->pos, "text without its closing quote");
	*start = lex->pos + 1;
	*len = end - *start;
	lex->pos = end + 1;
	return 0;
}

static int add_expr(struct xt_compiler *compiler, struct xt_meta *meta, enum xt_op op, int slot)
{
	struct xt_command *command;
	struct xt_expr *expr;

	if (xt_compile_expr(compiler, meta, &expr))
		return -1;
	command = xt_compile_add(compiler, op, meta->offset);
	if (!command)
		return xt_compile_oom(compiler);
	command->expr = expr;
	command->slot = slot;
	return 0;
}

static int meta_set(struct xt_compiler *compiler, struct xt_meta *meta)
{
	size_t start, len;
	int slot;

	if (!xt_lex_word(&meta->lex, &start, &len))
		return xt_lex_error(&meta->lex, meta->lex.pos, "missing argument");
	slot = xt_compile_slot(compiler, meta, start, len);
	return slot < 0 ? -1 : add_expr(compiler, meta, XT_OP_SET, slot);
}

static int meta_time(struct xt_compiler *compiler, struct xt_meta *meta)
{
	return add_expr(compiler, meta, XT_OP_TIME, -1);
}

static int capture(struct xt_compiler *compiler, struct xt_meta *meta, enum xt_capture how)
{
	struct xt_build *build = &compiler->build[compiler->section];
	struct xt_sql *sql;
	size_t start, len = 0;

	if (!compiler->after_sql)
		return xt_lex_error(&meta->lex, meta->offset, "\\%s must follow an SQL command", meta->name);
	if (build->pipeline == XT_PIPELINE_OPEN)
		return xt_lex_error(&meta->lex, meta->offset, "\\%s is not allowed in pipeline mode", meta->name);
	sql = &build->items[build->count - 1].sql;
	if (xt_lex_word(&meta->lex, &start, &len)) {
		if (!xt_vars_valid_name(compiler->file->origin.text + start, len))
			return xt_lex_error(&meta->lex, start,
			                    "invalid variable name: a prefix is letters, digits and "
			                    "underscores, not beginning with a digit");
		if (xt_lex_end(&meta->lex, "too many arguments"))
			return -1;
		sql->prefix = xt_arena_strndup(&compiler->program->arena, compiler->file->origin.text + start, len);
	}
	sql->row_wanted = xt_arena_alloc(&compiler->program->arena, sql->statements * sizeof(*sql->row_wanted));
	if (!sql->prefix || !sql->row_wanted)
		return xt_compile_oom(compiler);
	for (unsigned i = 0; i < sql->statements; i++)
		sql->row_wanted[i] = how == XT_ASET || i + 1 == sql->statements;
	sql->capture = how;
	return 0;
}

static int meta_gset(struct xt_compiler *compiler, struct xt_meta *meta)
{
	return capture(compiler, meta, XT_GSET);
}

static int meta_aset(struct xt_compiler *compiler, struct xt_meta *meta)
{
	return capture(compiler, meta, XT_ASET);
}

/* us, ms or s, in any case: microseconds, or 0. */
static uint32_t unit_us(const char *unit, size_t len)
{
	if (len == 2 && !strncasecmp(unit, "us", 2))
		return 1;
	if (len == 2 && !strncasecmp(unit, "ms", 2))
		return 1000;
	return len == 1 && (*unit == 's' || *unit == 'S') ? 1000000 : 0;
}

/* Cuts "10ms" or "10 ms" or ":n ms" into where the unit stands and its length, 0 for none. */
static int split_sleep(struct xt_compiler *compiler, struct xt_meta *meta, size_t *unit, size_t *unit_len)
{
	const char *text = compiler->file->origin.text;
	struct xt_lexer *lex = &meta->lex;
	size_t start, len, digits = 0;

	*unit_len = 0;
	if (!xt_lex_word(lex, &start, &len))
		return xt_lex_error(lex, lex->pos, "missing argument");
	while (digits < len && text[start + digits] >= '0' && text[start + digits] <= '9')
		digits++;
	if (text[start] != ':' && digits == 0)
		return xt_lex_error(lex, start, "a number or :variable is expected");
	if (text[start] != ':' && digits < len) {
		*unit = start + digits;
		*unit_len = len - digits;
	} else {
		xt_lex_word(lex, unit, unit_len);
	}
	return xt_lex_end(lex, "too many arguments");
}

/* \sleep NUMBER or :VARIABLE, and a unit, which may cling to a number. */
static int meta_sleep(struct xt_compiler *compiler, struct xt_meta *meta)
{
	struct xt_lexer number = meta->lex; /* reads the number once more, as an expression */
	struct xt_parser parser = xt_compile_parser(compiler, meta);
	struct xt_command *command;
	struct xt_expr *expr;
	size_t unit = 0, unit_len;
	uint32_t us = 1000000;

	if (split_sleep(compiler, meta, &unit, &unit_len))
		return -1;
	if (unit_len)
		us = unit_us(compiler->file->origin.text + unit, unit_len);
	if (!us)
		return xt_lex_error(&meta->lex, unit, "unrecognized time unit, must be us, ms or s (%.*s)",
		                    (int)(unit_len > 60 ? 60 : unit_len), compiler->file->origin.text + unit);
	parser.lex = &number;
	if (xt_parse_expr(&parser, &expr))
		return -1;
	command = xt_compile_add(compiler, XT_OP_SLEEP, meta->offset);
	if (!command)
		return xt_compile_oom(compiler);
	command->unit_us = us;
	command->expr = expr;
	return 0;
}

static int plain(struct xt_compiler *compiler, struct xt_meta *meta, enum xt_op op)
{
	if (xt_lex_end(&meta->lex, "unexpected argument"))
		return -1;
	return xt_compile_add(compiler, op, meta->offset) ? 0 : xt_compile_oom(compiler);
}

/* What can be known of pipelines without running: inside conditions and loops nothing is. */
static int pipeline(struct xt_compiler *compiler, struct xt_meta *meta, enum xt_op op)
{
	struct xt_build *build = &compiler->build[compiler->section];
	int column;

	if (op == XT_OP_STARTPIPELINE && build->pipeline == XT_PIPELINE_OPEN)
		return xt_lex_error(&meta->lex, meta->offset, "already in pipeline mode");
	if (op != XT_OP_STARTPIPELINE && build->pipeline == XT_PIPELINE_CLOSED && !compiler->block_count)
		return xt_lex_error(&meta->lex, meta->offset, "not in pipeline mode");
	if (plain(compiler, meta, op))
		return -1;
	if (compiler->block_count)
		build->pipeline = XT_PIPELINE_UNKNOWN;
	else if (op != XT_OP_SYNCPIPELINE)
		build->pipeline = op == XT_OP_STARTPIPELINE ? XT_PIPELINE_OPEN : XT_PIPELINE_CLOSED;
	xt_origin_position(&compiler->file->origin, meta->offset, &build->pipeline_line, &column);
	return 0;
}

static int meta_startpipeline(struct xt_compiler *compiler, struct xt_meta *meta)
{
	return pipeline(compiler, meta, XT_OP_STARTPIPELINE);
}

static int meta_endpipeline(struct xt_compiler *compiler, struct xt_meta *meta)
{
	return pipeline(compiler, meta, XT_OP_ENDPIPELINE);
}

static int meta_syncpipeline(struct xt_compiler *compiler, struct xt_meta *meta)
{
	return pipeline(compiler, meta, XT_OP_SYNCPIPELINE);
}

static int meta_barrier(struct xt_compiler *compiler, struct xt_meta *meta)
{
	if (compiler->section != XT_PREPARE)
		return xt_lex_error(&meta->lex, meta->offset, "only the prepare section has barriers");
	return plain(compiler, meta, XT_OP_BARRIER);
}

/* The arguments of \shell and \setshell: each a word, of which :name is the variable's value and ::word is :word. */
static int shell_arguments(struct xt_compiler *compiler, struct xt_meta *meta, struct xt_command *command)
{
	struct xt_arena *arena = &compiler->program->arena;
	const struct xt_sql_part **argv = NULL;
	size_t start, len, cap = 0;

	while (xt_lex_word(&meta->lex, &start, &len)) {
		const char *word = compiler->file->origin.text + start;
		struct xt_sql_part *part = xt_arena_alloc(arena, sizeof(*part));

		argv = xt_arena_grow(arena, argv, command->argc, &cap, sizeof(*argv));
		if (!part || !argv)
			return xt_compile_oom(compiler);
		if (word[0] == ':' && xt_vars_valid_name(word + 1, len - 1)) {
			part->kind = XT_PART_PARAM;
			part->slot = xt_compile_slot(compiler, meta, start + 1, len - 1);
			if (part->slot < 0)
				return -1;
		} else {
			size_t skip = len > 1 && word[0] == ':' && word[1] == ':';

			part->kind = XT_PART_TEXT;
			part->len = len - skip;
			part->text = xt_arena_strndup(arena, word + skip, part->len);
			if (!part->text)
				return xt_compile_oom(compiler);
		}
		argv[command->argc++] = part;
	}
	command->argv = argv;
	return command->argc ? 0 : xt_lex_error(&meta->lex, meta->lex.pos, "missing command");
}

static int shell(struct xt_compiler *compiler, struct xt_meta *meta, enum xt_op op)
{
	struct xt_command *command;
	size_t start, len;
	int slot = -1;

	if (!compiler->program->options.allow_shell)
		return xt_lex_error(&meta->lex, meta->offset,
		                    "shell commands are off (--allow-shell lets a script run them)");
	if (op == XT_OP_SETSHELL) {
		if (!xt_lex_word(&meta->lex, &start, &len))
			return xt_lex_error(&meta->lex, meta->lex.pos, "missing argument");
		slot = xt_compile_slot(compiler, meta, start, len);
		if (slot < 0)
			return -1;
	}
	command = xt_compile_add(compiler, op, meta->offset);
	if (!command)
		return xt_compile_oom(compiler);
	command->slot = slot;
	return shell_arguments(compiler, meta, command);
}

static int meta_shell(struct xt_compiler *compiler, struct xt_meta *meta)
{
	return shell(compiler, meta, XT_OP_SHELL);
}

static int meta_setshell(struct xt_compiler *compiler, struct xt_meta *meta)
{
	return shell(compiler, meta, XT_OP_SETSHELL);
}

/* counts: one of the script's commands as pgbench numbers them. */
static const struct {
	const char *name;
	int (*handle)(struct xt_compiler *compiler, struct xt_meta *meta);
	bool counts;
} metas[] = {
	{"ab", xt_meta_ab, false},
	{"aset", meta_aset, false},
	{"barrier", meta_barrier, true},
	{"check", xt_meta_check, true},
	{"elif", xt_meta_elif, true},
	{"else", xt_meta_else, true},
	{"endif", xt_meta_endif, true},
	{"endpipeline", meta_endpipeline, true},
	{"endrepeat", xt_meta_endrepeat, true},
	{"errors", xt_meta_errors, false},
	{"figure", xt_meta_figure, true},
	{"gset", meta_gset, false},
	{"if", xt_meta_if, true},
	{"include", xt_meta_include, false},
	{"load", xt_meta_load, true},
	{"option", xt_meta_option, false},
	{"repeat", xt_meta_repeat, true},
	{"section", xt_meta_section, false},
	{"set", meta_set, true},
	{"setshell", meta_setshell, true},
	{"shell", meta_shell, true},
	{"sleep", meta_sleep, true},
	{"startpipeline", meta_startpipeline, true},
	{"syncpipeline", meta_syncpipeline, true},
	{"time", meta_time, true},
};

int xt_compile_meta(struct xt_compiler *compiler, size_t *pos)
{
	struct xt_meta meta = {.offset = *pos};
	struct xt_origin *origin = &compiler->file->origin;
	size_t start, len;
	int rc;

	meta.lex = (struct xt_lexer){
		.origin = origin, .pos = *pos + 1, .arena = &compiler->program->arena, .err = compiler->err};
	meta.lex.command = meta.name;
	if (!xt_lex_word(&meta.lex, &start, &len) || start != *pos + 1)
		return xt_origin_error(origin, *pos, compiler->err, "a backslash without a command's name");
	memcpy(meta.name, origin->text + start, len < sizeof(meta.name) ? len : sizeof(meta.name) - 1);
	for (size_t i = 0; i < sizeof(metas) / sizeof(metas[0]); i++) {
		if (len != strlen(metas[i].name) || strncasecmp(metas[i].name, meta.name, len))
			continue;
		compiler->build[compiler->section].commands += metas[i].counts;
		rc = metas[i].handle(compiler, &meta);
		compiler->after_sql = false;
		*pos = meta.lex.pos;
		return rc;
	}
	return xt_lex_error(&meta.lex, meta.offset, "invalid command");
}
