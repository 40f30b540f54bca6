/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Everything that people read, derived from a record and from nothing else: the same record gives the same bytes.
 *
 * Beside the fields of the record's contract, these are read where they are there: points[].arms[].tps_ci95 ([lo, hi],
 * an interval of the base's tps), points[].arms[].tps_typical (median over blocks of the arm's slice rate, as tps).
 */
#ifndef XT_REPORT_REPORT_H
#define XT_REPORT_REPORT_H

#include "base/err.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Each writes one record of any schema as text. FAILED when it cannot be written (disk full, closed pipe). */
int xt_report_table(const json_t *record, FILE *out, struct xt_err *err);
/* Named columns, one table for each kind of row; several tables (xtime.reproduce/1) are parted by an empty line. */
int xt_report_csv(const json_t *record, FILE *out, struct xt_err *err);

/* A run as sysbench 1.0.20 and pgbench 15 print theirs; USAGE for other records. */
int xt_report_sysbench(const json_t *record, FILE *out, struct xt_err *err);
int xt_report_pgbench(const json_t *record, FILE *out, struct xt_err *err);

/* Whether the record holds points that a picture can show. */
bool xt_report_drawable(const json_t *record);

/* One self-contained page: figures, picture (where there is something to draw and gnuplot is there), tables, notes, and
 * the record itself in <script id="record" type="application/json">. Loads nothing and runs nothing. */
int xt_report_html(const json_t *record, FILE *out, struct xt_err *err);

enum xt_picture {
	XT_PICTURE_SVG,
	XT_PICTURE_PNG,
};

/* Draws a record (ab, run, or a reproduce that holds one) with gnuplot, in a clean environment, into path: whole or not
 * at all. USAGE when the record has nothing to draw. Without gnuplot: the data with its script is kept in PATH.gp, and
 * the error (FAILED) says so. */
int xt_report_plot(const json_t *record, const char *path, enum xt_picture picture, struct xt_err *err);
/* The same into a stream; without gnuplot the data goes to the file `keep`. */
int xt_report_plot_stream(const json_t *record, FILE *out, const char *keep, enum xt_picture picture,
                          struct xt_err *err);

/* The formats of `--format`, ending with a NULL name. */
struct xt_report_format {
	const char *name;
	const char *summary;
	int (*write)(const json_t *record, FILE *out, struct xt_err *err); /* NULL: a picture, see xt_report_plot */
	enum xt_picture picture;
	bool single; /* one record makes one file: several cannot follow each other */
};
extern const struct xt_report_format xt_report_formats[];

/* NULL: none of that name. */
const struct xt_report_format *xt_report_format_find(const char *name);

#endif
