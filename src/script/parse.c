/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The expression parser: precedence climbing over the levels of SQL, loosest first: OR, AND, NOT, IS, comparisons
 * (which do not chain), bit operators, sums, products, signs. A prefix operator in the middle of an expression takes
 * what its own level takes.
 */
#include "script/parse.h"

#include <string.h>

enum level { L_OR = 1, L_AND, L_NOT, L_IS, L_COMPARE, L_BITS, L_SUM, L_PRODUCT, L_SIGN };

static const struct binary {
	enum xt_tok tok;
	enum xt_fn fn;
	enum level level;
} binaries[] = {
	{XT_TOK_OR, XT_FN_OR, L_OR},
	{XT_TOK_AND, XT_FN_AND, L_AND},
	{XT_TOK_EQ, XT_FN_EQ, L_COMPARE},
	{XT_TOK_NE, XT_FN_NE, L_COMPARE},
	{XT_TOK_LT, XT_FN_LT, L_COMPARE},
	{XT_TOK_LE, XT_FN_LE, L_COMPARE},
	{XT_TOK_GT, XT_FN_LT, L_COMPARE},
	{XT_TOK_GE, XT_FN_LE, L_COMPARE},
	{XT_TOK_PIPE, XT_FN_BITOR, L_BITS},
	{XT_TOK_HASH, XT_FN_BITXOR, L_BITS},
	{XT_TOK_AMP, XT_FN_BITAND, L_BITS},
	{XT_TOK_SHL, XT_FN_SHL, L_BITS},
	{XT_TOK_SHR, XT_FN_SHR, L_BITS},
	{XT_TOK_CONCAT, XT_FN_CONCAT, L_BITS},
	{XT_TOK_PLUS, XT_FN_ADD, L_SUM},
	{XT_TOK_MINUS, XT_FN_SUB, L_SUM},
	{XT_TOK_STAR, XT_FN_MUL, L_PRODUCT},
	{XT_TOK_SLASH, XT_FN_DIV, L_PRODUCT},
	{XT_TOK_PERCENT, XT_FN_MOD, L_PRODUCT},
};

static int parse_level(struct xt_parser *parser, enum level min, struct xt_expr **out);

int xt_parse_fail(struct xt_parser *parser)
{
	return xt_lex_error(parser->lex, parser->lex->start, "syntax error");
}

static const struct binary *binary_of(enum xt_tok tok)
{
	for (size_t i = 0; i < sizeof(binaries) / sizeof(binaries[0]); i++)
		if (binaries[i].tok == tok)
			return &binaries[i];
	return NULL;
}

static int new_const(struct xt_parser *parser, struct xt_value value, struct xt_expr **out)
{
	struct xt_expr *e = xt_arena_alloc(parser->lex->arena, sizeof(*e));

	*out = e;
	if (!e) {
		xt_lex_oom(parser->lex);
		return -1;
	}
	e->kind = XT_EXPR_CONST;
	e->height = 1;
	e->value = value;
	return 0;
}

static int new_bool(struct xt_parser *parser, bool b, struct xt_expr **out)
{
	return new_const(parser, (struct xt_value){.type = XT_BOOL, .u = {.b = b}}, out);
}

static int new_var(struct xt_parser *parser, const char *name, size_t len, struct xt_expr **out)
{
	struct xt_expr *e = xt_arena_alloc(parser->lex->arena, sizeof(*e));

	if (!e)
		return xt_lex_oom(parser->lex);
	e->kind = XT_EXPR_VAR;
	e->height = 1;
	e->slot = xt_vars_intern(parser->vars, parser->lex->arena, name, len);
	*out = e;
	return e->slot < 0 ? xt_lex_oom(parser->lex) : 0;
}

static int new_call(struct xt_parser *parser, enum xt_fn fn, struct xt_expr **args, size_t argc, struct xt_expr **out)
{
	struct xt_expr *e = xt_arena_alloc(parser->lex->arena, sizeof(*e));

	if (!e)
		return xt_lex_oom(parser->lex);
	e->kind = XT_EXPR_CALL;
	e->fn = fn;
	e->args = args;
	e->argc = argc;
	e->script = parser->script;
	e->command = parser->command;
	if (fn == XT_FN_RANDOM_STRING || fn == XT_FN_CONCAT)
		e->text = (*parser->texts)++;
	for (size_t i = 0; i < argc; i++)
		if (args[i]->height > e->height)
			e->height = args[i]->height;
	if (++e->height > XT_EXPR_DEPTH)
		return xt_lex_error(parser->lex, parser->lex->start,
		                    "expression is nested too deep (at most %d levels)", XT_EXPR_DEPTH);
	*out = e;
	return 0;
}

static int new_binary(struct xt_parser *parser, enum xt_fn fn, struct xt_expr *left, struct xt_expr *right,
                      struct xt_expr **out)
{
	struct xt_expr **args = xt_arena_alloc(parser->lex->arena, 2 * sizeof(*args));

	if (!args)
		return xt_lex_oom(parser->lex);
	args[0] = left;
	args[1] = right;
	return new_call(parser, fn, args, 2, out);
}

