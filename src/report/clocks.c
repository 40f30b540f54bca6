/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables and machine-readable layouts of clocks records.
 */
#include "report/clocks.h"

#include "report/cells.h"
#include "report/grid.h"
#include "report/labcells.h"
#include "report/view.h"

#include <math.h>
#include <string.h>

static const char *const paths[] = {"vdso", "libc", "syscall"};
enum { PATHS = 3 };

/* vdsotest's calls in the order in which the 2019 mail lists them. */
static const char *const vdsotest_calls[] = {
	"clock-gettime-monotonic",
	"clock-getres-monotonic",
	"clock-gettime-monotonic-coarse",
	"clock-getres-monotonic-coarse",
	"clock-gettime-monotonic-raw",
	"clock-getres-monotonic-raw",
	"clock-gettime-tai",
	"clock-getres-tai",
	"clock-gettime-boottime",
	"clock-getres-boottime",
	"clock-gettime-realtime",
	"clock-getres-realtime",
	"clock-gettime-realtime-coarse",
	"clock-getres-realtime-coarse",
	"getcpu",
	"gettimeofday",
};

const json_t *xt_clocks_row(const json_t *record, const char *call, const char *path, const char *source)
{
	const json_t *rows = json_object_get(record, "rows");
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i, row) if (!strcmp(xt_view_text(row, "call", ""), call) &&
	                                     !strcmp(xt_view_text(row, "path", ""), path) &&
	                                     (!source || !strcmp(xt_view_text(row, "source", ""), source))) return row;
	return NULL;
}

double xt_clocks_ns(const json_t *record, const char *call, const char *path, const char *source)
{
	return xt_view_number(xt_clocks_row(record, call, path, source), "ns");
}

static double half_width(const json_t *row)
{
	const json_t *ci95 = json_object_get(row, "ci95");

	if (!json_is_array(ci95))
		return NAN;
	return (json_number_value(json_array_get(ci95, 1)) - json_number_value(json_array_get(ci95, 0))) / 2;
}

/* Whether a call by vDSO or libc was seen to enter the kernel. */
static bool enters(const json_t *row)
{
	return xt_view_number(row, "entries_per_call") > 0.5;
}

static bool is_wrong(const json_t *row)
{
	return json_is_string(json_object_get(row, "wrong")) || xt_view_number(row, "backward_steps") > 0;
}

static void cost_cell(struct xt_grid *grid, const json_t *row)
{
	double ns = xt_view_number(row, "ns"), half = half_width(row);
	const char *mark = is_wrong(row) ? "!" : enters(row) ? "*" : "";

	if (isnan(ns))
		xt_grid_cell(grid, "n/t");
	else if (isnan(half))
		xt_grid_cell(grid, "%.2f%s", ns, mark);
	else
		xt_grid_cell(grid, "%.2f ± %.2f%s", ns, half, mark);
}

static void resolution_cell(struct xt_grid *grid, double ns)
{
	if (isnan(ns))
		xt_grid_cell(grid, "%s", "");
	else if (ns >= 1e9)
		xt_grid_cell(grid, "%.3g s", ns / 1e9);
	else if (ns >= 1e6)
		xt_grid_cell(grid, "%.3g ms", ns / 1e6);
	else if (ns >= 1e3)
		xt_grid_cell(grid, "%.3g us", ns / 1e3);
	else
		xt_grid_cell(grid, "%.3g ns", ns);
}

/* The smallest step that any path has shown. */
static double resolution_of(const json_t *record, const char *call)
{
	double best = NAN;

	for (int p = 0; p < PATHS; p++) {
		double ns = xt_view_number(xt_clocks_row(record, call, paths[p], NULL), "resolution_ns");

		if (isnan(best) || ns < best)
			best = ns;
	}
	return best;
}

static bool is_first(const json_t *rows, size_t i, const char *key, const char *path)
{
	const char *name = xt_view_text(json_array_get(rows, i), key, "");

	for (size_t j = 0; j < i; j++) {
		const json_t *row = json_array_get(rows, j);

		if (!strcmp(xt_view_text(row, "path", ""), path) && !strcmp(xt_view_text(row, key, ""), name))
			return false;
	}
	return true;
}

static void calls_table(const json_t *record, FILE *out)
{
	const json_t *rows = json_object_get(record, "rows");
	struct xt_grid grid = {.left = 1};
	const json_t *row;
	size_t i;

	xt_grid_cell(&grid, "ns per call");
	for (int p = 0; p < PATHS; p++)
		xt_grid_cell(&grid, "%s", paths[p]);
	xt_grid_cell(&grid, "resolution");
	xt_grid_end_row(&grid);
	json_array_foreach(rows, i, row)
	{
		const char *call = xt_view_text(row, "call", "");

		if (strcmp(xt_view_text(row, "path", ""), paths[0]) || !is_first(rows, i, "call", paths[0]))
			continue;
		xt_grid_cell(&grid, "%s", call);
		for (int p = 0; p < PATHS; p++)
			cost_cell(&grid, xt_clocks_row(record, call, paths[p], NULL));
		resolution_cell(&grid, resolution_of(record, call));
		xt_grid_end_row(&grid);
	}
	xt_grid_print(&grid, out);
	xt_grid_free(&grid);
}

