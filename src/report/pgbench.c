/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run in the words of pgbench 15, so that what reads its output reads ours. Derived from the record.
 */
#include "config.h"
#include "report/formats.h"
#include "report/report.h"
#include "report/view.h"

#include <math.h>
#include <string.h>

static double value_of(const json_t *o, const char *key)
{
	double v = xt_view_number(o, key);

	return isnan(v) ? 0 : v;
}

static double inner(const json_t *o, const char *object, const char *key)
{
	return value_of(json_object_get(o, object), key);
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static const char *script_name(const char *name)
{
	static const char *const builtin[][2] = {
		{"tpcb-like.sql", "<builtin: TPC-B (sort of)>"},
		{"simple-update.sql", "<builtin: simple update>"},
		{"select-only.sql", "<builtin: select only>"},
	};

	for (size_t i = 0; i < 3; i++)
		if (!strcmp(name, builtin[i][0]))
			return builtin[i][1];
	return name;
}

void xt_report_pgbench_interval(const json_t *load, const json_t *row, double epoch_s, FILE *out)
{
	const json_t *latency = json_object_get(row, "latency_ms");

	if (epoch_s > 0)
		fprintf(out, "progress: %.3f s, ", epoch_s);
	else
		fprintf(out, "progress: %.1f s, ", value_of(row, "end_s"));
	fprintf(out, "%.1f tps, lat %.3f ms stddev %.3f, %.0f failed", value_of(row, "tps"), value_of(latency, "avg"),
	        value_of(latency, "stddev"), value_of(row, "failed"));
	if (value_of(load, "rate_per_s") > 0) {
		fprintf(out, ", lag %.3f ms", value_of(row, "lag_avg_ms"));
		if (value_of(load, "latency_limit_ms") > 0)
			fprintf(out, ", %.0f skipped", value_of(row, "skipped"));
	}
	if (value_of(load, "max_tries") != 1)
		fprintf(out, ", %.0f retried, %.0f retries", value_of(row, "retried"), value_of(row, "retries"));
	if (json_is_true(json_object_get(row, "warmup")))
		fputs(" (warm-up)", out);
	else if (json_is_true(json_object_get(row, "partial")))
		fprintf(out, " (partial: %.2f s)", value_of(row, "end_s") - value_of(row, "begin_s"));
	putc('\n', out);
}

static void head(const json_t *record, const json_t *point, FILE *out)
{
	const json_t *load = json_object_get(record, "load"), *scripts = json_object_get(point, "scripts");
	const json_t *driver = json_object_get(record, "driver");

	fputs("pgbench (15; this is its format, the run is xtime's, " PACKAGE_VERSION, out);
	fprintf(out, ", server %s %s)\n", xt_view_text(driver, "name", "?"), xt_view_text(driver, "version", "?"));
	fprintf(out, "transaction type: %s\n",
	        json_array_size(scripts) == 1 ? script_name(xt_view_text(json_array_get(scripts, 0), "name", "?"))
	                                      : "multiple scripts");
	fprintf(out, "scaling factor: %.0f\n", value_of(load, "scale"));
	fprintf(out, "query mode: %s\n", xt_view_text(load, "protocol", "prepared"));
	fprintf(out, "number of clients: %.0f\n", value_of(point, "threads"));
	fprintf(out, "number of threads: %.0f\n", value_of(point, "threads"));
	if (value_of(load, "max_tries") > 0)
		fprintf(out, "maximum number of tries: %.0f\n", value_of(load, "max_tries"));
}

static void processed(const json_t *record, const json_t *point, FILE *out)
{
	const json_t *load = json_object_get(record, "load");
	double each = value_of(load, "transactions_per_thread"), events = value_of(load, "events");
	double done = value_of(point, "transactions"), time = value_of(load, "time_s");

	if (each > 0) {
		fprintf(out, "number of transactions per client: %.0f\n", each);
		fprintf(out, "number of transactions actually processed: %.0f/%.0f\n", done,
		        each * value_of(point, "threads"));
		return;
	}
	if (time > 0)
		fprintf(out, "duration: %.12g s\n", time);
	if (events > 0)
		fprintf(out, "number of transactions actually processed: %.0f/%.0f\n", done, events);
	else
		fprintf(out, "number of transactions actually processed: %.0f\n", done);
}

static void failures(const json_t *record, const json_t *point, FILE *out)
{
	const json_t *load = json_object_get(record, "load"), *classes = json_object_get(point, "failures");
	double failed = value_of(point, "failed"), done = value_of(point, "transactions");
	double total = done + failed + value_of(point, "skipped");

	fprintf(out, "number of failed transactions: %.0f (%.3f%%)\n", failed, percent(failed, total));
	if (json_is_true(json_object_get(load, "failures_detailed"))) {
		double deadlock = value_of(classes, "deadlock"), other = value_of(classes, "other");
		double unique = value_of(classes, "unique"), lost = value_of(classes, "lost");
		double serialization = failed - deadlock - other - unique - lost;

		fprintf(out, "number of serialization failures: %.0f (%.3f%%)\n", serialization,
		        percent(serialization, total));
		fprintf(out, "number of deadlock failures: %.0f (%.3f%%)\n", deadlock, percent(deadlock, total));
		if (json_is_true(json_object_get(load, "continue_on_error")))
			fprintf(out, "number of other failures: %.0f (%.3f%%)\n", other + unique + lost,
			        percent(other + unique + lost, total));
	}
	if (value_of(load, "max_tries") != 1) {
		fprintf(out, "number of transactions retried: %.0f (%.3f%%)\n", value_of(point, "retried"),
		        percent(value_of(point, "retried"), total));
		fprintf(out, "total number of retries: %.0f\n", value_of(point, "retries"));
	}
	if (value_of(load, "latency_limit_ms") > 0) {
		double limit = value_of(load, "latency_limit_ms");

		if (value_of(load, "rate_per_s") > 0)
			fprintf(out, "number of transactions skipped: %.0f (%.3f%%)\n", value_of(point, "skipped"),
			        percent(value_of(point, "skipped"), total));
		fprintf(out, "number of transactions above the %.1f ms latency limit: %.0f/%.0f (%.3f%%)\n", limit,
		        value_of(point, "late"), done, percent(value_of(point, "late"), done));
	}
}

static void times(const json_t *record, const json_t *point, FILE *out)
{
	const json_t *load = json_object_get(record, "load");
	bool reconnects = value_of(load, "reconnect") == 1;

	fprintf(out, "latency average = %.3f ms\n", inner(point, "latency_ms", "avg"));
	if (value_of(load, "report_interval_s") > 0 || value_of(load, "rate_per_s") > 0 ||
	    value_of(load, "latency_limit_ms") > 0)
		fprintf(out, "latency stddev = %.3f ms\n", inner(point, "latency_ms", "stddev"));
	if (value_of(load, "rate_per_s") > 0)
		fprintf(out, "rate limit schedule lag: avg %.3f (max %.3f) ms\n", inner(point, "lag_ms", "avg"),
		        inner(point, "lag_ms", "max"));
	if (reconnects)
		fprintf(out, "average connection time = %.3f ms\n", inner(point, "connect_ms", "avg"));
	else
		fprintf(out, "initial connection time = %.3f ms\n", inner(point, "connect_ms", "startup"));
	fprintf(out, "tps = %.6f (%s)\n", value_of(point, "tps"),
	        reconnects ? "including reconnection times" : "without initial connection time");
}

void xt_report_pgbench_commands(const json_t *record, const json_t *point, int script, FILE *out)
{
	bool retries = inner(record, "load", "max_tries") != 1;
	json_t *row;
	size_t i;

	fprintf(out, "%sstatement latencies in milliseconds%s:\n", script >= 0 ? " - " : "",
	        retries ? ", failures and retries" : " and failures");
	json_array_foreach(json_object_get(point, "commands"), i, row)
	{
		if (script >= 0 && value_of(row, "script") != script)
			continue;
		/* pgbench has 0.000 for what never ran; what ran and was not timed it does not know. */
		if (value_of(row, "count") > 0 && isnan(xt_view_number(row, "avg_ms")))
			fprintf(out, "   %11s", "-");
		else
			fprintf(out, "   %11.3f", value_of(row, "avg_ms"));
		fprintf(out, "  %10.0f", value_of(row, "failures"));
		if (retries)
			fprintf(out, "  %10.0f", value_of(row, "retries"));
		fprintf(out, "  %s\n", xt_view_text(row, "command", ""));
	}
}

static void script_block(const json_t *record, const json_t *point, size_t index, FILE *out)
{
	const json_t *load = json_object_get(record, "load"), *scripts = json_object_get(point, "scripts");
	const json_t *s = json_array_get(scripts, index), *other;
	double weights = 0, done = value_of(s, "transactions"), total;
	size_t i;

	json_array_foreach((json_t *)scripts, i, other) weights += value_of(other, "weight");
	total = done + value_of(s, "failed") + value_of(s, "skipped");
	fprintf(out, "SQL script %zu: %s\n", index + 1, script_name(xt_view_text(s, "name", "?")));
	fprintf(out, " - weight: %.0f (targets %.1f%% of total)\n", value_of(s, "weight"),
	        percent(value_of(s, "weight"), weights));
	fprintf(out, " - %.0f transactions (%.1f%% of total, tps = %.6f)\n", done,
	        percent(done, value_of(point, "transactions")),
	        value_of(point, "seconds") > 0 ? done / value_of(point, "seconds") : 0);
	fprintf(out, " - number of failed transactions: %.0f (%.3f%%)\n", value_of(s, "failed"),
	        percent(value_of(s, "failed"), total));
	if (value_of(load, "rate_per_s") > 0 && value_of(load, "latency_limit_ms") > 0)
		fprintf(out, " - number of transactions skipped: %.0f (%.3f%%)\n", value_of(s, "skipped"),
		        percent(value_of(s, "skipped"), total));
	fprintf(out, " - latency average = %.3f ms\n - latency stddev = %.3f ms\n", value_of(s, "avg_ms"),
	        value_of(s, "stddev_ms"));
	if (json_object_get(point, "commands"))
		xt_report_pgbench_commands(record, point, (int)index, out);
}

void xt_report_pgbench_point(const json_t *record, const json_t *point, FILE *out)
{
	size_t scripts = json_array_size(json_object_get(point, "scripts"));

	head(record, point, out);
	processed(record, point, out);
	failures(record, point, out);
	if (value_of(point, "transactions") > 0)
		times(record, point, out);
	for (size_t i = 0; scripts > 1 && i < scripts; i++)
		script_block(record, point, i, out);
	if (scripts == 1 && json_object_get(point, "commands"))
		xt_report_pgbench_commands(record, point, -1, out);
}

int xt_report_pgbench(const json_t *record, FILE *out, struct xt_err *err)
{
	json_t *point;
	size_t i;

	if (strncmp(xt_view_text(record, "schema", ""), "xtime.run/", 10))
		return xt_err_usage(err, "only a run can be shown as pgbench shows it");
	json_array_foreach(json_object_get(record, "points"), i, point) xt_report_pgbench_point(record, point, out);
	return ferror(out) ? xt_err_failed(err, "cannot write the report") : 0;
}
