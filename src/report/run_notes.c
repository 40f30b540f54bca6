/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands above and below the table of a run: its limits, and for each thread count what was measured beside
 * throughput and latency. Only what the record has.
 */
#include "report/run_notes.h"
#include "report/cells.h"
#include "report/formats.h"
#include "report/grid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool known(const json_t *o, const char *key)
{
	return json_is_number(json_object_get(o, key));
}

static void limit(FILE *out, const json_t *load, const char *key, const char *name, const char *unit)
{
	if (known(load, key))
		fprintf(out, "%s %.12g%s", name, xt_view_number(load, key), unit);
	else
		fprintf(out, "%s none", name);
}

/* Settings that decide over the figures, as the database gave them back. */
static void settings(const json_t *driver, FILE *out)
{
	static const char *const names[][2] = {
		{"database", ""},
		{"journal_mode", "journal "},
		{"synchronous", "synchronous "},
		{"page_size", "page size "},
		{"busy_timeout", "busy timeout "},
		{"threading_mode", ""},
	};
	char text[512] = "";
	size_t used = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *value = xt_view_text(driver, names[i][0], NULL);

		if (!value || used >= sizeof(text))
			continue;
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s%s%s", used ? ", " : "", names[i][1],
		                         value, strcmp(names[i][0], "busy_timeout") ? "" : " ms");
	}
	if (*text)
		xt_grid_note(out, "database: ", "%s", text);
}

void xt_run_notes_head(const json_t *record, FILE *out)
{
	const json_t *load = json_object_get(record, "load");

	if (!load)
		return;
	settings(json_object_get(record, "driver"), out);
	fputs("limits for each thread count: ", out);
	limit(out, load, "time_s", "time", " s");
	limit(out, load, "events", ", events", "");
	if (known(load, "transactions_per_thread"))
		limit(out, load, "transactions_per_thread", ", transactions of each thread", "");
	if (known(load, "rate_per_s"))
		fprintf(out, "; rate %.12g/s, %s", xt_view_number(load, "rate_per_s"),
		        xt_view_text(load, "pacing", "?"));
	putc('\n', out);
}

static void note_rate(const json_t *point, FILE *out)
{
	const json_t *rate = json_object_get(point, "rate"), *lag = json_object_get(point, "lag_ms");
	const json_t *service = json_object_get(point, "service_ms");
	char a[XT_CELL], b[XT_CELL], c[XT_CELL], d[XT_CELL];

	if (!rate)
		return;
	xt_grid_note(
		out, "    ",
		"rate: offered %.12g/s, achieved %.1f/s; intended starts %.0f, begun %.0f, skipped %.0f, waiting at "
		"the end %.0f; latency counts from the intended start.",
		xt_view_number(rate, "offered_per_s"), xt_view_number(rate, "achieved_per_s"),
		xt_view_number(rate, "intended"), xt_view_number(rate, "begun"), xt_view_number(rate, "skipped"),
		xt_view_number(rate, "backlog"));
	xt_grid_note(out, "    ", "schedule lag: avg %s ms, max %s ms; service time: avg %s ms, p95 %s ms.",
	             xt_cell_ms(a, xt_view_number(lag, "avg")), xt_cell_ms(b, xt_view_number(lag, "max")),
	             xt_cell_ms(c, xt_view_number(service, "avg")), xt_cell_ms(d, xt_view_number(service, "p95")));
}

static void note_limit(const json_t *load, const json_t *point, FILE *out)
{
	double late = xt_view_number(point, "late"), done = xt_view_number(point, "transactions");

	if (isnan(late))
		return;
	xt_grid_note(out, "    ", "above the latency limit of %.12g ms: %.0f of %.0f (%.3f %%).",
	             xt_view_number(load, "latency_limit_ms"), late, done, done > 0 ? 100 * late / done : 0);
}

