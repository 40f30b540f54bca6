/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables and verdicts of coherence records.
 */
#include "report/checks.h"

#include "report/cells.h"
#include "report/grid.h"
#include "report/labcells.h"
#include "report/view.h"

#include <math.h>
#include <string.h>

static bool is_info(const json_t *row)
{
	return json_is_true(json_object_get(row, "info"));
}

bool xt_coherence_is_wrong(const json_t *record)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(record, "rows"), i,
	                   row) if (!is_info(row) && xt_view_number(row, "backward_steps") > 0) return true;
	json_array_foreach(
		json_object_get(record, "file_stamps"), i,
		row) if (json_is_true(json_object_get(row, "local")) &&
	                 (xt_view_number(row, "wrong") > 0 || xt_view_number(row, "backward_steps") > 0)) return true;
	return false;
}

static void pairs_table(const json_t *record, FILE *out)
{
	static const char *const head[] = {"implementation", "first",  "then",        "scope",
	                                   "reads",          "behind", "largest lag", "steps back"};
	struct xt_grid grid = {.left = 15};
	const json_t *row;
	size_t i, n = 0;

	for (size_t k = 0; k < sizeof(head) / sizeof(head[0]); k++)
		xt_grid_cell(&grid, "%s", head[k]);
	xt_grid_end_row(&grid);
	json_array_foreach(json_object_get(record, "rows"), i, row)
	{
		if (is_info(row) || !(xt_view_number(row, "violations") > 0))
			continue;
		n++;
		xt_grid_cell(&grid, "%s", xt_view_text(row, "implementation", ""));
		xt_grid_cell(&grid, "%s", xt_view_text(row, "first", ""));
		xt_grid_cell(&grid, "%s", xt_view_text(row, "second", ""));
		xt_grid_cell(&grid, "%s", xt_view_text(row, "scope", ""));
		xt_labcell(&grid, row, "reads", 0, "");
		xt_labcell(&grid, row, "violations", 0, "");
		xt_labcell(&grid, row, "max_lag_ms", 3, " ms");
		xt_labcell(&grid, row, "backward_steps", 0, "");
		xt_grid_end_row(&grid);
	}
	if (n) {
		xt_grid_print(&grid, out);
		fputc('\n', out);
	}
	xt_grid_free(&grid);
}

/* What the rows of one implementation amount to, without those that are for information. */
struct sum {
	double reads, boundaries, behind, backward, lag_ms;
	const char *first, *second; /* of the largest lag */
};

static struct sum sum_of(const json_t *record, const char *implementation)
{
	struct sum sum = {.first = "", .second = ""};
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(record, "rows"), i, row)
	{
		if (is_info(row) || strcmp(xt_view_text(row, "implementation", ""), implementation))
			continue;
		sum.reads += xt_labcell_sum(row, "reads");
		sum.behind += xt_labcell_sum(row, "violations");
		sum.backward += xt_labcell_sum(row, "backward_steps");
		if (sum.boundaries < xt_labcell_sum(row, "boundaries"))
			sum.boundaries = xt_labcell_sum(row, "boundaries");
		if (xt_labcell_sum(row, "violations") > 0 && xt_labcell_sum(row, "max_lag_ms") >= sum.lag_ms) {
			sum.lag_ms = xt_labcell_sum(row, "max_lag_ms");
			sum.first = xt_view_text(row, "first", "");
			sum.second = xt_view_text(row, "second", "");
		}
	}
	return sum;
}

/* "5.497 ms (1.4 ticks)" where the record has the kernel's tick. */
static const char *lag_text(const json_t *record, double lag_ms, char buf[XT_CELL])
{
	double tick = xt_view_number(json_object_get(record, "host"), "coarse_resolution_ns") / 1e6;

	if (tick > 0)
		snprintf(buf, XT_CELL, "%.3f ms (%.1f ticks)", lag_ms, lag_ms / tick);
	else
		snprintf(buf, XT_CELL, "%.3f ms", lag_ms);
	return buf;
}

