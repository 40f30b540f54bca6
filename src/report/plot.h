/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a record to gnuplot's script (with its data inside), and from a script to a picture.
 */
#ifndef XT_REPORT_PLOT_H
#define XT_REPORT_PLOT_H

#include "base/buf.h"
#include "base/err.h"
#include "report/report.h"

/* The record that would be drawn: itself (ab, run), or the first embedded ab or run; NULL: none. Borrowed. */
const json_t *xt_plot_subject(const json_t *record);

/* The whole script; the picture goes to gnuplot's standard output. USAGE when there is nothing to draw. */
int xt_plot_script(const json_t *record, enum xt_picture picture, struct xt_buf *out, struct xt_err *err);

/* Runs gnuplot on a script, without LD_PRELOAD and XTIME_* in its environment. Returns 0 with the picture in out, 1
 * when there is no gnuplot, -1 with err when it failed. */
int xt_gnuplot_run(const char *script, struct xt_buf *out, struct xt_err *err);

/* The two kinds of pictures, for plot.c. */
int xt_plot_ab(const json_t *record, struct xt_buf *out);
int xt_plot_run(const json_t *record, struct xt_buf *out);

/* A text as gnuplot's quoted string: no substitution, no control characters, at most max characters. */
void xt_plot_quote(struct xt_buf *out, const char *text, size_t max);

/* Frame of the upper (0) or lower (1) panel, with the key beside it for so many entries. */
void xt_plot_panel(struct xt_buf *out, int panel, size_t entries);
/* Title lines, the axis of thread counts. points: how many there are. */
void xt_plot_axes(struct xt_buf *out, const json_t *record);
/* "line 1 in this colour" and so on: the series' look by its number. */
const char *xt_plot_colour(size_t series);

#endif
