/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of each schema, for xt_report_table alone. Write errors are found there, on the stream.
 */
#ifndef XT_REPORT_TABLES_H
#define XT_REPORT_TABLES_H

#include <jansson.h>
#include <stdio.h>

void xt_table_ab(const json_t *record, FILE *out);
void xt_table_run(const json_t *record, FILE *out);
void xt_table_reproduce(const json_t *record, FILE *out);

/* What stands below a table of an ab record: blocks, marks, errors. */
void xt_table_ab_notes(const json_t *record, FILE *out);

#endif
