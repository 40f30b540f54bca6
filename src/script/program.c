/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs: made empty, filled script by script, read by everybody.
 */
#include "script/program.h"
#include "script/compile.h"

#include <stdlib.h>
#include <string.h>

struct xt_program *xt_program_new(const struct xt_compile_options *options)
{
	struct xt_program *program = calloc(1, sizeof(*program));

	if (program && options)
		program->options = *options;
	return program;
}

void xt_program_free(struct xt_program *program)
{
	if (!program)
		return;
	xt_arena_free(&program->arena);
	free(program);
}

static int publish_options(struct xt_program *program)
{
	struct xt_script_option *list = xt_arena_alloc(&program->arena, (program->option_count + 1) * sizeof(*list));

	if (!list)
		return -1;
	for (size_t i = 0; i < program->option_count; i++)
		list[i] = program->option_states[i].pub;
	program->option_list = list;
	return 0;
}

/* Takes over what the compiler has built. */
static int finish(struct xt_compiler *compiler, const char *name)
{
	struct xt_program *program = compiler->program;
	struct xt_script *script = &program->scripts[program->script_count];
	bool any = compiler->sectioned;

	for (int i = 0; i < XT_SECTIONS; i++) {
		const struct xt_build *build = &compiler->build[i];

		any = any || build->count;
		if (build->pipeline == XT_PIPELINE_OPEN)
			return xt_err_usage(compiler->err, "%s:%d:1: end of script reached with pipeline open", name,
			                    build->pipeline_line);
		script->code[i] = (struct xt_code){.commands = build->items,
		                                   .count = build->count,
		                                   .depth = build->depth,
		                                   .present = build->present};
		if (program->depth < build->depth)
			program->depth = build->depth;
	}
	if (!any)
		return xt_err_usage(compiler->err, "%s:1:1: no commands (empty script)", name);
	script->name = xt_arena_strndup(&program->arena, name, strlen(name));
	if (!script->name || publish_options(program))
		return xt_err_failed(compiler->err, "%s: out of memory", name);
	program->script_count++;
	return 0;
}

static int add(struct xt_program *program, const char *name, const char *path, struct xt_file *file, struct xt_err *err)
{
	struct xt_err local;
	struct xt_compiler *compiler;
	char *kept;
	int rc;

	if (!err)
		err = &local;
	if (program->script_count == XT_MAX_SCRIPTS)
		return xt_err_usage(err, "at most %d scripts are allowed", XT_MAX_SCRIPTS);
	compiler = calloc(1, sizeof(*compiler));
	kept = xt_arena_strndup(&program->arena, name, strlen(name));
	if (!compiler || !kept) {
		free(compiler);
		return xt_err_failed(err, "%s: out of memory", name);
	}
	*compiler = (struct xt_compiler){
		.program = program, .err = err, .script = (int)program->script_count, .section = XT_RUN};
	if (file)
		file->origin.name = kept;
	rc = file ? xt_compile_text(compiler, file) : xt_compile_file(compiler, kept, path, 0);
	if (!rc)
		rc = finish(compiler, kept);
	xt_buf_free(&compiler->scan.text);
	xt_buf_free(&compiler->scan.joints);
	free(compiler);
	return rc;
}

int xt_program_add_file(struct xt_program *program, const char *name, const char *path, struct xt_err *err)
{
	return add(program, name, path, NULL, err);
}

int xt_program_add_text(struct xt_program *program, const char *name, const char *text, size_t len, struct xt_err *err)
{
	struct xt_file file = {0};

	xt_origin_init(&file.origin, name, text, len);
	return add(program, name, NULL, &file, err);
}

size_t xt_program_scripts(const struct xt_program *program)
{
	return program->script_count;
}

const char *xt_program_name(const struct xt_program *program, size_t script)
{
	return program->scripts[script].name;
}

const struct xt_code *xt_program_code(const struct xt_program *program, size_t script, enum xt_section section)
{
	return &program->scripts[script].code[section];
}

uint32_t xt_program_sql_count(const struct xt_program *program)
{
	return program->sql_count;
}

size_t xt_program_figures(const struct xt_program *program, const struct xt_figure **figures)
{
	*figures = program->figures;
	return program->figure_count;
}

size_t xt_program_options(const struct xt_program *program, const struct xt_script_option **options)
{
	*options = program->option_list;
	return program->option_list ? program->option_count : 0;
}

const char *xt_program_ab(const struct xt_program *program, const char *key)
{
	static const char *const keys[] = {"swap", "a", "b"};

	for (int i = 0; i < 3; i++)
		if (!strcmp(key, keys[i]))
			return program->ab[i];
	return NULL;
}

enum xt_error_policy xt_program_errors(const struct xt_program *program)
{
	return program->errors;
}
