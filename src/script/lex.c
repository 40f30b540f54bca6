/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lexer of meta-command lines.
 */
#include "script/lex.h"
#include "script/vars.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int xt_lex_error(struct xt_lexer *lex, size_t offset, const char *fmt, ...)
{
	char what[384];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return xt_origin_error(lex->origin, offset, lex->err, "%s in command \"%s\"", what, lex->command);
}

int xt_lex_oom(struct xt_lexer *lex)
{
	return xt_err_failed(lex->err, "%s: out of memory", lex->origin->name);
}

static char peek(const struct xt_lexer *lex, size_t ahead)
{
	return lex->pos + ahead < lex->origin->len ? lex->origin->text[lex->pos + ahead] : '\0';
}

/* Length of a line break that a backslash continues, or 0. */
static size_t continuation(const struct xt_lexer *lex)
{
	if (peek(lex, 0) != '\\')
		return 0;
	if (peek(lex, 1) == '\n')
		return 2;
	return peek(lex, 1) == '\r' && peek(lex, 2) == '\n' ? 3 : 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

bool xt_lex_more(struct xt_lexer *lex)
{
	for (;;) {
		size_t skip = continuation(lex);

		if (skip)
			lex->pos += skip;
		else if (is_blank(peek(lex, 0)))
			lex->pos++;
		else
			break;
	}
	return lex->pos < lex->origin->len && peek(lex, 0) != '\n';
}

bool xt_lex_word(struct xt_lexer *lex, size_t *start, size_t *len)
{
	if (!xt_lex_more(lex))
		return false;
	*start = lex->pos;
	while (lex->pos < lex->origin->len && !is_blank(peek(lex, 0)) && peek(lex, 0) != '\n' && !continuation(lex))
		lex->pos++;
	*len = lex->pos - *start;
	return true;
}

int xt_lex_end(struct xt_lexer *lex, const char *what)
{
	size_t start, len;

	if (!xt_lex_word(lex, &start, &len))
		return 0;
	return xt_lex_error(lex, start, "%s (%.*s)", what, (int)(len > 60 ? 60 : len), lex->origin->text + start);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const struct {
	const char *word;
	enum xt_tok tok;
} keywords[] = {
	{"and", XT_TOK_AND},     {"or", XT_TOK_OR},         {"not", XT_TOK_NOT},         {"is", XT_TOK_IS},
	{"null", XT_TOK_NULL},   {"isnull", XT_TOK_ISNULL}, {"notnull", XT_TOK_NOTNULL}, {"true", XT_TOK_TRUE},
	{"false", XT_TOK_FALSE}, {"case", XT_TOK_CASE},     {"when", XT_TOK_WHEN},       {"then", XT_TOK_THEN},
	{"else", XT_TOK_ELSE},   {"end", XT_TOK_ENDKW},
};

static int lex_name(struct xt_lexer *lex)
{
	size_t n = 0;

	while (xt_vars_name_char(peek(lex, n)))
		n++;
	lex->at = lex->origin->text + lex->pos;
	lex->len = n;
	lex->pos += n;
	lex->tok = XT_TOK_NAME;
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (strlen(keywords[i].word) == n && !strncasecmp(keywords[i].word, lex->at, n))
			lex->tok = keywords[i].tok;
	return 0;
}

static int lex_variable(struct xt_lexer *lex)
{
	size_t n = 1;

	while (xt_vars_name_char(peek(lex, n)))
		n++;
	if (n - 1 > XT_NAME_MAX)
		return xt_lex_error(lex, lex->pos, "variable name is longer than %d bytes", XT_NAME_MAX);
	if (n == 1)
		return xt_lex_error(lex, lex->pos, "unexpected character (:)");
	lex->at = lex->origin->text + lex->pos + 1;
	lex->len = n - 1;
	lex->pos += n;
	lex->tok = XT_TOK_VAR;
	return 0;
}

/* Length of a fraction and an exponent at the given distance, as far as they are there. */
static size_t skip_fraction(const struct xt_lexer *lex, size_t n)
{
	size_t e;

	if (peek(lex, n) == '.')
		for (n++; is_digit(peek(lex, n)); n++)
			;
	if (peek(lex, n) != 'e' && peek(lex, n) != 'E')
		return n;
	e = n + 1;
	if (peek(lex, e) == '+' || peek(lex, e) == '-')
		e++;
	if (!is_digit(peek(lex, e)))
		return n;
	while (is_digit(peek(lex, e)))
		e++;
	return e;
}

static int lex_number(struct xt_lexer *lex)
{
	char copy[400];
	size_t whole = 0, n;

	while (is_digit(peek(lex, whole)))
		whole++;
	n = skip_fraction(lex, whole);
	if (n >= sizeof(copy))
		return xt_lex_error(lex, lex->pos, "constant is too long");
	memcpy(copy, lex->origin->text + lex->pos, n);
	copy[n] = '\0';
	lex->pos += n;
	errno = 0;
	if (n > whole) {
		lex->tok = XT_TOK_DOUBLE;
		lex->value = (struct xt_value){.type = XT_DOUBLE, .u = {.d = strtod(copy, NULL)}};
		if (errno == ERANGE)
			return xt_lex_error(lex, lex->start, "double constant overflow (%.60s)", copy);
		return 0;
	}
	if (!strcmp(copy, "9223372036854775808")) {
		lex->tok = XT_TOK_MAXINT_PLUS_ONE;
		return 0;
	}
	lex->tok = XT_TOK_INT;
	lex->value = xt_int(strtoll(copy, NULL, 10));
	if (errno == ERANGE)
		return xt_lex_error(lex, lex->start, "bigint constant overflow (%.60s)", copy);
	return 0;
}

/* 'text', a quote inside written twice. */
static int lex_text(struct xt_lexer *lex)
{
	size_t n = 1, used = 0;
	char *copy;

	while (peek(lex, n) != '\'' || peek(lex, n + 1) == '\'') {
		if (lex->pos + n >= lex->origin->len || peek(lex, n) == '\n')
			return xt_lex_error(lex, lex->pos, "text without its closing quote");
		n += peek(lex, n) == '\'' ? 2 : 1;
	}
	copy = xt_arena_alloc(lex->arena, n);
	if (!copy)
		return xt_lex_oom(lex);
	for (size_t i = 1; i < n; i++) {
		copy[used++] = peek(lex, i);
		if (peek(lex, i) == '\'')
			i++;
	}
	lex->value = xt_text(copy, used);
	lex->tok = XT_TOK_TEXT;
	lex->pos += n + 1;
	return 0;
}

static const struct {
	char text[3];
	enum xt_tok tok;
} operators[] = {
	/* the longer ones first */
	{"<=", XT_TOK_LE},    {">=", XT_TOK_GE},     {"<>", XT_TOK_NE},  {"!=", XT_TOK_NE},   {"<<", XT_TOK_SHL},
	{">>", XT_TOK_SHR},   {"||", XT_TOK_CONCAT}, {"+", XT_TOK_PLUS}, {"-", XT_TOK_MINUS}, {"*", XT_TOK_STAR},
	{"/", XT_TOK_SLASH},  {"%", XT_TOK_PERCENT}, {"=", XT_TOK_EQ},   {"<", XT_TOK_LT},    {">", XT_TOK_GT},
	{"|", XT_TOK_PIPE},   {"#", XT_TOK_HASH},    {"&", XT_TOK_AMP},  {"~", XT_TOK_TILDE}, {"(", XT_TOK_LPAREN},
	{")", XT_TOK_RPAREN}, {",", XT_TOK_COMMA},
};

static int lex_operator(struct xt_lexer *lex)
{
	unsigned char c = (unsigned char)peek(lex, 0);

	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		size_t n = strlen(operators[i].text);

		if (peek(lex, 0) != operators[i].text[0] || (n == 2 && peek(lex, 1) != operators[i].text[1]))
			continue;
		lex->tok = operators[i].tok;
		lex->at = lex->origin->text + lex->pos;
		lex->len = n;
		lex->pos += n;
		return 0;
	}
	if (c < ' ' || c == 0x7f)
		return xt_lex_error(lex, lex->pos, "unexpected character (code %d)", c);
	return xt_lex_error(lex, lex->pos, "unexpected character (%c)", c);
}

int xt_lex_next(struct xt_lexer *lex)
{
	char c;

	lex->at = "";
	lex->len = 0;
	if (!xt_lex_more(lex)) {
		lex->start = lex->pos;
		lex->tok = XT_TOK_END;
		return 0;
	}
	lex->start = lex->pos;
	c = peek(lex, 0);
	if (is_digit(c) || (c == '.' && is_digit(peek(lex, 1))))
		return lex_number(lex);
	if (xt_vars_name_start(c))
		return lex_name(lex);
	if (c == ':')
		return lex_variable(lex);
	if (c == '\'')
		return lex_text(lex);
	return lex_operator(lex);
}
