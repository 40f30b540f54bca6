/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture of a run: throughput per thread count above, latencies below.
 */
#include "report/plot.h"
#include "report/view.h"

#include <math.h>

static const char *const latencies[] = {"avg", "p50", "p95", "p99"};
enum { LATENCIES = sizeof(latencies) / sizeof(*latencies) };

static const json_t *point_at(const json_t *record, size_t i)
{
	return json_array_get(json_object_get(record, "points"), i);
}

/* One series by the name of its field, in latency_ms or (throughput) the point itself. Returns its largest value, 0
 * without one. */
static double put(const json_t *record, const char *field, bool latency, struct xt_buf *out)
{
	double top = 0;

	xt_buf_printf(out, "$%s << EOD\n", field);
	for (size_t i = 0; i < xt_view_points(record); i++) {
		const json_t *point = point_at(record, i);
		double value = xt_view_number(latency ? json_object_get(point, "latency_ms") : point, field);

		if (isfinite(value))
			xt_buf_printf(out, "%zu %.12g\n", i + 1, value);
		top = fmax(top, value);
	}
	xt_buf_puts(out, "EOD\n");
	return top;
}

int xt_plot_run(const json_t *record, struct xt_buf *out)
{
	double tps = put(record, "tps", false, out);
	double slowest[LATENCIES], top = 0;
	bool thousands = tps >= 2000;
	bool first = true;

	for (size_t k = 0; k < LATENCIES; k++) {
		slowest[k] = put(record, latencies[k], true, out);
		top = fmax(top, slowest[k]);
	}
	if (!(tps > 0))
		return -1;
	xt_plot_axes(out, record);
	xt_buf_puts(out, "set multiplot\n");
	xt_plot_panel(out, 0, 1);
	xt_buf_printf(out, "set ylabel '%stransactions/s'\nset yrange [0:%.6g]\n", thousands ? "k " : "",
	              tps * 1.06 / (thousands ? 1000 : 1));
	xt_buf_printf(out, "plot $tps using 1:($2/%s) with linespoints lc '%s' lw 1.8 pt 7 ps 0.9 title 'throughput'\n",
	              thousands ? "1000.0" : "1.0", xt_plot_colour(1));
	xt_buf_puts(out, "unset label\n");
	xt_plot_panel(out, 1, LATENCIES);
	xt_buf_printf(out, "set ylabel 'latency, ms'\nset xlabel 'threads'\nset yrange [0:%.6g]\nplot ", top * 1.06);
	for (size_t k = 0; k < LATENCIES; k++) {
		if (!(slowest[k] > 0))
			continue;
		xt_buf_printf(out, "%s$%s using 1:2 with linespoints lc '%s' lw 1.8 pt 7 ps 0.9 title '%s'",
		              first ? "" : ", ", latencies[k], xt_plot_colour(k + 1), latencies[k]);
		first = false;
	}
	xt_buf_puts(out, first ? "0 with lines lc '#404040' notitle\n" : "\n");
	xt_buf_puts(out, "unset multiplot\n");
	return 0;
}
