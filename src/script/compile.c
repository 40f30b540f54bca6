/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From files to sections of commands: reads text, tells statements from meta-commands, and makes the commands of SQL.
 */
#include "script/compile.h"
#include "script/option.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_FILE_BYTES (64u << 20)
#define FIRST_LINE_MAX 1000

int xt_compile_oom(struct xt_compiler *compiler)
{
	return xt_err_failed(compiler->err, "%s: out of memory", compiler->file->origin.name);
}

uint32_t xt_compile_here(const struct xt_compiler *compiler)
{
	return (uint32_t)compiler->build[compiler->section].count;
}

/* The first line of what begins at offset, blanks behind it cut off. */
static const char *first_line(struct xt_compiler *compiler, size_t offset)
{
	const struct xt_origin *origin = &compiler->file->origin;
	const char *from = origin->text + offset;
	size_t room = origin->len - offset < FIRST_LINE_MAX ? origin->len - offset : FIRST_LINE_MAX;
	const char *nl = memchr(from, '\n', room);
	size_t len = nl ? (size_t)(nl - from) : room;

	while (len && (from[len - 1] == ' ' || from[len - 1] == '\t' || from[len - 1] == '\r'))
		len--;
	return xt_arena_strndup(&compiler->program->arena, from, len);
}

struct xt_command *xt_compile_add(struct xt_compiler *compiler, enum xt_op op, size_t offset)
{
	struct xt_build *build = &compiler->build[compiler->section];
	struct xt_arena *arena = &compiler->program->arena;
	struct xt_command *items = xt_arena_grow(arena, build->items, build->count, &build->cap, sizeof(*items));
	struct xt_command *command;

	if (!items)
		return NULL;
	build->items = items;
	build->present = true;
	command = &items[build->count];
	*command = (struct xt_command){.op = op, .slot = -1, .file = compiler->file->origin.name};
	xt_origin_position(&compiler->file->origin, offset, &command->line, &command->column);
	command->source = first_line(compiler, offset);
	if (!command->source)
		return NULL;
	build->count++;
	return command;
}

/* Where in the file a byte of the scanned statement stands: exact unless a \; lies between. */
static size_t file_offset(const struct xt_compiler *compiler, size_t in_text)
{
	const size_t *joints = (const size_t *)(const void *)compiler->scan.joints.data;
	size_t extra = 0;

	for (size_t i = 0; i < compiler->scan.joints.len / sizeof(*joints); i++)
		extra += joints[i] < in_text;
	return compiler->scan.start + in_text + extra;
}

static int add_part(struct xt_compiler *compiler, struct xt_sql_part **parts, size_t *count, size_t *cap,
                    struct xt_sql_part part)
{
	struct xt_sql_part *items = xt_arena_grow(&compiler->program->arena, *parts, *count, cap, sizeof(*items));

	if (!items)
		return xt_compile_oom(compiler);
	*parts = items;
	if (part.kind == XT_PART_TEXT) {
		part.text = xt_arena_strndup(&compiler->program->arena, part.text, part.len);
		if (!part.text)
			return xt_compile_oom(compiler);
	}
	items[(*count)++] = part;
	return 0;
}

/* Whether a byte of the text is inside quotes or a comment. *pos is how far this has been looked at: ask forward. */
static bool is_quoted(const char *text, size_t len, size_t at, size_t *pos)
{
	while (*pos <= at) {
		size_t end = xt_sql_skip(text, len, *pos, NULL);

		if (end > at)
			return true;
		*pos = end > *pos ? end : *pos + 1;
	}
	return false;
}

