/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A clocks record beside published figures: original and local columns.
 */
#include "report/cells.h"
#include "report/clocks.h"
#include "report/grid.h"
#include "report/labcells.h"
#include "report/view.h"

#include <math.h>
#include <string.h>

static void ns_cell(struct xt_grid *grid, double ns)
{
	if (isnan(ns))
		xt_grid_cell(grid, "n/t");
	else
		xt_grid_cell(grid, "%.2f", ns);
}

static void ratio_cell(struct xt_grid *grid, double before, double after)
{
	if (isnan(before / after))
		xt_grid_cell(grid, "%s", "");
	else
		xt_grid_cell(grid, "%.2fx", before / after);
}

static void heads(struct xt_grid *grid, const char *const *head, size_t n)
{
	for (size_t i = 0; i < n; i++)
		xt_grid_cell(grid, "%s", head[i]);
	xt_grid_end_row(grid);
}

static void four(const json_t *rows, FILE *out)
{
	static const char *const head[] = {"ns per call", "path", "2018", "here"};
	struct xt_grid grid = {.left = 3};
	const json_t *row;
	size_t i;

	heads(&grid, head, 4);
	json_array_foreach(rows, i, row)
	{
		xt_grid_cell(&grid, "%s", xt_view_text(row, "call", ""));
		xt_grid_cell(&grid, "%s", xt_view_text(row, "path", ""));
		ns_cell(&grid, xt_view_number(row, "published_ns"));
		ns_cell(&grid, xt_view_number(row, "ns"));
		xt_grid_end_row(&grid);
	}
	xt_grid_print(&grid, out);
	xt_grid_free(&grid);
	fputs("\n2018: 3.1 GHz Ryzen, as the mail has it.\n", out);
}

static void sixteen(const json_t *rows, bool compared, FILE *out)
{
	static const char *const head[] = {
		"ns per call", "2019 before", "2019 after", "", "here \"before\"", "here after", ""};
	struct xt_grid grid = {.left = 1};
	const json_t *row;
	size_t i;

	heads(&grid, head, 7);
	json_array_foreach(rows, i, row)
	{
		double published[2] = {xt_view_number(row, "published_before_ns"),
		                       xt_view_number(row, "published_after_ns")};
		double here[2] = {xt_view_number(row, "before_ns"), xt_view_number(row, "after_ns")};

		xt_grid_cell(&grid, "%s", xt_view_text(row, "call", ""));
		ns_cell(&grid, published[0]);
		ns_cell(&grid, published[1]);
		ratio_cell(&grid, published[0], published[1]);
		ns_cell(&grid, here[0]);
		ns_cell(&grid, here[1]);
		ratio_cell(&grid, here[0], here[1]);
		xt_grid_end_row(&grid);
	}
	xt_grid_print(&grid, out);
	xt_grid_free(&grid);
	fputc('\n', out);
	if (compared)
		xt_grid_note(out, "",
		             "2019: Cortex-A15, 5.2-rc3 before and after the unified vDSO. Here: the vDSO of the old "
		             "record's kernel and of this one.");
	else
		xt_grid_note(out, "",
		             "2019: Cortex-A15, 5.2-rc3 before and after the unified vDSO. Here: one kernel, so this "
		             "machine's system call stands for \"before\" and its vDSO for \"after\".");
}

bool xt_report_clocks_references(const json_t *record, FILE *out)
{
	const json_t *list = json_object_get(record, "references"), *series;
	size_t i;

	if (json_array_size(list)) {
		xt_cells_head(record, "xtime clocks", out);
		fputc('\n', out);
	}
	json_array_foreach(list, i, series)
	{
		const json_t *rows = json_object_get(series, "rows");

		if (i)
			fputc('\n', out);
		if (!strcmp(xt_view_text(series, "name", ""), "2018-06"))
			four(rows, out);
		else
			sixteen(rows, json_is_true(json_object_get(series, "compared")), out);
	}
	return json_array_size(list) > 0;
}
