/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run in the formats of sysbench and pgbench, piece by piece: for output that appears while the run goes on. `load`,
 * `row` and `point` are the record's load object, a row of a point's intervals, and a point.
 */
#ifndef XT_REPORT_FORMATS_H
#define XT_REPORT_FORMATS_H

#include <jansson.h>
#include <stdio.h>

void xt_report_sysbench_head(const json_t *record, unsigned threads, FILE *out);
/* digits: of the interval's end in seconds; sysbench's own lines have 0. */
void xt_report_sysbench_interval(const json_t *load, const json_t *row, int digits, FILE *out);
void xt_report_sysbench_point(const json_t *record, const json_t *point, FILE *out);
/* A row of the point's checkpoints that is not its last. */
void xt_report_sysbench_checkpoint(const json_t *record, const json_t *row, FILE *out);
/* The point's histogram on sysbench's grid. */
void xt_report_histogram(const json_t *point, FILE *out);

/* pgbench's progress line. epoch_s: the wall clock for --progress-timestamp, 0: seconds of the run. */
void xt_report_pgbench_interval(const json_t *load, const json_t *row, double epoch_s, FILE *out);
/* The block of one point. */
void xt_report_pgbench_point(const json_t *record, const json_t *point, FILE *out);
/* Latencies of each command of script `script` of a point, or of all when below 0. */
void xt_report_pgbench_commands(const json_t *record, const json_t *point, int script, FILE *out);

#endif
