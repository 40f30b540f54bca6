/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The evaluator: walks a tree with a client's variables and random stream. Recursion is bounded by the height that
 * the parser allows. Takes no memory but for texts, whose buffers stay.
 */
#include "script/eval.h"
#include "script/program.h"
#include "script/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int eval(const struct xt_expr *e, struct xt_env *env, struct xt_value *out, struct xt_err *err);

static int eval_var(const struct xt_expr *e, const struct xt_env *env, struct xt_value *out, struct xt_err *err)
{
	const struct xt_slot *slot = &env->slots[e->slot];
	int len;

	if (!slot->set)
		return xt_err_failed(err, "undefined variable \"%s\"", xt_env_slot_name(env, e->slot));
	if (!slot->wire) {
		*out = slot->value;
		return 0;
	}
	len = slot->value.len > 200 ? 200 : (int)slot->value.len;
	switch (xt_value_from_text(slot->value.u.s, slot->value.len, out)) {
	case 0:
		return 0;
	case XT_TEXT_RANGE:
		return xt_err_failed(err, "value \"%.*s\" is out of range for type bigint", len, slot->value.u.s);
	default:
		return xt_err_failed(err, "malformed variable \"%s\" value: \"%.*s\"", xt_env_slot_name(env, e->slot),
		                     len, slot->value.u.s);
	}
}

/* AND and OR, as pgbench has them: NULL on the left is NULL whatever stands on the right, and the right is not looked
 * at when the left decides. */
static int eval_logic(const struct xt_expr *e, struct xt_env *env, struct xt_value *out, struct xt_err *err)
{
	bool decisive = e->fn == XT_FN_OR; /* the truth value that settles the result */
	bool truth;

	if (eval(e->args[0], env, out, err))
		return -1;
	if (out->type == XT_NULL)
		return 0;
	if (xt_eval_to_bool(out, &truth, err))
		return -1;
	if (truth == decisive)
		return 0;
	if (eval(e->args[1], env, out, err))
		return -1;
	return out->type == XT_NULL ? 0 : xt_eval_to_bool(out, &truth, err);
}

static int eval_case(const struct xt_expr *e, struct xt_env *env, struct xt_value *out, struct xt_err *err)
{
	struct xt_value value;
	bool truth;

	for (size_t i = 0; i + 1 < e->argc; i += 2) {
		if (eval(e->args[i], env, &value, err) || xt_eval_truth(&value, &truth, err))
			return -1;
		if (truth)
			return eval(e->args[i + 1], env, out, err);
	}
	return eval(e->args[e->argc - 1], env, out, err);
}

static bool same(const struct xt_value *a, const struct xt_value *b)
{
	if (a->type != b->type)
		return false;
	return a->type == XT_NULL || (a->type == XT_BOOL && a->u.b == b->u.b);
}

/* debug() is there to print: the one place of the module that does. */
static void debug(const struct xt_expr *e, const struct xt_value *value)
{
	char text[256];

	switch (value->type) {
	case XT_NULL:
		snprintf(text, sizeof(text), "null");
		break;
	case XT_BOOL:
		snprintf(text, sizeof(text), "boolean %s", value->u.b ? "true" : "false");
		break;
	case XT_INT:
		snprintf(text, sizeof(text), "int %lld", (long long)value->u.i);
		break;
	case XT_DOUBLE:
		memcpy(text, "double ", 8);
		xt_value_print(value, text + 7, sizeof(text) - 7);
		break;
	case XT_TEXT:
		snprintf(text, sizeof(text), "text %.*s", (int)(value->len > 240 ? 240 : value->len), value->u.s);
		break;
	}
	fprintf(stderr, "debug(script=%d,command=%d): %s\n", e->script, e->command, text);
}

