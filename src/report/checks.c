/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of verify records.
 */
#include "report/checks.h"

#include "report/cells.h"
#include "report/grid.h"
#include "report/labcells.h"
#include "report/view.h"

#include <math.h>
#include <string.h>

static void failures_table(const json_t *record, FILE *out)
{
	struct xt_grid grid = {.left = 7 | 1 << 5};
	const json_t *row;
	size_t i, n = 0;

	xt_grid_cell(&grid, "call");
	xt_grid_cell(&grid, "path");
	xt_grid_cell(&grid, "check");
	xt_grid_cell(&grid, "failures");
	xt_grid_cell(&grid, "tried");
	xt_grid_cell(&grid, "the first");
	xt_grid_end_row(&grid);
	json_array_foreach(json_object_get(record, "rows"), i, row)
	{
		const char *source = xt_view_text(row, "source", "");

		if (!(xt_view_number(row, "failures") > 0))
			continue;
		n++;
		xt_grid_cell(&grid, "%s", xt_view_text(row, "call", ""));
		xt_grid_cell(&grid, "%s%s%s", xt_view_text(row, "path", ""), *source ? " " : "", source);
		xt_grid_cell(&grid, "%s", xt_view_text(row, "check", ""));
		xt_labcell(&grid, row, "failures", 0, "");
		xt_labcell(&grid, row, "tried", 0, "");
		xt_grid_cell(&grid, "%s", xt_view_text(row, "detail", ""));
		xt_grid_end_row(&grid);
	}
	if (n) {
		xt_grid_print(&grid, out);
		fputc('\n', out);
	}
	xt_grid_free(&grid);
}

/* Whether rows before the i-th have its path and source already. */
static bool seen_before(const json_t *rows, size_t i)
{
	const json_t *row = json_array_get(rows, i);

	for (size_t j = 0; j < i; j++) {
		const json_t *other = json_array_get(rows, j);

		if (!strcmp(xt_view_text(row, "path", ""), xt_view_text(other, "path", "")) &&
		    !strcmp(xt_view_text(row, "source", ""), xt_view_text(other, "source", "")))
			return true;
	}
	return false;
}

static void path_row(const json_t *rows, size_t first, struct xt_grid *grid)
{
	const char *path = xt_view_text(json_array_get(rows, first), "path", "");
	const char *source = xt_view_text(json_array_get(rows, first), "source", "");
	double checks = 0, tried = 0, failures = 0, untried = 0;
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		if (strcmp(xt_view_text(row, "path", ""), path) || strcmp(xt_view_text(row, "source", ""), source))
			continue;
		checks++;
		tried += xt_labcell_sum(row, "tried");
		failures += xt_labcell_sum(row, "failures");
		untried += xt_labcell_sum(row, "tried") == 0;
	}
	xt_grid_cell(grid, "%s%s%s", path, *source ? " " : "", source);
	xt_grid_cell(grid, "%.0f", checks);
	xt_grid_cell(grid, "%.0f", untried);
	xt_grid_cell(grid, "%.0f", tried);
	xt_grid_cell(grid, "%.0f", failures);
	xt_grid_cell(grid, failures > 0 ? "WRONG" : "right");
	xt_grid_end_row(grid);
}

void xt_report_verify_table(const json_t *record, FILE *out)
{
	static const char *const head[] = {"path", "checks", "not possible", "tries", "failures", "verdict"};
	const json_t *rows = json_object_get(record, "rows");
	struct xt_grid grid = {.left = 1 | 1 << 5};

	xt_cells_head(record, "xtime verify", out);
	fputc('\n', out);
	failures_table(record, out);
	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		xt_grid_cell(&grid, "%s", head[i]);
	xt_grid_end_row(&grid);
	for (size_t i = 0; i < json_array_size(rows); i++)
		if (!seen_before(rows, i))
			path_row(rows, i, &grid);
	xt_grid_print(&grid, out);
	xt_grid_free(&grid);
	xt_labcell_staleness(record, out);
}

void xt_report_verify_vdsotest(const json_t *record, FILE *out)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(record, "rows"), i, row)
	{
		const char *type = strcmp(xt_view_text(row, "check", ""), "arguments") ? "verify" : "abi";

		if (xt_view_number(row, "failures") > 0)
			fprintf(out, "%s/%s: %.0f failures/inconsistencies encountered (%s, %s: %s)\n",
			        xt_view_text(row, "call", ""), type, xt_view_number(row, "failures"),
			        xt_view_text(row, "path", ""), xt_view_text(row, "check", ""),
			        xt_view_text(row, "detail", ""));
	}
}
