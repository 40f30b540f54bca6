/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Workload text to compiled program. A program is one or more script files (pgbench's language plus xtime's
 * extensions) that share one table of variables and options. Compiling touches no database. Once finished, a program
 * is immutable and shared by all threads; what changes while a script runs lives in a struct xt_env per client.
 */
#ifndef XT_SCRIPT_SCRIPT_H
#define XT_SCRIPT_SCRIPT_H

#include "base/buf.h"
#include "base/err.h"
#include "base/value.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct xt_program;
struct xt_env;
struct xt_expr;

enum xt_section {
	XT_PREPARE,
	XT_WARMUP,
	XT_CONNECT,
	XT_RUN,
	XT_DISCONNECT,
	XT_VALIDATE,
	XT_CLEANUP,
	XT_SECTIONS,
};

/* "prepare", "warmup", ...: as \section has them. */
const char *xt_section_name(enum xt_section section);

/* What an SQL statement is, by its first keyword (WITH and EXPLAIN look further). */
enum xt_sql_kind {
	XT_SQL_READ,
	XT_SQL_WRITE,
	XT_SQL_OTHER, /* BEGIN, COMMIT, DDL, SET, ... */
};

enum xt_capture {
	XT_CAPTURE_NONE,
	XT_GSET, /* exactly one row, or the client aborts */
	XT_ASET, /* last row, no row assigns nothing */
};

/* A statement is a sequence of parts. */
struct xt_sql_part {
	enum { XT_PART_TEXT, XT_PART_PARAM, XT_PART_INTERPOLATE } kind;
	const char *text; /* XT_PART_TEXT */
	size_t len;
	int slot;    /* the others: which variable */
	bool quoted; /* XT_PART_INTERPOLATE: a :name inside quotes or a comment, left as written while it has no value
	              */
};

struct xt_sql {
	uint32_t id; /* 0 .. xt_program_sql_count()-1, for per-connection tables of prepared statements */
	const char
		*text; /* with $1 .. $n, one number per occurrence as pgbench has it; NULL when a part interpolates */
	size_t len;
	const struct xt_sql_part *parts;
	size_t part_count;
	const int *params; /* slots, in order of $1 .. $n */
	size_t param_count;
	enum xt_sql_kind kind; /* of the last statement where \; joins several */
	unsigned statements;   /* 1, or more where \; joins several */
	bool *row_wanted;      /* per joined statement: captured by \gset or \aset; NULL when none is */
	enum xt_capture capture;
	const char *prefix; /* of \gset and \aset, "" when none */
};

struct xt_load {
	const struct xt_sql_part *table; /* parts of the table's name */
	size_t table_part_count;
	const struct xt_expr *rows; /* evaluated once */
	int row_slot;               /* :row, set to 1 .. rows before the columns are evaluated */
	size_t column_count;
	const char *const *columns;
	const struct xt_expr *const *values;
};

enum xt_op {
	XT_OP_SQL,
	XT_OP_SET,         /* variable = expr */
	XT_OP_JUMP_UNLESS, /* \if, \elif: to target unless expr is true (pgbench's boolean rules) */
	XT_OP_JUMP,        /* end of a taken branch: to target */
	XT_OP_REPEAT,      /* evaluate expr into loop counter `depth`; <= 0 jumps to target (behind the loop's end) */
	XT_OP_ENDREPEAT,   /* counter--; > 0 jumps to target (first command of the body) */
	XT_OP_TIME,        /* call time() expr times */
	XT_OP_SLEEP,       /* expr x unit_us microseconds */
	XT_OP_LOAD,        /* prepare section only */
	XT_OP_BARRIER,     /* prepare section only: wait for all workers */
	XT_OP_STARTPIPELINE,
	XT_OP_ENDPIPELINE,
	XT_OP_SYNCPIPELINE,
	XT_OP_CHECK,    /* expr, in the words of sql.prefix, must be true, of what sql.parts say */
	XT_OP_FIGURE,   /* expr goes into figure number slot */
	XT_OP_SHELL,    /* argv */
	XT_OP_SETSHELL, /* variable slot from the output of argv */
};