static void note_percentiles(const json_t *point, FILE *out)
{
	const json_t *list = json_object_get(point, "percentiles"), *row;
	char text[1024] = "", cell[XT_CELL];
	size_t i, used = 0;

	if (json_array_size(list) < 2)
		return;
	json_array_foreach((json_t *)list, i, row)
	{
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%sp%.12g: %s ms", i ? ", " : "",
		                         xt_view_number(row, "percentile"),
		                         xt_cell_ms(cell, xt_view_number(row, "ms")));
		if (used >= sizeof(text))
			break;
	}
	xt_grid_note(out, "    ", "transaction latency: %s.", text);
}

static void checkpoint_row(struct xt_grid *grid, const json_t *row)
{
	static const char *const latencies[] = {"avg", "p50", "p95", "p99", "max"};
	char cell[XT_CELL];

	xt_grid_cell(grid, "    %s", xt_cell_number(cell, xt_view_number(row, "end_s"), 2));
	xt_grid_cell(grid, "%s", xt_cell_number(cell, xt_view_number(row, "seconds"), 2));
	xt_grid_cell(grid, "%s", xt_cell_number(cell, xt_view_number(row, "transactions"), 0));
	xt_grid_cell(grid, "%s", xt_cell_tps(cell, xt_view_number(row, "tps")));
	xt_grid_cell(grid, "%s", xt_cell_tps(cell, xt_view_number(row, "qps")));
	for (size_t i = 0; i < sizeof(latencies) / sizeof(*latencies); i++)
		xt_grid_cell(grid, "%s",
		             xt_cell_ms(cell, xt_view_number(json_object_get(row, "latency_ms"), latencies[i])));
	xt_grid_cell(grid, "%s", xt_cell_number(cell, xt_view_number(row, "errors"), 0));
	xt_grid_end_row(grid);
}

static void checkpoints(const json_t *point, FILE *out)
{
	static const char *const head[] = {"    until s", "seconds", "transactions", "tps",    "qps",   "avg ms",
	                                   "p50 ms",      "p95 ms",  "p99 ms",       "max ms", "errors"};
	struct xt_grid grid = {0};
	json_t *row;
	size_t i;

	for (i = 0; i < sizeof(head) / sizeof(*head); i++)
		xt_grid_cell(&grid, "%s", head[i]);
	xt_grid_end_row(&grid);
	json_array_foreach(json_object_get(point, "checkpoints"), i, row) checkpoint_row(&grid, row);
	xt_grid_note(out, "    ", "checkpoints, each since the one before:");
	xt_grid_print(&grid, out);
	xt_grid_free(&grid);
}

void xt_run_notes_figures(const json_t *point, FILE *out)
{
	char text[1024] = "";
	size_t used = 0;
	const char *name;
	json_t *value;

	json_object_foreach(json_object_get(point, "figures"), name, value)
	{
		if (used < sizeof(text))
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s ", used ? ", " : "", name);
		if (used < sizeof(text))
			used += (size_t)(json_is_number(value) ? snprintf(text + used, sizeof(text) - used, "%.6g",
			                                                  json_number_value(value))
			                                       : snprintf(text + used, sizeof(text) - used, "none"));
	}
	if (*text)
		xt_grid_note(out, "    ", "the workload's own figures: %s.", text);
}

