/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of SQL text in which nothing means anything: quotes of all kinds and comments. And what a statement is
 * by its words, and the variables it mentions.
 */
#include "script/sqlscan.h"
#include "script/vars.h"

#include <string.h>
#include <strings.h>

static char at(const char *text, size_t len, size_t i)
{
	return i < len ? text[i] : '\0';
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool word_char(char c)
{
	return xt_vars_name_char(c) || c == '$';
}

/* '...' or "...": doubled quotes stay inside; backslash escapes in E'...'. */
static size_t skip_quote(const char *text, size_t len, size_t pos, bool *open)
{
	char quote = text[pos];
	bool escapes = quote == '\'' && pos > 0 && (text[pos - 1] == 'E' || text[pos - 1] == 'e') &&
	               (pos < 2 || !word_char(text[pos - 2]));

	for (pos++; pos < len; pos++) {
		if (escapes && text[pos] == '\\')
			pos++;
		else if (text[pos] == quote && at(text, len, pos + 1) == quote)
			pos++;
		else if (text[pos] == quote)
			return pos + 1;
	}
	*open = true;
	return len;
}

static size_t skip_block_comment(const char *text, size_t len, size_t pos, bool *open)
{
	size_t depth = 0;

	for (; pos < len; pos++) {
		if (text[pos] == '/' && at(text, len, pos + 1) == '*') {
			depth++;
			pos++;
		} else if (text[pos] == '*' && at(text, len, pos + 1) == '/') {
			pos++;
			if (--depth == 0)
				return pos + 1;
		}
	}
	*open = true;
	return len;
}

/* $tag$ ... $tag$ */
static size_t skip_dollar(const char *text, size_t len, size_t pos, bool *open)
{
	size_t n = 1;

	if (pos > 0 && word_char(text[pos - 1]))
		return pos;
	if (xt_vars_name_start(at(text, len, pos + 1)))
		while (xt_vars_name_char(at(text, len, pos + n)))
			n++;
	if (at(text, len, pos + n) != '$')
		return pos;
	n++;
	for (size_t i = pos + n; i + n <= len; i++)
		if (text[i] == '$' && !memcmp(text + i, text + pos, n))
			return i + n;
	*open = true;
	return len;
}

size_t xt_sql_skip(const char *text, size_t len, size_t pos, bool *open)
{
	bool ignored = false;

	if (!open)
		open = &ignored;
	switch (at(text, len, pos)) {
	case '\'':
	case '"':
		return skip_quote(text, len, pos, open);
	case '$':
		return skip_dollar(text, len, pos, open);
	case '/':
		return at(text, len, pos + 1) == '*' ? skip_block_comment(text, len, pos, open) : pos;
	case '-':
		if (at(text, len, pos + 1) != '-')
			return pos;
		while (pos < len && text[pos] != '\n')
			pos++;
		return pos;
	default:
		return pos;
	}
}

static bool is_comment(const char *text, size_t len, size_t pos)
{
	char next = at(text, len, pos + 1);

	return (at(text, len, pos) == '-' && next == '-') || (at(text, len, pos) == '/' && next == '*');
}

bool xt_sql_blank(const char *text, size_t len)
{
	for (size_t pos = 0; pos < len;) {
		if (is_comment(text, len, pos))
			pos = xt_sql_skip(text, len, pos, NULL);
		else if (is_space(text[pos]) || text[pos] == ';')
			pos++;
		else
			return false;
	}
	return true;
}

/* The words of a statement one after another, whatever stands between them; with the depth of parentheses. */
struct words {
	const char *text;
	size_t len, pos;
	int depth;
	const char *word;
	size_t word_len;
};

static bool next_word(struct words *w)
{
	while (w->pos < w->len) {
		size_t skipped = xt_sql_skip(w->text, w->len, w->pos, NULL);
		char c = w->text[w->pos];

		if (skipped != w->pos) {
			w->pos = skipped;
			continue;
		}
		if (xt_vars_name_start(c)) {
			w->word = w->text + w->pos;
			while (w->pos < w->len && word_char(w->text[w->pos]))
				w->pos++;
			w->word_len = (size_t)(w->text + w->pos - w->word);
			return true;
		}
		if (c == '(')
			w->depth++;
		else if (c == ')')
			w->depth--;
		w->pos++;
	}
	return false;
}

static bool is(const struct words *w, const char *word)
{
	return w->word_len == strlen(word) && !strncasecmp(w->word, word, w->word_len);
}

static bool is_write_word(const struct words *w)
{
	return is(w, "insert") || is(w, "update") || is(w, "delete") || is(w, "replace") || is(w, "merge");
}

static bool is_read_word(const struct words *w)
{
	return is(w, "select") || is(w, "values") || is(w, "table") || is(w, "show");
}

/* WITH: a write when its main statement or one of its parts is. A part begins behind a parenthesis. */
static enum xt_sql_kind classify_with(struct words *w)
{
	enum xt_sql_kind kind = XT_SQL_READ;

	while (next_word(w)) {
		const char *before = w->word;

		if (!is_write_word(w))
			continue;
		while (before > w->text && is_space(before[-1]))
			before--;
		if (w->depth == 0 || (before > w->text && before[-1] == '('))
			kind = XT_SQL_WRITE;
	}
	return kind;
}

enum xt_sql_kind xt_sql_classify(const char *text, size_t len)
{
	struct words w = {.text = text, .len = len};
	bool explain, analyze = false;

	if (!next_word(&w))
		return XT_SQL_OTHER;
	explain = is(&w, "explain");
	if (explain) {
		do {
			if (!next_word(&w))
				return XT_SQL_READ;
			analyze = analyze || is(&w, "analyze");
		} while (w.depth > 0 || is(&w, "analyze") || is(&w, "verbose") || is(&w, "query") || is(&w, "plan"));
		if (!analyze)
			return XT_SQL_READ;
	}
	if (is(&w, "with"))
		return classify_with(&w);
	if (is_read_word(&w))
		return XT_SQL_READ;
	return is_write_word(&w) ? XT_SQL_WRITE : XT_SQL_OTHER;
}

static bool mention_at(const char *text, size_t len, size_t pos, struct xt_sql_mention *m)
{
	size_t n;

	m->interpolate = at(text, len, pos + 1) == '{';
	m->start = pos;
	n = pos + 1 + m->interpolate;
	if (!xt_vars_name_start(at(text, len, n)))
		return false;
	m->name = text + n;
	while (n < len && xt_vars_name_char(text[n]))
		n++;
	m->len = (size_t)(text + n - m->name);
	if (m->interpolate && at(text, len, n) != '}')
		return false;
	m->end = n + m->interpolate;
	return true;
}

/* As pgbench finds them: anywhere in the text, quotes included; a run of colons hides the name behind it. */
bool xt_sql_next_mention(const char *text, size_t len, size_t pos, struct xt_sql_mention *m)
{
	while (pos < len) {
		const char *colon = memchr(text + pos, ':', len - pos);

		if (!colon)
			return false;
		pos = (size_t)(colon - text);
		if (mention_at(text, len, pos, m))
			return true;
		while (pos < len && text[pos] == ':')
			pos++;
	}
	return false;
}
