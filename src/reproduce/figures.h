/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The published figures, as constants: what the mails and pages say, never what was measured here. A row that the
 * source left out is NAN.
 */
#ifndef XT_REPRODUCE_FIGURES_H
#define XT_REPRODUCE_FIGURES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* sysbench OLTP before and after the sys_time() speedup. */
struct xt_figure_2007 {
	const char *series; /* "2007-06", "2007-10-amd", "2007-10-intel" */
	unsigned threads;
	unsigned before_transactions;
	double before_tps;
	unsigned after_transactions;
	double after_tps;
};
extern const struct xt_figure_2007 xt_figures_2007[];
extern const size_t xt_figures_2007_count;

/* The row of a series at a thread count; NULL when it was not published. */
const struct xt_figure_2007 *xt_figure_2007_find(const char *series, unsigned threads);

/* A point's `references`: [{name, before_tps, after_tps, ratio}] of all series at this thread count; empty when none
 * was published. New reference; NULL when out of memory. */
json_t *xt_figures_2007_references(unsigned threads);

/* Cost of one clock_gettime(CLOCK_REALTIME or its coarse sister), and of the pwrite that it is set against. */
struct xt_figure_2018 {
	const char *path;  /* "vdso", "syscall" */
	const char *clock; /* "hires", "coarse" */
	double ns;
};
extern const struct xt_figure_2018 xt_figures_2018[];
extern const size_t xt_figures_2018_count;

/* vdsotest, ns per call through the vDSO. */
struct xt_figure_2019 {
	const char *call;
	double before_ns, after_ns; /* NAN: n/t, not implemented */
};
extern const struct xt_figure_2019 xt_figures_2019[];
extern const size_t xt_figures_2019_count;

/* Published cost of one hi-res read per kernel clock source. */
struct xt_figure_clocksource {
	const char *clocksource;
	double ns;
	const char *setup;
	const char *source;
	bool preset; /* what @CLOCKSOURCE takes */
};
extern const struct xt_figure_clocksource xt_figures_clocksources[];
extern const size_t xt_figures_clocksources_count;

#endif