static void sources_table(const json_t *record, FILE *out)
{
	static const char *const calls[] = {"time", "gettimeofday", "clock-gettime-realtime",
	                                    "clock-gettime-monotonic"};
	const json_t *rows = json_object_get(record, "rows");
	struct xt_grid grid = {.left = 1};
	const json_t *row;
	bool any = false;
	size_t i;

	xt_grid_cell(&grid, "source of the shim");
	for (int c = 0; c < 4; c++)
		xt_grid_cell(&grid, "%s", calls[c]);
	xt_grid_end_row(&grid);
	json_array_foreach(rows, i, row)
	{
		const char *source = xt_view_text(row, "source", "");

		if (strcmp(xt_view_text(row, "path", ""), "shim") || !is_first(rows, i, "source", "shim"))
			continue;
		any = true;
		xt_grid_cell(&grid, "%s", source);
		for (int c = 0; c < 4; c++) {
			const json_t *cell = xt_clocks_row(record, calls[c], "shim", source);

			if (cell)
				cost_cell(&grid, cell);
			else
				xt_grid_cell(&grid, "-");
		}
		xt_grid_end_row(&grid);
	}
	if (any) {
		fputc('\n', out);
		xt_grid_print(&grid, out);
	}
	xt_grid_free(&grid);
}

static void yardsticks_table(const json_t *record, FILE *out)
{
	const json_t *rows = json_object_get(record, "rows");
	struct xt_grid grid = {.left = 1};
	const json_t *row;
	bool any = false;
	size_t i;

	xt_grid_cell(&grid, "beside them");
	xt_grid_cell(&grid, "ns");
	xt_grid_cell(&grid, "net");
	xt_grid_end_row(&grid);
	json_array_foreach(rows, i, row)
	{
		if (strcmp(xt_view_text(row, "path", ""), "none"))
			continue;
		any = true;
		xt_grid_cell(&grid, "%s", xt_view_text(row, "call", ""));
		cost_cell(&grid, row);
		xt_labcell(&grid, row, "ns_net", 2, "");
		xt_grid_end_row(&grid);
	}
	if (any) {
		fputc('\n', out);
		xt_grid_print(&grid, out);
	}
	xt_grid_free(&grid);
}

static void stamps_table(const json_t *record, FILE *out)
{
	const json_t *list = json_object_get(record, "file_stamps");
	struct xt_grid grid = {.left = 3};
	const json_t *row;
	size_t i;

	if (!json_array_size(list))
		return;
	xt_grid_cell(&grid, "file stamps");
	xt_grid_cell(&grid, "folder");
	xt_grid_cell(&grid, "pwrite");
	xt_grid_cell(&grid, "fstat");
	xt_grid_cell(&grid, "both");
	xt_grid_cell(&grid, "fine stamp adds");
	xt_grid_cell(&grid, "writes");
	xt_grid_cell(&grid, "mtimes");
	xt_grid_cell(&grid, "largest lag");
	xt_grid_end_row(&grid);
	json_array_foreach(list, i, row)
	{
		xt_grid_cell(&grid, "%s", xt_view_text(row, "filesystem", ""));
		xt_grid_cell(&grid, "%s", xt_view_text(row, "folder", "-"));
		cost_cell(&grid, json_object_get(row, "pwrite"));
		cost_cell(&grid, json_object_get(row, "fstat"));
		cost_cell(&grid, json_object_get(row, "pwrite_fstat"));
		if (json_is_true(json_object_get(row, "multigrain")))
			xt_grid_cell(&grid, "%+.0f ns (%+.1f %%)", xt_labcell_sum(row, "surcharge_ns"),
			             xt_labcell_sum(row, "surcharge_percent"));
		else
			xt_grid_cell(&grid, "no fine stamps");
		xt_labcell(&grid, row, "writes", 0, "");
		xt_labcell(&grid, row, "distinct_mtimes", 0, "");
		xt_labcell(&grid, row, "max_lag_ms", 3, " ms");
		xt_grid_end_row(&grid);
	}
	fputc('\n', out);
	xt_grid_print(&grid, out);
	xt_grid_free(&grid);
}

