/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How figures look in tables, and the lines above and below that several tables share. A figure that is not there is
 * '-'.
 */
#ifndef XT_REPORT_CELLS_H
#define XT_REPORT_CELLS_H

#include "report/view.h"

#include <stddef.h>
#include <stdio.h>

/* Longest cell with its zero. */
enum { XT_CELL = 64 };

/* A number with so many decimals, or '-'; -0.0 as 0.0. Returns buf (XT_CELL bytes). */
const char *xt_cell_number(char *buf, double value, int decimals);
/* The same with its sign. */
const char *xt_cell_signed(char *buf, double value, int decimals);
/* Transactions per second: four digits at least. */
const char *xt_cell_tps(char *buf, double tps);
/* Gain in per cent with its interval: "+6.5 [+6.1, +6.9]"; "void"; "+6.5 [too few]". */
const char *xt_cell_gain(char *buf, const struct xt_view_comparison *c, int decimals);
/* "6.1 ms", "173 us": a value in ms for people. */
const char *xt_cell_ms(char *buf, double ms);

/* Decimals that gains of this record need: 1, or 2 when the intervals are narrower than 0.3 points. */
int xt_cells_decimals(const json_t *record);

/* "oltp_time on sqlite 3.40.1", at most cap bytes. */
void xt_cells_subject(const json_t *record, char *buf, size_t cap);
/* "Intel(R) Xeon(R), 2 CPUs, Linux 6.1, clock source tsc, kvm". */
void xt_cells_machine(const json_t *record, char *buf, size_t cap);
/* Both, with when, above a table. */
void xt_cells_head(const json_t *record, const char *what, FILE *out);
/* One line for each arm: letter, name, what its swapped functions cost, and whether it is emulated. */
void xt_cells_arms(const json_t *record, FILE *out);
/* Of one arm: "" or "emulated: hpet, 565 ns a read, 100 ns added to each read". */
void xt_cells_emulated(const json_t *arm, char *buf, size_t cap);
/* "busy 3, deadlock 1" of a point's errors that are not 0; "" when there are none. */
void xt_cells_errors(const json_t *point, char *buf, size_t cap);

#endif