static int check_range(const struct xt_value *args, int64_t *lo, int64_t *hi, struct xt_err *err)
{
	int64_t span;

	if (xt_eval_to_int(&args[0], lo, err) || xt_eval_to_int(&args[1], hi, err))
		return -1;
	if (*lo > *hi)
		return xt_err_failed(err, "empty range given to random");
	if (__builtin_sub_overflow(*hi, *lo, &span) || span == INT64_MAX)
		return xt_err_failed(err, "random range is too large");
	return 0;
}

static int check_parameter(enum xt_fn fn, double p, struct xt_err *err)
{
	if (fn == XT_FN_RANDOM_GAUSSIAN && !(p >= XT_GAUSSIAN_MIN))
		return xt_err_failed(err, "gaussian parameter must be at least %f (not %f)", XT_GAUSSIAN_MIN, p);
	if (fn == XT_FN_RANDOM_ZIPFIAN && !(p >= XT_ZIPFIAN_MIN && p <= XT_ZIPFIAN_MAX))
		return xt_err_failed(err, "zipfian parameter must be in range [%.3f, %.0f] (not %f)", XT_ZIPFIAN_MIN,
		                     XT_ZIPFIAN_MAX, p);
	if (fn == XT_FN_RANDOM_EXPONENTIAL && !(p > 0))
		return xt_err_failed(err, "exponential parameter must be greater than zero (not %f)", p);
	return 0;
}

static int eval_random(const struct xt_expr *e, struct xt_env *env, const struct xt_value *args, struct xt_value *out,
                       struct xt_err *err)
{
	int64_t lo, hi;
	double p = 0;

	if (check_range(args, &lo, &hi, err))
		return -1;
	if (e->argc > 2 && (xt_eval_to_double(&args[2], &p, err) || check_parameter(e->fn, p, err)))
		return -1;
	switch (e->fn) {
	case XT_FN_RANDOM_EXPONENTIAL:
		*out = xt_int(xt_dist_pg_exponential(&env->rng, lo, hi, p));
		break;
	case XT_FN_RANDOM_GAUSSIAN:
		*out = xt_int(xt_dist_pg_gaussian(&env->rng, lo, hi, p));
		break;
	case XT_FN_RANDOM_ZIPFIAN:
		*out = xt_int(xt_dist_pg_zipfian(&env->rng, lo, hi, p));
		break;
	case XT_FN_RANDOM_SPECIAL:
		*out = xt_int(xt_dist_special(&env->dist, &env->rng, lo, hi));
		break;
	case XT_FN_RANDOM_PARETO:
		*out = xt_int(xt_dist_pareto(&env->dist, &env->rng, lo, hi));
		break;
	case XT_FN_RANDOM_DEFAULT:
		*out = xt_int(xt_dist_default(&env->dist, &env->rng, lo, hi));
		break;
	default:
		*out = xt_int(xt_rng_range(&env->rng, lo, hi));
		break;
	}
	return 0;
}

static int eval_text(const struct xt_expr *e, struct xt_env *env, const struct xt_value *args, struct xt_value *out,
                     struct xt_err *err)
{
	if (e->fn == XT_FN_CONTAINS)
		return xt_text_contains(args, out, err);
	if (e->fn == XT_FN_LENGTH)
		return xt_text_length(&args[0], out, err);
	if (e->fn == XT_FN_SUBSTR) {
		int64_t from, count;

		return xt_eval_to_int(&args[1], &from, err) || xt_eval_to_int(&args[2], &count, err)
		               ? -1
		               : xt_text_part(&args[0], from, count, out, err);
	}
	if (e->fn == XT_FN_CONCAT)
		return xt_text_concat(args, &env->texts[e->text], out, err);
	return xt_text_random(&env->rng, &args[0], &env->texts[e->text], out, err);
}

