/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conversions, arithmetic, comparisons and the mathematical functions. A double operand makes the result a double;
 * integers never wrap around: what does not fit is an error.
 */
#include "script/eval.h"
#include "script/hash.h"

#include <math.h>
#include <string.h>

static const char *type_name(enum xt_type type)
{
	switch (type) {
	case XT_NULL:
		return "null";
	case XT_BOOL:
		return "boolean";
	case XT_INT:
		return "int";
	case XT_DOUBLE:
		return "double";
	case XT_TEXT:
		break;
	}
	return "text";
}

static int cannot(const struct xt_value *value, const char *wanted, struct xt_err *err)
{
	return xt_err_failed(err, "cannot coerce %s to %s", type_name(value->type), wanted);
}

int xt_eval_to_int(const struct xt_value *value, int64_t *out, struct xt_err *err)
{
	double d;

	if (value->type == XT_INT) {
		*out = value->u.i;
		return 0;
	}
	if (value->type != XT_DOUBLE)
		return cannot(value, "int", err);
	d = rint(value->u.d);
	if (!(d >= -0x1p63 && d < 0x1p63))
		return isfinite(value->u.d)
		               ? xt_err_failed(err, "double to int overflow for %f", value->u.d)
		               : xt_err_failed(err, "double to int overflow for %s",
		                               isnan(value->u.d) ? "NaN" : (value->u.d < 0 ? "-Infinity" : "Infinity"));
	*out = (int64_t)d;
	return 0;
}

int xt_eval_to_double(const struct xt_value *value, double *out, struct xt_err *err)
{
	if (value->type == XT_INT)
		*out = (double)value->u.i;
	else if (value->type == XT_DOUBLE)
		*out = value->u.d;
	else
		return cannot(value, "double", err);
	return 0;
}

int xt_eval_to_bool(const struct xt_value *value, bool *out, struct xt_err *err)
{
	if (value->type != XT_BOOL)
		return cannot(value, "boolean", err);
	*out = value->u.b;
	return 0;
}

int xt_eval_truth(const struct xt_value *value, bool *out, struct xt_err *err)
{
	switch (value->type) {
	case XT_NULL:
		*out = false;
		return 0;
	case XT_BOOL:
		*out = value->u.b;
		return 0;
	case XT_INT:
		*out = value->u.i != 0;
		return 0;
	case XT_DOUBLE:
		*out = value->u.d != 0;
		return 0;
	case XT_TEXT:
		break;
	}
	return cannot(value, "boolean", err);
}

static int give_int(struct xt_value *out, int64_t i)
{
	*out = xt_int(i);
	return 0;
}

static int give_double(struct xt_value *out, double d)
{
	*out = (struct xt_value){.type = XT_DOUBLE, .u = {.d = d}};
	return 0;
}

static int give_bool(struct xt_value *out, bool b)
{
	*out = (struct xt_value){.type = XT_BOOL, .u = {.b = b}};
	return 0;
}

static int on_doubles(enum xt_fn fn, double a, double b, struct xt_value *out)
{
	switch (fn) {
	case XT_FN_ADD:
		return give_double(out, a + b);
	case XT_FN_SUB:
		return give_double(out, a - b);
	case XT_FN_MUL:
		return give_double(out, a * b);
	case XT_FN_DIV:
		return give_double(out, a / b);
	case XT_FN_EQ:
		return give_bool(out, a == b);
	case XT_FN_NE:
		return give_bool(out, a != b);
	case XT_FN_LT:
		return give_bool(out, a < b);
	default:
		return give_bool(out, a <= b);
	}
}

static int divide(enum xt_fn fn, int64_t a, int64_t b, struct xt_value *out, struct xt_err *err)
{
	if (b == 0)
		return xt_err_failed(err, "division by zero");
	if (b == -1) { /* INT64_MIN has no opposite, and its remainder traps */
		if (fn == XT_FN_MOD)
			return give_int(out, 0);
		if (a == INT64_MIN)
			return xt_err_failed(err, "bigint div out of range");
	}
	return give_int(out, fn == XT_FN_MOD ? a % b : a / b);
}

static int compare_ints(enum xt_fn fn, int64_t a, int64_t b, struct xt_value *out)
{
	switch (fn) {
	case XT_FN_EQ:
		return give_bool(out, a == b);
	case XT_FN_NE:
		return give_bool(out, a != b);
	case XT_FN_LT:
		return give_bool(out, a < b);
	default:
		return give_bool(out, a <= b);
	}
}

static int on_ints(enum xt_fn fn, int64_t a, int64_t b, struct xt_value *out, struct xt_err *err)
{
	int64_t r;

	switch (fn) {
	case XT_FN_ADD:
		if (__builtin_add_overflow(a, b, &r))
			return xt_err_failed(err, "bigint add out of range");
		return give_int(out, r);
	case XT_FN_SUB:
		if (__builtin_sub_overflow(a, b, &r))
			return xt_err_failed(err, "bigint sub out of range");
		return give_int(out, r);
	case XT_FN_MUL:
		if (__builtin_mul_overflow(a, b, &r))
			return xt_err_failed(err, "bigint mul out of range");
		return give_int(out, r);
	case XT_FN_DIV:
	case XT_FN_MOD:
		return divide(fn, a, b, out, err);
	case XT_FN_BITAND:
		return give_int(out, a & b);
	case XT_FN_BITOR:
		return give_int(out, a | b);
	case XT_FN_BITXOR:
		return give_int(out, a ^ b);
	case XT_FN_SHL: /* the count modulo 64, as the processor has it */
		return give_int(out, (int64_t)((uint64_t)a << (b & 63)));
	case XT_FN_SHR:
		return give_int(out, a >> (b & 63));
	default:
		return compare_ints(fn, a, b, out);
	}
}