static void verdict(const json_t *record, const char *implementation, FILE *out)
{
	struct sum sum = sum_of(record, implementation);
	char lag[XT_CELL];

	lag_text(record, sum.lag_ms, lag);
	if (sum.backward > 0)
		xt_grid_note(
			out, "  ",
			"%s: WRONG: %.0f times a reading was behind an earlier one by more than its clock may lag (%s "
			"after %s, up to %s).",
			implementation, sum.backward, sum.second, sum.first, lag);
	else if (sum.behind > 0)
		xt_grid_note(
			out, "  ",
			"%s: not coherent, within its resolution: %s gave an earlier second than %s had shown, up to "
			"%s after a boundary of the second; no steps back.",
			implementation, sum.second, sum.first, lag);
	else if (sum.boundaries > 0)
		xt_grid_note(out, "  ", "%s: coherent: no reading behind an earlier one in %.3g pairs.", implementation,
		             sum.reads);
	else
		xt_grid_note(out, "  ", "%s: nothing behind in %.3g pairs, but no boundary of the second was passed.",
		             implementation, sum.reads);
}

/* The coarse clock is behind by nature: said once, and outside the verdict. */
static void info(const json_t *record, FILE *out)
{
	const json_t *rows = json_object_get(record, "rows"), *row;
	char text[XT_CELL];
	double lag = 0;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		if (is_info(row) && xt_view_number(row, "max_lag_ms") > lag)
			lag = xt_view_number(row, "max_lag_ms");
	}
	if (lag > 0)
		xt_grid_note(out, "  ",
		             "For information: CLOCK_REALTIME_COARSE was behind the others by up to %s, as it may be.",
		             lag_text(record, lag, text));
}

static void stamps(const json_t *record, FILE *out)
{
	const json_t *list = json_object_get(record, "file_stamps"), *row;
	char lag[XT_CELL];
	size_t i;

	json_array_foreach(list, i, row)
	{
		bool wrong = xt_view_number(row, "wrong") > 0 || xt_view_number(row, "backward_steps") > 0;

		xt_grid_note(
			out, "  ",
			"file stamps on %s: %s%.0f of %.0f mtimes behind a clock reading made before the write, by up "
			"to %s.",
			xt_view_text(row, "filesystem", ""), wrong ? "WRONG, older than the coarse clock: " : "",
			xt_labcell_sum(row, "older"), xt_labcell_sum(row, "writes"),
			lag_text(record, xt_labcell_sum(row, "max_lag_ms"), lag));
	}
}

static void histogram_of(const json_t *entry, FILE *out)
{
	const json_t *counts = json_object_get(entry, "log2_ns");
	double total = 0, running = 0;
	json_t *count;
	size_t i;

	json_array_foreach(counts, i, count) total += json_number_value(count);
	fprintf(out, "\n%s, %s: differences of consecutive readings\n%8s   %10s %10s %10s\n",
	        xt_view_text(entry, "implementation", ""), xt_view_text(entry, "call", ""), "<= ns", "% of total",
	        "running %", "count");
	json_array_foreach(counts, i, count)
	{
		double share = total > 0 ? 100 * json_number_value(count) / total : 0;

		running += share;
		fprintf(out, "%8.0f   %10.4f %10.4f %10.0f\n", ldexp(1, (int)i) - 1, share, running,
		        json_number_value(count));
	}
}

void xt_report_coherence_table(const json_t *record, FILE *out)
{
	const json_t *rows = json_object_get(record, "rows"), *row;
	const char *last = NULL;
	size_t i;

	xt_cells_head(record, "xtime coherence", out);
	fputc('\n', out);
	pairs_table(record, out);
	json_array_foreach(rows, i, row)
	{
		const char *implementation = xt_view_text(row, "implementation", "");

		if (last && !strcmp(last, implementation))
			continue;
		last = implementation;
		verdict(record, implementation, out);
	}
	xt_labcell_staleness(record, out);
	info(record, out);
	stamps(record, out);
}

void xt_report_coherence_histogram(const json_t *record, FILE *out)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(record, "differences"), i, entry) histogram_of(entry, out);
}
