/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands on a meta-command's line, cut up: as words between blanks, or as the tokens of an expression. The line
 * ends at a line break that no backslash continues.
 */
#ifndef XT_SCRIPT_LEX_H
#define XT_SCRIPT_LEX_H

#include "base/err.h"
#include "base/value.h"
#include "script/arena.h"
#include "script/origin.h"

#include <stdbool.h>
#include <stddef.h>

enum xt_tok {
	XT_TOK_END, /* end of the line */
	XT_TOK_INT,
	XT_TOK_MAXINT_PLUS_ONE, /* 9223372036854775808: only behind a minus */
	XT_TOK_DOUBLE,
	XT_TOK_TEXT, /* 'literal' */
	XT_TOK_VAR,  /* :name; at and len are the name's */
	XT_TOK_NAME, /* a function, or a column of \load */
	XT_TOK_LPAREN,
	XT_TOK_RPAREN,
	XT_TOK_COMMA,
	XT_TOK_TILDE,
	/* binary operators */
	XT_TOK_PLUS,
	XT_TOK_MINUS,
	XT_TOK_STAR,
	XT_TOK_SLASH,
	XT_TOK_PERCENT,
	XT_TOK_EQ,
	XT_TOK_NE,
	XT_TOK_LT,
	XT_TOK_LE,
	XT_TOK_GT,
	XT_TOK_GE,
	XT_TOK_PIPE,
	XT_TOK_HASH,
	XT_TOK_AMP,
	XT_TOK_SHL,
	XT_TOK_SHR,
	XT_TOK_CONCAT,
	/* keywords */
	XT_TOK_AND,
	XT_TOK_OR,
	XT_TOK_NOT,
	XT_TOK_IS,
	XT_TOK_ISNULL,
	XT_TOK_NOTNULL,
	XT_TOK_NULL,
	XT_TOK_TRUE,
	XT_TOK_FALSE,
	XT_TOK_CASE,
	XT_TOK_WHEN,
	XT_TOK_THEN,
	XT_TOK_ELSE,
	XT_TOK_ENDKW,
};

struct xt_lexer {
	struct xt_origin *origin;
	size_t pos; /* what is not yet read */
	struct xt_arena *arena;
	const char *command; /* the meta-command's name, for messages */
	struct xt_err *err;

	/* The current token. */
	enum xt_tok tok;
	size_t start;   /* its first byte */
	const char *at; /* its text */
	size_t len;
	struct xt_value value; /* INT, DOUBLE, TEXT */
};

/* Reads the next token. -1 with the error filled. */
int xt_lex_next(struct xt_lexer *lex);
/* The next word, up to a blank: false at the end of the line. A word's text is in the origin. */
bool xt_lex_word(struct xt_lexer *lex, size_t *start, size_t *len);
/* Steps over blanks; true when something is left on the line. */
bool xt_lex_more(struct xt_lexer *lex);
/* Whether the line ends here; an error that shows what is too much when not. */
int xt_lex_end(struct xt_lexer *lex, const char *what);
/* Sets the error at an offset: what is said, plus the command's name. Returns -1. */
int xt_lex_error(struct xt_lexer *lex, size_t offset, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int xt_lex_oom(struct xt_lexer *lex);

#endif
