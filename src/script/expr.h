/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions as trees, and the table of functions. Private to the module: others hold a struct xt_expr by pointer
 * and evaluate it. A tree is immutable once parsed and at most XT_EXPR_DEPTH high, so that recursion is bounded.
 */
#ifndef XT_SCRIPT_EXPR_H
#define XT_SCRIPT_EXPR_H

#include "base/value.h"

#include <stdbool.h>
#include <stddef.h>

#define XT_EXPR_DEPTH 1000
#define XT_FN_ARGS    16 /* arguments that a call may have when it is evaluated */

enum xt_fn {
	/* evaluated argument by argument, as far as the result needs */
	XT_FN_AND,
	XT_FN_OR,
	XT_FN_CASE,
	/* NULL arguments do not make these NULL */
	XT_FN_IS,
	XT_FN_DEBUG,
	/* the others: NULL when an argument is NULL */
	XT_FN_NOT,
	XT_FN_EQ,
	XT_FN_NE,
	XT_FN_LT,
	XT_FN_LE,
	XT_FN_ADD,
	XT_FN_SUB,
	XT_FN_MUL,
	XT_FN_DIV,
	XT_FN_MOD,
	XT_FN_BITAND,
	XT_FN_BITOR,
	XT_FN_BITXOR,
	XT_FN_SHL,
	XT_FN_SHR,
	XT_FN_ABS,
	XT_FN_DOUBLE,
	XT_FN_INT,
	XT_FN_EXP,
	XT_FN_LN,
	XT_FN_SQRT,
	XT_FN_PI,
	XT_FN_POW,
	XT_FN_GREATEST,
	XT_FN_LEAST,
	XT_FN_HASH_FNV1A,
	XT_FN_HASH_MURMUR2,
	XT_FN_PERMUTE,
	XT_FN_RANDOM,
	XT_FN_RANDOM_EXPONENTIAL,
	XT_FN_RANDOM_GAUSSIAN,
	XT_FN_RANDOM_ZIPFIAN,
	XT_FN_RANDOM_SPECIAL,
	XT_FN_RANDOM_PARETO,
	XT_FN_RANDOM_DEFAULT,
	XT_FN_RANDOM_STRING,
	XT_FN_CONCAT,
	XT_FN_CONTAINS,
	XT_FN_LENGTH,
	XT_FN_SUBSTR,
};

struct xt_fn_info {
	const char *name;
	enum xt_fn fn;
	int min, max;  /* arguments; max < 0: any number */
	bool add_seed; /* a missing last argument is :default_seed */
};

/* By name in any case, or NULL. */
const struct xt_fn_info *xt_fn_find(const char *name, size_t len);

struct xt_expr {
	enum { XT_EXPR_CONST, XT_EXPR_VAR, XT_EXPR_CALL } kind;
	enum xt_fn fn;         /* CALL */
	unsigned height;       /* 1 for a leaf */
	int slot;              /* VAR */
	struct xt_value value; /* CONST */
	bool swapped;          /* CALL: written as > or >=: args[0] stood on the right */
	unsigned text;         /* a call that makes a text: which of the client's buffers is its own */
	int script, command;   /* debug(): what its line says, both as the user counts */
	size_t argc;           /* CALL */
	struct xt_expr **args;
};

#endif
