/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared cells of the lab's tables.
 */
#include "report/labcells.h"

#include "report/cells.h"
#include "report/grid.h"
#include "report/view.h"

#include <math.h>

void xt_labcell(struct xt_grid *grid, const json_t *row, const char *key, int decimals, const char *unit)
{
	double value = xt_view_number(row, key);
	char text[XT_CELL];

	xt_cell_number(text, value, decimals);
	xt_grid_cell(grid, "%s%s", text, isnan(value) ? "" : unit);
}

double xt_labcell_sum(const json_t *row, const char *key)
{
	double value = xt_view_number(row, key);

	return isnan(value) ? 0 : value;
}

void xt_labcell_staleness(const json_t *record, FILE *out)
{
	const json_t *entry = json_object_get(json_object_get(record, "staleness"), "cached");
	const json_t *kept = json_object_get(entry, "kept");
	double bound = xt_view_number(entry, "bound_ms"), seen = xt_view_number(entry, "seen_ms");

	if (isnan(bound))
		return;
	if (!kept)
		xt_grid_note(out, "  ", "cached: a value is at most %.3g ms old while its ticker gets a CPU.", bound);
	else if (json_is_null(kept))
		xt_grid_note(out, "  ",
		             "cached: at most %.3g ms old, it says; without a boundary nothing was put to the test.",
		             bound);
	else if (json_is_false(kept))
		xt_grid_note(out, "  ", "cached: at most %.3g ms old, it says, and was %.3f ms behind.", bound, seen);
	else
		xt_grid_note(out, "  ", "cached: at most %.3g ms old, it says, and was: up to %.3f ms behind%s.", bound,
		             seen, seen > bound ? ", where the kernel's own tick came late, too" : "");
}
