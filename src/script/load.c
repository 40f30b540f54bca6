/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * \load TABLE ROWS column = expression, ...
 */
#include "script/compile.h"

#include <string.h>

struct columns {
	const char **names;
	const struct xt_expr **values;
	size_t count, name_cap, value_cap;
};

static int parse_table(struct xt_compiler *compiler, struct xt_meta *meta, struct xt_load *load)
{
	struct xt_sql_part *parts;
	size_t start, len;

	if (!xt_lex_word(&meta->lex, &start, &len))
		return xt_lex_error(&meta->lex, meta->lex.pos, "missing argument: the table");
	compiler->scan.start = start;
	xt_buf_reset(&compiler->scan.joints);
	if (xt_compile_parts(compiler, compiler->file->origin.text + start, len, &parts, &load->table_part_count))
		return -1;
	for (size_t i = 0; i < load->table_part_count; i++)
		if (parts[i].kind == XT_PART_PARAM)
			return xt_lex_error(&meta->lex, start, "a variable in a table's name is written :{name}");
	load->table = parts;
	return 0;
}

static int add_column(struct xt_compiler *compiler, struct xt_meta *meta, struct columns *columns)
{
	struct xt_arena *arena = &compiler->program->arena;
	struct xt_parser parser = xt_compile_parser(compiler, meta);
	struct xt_lexer *lex = &meta->lex;
	struct xt_expr *value;
	const char *name;

	if (lex->tok != XT_TOK_NAME && !(lex->tok >= XT_TOK_AND && lex->len))
		return xt_lex_error(lex, lex->start, "a column is expected: column = expression");
	name = xt_arena_strndup(arena, lex->at, lex->len);
	for (size_t i = 0; name && i < columns->count; i++)
		if (!strcmp(columns->names[i], name))
			return xt_lex_error(lex, lex->start, "column \"%s\" stands twice", name);
	if (xt_lex_next(lex))
		return -1;
	if (lex->tok != XT_TOK_EQ)
		return xt_lex_error(lex, lex->start, "\"=\" and an expression are expected behind the column");
	if (xt_parse_expr(&parser, &value))
		return -1;
	columns->names = xt_arena_grow(arena, columns->names, columns->count, &columns->name_cap, sizeof(name));
	columns->values = xt_arena_grow(arena, columns->values, columns->count, &columns->value_cap, sizeof(value));
	if (!name || !columns->names || !columns->values)
		return xt_compile_oom(compiler);
	columns->names[columns->count] = name;
	columns->values[columns->count++] = value;
	return 0;
}

int xt_meta_load(struct xt_compiler *compiler, struct xt_meta *meta)
{
	struct xt_arena *arena = &compiler->program->arena;
	struct xt_load *load = xt_arena_alloc(arena, sizeof(*load));
	struct xt_parser parser = xt_compile_parser(compiler, meta);
	struct columns columns = {0};
	struct xt_command *command;
	struct xt_expr *rows;

	if (!load)
		return xt_compile_oom(compiler);
	if (compiler->section != XT_PREPARE)
		return xt_lex_error(&meta->lex, meta->offset, "only the prepare section loads tables");
	if (parse_table(compiler, meta, load) || xt_parse_expr(&parser, &rows))
		return -1;
	do {
		if (columns.count && xt_lex_next(&meta->lex))
			return -1;
		if (add_column(compiler, meta, &columns))
			return -1;
	} while (meta->lex.tok == XT_TOK_COMMA);
	if (meta->lex.tok != XT_TOK_END)
		return xt_parse_fail(&parser);
	load->rows = rows;
	load->columns = columns.names;
	load->values = columns.values;
	load->column_count = columns.count;
	load->row_slot = xt_vars_intern(&compiler->program->vars, arena, "row", 3);
	command = xt_compile_add(compiler, XT_OP_LOAD, meta->offset);
	if (!command || load->row_slot < 0)
		return xt_compile_oom(compiler);
	command->load = load;
	return 0;
}