struct xt_command {
	enum xt_op op;
	const char *file; /* as the user named it */
	int line;         /* 1-based, of the first character */
	int column;
	const char *source; /* first line of the command, for reports and messages */
	const struct xt_expr *expr;
	int slot;        /* SET, SETSHELL: variable assigned; FIGURE: which one */
	uint32_t target; /* jumps and loops: index into the section */
	unsigned depth;  /* REPEAT, ENDREPEAT: 0 = outermost */
	uint32_t unit_us;
	struct xt_sql sql;
	const struct xt_load *load;
	const struct xt_sql_part *const *argv; /* SHELL, SETSHELL: each argument literal text or one variable; count */
	size_t argc;
};

struct xt_code {
	const struct xt_command *commands;
	size_t count;
	unsigned depth; /* deepest \repeat nesting */
	bool present;   /* the section is there, even if empty */
};

enum xt_option_type { XT_OPT_INT, XT_OPT_DOUBLE, XT_OPT_BOOL, XT_OPT_TEXT, XT_OPT_CHOICE };

/* A workload's own option (\option). */
struct xt_script_option {
	const char *name; /* with underscores */
	enum xt_option_type type;
	struct xt_value def;
	int64_t min;                /* XT_OPT_INT: the least allowed; INT64_MIN when none */
	const char *help;           /* "" when none */
	const char *const *choices; /* XT_OPT_CHOICE: NULL-terminated */
};

enum xt_error_policy { XT_ERRORS_PGBENCH, XT_ERRORS_RESTART };

/* A number that the workload itself keeps (\figure), over all clients. */
struct xt_figure {
	const char *name;
	bool max; /* the largest value; else the sum */
};

struct xt_compile_options {
	bool allow_shell;
	bool (*is_builtin_option)(
		const char *name); /* underscored; \option with such a name is a script error; may be NULL */
};

/* An empty program. NULL only when out of memory. options is copied. */
struct xt_program *xt_program_new(const struct xt_compile_options *options);
void xt_program_free(struct xt_program *program);

/* Compiles one more script. name is what messages call it; path is the file ("-" reads standard input). Its index is
 * the number of scripts before it. Errors are XT_ERR_USAGE, several lines: "file:line:column: what", the line, a caret.
 */
int xt_program_add_file(struct xt_program *program, const char *name, const char *path, struct xt_err *err);
/* The same from memory; \include is then relative to the current folder. text need not be NUL-terminated. */
int xt_program_add_text(struct xt_program *program, const char *name, const char *text, size_t len, struct xt_err *err);

size_t xt_program_scripts(const struct xt_program *program);
const char *xt_program_name(const struct xt_program *program, size_t script);
const struct xt_code *xt_program_code(const struct xt_program *program, size_t script, enum xt_section section);
uint32_t xt_program_sql_count(const struct xt_program *program);
size_t xt_program_figures(const struct xt_program *program, const struct xt_figure **figures);

size_t xt_program_options(const struct xt_program *program, const struct xt_script_option **options);
/* Sets an option from text ("" or NULL = on for a bool); hyphens equal underscores. USAGE error naming option, value
 * and what is allowed; "no such option" included. Before the first xt_env_new(). */
int xt_program_set_option(struct xt_program *program, const char *name, const char *text, struct xt_err *err);
/* -D name=value: any variable; beats options and defaults, \set in a script beats it. */
int xt_program_define(struct xt_program *program, const char *name, const char *value, struct xt_err *err);
/* The value in force before any script runs, for the record. */
int xt_program_value(const struct xt_program *program, const char *name, struct xt_value *out);

/* \ab KEY=VALUE and \errors, of the first script that states them; NULL / PGBENCH when none does. */
const char *xt_program_ab(const struct xt_program *program, const char *key);
enum xt_error_policy xt_program_errors(const struct xt_program *program);

