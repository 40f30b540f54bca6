/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions, loops, sections and inclusion: what gives a script its shape. Branches become jumps whose targets are
 * filled in when the block's end is known.
 */
#include "script/compile.h"

#include <string.h>

#define SECTION_WORDS "prepare, warmup, connect, run, disconnect, validate or cleanup"

static const char *const section_names[XT_SECTIONS] = {
	"prepare", "warmup", "connect", "run", "disconnect", "validate", "cleanup",
};

const char *xt_section_name(enum xt_section section)
{
	return section_names[section];
}

static struct xt_block *top(struct xt_compiler *compiler)
{
	return compiler->block_count ? &compiler->blocks[compiler->block_count - 1] : NULL;
}

static struct xt_block *push(struct xt_compiler *compiler, struct xt_meta *meta)
{
	struct xt_block *block;

	if (compiler->block_count == XT_MAX_BLOCKS) {
		xt_lex_error(&meta->lex, meta->offset, "blocks are nested too deep (at most %d)", XT_MAX_BLOCKS);
		return NULL;
	}
	block = &compiler->blocks[compiler->block_count++];
	*block = (struct xt_block){.origin = &compiler->file->origin,
	                           .offset = meta->offset,
	                           .branch = XT_NO_TARGET,
	                           .ends = XT_NO_TARGET};
	return block;
}

/* The block that a command continues or ends, or NULL with the error. */
static struct xt_block *expect(struct xt_compiler *compiler, struct xt_meta *meta, int kind)
{
	const char *opener = kind == XT_BLOCK_IF ? "if" : "repeat";
	struct xt_block *block = top(compiler);

	if (!block || block->origin != &compiler->file->origin) {
		xt_lex_error(&meta->lex, meta->offset, "\\%s without matching \\%s", meta->name, opener);
		return NULL;
	}
	if ((int)block->kind != kind) {
		xt_lex_error(&meta->lex, meta->offset, "\\%s inside an open \\%s", meta->name,
		             kind == XT_BLOCK_IF ? "repeat" : "if");
		return NULL;
	}
	return block;
}

static struct xt_command *command_at(struct xt_compiler *compiler, uint32_t index)
{
	return &compiler->build[compiler->section].items[index];
}

int xt_meta_if(struct xt_compiler *compiler, struct xt_meta *meta)
{
	struct xt_command *command;
	struct xt_block *block;
	struct xt_expr *expr;

	if (xt_compile_expr(compiler, meta, &expr))
		return -1;
	block = push(compiler, meta);
	if (!block)
		return -1;
	block->kind = XT_BLOCK_IF;
	block->branch = xt_compile_here(compiler);
	command = xt_compile_add(compiler, XT_OP_JUMP_UNLESS, meta->offset);
	if (!command)
		return xt_compile_oom(compiler);
	command->expr = expr;
	return 0;
}

/* Ends the branch before an \elif or \else: its last command jumps to the end, its condition jumps here. */
static int end_branch(struct xt_compiler *compiler, struct xt_meta *meta, struct xt_block *block)
{
	struct xt_command *jump;
	uint32_t index = xt_compile_here(compiler);

	if (block->otherwise)
		return xt_lex_error(&meta->lex, meta->offset, "\\%s after \\else", meta->name);
	jump = xt_compile_add(compiler, XT_OP_JUMP, meta->offset);
	if (!jump)
		return xt_compile_oom(compiler);
	jump->target = block->ends;
	block->ends = index;
	command_at(compiler, block->branch)->target = xt_compile_here(compiler);
	block->branch = XT_NO_TARGET;
	return 0;
}

int xt_meta_elif(struct xt_compiler *compiler, struct xt_meta *meta)
{
	struct xt_block *block = expect(compiler, meta, XT_BLOCK_IF);
	struct xt_command *command;
	struct xt_expr *expr;

	if (!block || end_branch(compiler, meta, block) || xt_compile_expr(compiler, meta, &expr))
		return -1;
	block->branch = xt_compile_here(compiler);
	command = xt_compile_add(compiler, XT_OP_JUMP_UNLESS, meta->offset);
	if (!command)
		return xt_compile_oom(compiler);
	command->expr = expr;
	return 0;
}

int xt_meta_else(struct xt_compiler *compiler, struct xt_meta *meta)
{
	struct xt_block *block = expect(compiler, meta, XT_BLOCK_IF);

	if (!block || xt_lex_end(&meta->lex, "unexpected argument") || end_branch(compiler, meta, block))
		return -1;
	block->otherwise = true;
	return 0;
}

