/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conversions and arithmetic on values, with pgbench's rules and words. Shared by the evaluator's files.
 */
#ifndef XT_SCRIPT_EVAL_H
#define XT_SCRIPT_EVAL_H

#include "base/err.h"
#include "script/expr.h"

#include <stdbool.h>
#include <stdint.h>

int xt_eval_to_int(const struct xt_value *value, int64_t *out, struct xt_err *err);
int xt_eval_to_double(const struct xt_value *value, double *out, struct xt_err *err);
int xt_eval_to_bool(const struct xt_value *value, bool *out, struct xt_err *err);
/* What \if and CASE take for true: a number that is not 0, TRUE. NULL is false. */
int xt_eval_truth(const struct xt_value *value, bool *out, struct xt_err *err);

/* Comparisons, arithmetic and bits on two values that are not NULL. */
int xt_eval_binary(enum xt_fn fn, const struct xt_value *args, struct xt_value *out, struct xt_err *err);
/* The other functions that need nothing but their arguments, none of them NULL. */
int xt_eval_pure(const struct xt_expr *call, const struct xt_value *args, struct xt_value *out, struct xt_err *err);

#endif
