/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of a run: one row per thread count.
 */
#include "report/cells.h"
#include "report/grid.h"
#include "report/labcells.h"
#include "report/run_notes.h"
#include "report/tables.h"

#include <math.h>
#include <string.h>

static void row(struct xt_grid *grid, const json_t *point)
{
	static const char *const latencies[] = {"avg", "p50", "p95", "p99", "max"};
	const json_t *latency = json_object_get(point, "latency_ms");
	double failed = 0;
	const char *class;
	json_t *count;
	char cell[XT_CELL];

	json_object_foreach(json_object_get(point, "errors"), class, count) failed += json_number_value(count);
	xt_grid_cell(grid, "%s", xt_cell_number(cell, xt_view_number(point, "threads"), 0));
	xt_grid_cell(grid, "%s", xt_cell_number(cell, xt_view_number(point, "seconds"), 2));
	xt_grid_cell(grid, "%s", xt_cell_number(cell, xt_view_number(point, "transactions"), 0));
	xt_grid_cell(grid, "%s", xt_cell_tps(cell, xt_view_number(point, "tps")));
	xt_grid_cell(grid, "%s", xt_cell_tps(cell, xt_view_number(point, "qps")));
	for (size_t i = 0; i < sizeof(latencies) / sizeof(*latencies); i++)
		xt_grid_cell(grid, "%s", xt_cell_ms(cell, xt_view_number(latency, latencies[i])));
	xt_grid_cell(grid, "%s", xt_cell_number(cell, xt_view_number(point, "cpu_us_per_transaction"), 1));
	xt_grid_cell(grid, "%s", xt_cell_number(cell, json_object_get(point, "errors") ? failed : NAN, 0));
	if (json_is_true(json_object_get(point, "partial")))
		xt_grid_cell(grid, "(partial)");
	xt_grid_end_row(grid);
}

static void note_errors(const json_t *point, FILE *out)
{
	char text[512], threads[XT_CELL], retries[XT_CELL], reconnects[XT_CELL];

	xt_cells_errors(point, text, sizeof(text));
	if (*text)
		xt_grid_note(out, "  ", "threads %s: errors: %s; retries %s, reconnects %s.",
		             xt_cell_number(threads, xt_view_number(point, "threads"), 0), text,
		             xt_cell_number(retries, xt_view_number(point, "retries"), 0),
		             xt_cell_number(reconnects, xt_view_number(point, "reconnects"), 0));
}

void xt_table_run(const json_t *record, FILE *out)
{
	static const char *const head[][11] = {
		{"threads", "seconds", "transactions", "tps", "qps", "avg", "p50", "p95", "p99", "max", "CPU us"},
		{"", "", "", "", "", "ms", "ms", "ms", "ms", "ms", "/tx"},
	};
	struct xt_grid grid = {.left = 1u << 12};
	json_t *point;
	size_t i;

	for (size_t line = 0; line < 2; line++) {
		for (size_t k = 0; k < 11; k++)
			xt_grid_cell(&grid, "%s", head[line][k]);
		xt_grid_cell(&grid, "%s", line ? "" : "errors");
		xt_grid_end_row(&grid);
	}
	xt_cells_head(record, "xtime run", out);
	xt_run_notes_head(record, out);
	putc('\n', out);
	json_array_foreach(json_object_get(record, "points"), i, point) row(&grid, point);
	xt_grid_print(&grid, out);
	xt_grid_free(&grid);
	if (!xt_view_points(record))
		fputs("no point was measured\n", out);
	json_array_foreach(json_object_get(record, "points"), i, point)
	{
		note_errors(point, out);
		xt_run_notes_point(record, point, out);
	}
	xt_labcell_staleness(record, out);
	xt_run_notes_end(record, out);
}
