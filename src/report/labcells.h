/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells that the tables of clocks, verify and coherence records share.
 */
#ifndef XT_REPORT_LABCELLS_H
#define XT_REPORT_LABCELLS_H

#include "report/grid.h"

#include <jansson.h>
#include <stdio.h>

/* A member of the row with so many decimals and its unit; '-' when it is absent. */
void xt_labcell(struct xt_grid *grid, const json_t *row, const char *key, int decimals, const char *unit);

/* A member as a number to add up: 0 when it is absent. */
double xt_labcell_sum(const json_t *row, const char *key);

/* How old values of cached may be, and in a coherence record whether they were no older; nothing where it is not used.
 */
void xt_labcell_staleness(const json_t *record, FILE *out);

#endif
