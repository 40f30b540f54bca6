/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layout of plain text. Knows nothing of records.
 */
#include "report/grid.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

enum { MAX_COLUMNS = 32 };

static size_t characters(const char *text, size_t bytes)
{
	size_t n = 0;

	for (size_t i = 0; i < bytes; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
	return n;
}

void xt_grid_cell(struct xt_grid *grid, const char *fmt, ...)
{
	char cell[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(cell, sizeof(cell), fmt, ap);
	va_end(ap);
	for (char *p = cell; *p; p++)
		if (iscntrl((unsigned char)*p))
			*p = ' ';
	xt_buf_printf(&grid->text, "%s\t", cell);
}

void xt_grid_end_row(struct xt_grid *grid)
{
	xt_buf_puts(&grid->text, "\n");
}

static void measure(const char *p, size_t width[MAX_COLUMNS])
{
	size_t column = 0;

	while (*p) {
		size_t len = strcspn(p, "\t\n");

		if (p[len] == '\t') {
			size_t n = characters(p, len);

			if (column < MAX_COLUMNS && n > width[column])
				width[column] = n;
			column++;
		} else {
			column = 0;
		}
		p += len + (p[len] != '\0');
	}
}

void xt_grid_print(const struct xt_grid *grid, FILE *out)
{
	size_t width[MAX_COLUMNS] = {0};
	size_t column = 0;
	size_t owed = 0; /* blanks that only another cell makes worth printing */
	const char *p = grid->text.data ? grid->text.data : "";

	measure(p, width);
	while (*p) {
		size_t len = strcspn(p, "\t\n");

		if (p[len] == '\t' && column < MAX_COLUMNS) {
			size_t pad = width[column] - characters(p, len);
			int left = grid->left >> column & 1;

			owed += (column ? 2 : 0) + (left ? 0 : pad);
			if (len) {
				fprintf(out, "%*s%.*s", (int)owed, "", (int)len, p);
				owed = 0;
			}
			owed += left ? pad : 0;
			column++;
		} else if (p[len] == '\n') {
			putc('\n', out);
			column = owed = 0;
		}
		p += len + (p[len] != '\0');
	}
}

void xt_grid_free(struct xt_grid *grid)
{
	xt_buf_free(&grid->text);
}

/* Length of the word at text; a per cent sign stays with its figure. */
static size_t word(const char *text)
{
	size_t len = strcspn(text, " \t\n");

	if (!strncmp(text + len, " %", 2))
		len += 1 + strcspn(text + len + 1, " \t\n");
	return len;
}

void xt_grid_wrap(FILE *out, const char *head, const char *text)
{
	size_t indent = characters(head, strlen(head));
	size_t at = indent;
	int first = 1;

	fputs(head, out);
	for (text += strspn(text, " \t\n"); *text; text += strspn(text, " \t\n")) {
		size_t len = word(text);
		size_t n = characters(text, len);

		if (!first && at + 1 + n > XT_GRID_WIDTH) {
			fprintf(out, "\n%*s", (int)indent, "");
			at = indent;
			first = 1;
		}
		fprintf(out, "%s%.*s", first ? "" : " ", (int)len, text);
		at += n + !first;
		first = 0;
		text += len;
	}
	putc('\n', out);
}

void xt_grid_note(FILE *out, const char *head, const char *fmt, ...)
{
	char text[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	xt_grid_wrap(out, head, text);
}
