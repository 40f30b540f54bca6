/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared cells of the lab's tables.
 */
#include "report/labcells.h"

#include "report/cells.h"
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