static int new_not(struct xt_parser *parser, struct xt_expr *operand, struct xt_expr **out)
{
	struct xt_expr **args = xt_arena_alloc(parser->lex->arena, sizeof(*args));

	if (!args)
		return xt_lex_oom(parser->lex);
	args[0] = operand;
	return new_call(parser, XT_FN_NOT, args, 1, out);
}

/* A list of expressions that grows in the arena. */
struct list {
	struct xt_expr **items;
	size_t count, cap;
};

static int append(struct xt_parser *parser, struct list *list, struct xt_expr *e)
{
	struct xt_expr **items =
		xt_arena_grow(parser->lex->arena, list->items, list->count, &list->cap, sizeof(*items));

	if (!items)
		return xt_lex_oom(parser->lex);
	list->items = items;
	items[list->count++] = e;
	return 0;
}

static int parse_into(struct xt_parser *parser, struct list *list)
{
	struct xt_expr *e;

	return parse_level(parser, L_OR, &e) ? -1 : append(parser, list, e);
}

static int expect(struct xt_parser *parser, enum xt_tok tok)
{
	if (parser->lex->tok != tok)
		return xt_parse_fail(parser);
	return xt_lex_next(parser->lex);
}

/* CASE WHEN a THEN b ... [ELSE c] END: arguments a, b, ..., c. */
static int parse_case(struct xt_parser *parser, struct xt_expr **out)
{
	struct list list = {0};
	struct xt_expr *otherwise;

	if (xt_lex_next(parser->lex))
		return -1;
	if (parser->lex->tok != XT_TOK_WHEN)
		return xt_parse_fail(parser);
	while (parser->lex->tok == XT_TOK_WHEN)
		if (xt_lex_next(parser->lex) || parse_into(parser, &list) || expect(parser, XT_TOK_THEN) ||
		    parse_into(parser, &list))
			return -1;
	if (parser->lex->tok == XT_TOK_ELSE) {
		if (xt_lex_next(parser->lex) || parse_into(parser, &list))
			return -1;
	} else if (new_const(parser, xt_null(), &otherwise) || append(parser, &list, otherwise)) {
		return -1;
	}
	return expect(parser, XT_TOK_ENDKW) || new_call(parser, XT_FN_CASE, list.items, list.count, out) ? -1 : 0;
}

static int check_count(struct xt_parser *parser, const struct xt_fn_info *fn, size_t argc, size_t start)
{
	if (fn->max < 0 && argc == 0)
		return xt_lex_error(parser->lex, start, "at least one argument expected (%s)", fn->name);
	if (argc < (size_t)fn->min || (fn->max >= 0 && argc > (size_t)fn->max))
		return xt_lex_error(parser->lex, start, "unexpected number of arguments (%s)", fn->name);
	return 0;
}

static int parse_call(struct xt_parser *parser, struct xt_expr **out)
{
	struct xt_lexer *lex = parser->lex;
	const struct xt_fn_info *fn = xt_fn_find(lex->at, lex->len);
	size_t start = lex->start;
	struct list list = {0};
	struct xt_expr *seed;

	if (!fn)
		return xt_lex_error(lex, start, "unexpected function name (%.*s)", (int)(lex->len > 60 ? 60 : lex->len),
		                    lex->at);
	if (xt_lex_next(lex) || expect(parser, XT_TOK_LPAREN))
		return -1;
	if (lex->tok != XT_TOK_RPAREN) {
		if (parse_into(parser, &list))
			return -1;
		while (lex->tok == XT_TOK_COMMA)
			if (xt_lex_next(lex) || parse_into(parser, &list))
				return -1;
	}
	if (expect(parser, XT_TOK_RPAREN) || check_count(parser, fn, list.count, start))
		return -1;
	if (fn->add_seed && list.count < (size_t)fn->max)
		if (new_var(parser, "default_seed", strlen("default_seed"), &seed) || append(parser, &list, seed))
			return -1;
	return new_call(parser, fn->fn, list.items, list.count, out);
}

static int parse_primary(struct xt_parser *parser, struct xt_expr **out)
{
	struct xt_lexer *lex = parser->lex;
	int rc;

	switch (lex->tok) {
	case XT_TOK_INT:
	case XT_TOK_DOUBLE:
	case XT_TOK_TEXT:
		rc = new_const(parser, lex->value, out);
		break;
	case XT_TOK_NULL:
		rc = new_const(parser, xt_null(), out);
		break;
	case XT_TOK_TRUE:
	case XT_TOK_FALSE:
		rc = new_bool(parser, lex->tok == XT_TOK_TRUE, out);
		break;
	case XT_TOK_VAR:
		rc = new_var(parser, lex->at, lex->len, out);
		break;
	case XT_TOK_LPAREN:
		return xt_lex_next(lex) || parse_level(parser, L_OR, out) || expect(parser, XT_TOK_RPAREN) ? -1 : 0;
	case XT_TOK_NAME:
		return parse_call(parser, out);
	case XT_TOK_CASE:
		return parse_case(parser, out);
	default:
		return xt_parse_fail(parser);
	}
	return rc || xt_lex_next(lex) ? -1 : 0;
}