static int apply(const struct xt_expr *e, struct xt_env *env, const struct xt_value *args, struct xt_value *out,
                 struct xt_err *err)
{
	if (e->fn == XT_FN_IS) {
		*out = (struct xt_value){.type = XT_BOOL, .u = {.b = same(&args[0], &args[1])}};
		return 0;
	}
	if (e->fn == XT_FN_DEBUG) {
		debug(e, &args[0]);
		*out = args[0];
		return 0;
	}
	for (size_t i = 0; i < e->argc; i++)
		if (args[i].type == XT_NULL) {
			*out = xt_null();
			return 0;
		}
	if (e->fn >= XT_FN_EQ && e->fn <= XT_FN_SHR)
		return xt_eval_binary(e->fn, args, out, err);
	if (e->fn >= XT_FN_RANDOM_STRING)
		return eval_text(e, env, args, out, err);
	if (e->fn >= XT_FN_RANDOM)
		return eval_random(e, env, args, out, err);
	return xt_eval_pure(e, args, out, err);
}

/* Apart from the common case, so that its larger frame is not on every level of a deep tree. */
static __attribute__((noinline)) int eval_many(const struct xt_expr *e, struct xt_env *env, struct xt_value *out,
                                               struct xt_err *err)
{
	struct xt_value args[XT_FN_ARGS];

	if (e->argc > XT_FN_ARGS)
		return xt_err_failed(err, "too many function arguments, maximum is %d", XT_FN_ARGS);
	for (size_t i = 0; i < e->argc; i++)
		if (eval(e->args[i], env, &args[i], err))
			return -1;
	return apply(e, env, args, out, err);
}

static int eval_call(const struct xt_expr *e, struct xt_env *env, struct xt_value *out, struct xt_err *err)
{
	struct xt_value args[3];

	if (e->fn == XT_FN_AND || e->fn == XT_FN_OR)
		return eval_logic(e, env, out, err);
	if (e->fn == XT_FN_CASE)
		return eval_case(e, env, out, err);
	if (e->argc > 3)
		return eval_many(e, env, out, err);
	for (size_t i = 0; i < e->argc; i++)
		if (eval(e->args[i], env, &args[i], err))
			return -1;
	return apply(e, env, args, out, err);
}

static int eval(const struct xt_expr *e, struct xt_env *env, struct xt_value *out, struct xt_err *err)
{
	switch (e->kind) {
	case XT_EXPR_CONST:
		*out = e->value;
		return 0;
	case XT_EXPR_VAR:
		return eval_var(e, env, out, err);
	case XT_EXPR_CALL:
		break;
	}
	return eval_call(e, env, out, err);
}

int xt_expr_eval(const struct xt_expr *expr, struct xt_env *env, struct xt_value *out, struct xt_err *err)
{
	return eval(expr, env, out, err);
}

int xt_expr_eval_double(const struct xt_expr *expr, struct xt_env *env, double *out, bool *null, struct xt_err *err)
{
	struct xt_value value;

	if (eval(expr, env, &value, err))
		return -1;
	*null = value.type == XT_NULL;
	if (value.type == XT_BOOL)
		value = xt_int(value.u.b);
	return *null ? 0 : xt_eval_to_double(&value, out, err);
}

int xt_expr_eval_bool(const struct xt_expr *expr, struct xt_env *env, bool *out, struct xt_err *err)
{
	struct xt_value value;

	return eval(expr, env, &value, err) || xt_eval_truth(&value, out, err) ? -1 : 0;
}

int xt_expr_eval_count(const struct xt_expr *expr, struct xt_env *env, int64_t *out, struct xt_err *err)
{
	struct xt_value value;

	if (eval(expr, env, &value, err))
		return -1;
	if (value.type == XT_TEXT && xt_value_from_text(value.u.s, value.len, &value))
		return xt_err_failed(err, "\"%.*s\" is not a number", (int)(value.len > 200 ? 200 : value.len),
		                     value.u.s);
	if (value.type == XT_DOUBLE && value.u.d != rint(value.u.d))
		return xt_err_failed(err, "%g is not a whole number", value.u.d);
	return xt_eval_to_int(&value, out, err);
}
