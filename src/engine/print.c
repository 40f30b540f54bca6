/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --only-print: what a client would send, as text. Commands that only compute are executed as ever; those that act
 * become comments, and what answers would have given is NULL.
 */
#include "engine/worker.h"

#include <stdio.h>
#include <string.h>

static void put(struct xt_worker *w, const char *text, size_t len)
{
	const struct xt_print *print = w->shared->engine->print;

	print->write(print->ctx, text, len);
}

static void comment(struct xt_worker *w, const char *text)
{
	put(w, "-- ", 3);
	put(w, text, strlen(text));
	put(w, "\n", 1);
}

void xt_print_head(struct xt_worker *w)
{
	const char *name = xt_program_name(w->shared->engine->program, w->script);
	char line[512];

	if (w->section == XT_RUN)
		snprintf(line, sizeof(line), "transaction %llu of %s", (unsigned long long)w->begun, name);
	else
		snprintf(line, sizeof(line), "%s section of %s", xt_section_name(w->section), name);
	comment(w, line);
}

static int statement(struct xt_worker *w, const struct xt_command *c)
{
	xt_buf_reset(&w->text);
	if (xt_sql_render(c->sql.parts, c->sql.part_count, w->env, true, &w->text, &w->err))
		return -1;
	put(w, w->text.data, w->text.len);
	put(w, ";\n", 2);
	if (c->sql.capture == XT_GSET)
		comment(w, "\\gset");
	else if (c->sql.capture == XT_ASET)
		comment(w, "\\aset");
	return 0;
}

static int load(struct xt_worker *w, const struct xt_command *c)
{
	char line[256];
	int64_t rows;

	xt_buf_reset(&w->text);
	if (xt_expr_eval_count(c->load->rows, w->env, &rows, &w->err) ||
	    xt_sql_render(c->load->table, c->load->table_part_count, w->env, false, &w->text, &w->err))
		return -1;
	snprintf(line, sizeof(line), "\\load %.160s: %lld rows", w->text.data ? w->text.data : "", (long long)rows);
	comment(w, line);
	return 0;
}

static int clock_calls(struct xt_worker *w, const struct xt_command *c)
{
	char line[64];
	int64_t n;

	if (xt_expr_eval_count(c->expr, w->env, &n, &w->err))
		return -1;
	snprintf(line, sizeof(line), "\\time %lld", (long long)n);
	if (n > 0)
		comment(w, line);
	return 0;
}

int xt_print_command(struct xt_worker *w, const struct xt_command *c)
{
	switch (c->op) {
	case XT_OP_SQL:
		return statement(w, c) ? -1 : 1;
	case XT_OP_LOAD:
		return load(w, c) ? -1 : 1;
	case XT_OP_SET:
	case XT_OP_JUMP_UNLESS:
	case XT_OP_JUMP:
	case XT_OP_REPEAT:
	case XT_OP_ENDREPEAT:
	case XT_OP_BARRIER:
		return 0;
	case XT_OP_CHECK:
	case XT_OP_FIGURE:
		return 1;
	case XT_OP_TIME:
		return clock_calls(w, c) ? -1 : 1;
	default:
		comment(w, c->source);
		return 1;
	}
}
