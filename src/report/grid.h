/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plain text: columns that line up, and prose that wraps. Widths are counted in characters of UTF-8.
 */
#ifndef XT_REPORT_GRID_H
#define XT_REPORT_GRID_H

#include "base/buf.h"

#include <stdio.h>

enum { XT_GRID_WIDTH = 100 };

/* Cells are collected row by row and printed together. Start with {0}; release with xt_grid_free(). */
struct xt_grid {
	struct xt_buf text; /* cells end with a tab, rows with a newline */
	unsigned left;      /* bit i: column i is flush left */
};

/* One more cell; tabs and newlines in it become blanks. */
void xt_grid_cell(struct xt_grid *grid, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void xt_grid_end_row(struct xt_grid *grid);
/* Columns stand two blanks apart, no blanks at the ends of lines. */
void xt_grid_print(const struct xt_grid *grid, FILE *out);
void xt_grid_free(struct xt_grid *grid);

/* Prints text in lines of at most XT_GRID_WIDTH characters: the first begins with head, the others with as many
 * blanks. */
void xt_grid_wrap(FILE *out, const char *head, const char *text);
void xt_grid_note(FILE *out, const char *head, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
