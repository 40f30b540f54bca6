/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A published result beside our own: the 2007 table, then each claim with its verdict.
 */
#include "report/cells.h"
#include "report/clocks.h"
#include "report/grid.h"
#include "report/references.h"
#include "report/report.h"
#include "report/tables.h"

#include <math.h>
#include <string.h>

static void head_rows(struct xt_grid *grid, const struct xt_references *series)
{
	static const char *const head[][7] = {
		{"threads", "tps", "tps", "gain %", "A'/A", "calls", "pred."},
		{"", "before", "after", "[95 % interval]", "%", "/tx", "%"},
	};

	for (size_t line = 0; line < 2; line++) {
		for (size_t i = 0; i < 7; i++)
			xt_grid_cell(grid, "%s", head[line][i]);
		for (size_t s = 0; s < series->n; s++)
			xt_grid_cell(grid, "%s", line ? "before after %" : xt_references_label(series->name[s]));
		xt_grid_end_row(grid);
	}
}

static void row(struct xt_grid *grid, const json_t *record, const struct xt_references *series,
                const struct xt_view_point *point)
{
	const struct xt_view_comparison *c = &point->comparison[0];
	const char *function[XT_VIEW_FUNCTIONS];
	const json_t *calls = json_object_get(point->json, "calls_per_transaction");
	char cell[XT_CELL], before[XT_CELL], after[XT_CELL], gain[XT_CELL];
	int decimals = xt_cells_decimals(record);
	double total = 0;
	size_t functions = xt_view_functions(record, function);

	for (size_t f = 0; f < functions; f++)
		total += xt_view_number(calls, function[f]);
	xt_grid_cell(grid, "%u", point->threads);
	xt_grid_cell(grid, "%s", xt_cell_number(cell, point->tps, 0));
	xt_grid_cell(grid, "%s", xt_cell_number(cell, point->n ? c->tps : NAN, 0));
	xt_grid_cell(grid, "%s%s", point->n ? xt_cell_gain(cell, c, decimals) : "-",
	             point->n && c->totals_outside ? "*" : " ");
	xt_grid_cell(grid, "%s", xt_cell_signed(cell, xt_view_percent(point->control.ratio), decimals));
	xt_grid_cell(grid, "%s", xt_cell_number(cell, total, 1));
	xt_grid_cell(grid, "%s%s", xt_cell_signed(cell, point->n ? xt_view_percent(c->predicted) : NAN, decimals),
	             point->n && c->prediction_differs ? "!" : " ");
	for (size_t s = 0; s < series->n; s++) {
		const json_t *published = xt_references_find(point->json, series->name[s]);

		xt_grid_cell(grid, "%5s %5s %4s", xt_cell_number(before, xt_view_number(published, "before_tps"), 0),
		             xt_cell_number(after, xt_view_number(published, "after_tps"), 0),
		             xt_cell_signed(gain, xt_view_percent(xt_view_number(published, "ratio")), 1));
	}
	if (point->partial)
		xt_grid_cell(grid, "(partial)");
	xt_grid_end_row(grid);
}

/* The table has no room for the control's intervals, and without them it says little. */
static void print_control(const json_t *record, FILE *out)
{
	struct xt_buf text = {0};
	struct xt_view_point point;
	char cell[XT_CELL];

	for (size_t i = 0; i < xt_view_points(record); i++) {
		xt_view_point(record, i, &point);
		if (point.has_control)
			xt_buf_printf(&text, "%s%u: %s", text.len ? "; " : "", point.threads,
			              xt_cell_gain(cell, &point.control, xt_cells_decimals(record)));
	}
	if (text.len)
		xt_grid_note(out, "  ", "A'/A, the noise floor, in %% by threads: %s.", text.data);
	xt_buf_free(&text);
}

static void print_beside(const json_t *record, const struct xt_references *series, FILE *out)
{
	struct xt_grid grid = {0};
	struct xt_view_point point;

	xt_cells_head(record, "xtime reproduce, measured here", out);
	putc('\n', out);
	xt_cells_arms(record, out);
	fputs("A is \"before\", B is \"after\".\n\n", out);
	head_rows(&grid, series);
	for (size_t i = 0; i < xt_view_points(record); i++) {
		xt_view_point(record, i, &point);
		row(&grid, record, series, &point);
	}
	xt_grid_print(&grid, out);
	xt_grid_free(&grid);
	putc('\n', out);
	print_control(record, out);
	xt_table_ab_notes(record, out);
}

