/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Below the table of a run: what each command of the script took, with the percentiles that were asked for.
 */
#include "report/cells.h"
#include "report/grid.h"
#include "report/run_notes.h"
#include "report/view.h"

/* Percentiles that have no column of their own. */
static bool extra(const json_t *percentile)
{
	double p = xt_view_number(percentile, "percentile");

	return p != 50 && p != 95 && p != 99;
}

static void head(struct xt_grid *grid, const json_t *first)
{
	static const char *const names[] = {"    count", "failures", "retries", "avg ms", "p50 ms", "p95 ms", "p99 ms"};
	unsigned columns = 0;
	json_t *percentile;
	size_t i;

	for (; columns < sizeof(names) / sizeof(*names); columns++)
		xt_grid_cell(grid, "%s", names[columns]);
	json_array_foreach(json_object_get(first, "percentiles"), i, percentile)
	{
		if (!extra(percentile))
			continue;
		xt_grid_cell(grid, "p%.12g ms", xt_view_number(percentile, "percentile"));
		columns++;
	}
	xt_grid_cell(grid, "max ms");
	xt_grid_cell(grid, "command");
	if (columns + 1 < 32)
		grid->left = 1u << (columns + 1);
	xt_grid_end_row(grid);
}

static void command(struct xt_grid *grid, const json_t *row)
{
	static const char *const counts[] = {"failures", "retries"}, *const times[] = {"avg_ms", "p50_ms", "p95_ms",
	                                                                               "p99_ms"};
	json_t *percentile;
	char cell[XT_CELL];
	size_t i;

	xt_grid_cell(grid, "    %s", xt_cell_number(cell, xt_view_number(row, "count"), 0));
	for (i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		xt_grid_cell(grid, "%s", xt_cell_number(cell, xt_view_number(row, counts[i]), 0));
	for (i = 0; i < sizeof(times) / sizeof(*times); i++)
		xt_grid_cell(grid, "%s", xt_cell_ms(cell, xt_view_number(row, times[i])));
	json_array_foreach(json_object_get(row, "percentiles"), i, percentile)
	{
		if (extra(percentile))
			xt_grid_cell(grid, "%s", xt_cell_ms(cell, xt_view_number(percentile, "ms")));
	}
	xt_grid_cell(grid, "%s", xt_cell_ms(cell, xt_view_number(row, "max_ms")));
	xt_grid_cell(grid, "%s", xt_view_text(row, "command", ""));
	xt_grid_end_row(grid);
}

/* Whether some ran more often than they were timed. */
static bool sampled(const json_t *commands)
{
	json_t *row;
	size_t i;

	json_array_foreach((json_t *)commands, i,
	                   row) if (xt_view_number(row, "timed") < xt_view_number(row, "count")) return true;
	return false;
}

void xt_run_commands(const json_t *point, FILE *out)
{
	const json_t *commands = json_object_get(point, "commands");
	struct xt_grid grid = {0};
	json_t *row;
	size_t i;

	if (!json_array_size(commands))
		return;
	xt_grid_note(out, "    ",
	             sampled(commands) ? "commands of the script (times of those that are no statements: of a sample):"
	                               : "commands of the script:");
	head(&grid, json_array_get(commands, 0));
	json_array_foreach((json_t *)commands, i, row) command(&grid, row);
	xt_grid_print(&grid, out);
	xt_grid_free(&grid);
}