int xt_compile_parts(struct xt_compiler *compiler, const char *text, size_t len, struct xt_sql_part **parts,
                     size_t *count)
{
	struct xt_program *program = compiler->program;
	struct xt_sql_mention m;
	size_t pos = 0, cap = 0, looked = 0;

	*parts = NULL;
	*count = 0;
	while (xt_sql_next_mention(text, len, pos, &m)) {
		struct xt_sql_part part = {.kind = m.interpolate ? XT_PART_INTERPOLATE : XT_PART_PARAM};

		if (!m.interpolate && is_quoted(text, len, m.start, &looked)) {
			part.kind = XT_PART_INTERPOLATE;
			part.quoted = true;
		}
		if (m.len > XT_NAME_MAX)
			return xt_origin_error(&compiler->file->origin, file_offset(compiler, m.start), compiler->err,
			                       "variable name is longer than %d bytes", XT_NAME_MAX);
		part.slot = xt_vars_intern(&program->vars, &program->arena, m.name, m.len);
		if (part.slot < 0)
			return xt_compile_oom(compiler);
		if (m.start > pos &&
		    add_part(compiler, parts, count, &cap,
		             (struct xt_sql_part){.kind = XT_PART_TEXT, .text = text + pos, .len = m.start - pos}))
			return -1;
		if (add_part(compiler, parts, count, &cap, part))
			return -1;
		pos = m.end;
	}
	if (len > pos)
		return add_part(compiler, parts, count, &cap,
		                (struct xt_sql_part){.kind = XT_PART_TEXT, .text = text + pos, .len = len - pos});
	return 0;
}

/* The parameters' slots, and the text with $1 .. $n when nothing is interpolated. */
static int number_params(struct xt_compiler *compiler, struct xt_sql *sql)
{
	struct xt_arena *arena = &compiler->program->arena;
	struct xt_buf text = {0};
	bool interpolates = false;
	int *slots;

	for (size_t i = 0; i < sql->part_count; i++)
		sql->param_count += sql->parts[i].kind == XT_PART_PARAM;
	if (sql->param_count > XT_MAX_PARAMS)
		return xt_origin_error(&compiler->file->origin, compiler->scan.start, compiler->err,
		                       "statement has too many arguments (maximum is %d)", XT_MAX_PARAMS);
	slots = xt_arena_alloc(arena, (sql->param_count + 1) * sizeof(*slots));
	if (!slots)
		return xt_compile_oom(compiler);
	sql->param_count = 0;
	for (size_t i = 0; i < sql->part_count; i++) {
		const struct xt_sql_part *part = &sql->parts[i];

		if (part->kind == XT_PART_PARAM) {
			slots[sql->param_count++] = part->slot;
			xt_buf_printf(&text, "$%zu", sql->param_count);
		} else if (part->kind == XT_PART_TEXT) {
			xt_buf_add(&text, part->text, part->len);
		} else {
			interpolates = true;
		}
	}
	sql->params = slots;
	if (!interpolates && !text.failed) {
		sql->text = xt_arena_strndup(arena, text.data ? text.data : "", text.len);
		sql->len = text.len;
	}
	xt_buf_free(&text);
	return interpolates || sql->text ? 0 : xt_compile_oom(compiler);
}

/* How many statements \; joins, and the kind of the last one. */
static void count_statements(const struct xt_sql_scan *scan, struct xt_sql *sql)
{
	const size_t *joints = (const size_t *)(const void *)scan->joints.data;
	size_t n = scan->joints.len / sizeof(*joints), from = 0;

	for (size_t i = 0; i <= n; i++) {
		size_t to = i < n ? joints[i] : scan->text.len;

		if (!xt_sql_blank(scan->text.data + from, to - from)) {
			sql->statements++;
			sql->kind = xt_sql_classify(scan->text.data + from, to - from);
		}
		from = to + 1;
	}
}

int xt_compile_sql(struct xt_compiler *compiler)
{
	struct xt_sql_scan *scan = &compiler->scan;
	struct xt_command *command;
	struct xt_sql_part *parts;

	if (xt_sql_blank(scan->text.data ? scan->text.data : "", scan->text.len))
		return 0;
	command = xt_compile_add(compiler, XT_OP_SQL, scan->start);
	if (!command)
		return xt_compile_oom(compiler);
	compiler->build[compiler->section].commands++;
	command->sql.id = compiler->program->sql_count++;
	command->sql.prefix = "";
	if (xt_compile_parts(compiler, scan->text.data, scan->text.len, &parts, &command->sql.part_count))
		return -1;
	command->sql.parts = parts;
	count_statements(scan, &command->sql);
	compiler->after_sql = true;
	return number_params(compiler, &command->sql);
}

