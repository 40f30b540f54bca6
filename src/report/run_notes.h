/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines around the table of a run. Nothing is printed for a record without a `load` object.
 */
#ifndef XT_REPORT_RUN_NOTES_H
#define XT_REPORT_RUN_NOTES_H

#include <jansson.h>
#include <stdio.h>

void xt_run_notes_head(const json_t *record, FILE *out);
/* Latency, failures and retries of each command of the script. */
void xt_run_commands(const json_t *point, FILE *out);
void xt_run_notes_point(const json_t *record, const json_t *point, FILE *out);
/* What the workload counted itself, of a run's or an A/B's point. */
void xt_run_notes_figures(const json_t *point, FILE *out);
/* How the checks of --validate went, if there were any; of an A/B's record too. */
void xt_run_notes_end(const json_t *record, FILE *out);

#endif
