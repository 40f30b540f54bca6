/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a statement ends: at a semicolon outside quotes, comments, parentheses and the body of a function or trigger;
 * at a backslash that begins a meta-command; at the end of the file.
 */
#include "script/sqlscan.h"
#include "script/vars.h"

#include <string.h>
#include <strings.h>

/* What tells that semicolons belong to a body: CREATE ... FUNCTION, PROCEDURE or TRIGGER, and then BEGIN. */
struct body {
	unsigned words;
	bool create;   /* the first word is CREATE */
	bool routine;  /* one of the next words makes it a routine */
	unsigned open; /* BEGIN and CASE without their END */
};

static bool is(const char *word, size_t len, const char *wanted)
{
	return strlen(wanted) == len && !strncasecmp(word, wanted, len);
}

static void see_word(struct body *body, const char *word, size_t len, int parens)
{
	if (body->words++ == 0)
		body->create = is(word, len, "create");
	else if (body->create && body->words <= 4)
		body->routine = body->routine || is(word, len, "function") || is(word, len, "procedure") ||
		                is(word, len, "trigger");
	if (!body->routine || parens > 0)
		return;
	if (is(word, len, "begin") || (body->open && is(word, len, "case")))
		body->open++;
	else if (body->open && is(word, len, "end"))
		body->open--;
}

static bool blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Over what may stand before a statement. Comments belong to it only behind its first word. */
static void skip_front(const struct xt_origin *origin, size_t *pos)
{
	const char *text = origin->text;

	for (;;) {
		while (*pos < origin->len && blank(text[*pos]))
			++*pos;
		if (*pos + 1 >= origin->len ||
		    !((text[*pos] == '-' && text[*pos + 1] == '-') || (text[*pos] == '/' && text[*pos + 1] == '*')))
			return;
		*pos = xt_sql_skip(text, origin->len, *pos, NULL);
	}
}

struct state {
	struct xt_origin *origin;
	struct xt_sql_scan *scan;
	struct xt_err *err;
	struct body body;
	int parens;
	size_t *pos;
};

static void take(struct state *s, size_t end)
{
	xt_buf_add(&s->scan->text, s->origin->text + *s->pos, end - *s->pos);
	*s->pos = end;
}

static void take_word(struct state *s)
{
	const char *text = s->origin->text;
	size_t end = *s->pos;

	while (end < s->origin->len && (xt_vars_name_char(text[end]) || text[end] == '$'))
		end++;
	see_word(&s->body, text + *s->pos, end - *s->pos, s->parens);
	take(s, end);
}

/* One step: 1 at the statement's end, 0 to go on, -1 on an error. */
static int step(struct state *s)
{
	const char *text = s->origin->text;
	size_t pos = *s->pos, skipped;
	char next = pos + 1 < s->origin->len ? text[pos + 1] : '\0';
	bool open = false;

	skipped = xt_sql_skip(text, s->origin->len, pos, &open);
	if (open)
		return xt_origin_error(s->origin, pos, s->err, "%s without its end",
		                       text[pos] == '/' ? "comment" : "quoted text");
	if (skipped != pos) {
		take(s, skipped);
		return 0;
	}
	if (text[pos] == '\\') {
		if (next != ';' && next != ':') {
			s->scan->end = XT_SQL_END_BACKSLASH;
			return 1;
		}
		if (next == ';')
			xt_buf_add(&s->scan->joints, &s->scan->text.len, sizeof(s->scan->text.len));
		++*s->pos;
		take(s, pos + 2);
		return 0;
	}
	if (text[pos] == ';' && s->parens <= 0 && !s->body.open) {
		++*s->pos;
		s->scan->end = XT_SQL_END_SEMICOLON;
		return 1;
	}
	if (xt_vars_name_start(text[pos])) {
		take_word(s);
		return 0;
	}
	s->parens += (text[pos] == '(') - (text[pos] == ')');
	if (s->parens < 0)
		s->parens = 0;
	take(s, pos + 1);
	return 0;
}

int xt_sql_scan(struct xt_origin *origin, size_t *pos, struct xt_sql_scan *scan, struct xt_err *err)
{
	struct state s = {.origin = origin, .scan = scan, .err = err, .pos = pos};
	int rc = 0;

	xt_buf_reset(&scan->text);
	xt_buf_reset(&scan->joints);
	skip_front(origin, pos);
	scan->start = *pos;
	scan->end = XT_SQL_END_FILE;
	while (*pos < origin->len && rc == 0)
		rc = step(&s);
	if (scan->text.failed || scan->joints.failed)
		return xt_err_failed(err, "%s: out of memory", origin->name);
	while (scan->text.len && blank(scan->text.data[scan->text.len - 1]))
		scan->text.data[--scan->text.len] = '\0';
	return rc < 0 ? -1 : 0;
}