/* A file may begin with UTF-8's byte order mark. */
static size_t skip_mark(const struct xt_origin *origin)
{
	return origin->len >= 3 && !memcmp(origin->text, "\xef\xbb\xbf", 3) ? 3 : 0;
}

int xt_compile_text(struct xt_compiler *compiler, struct xt_file *file)
{
	struct xt_origin *origin = &file->origin;
	const char *nul = origin->len ? memchr(origin->text, '\0', origin->len) : NULL;
	unsigned blocks = compiler->block_count;
	size_t pos = skip_mark(origin);

	compiler->file = file;
	file->id = ++compiler->program->files;
	if (nul)
		return xt_origin_error(origin, (size_t)(nul - origin->text), compiler->err, "unexpected NUL byte");
	while (pos < origin->len) {
		if (xt_sql_scan(origin, &pos, &compiler->scan, compiler->err) || xt_compile_sql(compiler))
			return -1;
		if (compiler->scan.end == XT_SQL_END_BACKSLASH && xt_compile_meta(compiler, &pos))
			return -1;
	}
	return xt_block_check(compiler, blocks) || xt_option_check(compiler, file) ? -1 : 0;
}

static int cannot_read(struct xt_compiler *compiler, const char *path, size_t offset)
{
	const char *why = errno == EFBIG ? "larger than 64 MB" : strerror(errno);

	if (compiler->file)
		return xt_origin_error(&compiler->file->origin, offset, compiler->err, "cannot read \"%s\": %s", path,
		                       why);
	return xt_err_usage(compiler->err, "cannot read script \"%s\": %s", path, why);
}

static int check_cycle(struct xt_compiler *compiler, const struct xt_file *file, size_t offset)
{
	for (const struct xt_file *f = file->parent; f; f = f->parent)
		if (f->path && f->device == file->device && f->inode == file->inode)
			return xt_origin_error(&compiler->file->origin, offset, compiler->err, "\"%s\" includes itself",
			                       file->path);
	if (file->level > XT_MAX_INCLUDES)
		return xt_origin_error(&compiler->file->origin, offset, compiler->err,
		                       "files include one another too deep (at most %d)", XT_MAX_INCLUDES);
	return 0;
}

int xt_compile_file(struct xt_compiler *compiler, const char *name, const char *path, size_t offset)
{
	bool standard_input = !strcmp(path, "-");
	struct xt_file *parent = compiler->file;
	struct xt_file file = {.path = standard_input ? NULL : path, .parent = parent};
	struct xt_buf text = {0};
	struct stat st;
	int rc;

	file.level = parent ? parent->level + 1 : 0;
	if (!standard_input && stat(path, &st) == 0) {
		if (parent && !S_ISREG(st.st_mode))
			return xt_origin_error(&parent->origin, offset, compiler->err, "\"%s\" is not a regular file",
			                       path);
		file.device = st.st_dev;
		file.inode = st.st_ino;
		if (check_cycle(compiler, &file, offset))
			return -1;
	}
	if (parent && standard_input)
		return xt_origin_error(&parent->origin, offset, compiler->err, "standard input cannot be included");
	if (xt_buf_read_file(&text, standard_input ? "/dev/stdin" : path, MAX_FILE_BYTES)) {
		rc = cannot_read(compiler, path, offset);
		xt_buf_free(&text);
		return rc;
	}
	xt_origin_init(&file.origin, name, text.data, text.len);
	if (parent) {
		file.origin.parent = &parent->origin;
		file.origin.parent_offset = offset;
	}
	rc = xt_compile_text(compiler, &file);
	compiler->file = parent;
	xt_buf_free(&text);
	return rc;
}