static void note_own_cost(const json_t *point, FILE *out)
{
	const json_t *clock = json_object_get(point, "clock_reads"), *connect = json_object_get(point, "connect_ms");
	const json_t *switches = json_object_get(point, "context_switches");
	const json_t *fairness = json_object_get(point, "fairness");
	double server = xt_view_number(point, "server_cpu_us_per_transaction");
	double statements = xt_view_number(json_object_get(point, "queries"), "total");
	double wait = xt_view_number(point, "lock_wait_share"), done = xt_view_number(point, "transactions");
	char a[XT_CELL], b[XT_CELL], share[64] = "";

	if (known(clock, "share_of_latency"))
		snprintf(share, sizeof(share), ", %.3g %% of latency", 100 * xt_view_number(clock, "share_of_latency"));
	if (known(clock, "per_transaction"))
		xt_grid_note(
			out, "    ",
			"statements per transaction: %.12g; the generator's own clock reads per transaction: %.2f, "
			"%.1f ns each%s.",
			floor(statements / done * 100 + 0.5) / 100, xt_view_number(clock, "per_transaction"),
			xt_view_number(clock, "ns_each"), share);
	if (known(connect, "avg"))
		xt_grid_note(out, "    ", "connections: %.0f, avg %s ms, max %s ms; peak memory %.1f MB.",
		             xt_view_number(connect, "count"), xt_cell_ms(a, xt_view_number(connect, "avg")),
		             xt_cell_ms(b, xt_view_number(connect, "max")),
		             xt_view_number(point, "peak_memory_kb") / 1024);
	if (known(point, "cpu_share"))
		xt_grid_note(out, "    ",
		             "generator: %.0f %% of the CPUs it may use%s; context switches: %.0f voluntary, "
		             "%.0f involuntary.",
		             100 * xt_view_number(point, "cpu_share"), isnan(server) ? "" : " (the server's are apart)",
		             xt_view_number(switches, "voluntary"), xt_view_number(switches, "involuntary"));
	if (!isnan(server))
		xt_grid_note(out, "    ", "server's CPU per transaction: %.1f us.", server);
	if (wait > 0)
		xt_grid_note(out, "    ", "waiting for another's lock: %.1f %% of the threads' time.", 100 * wait);
	if (xt_view_number(point, "threads") > 1)
		xt_grid_note(out, "    ", "transactions of a thread: avg %.12g, stddev %.3g.",
		             xt_view_number(fairness, "events_avg"), xt_view_number(fairness, "events_stddev"));
}

static void note_hashes(const json_t *point, FILE *out)
{
	json_t *row;
	size_t i;

	json_array_foreach(json_object_get(point, "thread_rows"), i, row) if (json_object_get(row, "statement_hash"))
		fprintf(out, "    thread %zu: statement hash %s\n", i, xt_view_text(row, "statement_hash", "?"));
}

void xt_run_notes_end(const json_t *record, FILE *out)
{
	const json_t *validation = json_object_get(record, "validation");

	if (!validation)
		return;
	if (json_is_string(json_object_get(validation, "violation")))
		xt_grid_note(out, "", "validation: %.0f checks held, then: %s", xt_view_number(validation, "checks"),
		             xt_view_text(validation, "violation", "?"));
	else
		xt_grid_note(out, "", "validation: all %.0f checks hold.", xt_view_number(validation, "checks"));
}

void xt_run_notes_point(const json_t *record, const json_t *point, FILE *out)
{
	const json_t *load = json_object_get(record, "load");

	if (!load)
		return;
	fprintf(out, "threads %.0f: ended by %s.\n", xt_view_number(point, "threads"),
	        xt_view_text(point, "ended_by", "?"));
	note_rate(point, out);
	note_limit(load, point, out);
	note_percentiles(point, out);
	note_own_cost(point, out);
	xt_run_notes_figures(point, out);
	if (xt_view_number(point, "failed") > 0)
		xt_grid_note(out, "    ", "failed transactions: %.0f, not in tps.", xt_view_number(point, "failed"));
	if (xt_view_number(point, "unfinished") > 0)
		xt_grid_note(out, "    ", "unfinished transactions, cancelled at the end: %.0f.",
		             xt_view_number(point, "unfinished"));
	note_hashes(point, out);
	if (json_array_size(json_object_get(point, "checkpoints")))
		checkpoints(point, out);
	if (json_object_get(point, "commands"))
		xt_run_commands(point, out);
	if (json_object_get(point, "histogram"))
		xt_report_histogram(point, out);
}
