/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Command-line options as data. A table row is the only declaration of an option: parsing, range checks, defaults,
 * `--help` and the README's blocks all come from it. After parsing, code sees plain structs; nothing is looked up by
 * name again.
 */
#ifndef XT_CLI_OPTIONS_H
#define XT_CLI_OPTIONS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The field's type follows in parentheses. */
enum xt_arg_type {
	XT_ARG_FLAG,          /* --name, --name=on|off (bool) */
	XT_ARG_INT,           /* with k, M, G of 1000 (int64_t) */
	XT_ARG_BYTES,         /* with k, M, G of 1024 (int64_t) */
	XT_ARG_DOUBLE,        /* (double) */
	XT_ARG_SECONDS,       /* a duration, bare numbers are seconds (uint64_t ns) */
	XT_ARG_PATIENCE,      /* SECONDS, or `off`: UINT64_MAX (uint64_t ns) */
	XT_ARG_MILLIS,        /* a duration, bare numbers are milliseconds (uint64_t ns) */
	XT_ARG_TEXT,          /* (const char *, into argv) */
	XT_ARG_OPTIONAL_TEXT, /* --name or --name=text; "" without a value (const char *) */
	XT_ARG_CHOICE,        /* one of the words in `values`, "a|b|c" (int, the word's index) */
	XT_ARG_COUNTS,        /* "4", "1,2,4", "1-5" (struct xt_counts) */
	XT_ARG_LIST,          /* may be repeated (struct xt_arg_list) */
};

#define XT_ARG_LIST_MAX 64
struct xt_arg_list {
	size_t n;
	const char *v[XT_ARG_LIST_MAX + 1]; /* NULL-terminated */
};

struct xt_arg {
	const char *name;  /* with hyphens; underscores are equal on the command line */
	const char *alias; /* another name, or NULL */
	enum xt_arg_type type;
	size_t offset;      /* of the field in the struct that the table fills */
	double min, max;    /* INT, BYTES, DOUBLE: range; SECONDS, MILLIS: in seconds; both 0: what the type allows */
	const char *def;    /* as it would be typed; NULL: 0, NULL or empty */
	const char *values; /* CHOICE: the words; others: what to call the value in help ("N", "FILE") */
	const char *help;
};

struct xt_arg_table {
	const char *title;
	const struct xt_arg *args;
	size_t count; /* at most 64 */
};

/* A table and the struct that it fills. */
struct xt_arg_set {
	const struct xt_arg_table *table;
	void *base;
	uint64_t given; /* bit i: row i was on the command line */
};

/* Options that no table has: a workload's own, for a second pass. */
struct xt_arg_other {
	const char *name; /* without dashes, as typed, not terminated: len bytes */
	size_t len;
	const char *value; /* NULL when none was given */
};

#define XT_ARG_WORDS_MAX 256
struct xt_arg_rest {
	size_t words;
	const char *word[XT_ARG_WORDS_MAX];
	bool others_allowed; /* in: collect unknown options instead of refusing them */
	size_t others;
	struct xt_arg_other other[XT_ARG_WORDS_MAX];
	bool help;    /* --help or -h was given */
	int failed;   /* index in argv of the option that an error is of */
	int dashdash; /* index behind "--" in argv, 0 when there was none: words end there */
};

/* Sets defaults, then parses argv[1..]. Errors are USAGE and name option, value and what is allowed; an unknown option
 * names the nearest known one. */
int xt_args_parse(int argc, char **argv, struct xt_arg_set *sets, size_t count, struct xt_arg_rest *rest,
                  struct xt_err *err);

/* Whether the option (by its table name) was on the command line. */
bool xt_args_given(const struct xt_arg_set *sets, size_t count, const char *name);

/* The row that an option as typed (without dashes, len bytes) means; NULL: none. */
const struct xt_arg *xt_args_find(const struct xt_arg_table *const *tables, size_t count, const char *name, size_t len);
bool xt_args_takes_value(const struct xt_arg *arg);

/* "unknown option --foo; did you mean --bar? (see xtime help ab)". */
int xt_args_unknown(const struct xt_arg_table *const *tables, size_t count, const struct xt_arg_other *other,
                    const char *command, struct xt_err *err);

/* The help block of one table. */
void xt_args_help(const struct xt_arg_table *table, FILE *out);

#endif
