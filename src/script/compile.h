/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of compiling one script, shared by the files that do it.
 */
#ifndef XT_SCRIPT_COMPILE_H
#define XT_SCRIPT_COMPILE_H

#include "script/lex.h"
#include "script/parse.h"
#include "script/program.h"
#include "script/sqlscan.h"

#define XT_MAX_BLOCKS   64 /* \if and \repeat inside one another */
#define XT_MAX_INCLUDES 16
#define XT_MAX_PARAMS   255
#define XT_NO_TARGET    UINT32_MAX

struct xt_block {
	enum { XT_BLOCK_IF, XT_BLOCK_REPEAT } kind;
	struct xt_origin *origin;
	size_t offset;   /* of the command that opened it */
	uint32_t branch; /* IF: the jump that waits for the next branch; REPEAT: the command itself */
	uint32_t ends;   /* IF: jumps that wait for \endif, chained through their targets */
	bool otherwise;  /* \else was there */
};

/* One file being read: the script itself or what it includes. */
struct xt_file {
	struct xt_origin origin;
	const char *path; /* NULL: from memory */
	uint64_t device, inode;
	unsigned id; /* of this inclusion */
	struct xt_file *parent;
	unsigned level;
};

/* Whether a pipeline is open at this point of a section, as far as that shows in the text. */
enum xt_pipeline { XT_PIPELINE_CLOSED, XT_PIPELINE_OPEN, XT_PIPELINE_UNKNOWN };

struct xt_build {
	struct xt_command *items;
	size_t count, cap;
	unsigned depth;
	int commands; /* as the user counts them, for debug() */
	enum xt_pipeline pipeline;
	int pipeline_line; /* of the \\startpipeline */
	bool present;
};

struct xt_compiler {
	struct xt_program *program;
	struct xt_file *file;
	struct xt_err *err;
	int script;
	enum xt_section section;
	struct xt_build build[XT_SECTIONS];
	struct xt_block blocks[XT_MAX_BLOCKS];
	unsigned block_count;
	unsigned repeat_depth;
	bool after_sql; /* the last thing was a statement: \gset and \aset may follow */
	bool sectioned; /* a \section was seen */
	struct xt_sql_scan scan;
};

/* A meta-command's line, from its backslash on. */
struct xt_meta {
	struct xt_lexer lex;
	size_t offset; /* of the backslash */
	char name[32];
};

/* Reads a file (and what it includes) into the compiler's script. parent is the file that includes it, or NULL. */
int xt_compile_file(struct xt_compiler *compiler, const char *name, const char *path, size_t offset);
int xt_compile_text(struct xt_compiler *compiler, struct xt_file *file);
int xt_compile_oom(struct xt_compiler *compiler);

/* A new command of the current section, its place filled in; NULL out of memory. Valid until the next one. */
struct xt_command *xt_compile_add(struct xt_compiler *compiler, enum xt_op op, size_t offset);
uint32_t xt_compile_here(const struct xt_compiler *compiler);

/* The statement in compiler->scan, if there is one, as a command. */
int xt_compile_sql(struct xt_compiler *compiler);
/* Text with its :name and :{name} as parts; the array is in the arena. */
int xt_compile_parts(struct xt_compiler *compiler, const char *text, size_t len, struct xt_sql_part **parts,
                     size_t *count);

/* The meta-command at *pos (its backslash); *pos ends behind its line. */
int xt_compile_meta(struct xt_compiler *compiler, size_t *pos);
/* Parses the rest of the line as one expression. */
int xt_compile_expr(struct xt_compiler *compiler, struct xt_meta *meta, struct xt_expr **out);
struct xt_parser xt_compile_parser(struct xt_compiler *compiler, struct xt_meta *meta);
/* A text in double quotes on the line, without them: where it begins, and its length. */
int xt_compile_quoted(struct xt_compiler *compiler, struct xt_meta *meta, size_t *start, size_t *len);
/* The slot of a variable named on the line. -1 with an error when the name is not valid. */
int xt_compile_slot(struct xt_compiler *compiler, struct xt_meta *meta, size_t start, size_t len);

/* Handlers, each in the file of its kind. */
int xt_meta_if(struct xt_compiler *compiler, struct xt_meta *meta);
int xt_meta_elif(struct xt_compiler *compiler, struct xt_meta *meta);
int xt_meta_else(struct xt_compiler *compiler, struct xt_meta *meta);
int xt_meta_endif(struct xt_compiler *compiler, struct xt_meta *meta);
int xt_meta_repeat(struct xt_compiler *compiler, struct xt_meta *meta);
int xt_meta_endrepeat(struct xt_compiler *compiler, struct xt_meta *meta);
int xt_meta_section(struct xt_compiler *compiler, struct xt_meta *meta);
int xt_meta_include(struct xt_compiler *compiler, struct xt_meta *meta);
int xt_meta_option(struct xt_compiler *compiler, struct xt_meta *meta);
int xt_meta_ab(struct xt_compiler *compiler, struct xt_meta *meta);
int xt_meta_errors(struct xt_compiler *compiler, struct xt_meta *meta);
int xt_meta_load(struct xt_compiler *compiler, struct xt_meta *meta);
int xt_meta_check(struct xt_compiler *compiler, struct xt_meta *meta);
int xt_meta_figure(struct xt_compiler *compiler, struct xt_meta *meta);
/* All blocks opened since there were count of them must be closed. */
int xt_block_check(struct xt_compiler *compiler, unsigned count);

#endif