void xt_report_clocks_table(const json_t *record, FILE *out)
{
	struct xt_buf words = {0};
	double threads = xt_view_number(record, "threads");
	double loop = xt_clocks_ns(record, "empty", "none", NULL);
	char *line, *save = NULL;

	xt_cells_head(record, "xtime clocks", out);
	fputc('\n', out);
	calls_table(record, out);
	sources_table(record, out);
	yardsticks_table(record, out);
	stamps_table(record, out);
	fputc('\n', out);
	xt_grid_note(out, "",
	             "Median of batches and 95 %% half width%s. n/t: there is no such entry. *: enters the kernel. !: "
	             "is wrong.",
	             threads > 1 ? ", all threads at once" : "");
	if (!isnan(loop))
		xt_grid_note(out, "", "One turn of the loop, %.2f ns, is in each figure.", loop);
	xt_labcell_staleness(record, out);
	fputc('\n', out);
	xt_report_clocks_verdict(record, &words);
	for (line = words.data ? strtok_r(words.data, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save))
		xt_grid_wrap(out, "  ", line);
	xt_buf_free(&words);
}

void xt_report_clocks_lkml2018(const json_t *record, FILE *out)
{
	static const struct {
		const char *head, *path, *call;
	} lines[] = {
		{"vdso hires:  ", "vdso", "clock-gettime-realtime"},
		{"vdso coarse: ", "vdso", "clock-gettime-realtime-coarse"},
		{"sysc hires:  ", "syscall", "clock-gettime-realtime"},
		{"sysc coarse: ", "syscall", "clock-gettime-realtime-coarse"},
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		double ns = xt_clocks_ns(record, lines[i].call, lines[i].path, NULL);

		if (isnan(ns))
			fprintf(out, "%s   %7s\n", lines[i].head, "n/t");
		else
			fprintf(out, "%s   %7.2fns\n", lines[i].head, ns);
	}
}

void xt_report_clocks_vdsotest(const json_t *record, FILE *out)
{
	static const char *const order[] = {"syscall", "libc", "vdso"};

	for (size_t i = 0; i < sizeof(vdsotest_calls) / sizeof(vdsotest_calls[0]); i++)
		for (int p = 0; p < PATHS; p++) {
			double ns = xt_clocks_ns(record, vdsotest_calls[i], order[p], NULL);

			if (isnan(ns))
				fprintf(out, "%s: %7s: not tested\n", vdsotest_calls[i], order[p]);
			else
				fprintf(out, "%s: %7s: %.0f nsec/call\n", vdsotest_calls[i], order[p], floor(ns));
		}
}

static void number_or_nt(struct xt_grid *grid, double v)
{
	if (isnan(v))
		xt_grid_cell(grid, "n/t");
	else
		xt_grid_cell(grid, "%.2f", v);
}

static void compare_row(struct xt_grid *grid, const json_t *row, double before, double after)
{
	const char *source = xt_view_text(row, "source", "");

	xt_grid_cell(grid, "%s", xt_view_text(row, "call", ""));
	xt_grid_cell(grid, "%s%s%s", xt_view_text(row, "path", ""), *source ? " " : "", source);
	number_or_nt(grid, before);
	number_or_nt(grid, after);
	if (isnan(before) || isnan(after))
		xt_grid_cell(grid, "%s", "");
	else
		xt_grid_cell(grid, "%.2fx", before / after);
	xt_grid_end_row(grid);
}

void xt_report_clocks_compare(const json_t *old_record, const json_t *record, FILE *out)
{
	const json_t *lists[2] = {json_object_get(old_record, "rows"), json_object_get(record, "rows")};
	struct xt_grid grid = {.left = 3};
	const json_t *row;
	size_t i;

	xt_grid_cell(&grid, "ns per call");
	xt_grid_cell(&grid, "path");
	xt_grid_cell(&grid, "old");
	xt_grid_cell(&grid, "new");
	xt_grid_cell(&grid, "old/new");
	xt_grid_end_row(&grid);
	for (int l = 0; l < 2; l++)
		json_array_foreach(lists[l], i, row)
		{
			const char *call = xt_view_text(row, "call", ""), *path = xt_view_text(row, "path", "");
			const char *source = xt_view_text(row, "source", "");

			if (l == 1 && xt_clocks_row(old_record, call, path, source))
				continue;
			compare_row(&grid, row, xt_clocks_ns(old_record, call, path, source),
			            xt_clocks_ns(record, call, path, source));
		}
	xt_grid_print(&grid, out);
	xt_grid_free(&grid);
	fprintf(out, "\nold: %s, %s\nnew: %s, %s\n",
	        xt_view_text(json_object_get(old_record, "host"), "kernel", "unknown kernel"),
	        xt_view_text(json_object_get(old_record, "host"), "cpu", "unknown CPU"),
	        xt_view_text(json_object_get(record, "host"), "kernel", "unknown kernel"),
	        xt_view_text(json_object_get(record, "host"), "cpu", "unknown CPU"));
}