static bool doubles_apply(enum xt_fn fn)
{
	return (fn >= XT_FN_EQ && fn <= XT_FN_LE) || (fn >= XT_FN_ADD && fn <= XT_FN_DIV);
}

int xt_eval_binary(enum xt_fn fn, const struct xt_value *args, struct xt_value *out, struct xt_err *err)
{
	int64_t a, b;

	if (args[0].type == XT_INT && args[1].type == XT_INT)
		return on_ints(fn, args[0].u.i, args[1].u.i, out, err);
	if ((fn == XT_FN_EQ || fn == XT_FN_NE) && args[0].type == XT_TEXT && args[1].type == XT_TEXT) {
		bool same = args[0].len == args[1].len && !memcmp(args[0].u.s, args[1].u.s, args[0].len);

		return give_bool(out, same == (fn == XT_FN_EQ));
	}
	if ((args[0].type == XT_DOUBLE || args[1].type == XT_DOUBLE) && doubles_apply(fn)) {
		double x, y;

		if (xt_eval_to_double(&args[0], &x, err) || xt_eval_to_double(&args[1], &y, err))
			return -1;
		return on_doubles(fn, x, y, out);
	}
	if (xt_eval_to_int(&args[0], &a, err) || xt_eval_to_int(&args[1], &b, err))
		return -1;
	return on_ints(fn, a, b, out, err);
}

static int extreme(const struct xt_expr *call, const struct xt_value *args, struct xt_value *out, struct xt_err *err)
{
	bool greatest = call->fn == XT_FN_GREATEST, real = false;
	int64_t i, best_i = 0;
	double d, best_d = 0;

	for (size_t n = 0; n < call->argc; n++)
		real = real || args[n].type == XT_DOUBLE;
	for (size_t n = 0; n < call->argc; n++) {
		if (real) {
			if (xt_eval_to_double(&args[n], &d, err))
				return -1;
			if (n == 0 || (greatest ? d > best_d : d < best_d))
				best_d = d;
		} else {
			if (xt_eval_to_int(&args[n], &i, err))
				return -1;
			if (n == 0 || (greatest ? i > best_i : i < best_i))
				best_i = i;
		}
	}
	return real ? give_double(out, best_d) : give_int(out, best_i);
}

static int real_function(enum xt_fn fn, const struct xt_value *args, struct xt_value *out, struct xt_err *err)
{
	double x, y;

	if (xt_eval_to_double(&args[0], &x, err))
		return -1;
	switch (fn) {
	case XT_FN_EXP:
		return give_double(out, exp(x));
	case XT_FN_LN:
		return give_double(out, log(x));
	case XT_FN_SQRT:
		return give_double(out, sqrt(x));
	case XT_FN_POW:
		if (xt_eval_to_double(&args[1], &y, err))
			return -1;
		return give_double(out, pow(x, y));
	default:
		return give_double(out, x);
	}
}

static int hash_function(enum xt_fn fn, const struct xt_value *args, struct xt_value *out, struct xt_err *err)
{
	int64_t a, b, c;

	if (xt_eval_to_int(&args[0], &a, err) || xt_eval_to_int(&args[1], &b, err))
		return -1;
	if (fn == XT_FN_HASH_FNV1A)
		return give_int(out, xt_hash_fnv1a(a, b));
	if (fn == XT_FN_HASH_MURMUR2)
		return give_int(out, xt_hash_murmur2(a, b));
	if (xt_eval_to_int(&args[2], &c, err))
		return -1;
	if (b <= 0)
		return xt_err_failed(err, "permute size parameter must be greater than zero");
	return give_int(out, xt_hash_permute(a, b, c));
}

static int absolute(const struct xt_value *arg, struct xt_value *out, struct xt_err *err)
{
	if (arg->type == XT_DOUBLE)
		return give_double(out, fabs(arg->u.d));
	if (arg->type != XT_INT)
		return cannot(arg, "int", err);
	/* the opposite of INT64_MIN is itself, as in pgbench */
	return give_int(out, arg->u.i < 0 ? (int64_t)(-(uint64_t)arg->u.i) : arg->u.i);
}

int xt_eval_pure(const struct xt_expr *call, const struct xt_value *args, struct xt_value *out, struct xt_err *err)
{
	int64_t i;
	bool b;

	switch (call->fn) {
	case XT_FN_NOT:
		return xt_eval_to_bool(&args[0], &b, err) ? -1 : give_bool(out, !b);
	case XT_FN_ABS:
		return absolute(&args[0], out, err);
	case XT_FN_INT:
		return xt_eval_to_int(&args[0], &i, err) ? -1 : give_int(out, i);
	case XT_FN_PI:
		return give_double(out, M_PI);
	case XT_FN_GREATEST:
	case XT_FN_LEAST:
		return extreme(call, args, out, err);
	case XT_FN_HASH_FNV1A:
	case XT_FN_HASH_MURMUR2:
	case XT_FN_PERMUTE:
		return hash_function(call->fn, args, out, err);
	default:
		return real_function(call->fn, args, out, err);
	}
}
