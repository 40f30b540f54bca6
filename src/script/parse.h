/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tokens to expression trees, with the operators' precedence and the checks that need no values: functions that
 * exist, their numbers of arguments.
 */
#ifndef XT_SCRIPT_PARSE_H
#define XT_SCRIPT_PARSE_H

#include "script/expr.h"
#include "script/lex.h"
#include "script/vars.h"

struct xt_parser {
	struct xt_lexer *lex;
	struct xt_vars *vars;
	unsigned *texts; /* counts random_string() calls of the program */
	int script;      /* 0-based, and the command's number in it, from 1: what debug() prints */
	int command;
	unsigned depth;
};

/* Parses from the token that follows, up to one that no expression can take: that one is then the current token.
 * -1 with the lexer's error filled. */
int xt_parse_expr(struct xt_parser *parser, struct xt_expr **out);
/* The same, and nothing may follow. */
int xt_parse_whole(struct xt_parser *parser, struct xt_expr **out);
/* A syntax error at the current token. */
int xt_parse_fail(struct xt_parser *parser);

#endif