/* A sign is a subtraction from 0, on literals done at once. */
static int parse_minus(struct xt_parser *parser, struct xt_expr **out)
{
	struct xt_expr *operand, *zero;

	if (xt_lex_next(parser->lex))
		return -1;
	if (parser->lex->tok == XT_TOK_MAXINT_PLUS_ONE)
		return new_const(parser, xt_int(INT64_MIN), out) || xt_lex_next(parser->lex) ? -1 : 0;
	if (parse_level(parser, L_SIGN, &operand))
		return -1;
	if (operand->kind == XT_EXPR_CONST && operand->value.type == XT_INT && operand->value.u.i != INT64_MIN)
		return new_const(parser, xt_int(-operand->value.u.i), out);
	return new_const(parser, xt_int(0), &zero) || new_binary(parser, XT_FN_SUB, zero, operand, out) ? -1 : 0;
}

static int parse_prefix(struct xt_parser *parser, struct xt_expr **out)
{
	struct xt_expr *operand, *ones;

	switch (parser->lex->tok) {
	case XT_TOK_MINUS:
		return parse_minus(parser, out);
	case XT_TOK_PLUS:
		return xt_lex_next(parser->lex) || parse_level(parser, L_SIGN, out) ? -1 : 0;
	case XT_TOK_TILDE:
		if (xt_lex_next(parser->lex) || parse_level(parser, L_SUM, &operand) ||
		    new_const(parser, xt_int(-1), &ones))
			return -1;
		return new_binary(parser, XT_FN_BITXOR, ones, operand, out);
	case XT_TOK_NOT:
		if (xt_lex_next(parser->lex) || parse_level(parser, L_NOT, &operand))
			return -1;
		return new_not(parser, operand, out);
	default:
		return parse_primary(parser, out);
	}
}

/* IS [NOT] NULL, TRUE or FALSE, ISNULL and NOTNULL, behind *e. */
static int parse_is(struct xt_parser *parser, struct xt_expr **e)
{
	struct xt_lexer *lex = parser->lex;
	bool negate = lex->tok == XT_TOK_NOTNULL;
	struct xt_expr *right;
	int rc = 0;

	if (lex->tok == XT_TOK_IS) {
		if (xt_lex_next(lex))
			return -1;
		if (lex->tok == XT_TOK_NOT) {
			negate = true;
			if (xt_lex_next(lex))
				return -1;
		}
		if (lex->tok != XT_TOK_NULL && lex->tok != XT_TOK_TRUE && lex->tok != XT_TOK_FALSE)
			return xt_parse_fail(parser);
		if (lex->tok == XT_TOK_NULL)
			rc = new_const(parser, xt_null(), &right);
		else
			rc = new_bool(parser, lex->tok == XT_TOK_TRUE, &right);
	} else {
		rc = new_const(parser, xt_null(), &right);
	}
	if (rc || xt_lex_next(lex) || new_binary(parser, XT_FN_IS, *e, right, e))
		return -1;
	return negate ? new_not(parser, *e, e) : 0;
}

static int parse_operators(struct xt_parser *parser, enum level min, struct xt_expr **e)
{
	struct xt_lexer *lex = parser->lex;

	for (;;) {
		const struct binary *op = binary_of(lex->tok);
		bool swap = lex->tok == XT_TOK_GT || lex->tok == XT_TOK_GE; /* a > b is b < a, evaluated so too */
		struct xt_expr *right;

		if (lex->tok == XT_TOK_IS || lex->tok == XT_TOK_ISNULL || lex->tok == XT_TOK_NOTNULL) {
			if (min > L_IS)
				return 0;
			if (parse_is(parser, e))
				return -1;
			continue;
		}
		if (!op || op->level < min)
			return 0;
		if (xt_lex_next(lex) || parse_level(parser, op->level + 1, &right) ||
		    new_binary(parser, op->fn, swap ? right : *e, swap ? *e : right, e))
			return -1;
		(*e)->swapped = swap;
		if (op->level == L_COMPARE && binary_of(lex->tok) && binary_of(lex->tok)->level == L_COMPARE)
			return xt_parse_fail(parser);
	}
}

static int parse_level(struct xt_parser *parser, enum level min, struct xt_expr **out)
{
	if (++parser->depth > XT_EXPR_DEPTH)
		return xt_lex_error(parser->lex, parser->lex->start,
		                    "expression is nested too deep (at most %d levels)", XT_EXPR_DEPTH);
	if (parse_prefix(parser, out) || parse_operators(parser, min, out))
		return -1;
	parser->depth--;
	return 0;
}

int xt_parse_expr(struct xt_parser *parser, struct xt_expr **out)
{
	parser->depth = 0;
	return xt_lex_next(parser->lex) || parse_level(parser, L_OR, out) ? -1 : 0;
}

int xt_parse_whole(struct xt_parser *parser, struct xt_expr **out)
{
	if (xt_parse_expr(parser, out))
		return -1;
	return parser->lex->tok == XT_TOK_END ? 0 : xt_parse_fail(parser);
}