int xt_meta_endif(struct xt_compiler *compiler, struct xt_meta *meta)
{
	struct xt_block *block = expect(compiler, meta, XT_BLOCK_IF);
	uint32_t here = xt_compile_here(compiler);

	if (!block || xt_lex_end(&meta->lex, "unexpected argument"))
		return -1;
	if (block->branch != XT_NO_TARGET)
		command_at(compiler, block->branch)->target = here;
	while (block->ends != XT_NO_TARGET) {
		struct xt_command *jump = command_at(compiler, block->ends);

		block->ends = jump->target;
		jump->target = here;
	}
	compiler->block_count--;
	return 0;
}

int xt_meta_repeat(struct xt_compiler *compiler, struct xt_meta *meta)
{
	struct xt_build *build = &compiler->build[compiler->section];
	struct xt_command *command;
	struct xt_block *block;
	struct xt_expr *expr;

	if (xt_compile_expr(compiler, meta, &expr))
		return -1;
	block = push(compiler, meta);
	if (!block)
		return -1;
	block->kind = XT_BLOCK_REPEAT;
	block->branch = xt_compile_here(compiler);
	command = xt_compile_add(compiler, XT_OP_REPEAT, meta->offset);
	if (!command)
		return xt_compile_oom(compiler);
	command->expr = expr;
	command->depth = compiler->repeat_depth++;
	if (build->depth < compiler->repeat_depth)
		build->depth = compiler->repeat_depth;
	return 0;
}

int xt_meta_endrepeat(struct xt_compiler *compiler, struct xt_meta *meta)
{
	struct xt_block *block = expect(compiler, meta, XT_BLOCK_REPEAT);
	struct xt_command *command;

	if (!block || xt_lex_end(&meta->lex, "unexpected argument"))
		return -1;
	command = xt_compile_add(compiler, XT_OP_ENDREPEAT, meta->offset);
	if (!command)
		return xt_compile_oom(compiler);
	command->depth = --compiler->repeat_depth;
	command->target = block->branch + 1;
	command_at(compiler, block->branch)->target = xt_compile_here(compiler);
	compiler->block_count--;
	return 0;
}

int xt_block_check(struct xt_compiler *compiler, unsigned count)
{
	const struct xt_block *block = top(compiler);

	if (compiler->block_count <= count)
		return 0;
	return xt_origin_error(block->origin, block->offset, compiler->err, "\\%s without matching \\%s",
	                       block->kind == XT_BLOCK_IF ? "if" : "repeat",
	                       block->kind == XT_BLOCK_IF ? "endif" : "endrepeat");
}

int xt_meta_section(struct xt_compiler *compiler, struct xt_meta *meta)
{
	size_t start, len;

	if (compiler->block_count)
		return xt_lex_error(&meta->lex, meta->offset, "a section cannot begin inside an open \\%s",
		                    top(compiler)->kind == XT_BLOCK_IF ? "if" : "repeat");
	if (!xt_lex_word(&meta->lex, &start, &len))
		return xt_lex_error(&meta->lex, meta->lex.pos, "missing argument: " SECTION_WORDS);
	for (int i = 0; i < XT_SECTIONS; i++) {
		if (strlen(section_names[i]) != len ||
		    memcmp(section_names[i], compiler->file->origin.text + start, len))
			continue;
		compiler->section = i;
		compiler->build[i].present = true;
		compiler->sectioned = true;
		return xt_lex_end(&meta->lex, "unexpected argument");
	}
	return xt_lex_error(&meta->lex, start, "unknown section \"%.*s\": " SECTION_WORDS, (int)(len > 60 ? 60 : len),
	                    compiler->file->origin.text + start);
}

/* The path of an included file: beside the including one unless absolute. In the arena. */
static char *beside(struct xt_compiler *compiler, const char *name, size_t len)
{
	const char *base = compiler->file->path;
	const char *slash = base ? strrchr(base, '/') : NULL;
	size_t folder = slash && name[0] != '/' ? (size_t)(slash - base) + 1 : 0;
	char *path = xt_arena_alloc(&compiler->program->arena, folder + len + 1);

	if (!path)
		return NULL;
	if (folder)
		memcpy(path, base, folder);
	memcpy(path + folder, name, len);
	return path;
}

int xt_meta_include(struct xt_compiler *compiler, struct xt_meta *meta)
{
	enum xt_section section = compiler->section;
	size_t start, len;
	char *path;

	if (!xt_lex_word(&meta->lex, &start, &len))
		return xt_lex_error(&meta->lex, meta->lex.pos, "missing argument: the file to include");
	if (xt_lex_end(&meta->lex, "unexpected argument"))
		return -1;
	path = beside(compiler, compiler->file->origin.text + start, len);
	if (!path)
		return xt_compile_oom(compiler);
	if (xt_compile_file(compiler, path, path, start))
		return -1;
	compiler->section = section;
	return 0;
}
