/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * verify and coherence records as people read them, and what they amount to. All derived from the record.
 */
#ifndef XT_REPORT_CHECKS_H
#define XT_REPORT_CHECKS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Failures in full, then what was tried by each path. */
void xt_report_verify_table(const json_t *record, FILE *out);
/* As vdsotest ends a bad run: "{call}/{check}: {n} failures/inconsistencies encountered"; nothing when all is well. */
void xt_report_verify_vdsotest(const json_t *record, FILE *out);

/* The pairs in which something was behind, then a verdict per implementation. */
void xt_report_coherence_table(const json_t *record, FILE *out);
/* How far consecutive readings were apart, in pg_test_timing's columns. */
void xt_report_coherence_histogram(const json_t *record, FILE *out);

/* Whether a reading was wrong beyond its own resolution: a step back outside the rows that are for information, or a
 * file stamp older than the coarse clock on a local file system. */
bool xt_coherence_is_wrong(const json_t *record);

#endif
