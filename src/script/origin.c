/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Positions and messages. The caret line repeats the tabs of the line above it, so that it stands right at any tab
 * width; a long line is shown from a little before the fault.
 */
#include "script/origin.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define SHOW_BEFORE 100
#define SHOW_AFTER  60

static bool continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80; /* a later byte of a UTF-8 sequence */
}

void xt_origin_init(struct xt_origin *origin, const char *name, const char *text, size_t len)
{
	*origin = (struct xt_origin){.name = name, .text = text, .len = len, .line = 1, .column = 1};
}

void xt_origin_position(struct xt_origin *origin, size_t offset, int *line, int *column)
{
	if (offset > origin->len)
		offset = origin->len;
	if (offset < origin->cursor) {
		origin->cursor = 0;
		origin->line = origin->column = 1;
	}
	for (; origin->cursor < offset; origin->cursor++) {
		char c = origin->text[origin->cursor];

		if (c == '\n') {
			origin->line++;
			origin->column = 1;
		} else if (origin->cursor + 1 >= origin->len || !continues(origin->text[origin->cursor + 1])) {
			origin->column++;
		}
	}
	*line = origin->line;
	*column = origin->column;
}

/* What a terminal would act upon is shown as a question mark. */
static char printable(char c)
{
	return ((unsigned char)c < ' ' && c != '\t') || c == 0x7f ? '?' : c;
}

/* Appends the shown part of the line and the caret line to out (cap bytes, terminated). */
static void draw_caret(const struct xt_origin *origin, size_t offset, char *out, size_t cap)
{
	const char *text = origin->text;
	size_t start = offset, end = offset, used = 0;
	bool cut;

	while (start > 0 && text[start - 1] != '\n' && offset - start < SHOW_BEFORE)
		start--;
	cut = start > 0 && text[start - 1] != '\n';
	while (start < offset && continues(text[start]))
		start++;
	while (end < origin->len && text[end] != '\n' && text[end] != '\r' && end - offset < SHOW_AFTER)
		end++;
	while (end < origin->len && end > offset && continues(text[end]))
		end--;
	used = (size_t)snprintf(out, cap, "\n%s", cut ? "..." : "");
	for (size_t i = start; i < end && used + 1 < cap; i++)
		out[used++] = printable(text[i]);
	used += (size_t)snprintf(out + used, cap - used, "\n%s", cut ? "   " : "");
	for (size_t i = start; i < offset && used + 2 < cap; i++)
		if (!continues(text[i]))
			out[used++] = text[i] == '\t' ? '\t' : ' ';
	snprintf(out + used, cap - used, "^");
}

int xt_origin_error(struct xt_origin *origin, size_t offset, struct xt_err *err, const char *fmt, ...)
{
	char what[512], shown[2 * (SHOW_BEFORE + SHOW_AFTER) + 32], from[512];
	size_t used = 0;
	int line, column;
	va_list ap;

	if (offset > origin->len)
		offset = origin->len;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	for (char *p = what; *p; p++)
		*p = printable(*p);
	from[0] = '\0';
	for (const struct xt_origin *o = origin; o->parent && used + 1 < sizeof(from); o = o->parent) {
		xt_origin_position(o->parent, o->parent_offset, &line, &column);
		used += (size_t)snprintf(from + used, sizeof(from) - used, "\nincluded from %s:%d", o->parent->name,
		                         line);
	}
	draw_caret(origin, offset, shown, sizeof(shown));
	xt_origin_position(origin, offset, &line, &column);
	return xt_err_usage(err, "%s:%d:%d: %s%s%s", origin->name, line, column, what, shown, from);
}