static void print_record(const json_t *record, FILE *out)
{
	struct xt_references series;
	struct xt_err err; /* of a schema without a table: nothing is printed */

	xt_references_list(record, &series);
	if (series.n)
		print_beside(record, &series, out);
	else if (!xt_report_clocks_references(record, out))
		xt_report_table(record, out, &err);
	putc('\n', out);
}

/* "cannot_tell" as people read it. */
static void verdict_text(const char *verdict, char *buf, size_t cap)
{
	snprintf(buf, cap, "%s", verdict);
	for (char *p = buf; *p; p++)
		if (*p == '_')
			*p = ' ';
	if (!strcmp(buf, "not"))
		snprintf(buf, cap, "not reproduced");
}

static void print_claims(const json_t *record, FILE *out)
{
	static const char *const field[][2] = {
		{"published", "    published: "},
		{"measured", "    measured:  "},
		{"reason", "    reason:    "},
	};
	json_t *claim;
	size_t i;

	if (!json_array_size(json_object_get(record, "claims")))
		return;
	xt_grid_note(out, "", "The claims of %s:", xt_view_text(record, "which", "?"));
	json_array_foreach(json_object_get(record, "claims"), i, claim)
	{
		char verdict[64];

		verdict_text(xt_view_text(claim, "verdict", "-"), verdict, sizeof(verdict));
		fprintf(out, "\n%-10s  %s\n", xt_view_text(claim, "id", "?"), verdict);
		xt_grid_wrap(out, "    claim:     ", xt_view_text(claim, "claim", "-"));
		for (size_t f = 0; f < sizeof(field) / sizeof(*field); f++)
			xt_grid_wrap(out, field[f][1], xt_view_text(claim, field[f][0], "-"));
	}
}

static double word_size_ns(const json_t *size, const char *call, const char *path)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(size, "rows"), i, row)
	{
		if (!strcmp(xt_view_text(row, "call", ""), call) && !strcmp(xt_view_text(row, "path", ""), path))
			return xt_view_number(row, "ns");
	}
	return NAN;
}

/* The same calls from programs of both word sizes, side by side. */
static void print_word_sizes(const json_t *sizes, FILE *out)
{
	const json_t *size, *row;
	struct xt_grid grid = {.left = 3};
	size_t i, k;

	if (!json_array_size(sizes))
		return;
	xt_grid_cell(&grid, "ns per call");
	xt_grid_cell(&grid, "path");
	json_array_foreach(sizes, i, size) xt_grid_cell(&grid, "%.0f-bit", xt_view_number(size, "bits"));
	xt_grid_end_row(&grid);
	json_array_foreach(json_object_get(json_array_get(sizes, 0), "rows"), i, row)
	{
		const char *call = xt_view_text(row, "call", "-"), *path = xt_view_text(row, "path", "-");

		xt_grid_cell(&grid, "%s", call);
		xt_grid_cell(&grid, "%s", path);
		json_array_foreach(sizes, k, size)
		{
			double ns = word_size_ns(size, call, path);

			if (isnan(ns))
				xt_grid_cell(&grid, "n/t");
			else
				xt_grid_cell(&grid, "%.2f", ns);
		}
		xt_grid_end_row(&grid);
	}
	xt_grid_print(&grid, out);
	xt_grid_free(&grid);
	if (json_array_size(sizes) < 2)
		fputs("No 32-bit program could be built or run here.\n", out);
	putc('\n', out);
}

void xt_table_reproduce(const json_t *record, FILE *out)
{
	json_t *inner;
	size_t i;

	json_array_foreach(json_object_get(record, "records"), i, inner)
	{
		/* Counts of violations come back in the claims; all their rows would bury the table. */
		if (strncmp(xt_view_text(inner, "schema", ""), "xtime.coherence/", 16) != 0)
			print_record(inner, out);
	}
	print_word_sizes(json_object_get(record, "word_sizes"), out);
	if (json_is_true(json_object_get(record, "interrupted")))
		fputs("Interrupted: what follows is incomplete.\n", out);
	print_claims(record, out);
}