/* How random_default() draws, and the parameters of sysbench's distributions. */
enum xt_distribution { XT_DIST_UNIFORM, XT_DIST_GAUSSIAN, XT_DIST_SPECIAL, XT_DIST_PARETO, XT_DIST_ZIPFIAN };
struct xt_rand_options {
	enum xt_distribution type;
	unsigned spec_iter; /* 12 */
	unsigned spec_pct;  /* 1 */
	unsigned spec_res;  /* 75 */
	double pareto_h;    /* 0.2 */
	double zipfian_exp; /* 0.8 */
};

struct xt_env_options {
	uint64_t seed;
	int64_t client_id; /* 0-based; keys the random stream with seed */
	int64_t threads;
	bool is_sqlite;
	bool is_pgsql;
	bool scale_known; /* pgbench's :scale */
	int64_t scale;
	struct xt_rand_options rand;
};

/* One client's variables, random stream and loop counters, shared by all scripts of the program. Used by one thread
 * at a time; the program must outlive it. NULL when out of memory. */
struct xt_env *xt_env_new(const struct xt_program *program, const struct xt_env_options *options);
void xt_env_free(struct xt_env *env);

/* A variable's current value; NULL when it has none. Valid until it is set again. */
const struct xt_value *xt_env_get(const struct xt_env *env, int slot);
const char *xt_env_slot_name(const struct xt_env *env, int slot);
/* Copies the value (text too: into memory of the slot that is reused). -1 out of memory. */
int xt_env_set(struct xt_env *env, int slot, const struct xt_value *value);
/* By name, for \gset; a valid name that no script mentions is accepted and dropped; an invalid one is an error. */
int xt_env_set_name(struct xt_env *env, const char *name, const struct xt_value *value, struct xt_err *err);
/* Gives NULL to every variable that has no value. */
void xt_env_fill(struct xt_env *env);
int64_t *xt_env_counter(struct xt_env *env, unsigned depth);

/* The random state now, and back to it: a retry repeats the same values. */
void xt_env_mark(struct xt_env *env);
void xt_env_rewind(struct xt_env *env);

/* Evaluates. Error: FAILED with pgbench's wording ("division by zero"), without file and line, which the caller has.
 * No allocation but the growth of a text result's buffer. */
int xt_expr_eval(const struct xt_expr *expr, struct xt_env *env, struct xt_value *out, struct xt_err *err);
/* As a count (\repeat, \time, \load, \sleep): an integer, or an integral double or numeric text. */
int xt_expr_eval_count(const struct xt_expr *expr, struct xt_env *env, int64_t *out, struct xt_err *err);
/* For \figure: *null when there is nothing to count. */
int xt_expr_eval_double(const struct xt_expr *expr, struct xt_env *env, double *out, bool *null, struct xt_err *err);
/* XT_OP_CHECK: 0 when it holds, else FAILED with its subject, what was expected and what was found. */
int xt_command_check(const struct xt_command *command, struct xt_env *env, struct xt_err *err);
/* As pgbench's \if takes it. */
int xt_expr_eval_bool(const struct xt_expr *expr, struct xt_env *env, bool *out, struct xt_err *err);

/* The statement's text with interpolated parts filled in; inline_params also writes parameters as pgbench's simple
 * protocol does (verbatim text of the variable). Appends to out. */
int xt_sql_render(const struct xt_sql_part *parts, size_t count, const struct xt_env *env, bool inline_params,
                  struct xt_buf *out, struct xt_err *err);

/* The shell command that a client runs just now, so that somebody else can end it. */
struct xt_shell {
	pthread_mutex_t *lock; /* guards group; the caller's */
	pid_t group;           /* the process group of the command; 0: none runs */
};

/* Runs an XT_OP_SHELL or XT_OP_SETSHELL command through /bin/sh, outside the shim, and waits for it: \shell is FAILED
 * when it does not exit with 0; \setshell's variable becomes the integer on its first line of output. Any thread. */
int xt_command_shell(const struct xt_command *command, struct xt_env *env, struct xt_shell *shell, struct xt_err *err);

/* Ends the command that runs, if one does. The caller holds the lock. */
void xt_shell_kill(const struct xt_shell *shell);

#endif
