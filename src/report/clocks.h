/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An xtime.clocks/1 record as people and other programs read it: a table, the four lines of the 2018 mail,
 * vdsotest's layout, two records side by side, and the closing verdict in words. All derived from the record.
 */
#ifndef XT_REPORT_CLOCKS_H
#define XT_REPORT_CLOCKS_H

#include "base/buf.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The row of a call by path; source NULL unless the path is "shim". NULL when the record has none. */
const json_t *xt_clocks_row(const json_t *record, const char *call, const char *path, const char *source);
/* Its ns, gross; NAN when there is no such entry. */
double xt_clocks_ns(const json_t *record, const char *call, const char *path, const char *source);

void xt_report_clocks_table(const json_t *record, FILE *out);
void xt_report_clocks_lkml2018(const json_t *record, FILE *out);
void xt_report_clocks_vdsotest(const json_t *record, FILE *out);
/* Every row that either record has: old, new, old / new. */
void xt_report_clocks_compare(const json_t *old_record, const json_t *record, FILE *out);

/* The tables of a record's references, published figures beside its own; false when it has none. */
bool xt_report_clocks_references(const json_t *record, FILE *out);

/* The verdict, one sentence a line: clock source, what the vDSO serves, what reads cost, what that means for known
 * numbers of reads per transaction. */
void xt_report_clocks_verdict(const json_t *record, struct xt_buf *out);

#endif
