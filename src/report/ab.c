/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of an A/B: one row per thread count, with several arms one per thread count and arm, and the notes below.
 */
#include "report/cells.h"
#include "report/grid.h"
#include "report/run_notes.h"
#include "report/tables.h"

#include <math.h>
#include <string.h>

struct layout {
	int decimals;
	bool several;          /* arms besides the base */
	bool outside, differs; /* a row bears the mark: the others keep its place free */
	const char *function[XT_VIEW_FUNCTIONS];
	size_t functions;
};

static void head_row(struct xt_grid *grid, const struct layout *layout)
{
	xt_grid_cell(grid, "threads");
	if (layout->several)
		xt_grid_cell(grid, "arm");
	xt_grid_cell(grid, "tps");
	xt_grid_cell(grid, "tps");
	xt_grid_cell(grid, "gain %%");
	xt_grid_cell(grid, "A'/A %%");
	for (size_t f = 0; f < layout->functions; f++)
		xt_grid_cell(grid, "calls/tx");
	xt_grid_cell(grid, "predicted");
	xt_grid_cell(grid, "verdict");
	xt_grid_end_row(grid);

	xt_grid_cell(grid, "%s", "");
	if (layout->several)
		xt_grid_cell(grid, "%s", "");
	xt_grid_cell(grid, "A");
	xt_grid_cell(grid, layout->several ? "arm" : "B");
	xt_grid_cell(grid, "[95 %% interval]");
	xt_grid_cell(grid, "[95 %% interval]");
	for (size_t f = 0; f < layout->functions; f++)
		xt_grid_cell(grid, "%s", layout->function[f]);
	xt_grid_cell(grid, "%%");
	xt_grid_end_row(grid);
}

static void row(struct xt_grid *grid, const struct layout *layout, const struct xt_view_point *point, size_t k)
{
	const struct xt_view_comparison *c = &point->comparison[k];
	const json_t *calls = json_object_get(point->json, "calls_per_transaction");
	char cell[XT_CELL];

	xt_grid_cell(grid, "%u", point->threads);
	if (layout->several)
		xt_grid_cell(grid, "%s", c->letter);
	xt_grid_cell(grid, "%s", xt_cell_tps(cell, point->tps));
	xt_grid_cell(grid, "%s", xt_cell_tps(cell, c->tps));
	xt_grid_cell(grid, "%s%s", xt_cell_gain(cell, c, layout->decimals),
	             c->totals_outside ? "*"
	             : layout->outside ? " "
	                               : "");
	xt_grid_cell(grid, "%s", xt_cell_gain(cell, &point->control, layout->decimals));
	for (size_t f = 0; f < layout->functions; f++)
		xt_grid_cell(grid, "%s", xt_cell_number(cell, xt_view_number(calls, layout->function[f]), 1));
	xt_grid_cell(grid, "%s%s", xt_cell_signed(cell, xt_view_percent(c->predicted), layout->decimals),
	             c->prediction_differs ? "!"
	             : layout->differs     ? " "
	                                   : "");
	xt_grid_cell(grid, "%s%s", *c->verdict ? c->verdict : "-", point->partial ? " (partial)" : "");
	xt_grid_end_row(grid);
}

/* A point that was begun and has nothing to compare yet. */
static void empty_row(struct xt_grid *grid, const struct layout *layout, const struct xt_view_point *point)
{
	char cell[XT_CELL];

	xt_grid_cell(grid, "%u", point->threads);
	if (layout->several)
		xt_grid_cell(grid, "-");
	xt_grid_cell(grid, "%s", xt_cell_tps(cell, point->tps));
	for (size_t i = 0; i < 4 + layout->functions; i++)
		xt_grid_cell(grid, "-");
	xt_grid_cell(grid, "%s", point->partial ? "- (partial)" : "-");
	xt_grid_end_row(grid);
}

void xt_table_ab(const json_t *record, FILE *out)
{
	struct layout layout = {.decimals = xt_cells_decimals(record)};
	struct xt_grid grid = {0};
	struct xt_view_point point;

	layout.functions = xt_view_functions(record, layout.function);
	for (size_t i = 0; i < xt_view_points(record); i++) {
		xt_view_point(record, i, &point);
		layout.several |= point.n > 1;
		for (size_t k = 0; k < point.n; k++) {
			layout.outside |= point.comparison[k].totals_outside;
			layout.differs |= point.comparison[k].prediction_differs;
		}
	}
	/* The verdict, and the letter of the arm, are words. */
	grid.left = 1u << (6 + layout.several + layout.functions) | (layout.several ? 1u << 1 : 0);
	xt_cells_head(record, "xtime ab", out);
	putc('\n', out);
	xt_cells_arms(record, out);
	putc('\n', out);
	head_row(&grid, &layout);
	for (size_t i = 0; i < xt_view_points(record); i++) {
		xt_view_point(record, i, &point);
		for (size_t k = 0; k < point.n; k++)
			row(&grid, &layout, &point, k);
		if (!point.n)
			empty_row(&grid, &layout, &point);
	}
	xt_grid_print(&grid, out);
	xt_grid_free(&grid);
	if (!xt_view_points(record))
		fputs("no point was measured\n", out);
	putc('\n', out);
	xt_table_ab_notes(record, out);
	for (size_t i = 0; i < xt_view_points(record); i++)
		xt_run_notes_figures(json_array_get(json_object_get(record, "points"), i), out);
	xt_run_notes_end(record, out);
}
