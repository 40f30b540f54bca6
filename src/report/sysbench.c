/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run in the words of sysbench 1.0.20, so that what reads its output reads ours. Derived from the record.
 */
#include "base/num.h"
#include "config.h"
#include "report/formats.h"
#include "report/report.h"
#include "report/view.h"

#include <math.h>
#include <string.h>

enum { BUCKETS = 1024, STARS = 40 };

static double value_of(const json_t *o, const char *key)
{
	double v = xt_view_number(o, key);

	return isnan(v) ? 0 : v;
}

static double inner(const json_t *o, const char *object, const char *key)
{
	return value_of(json_object_get(o, object), key);
}

static void checkpoints_head(const json_t *load, FILE *out)
{
	const json_t *list = json_object_get(load, "checkpoints_s");
	json_t *moment;
	size_t i;

	if (!json_array_size(list))
		return;
	fputs("Report checkpoint(s) at ", out);
	json_array_foreach((json_t *)list, i, moment) fprintf(out, "%s%.12g", i ? ", " : "", json_number_value(moment));
	fputs(" seconds\n", out);
}

void xt_report_sysbench_head(const json_t *record, unsigned threads, FILE *out)
{
	const json_t *load = json_object_get(record, "load");
	double rate = value_of(load, "rate_per_s"), interval = value_of(load, "report_interval_s");

	fputs("sysbench 1.0.20 (this is its format; the run is xtime's, " PACKAGE_VERSION ")\n\n", out);
	fputs("Running the test with following options:\n", out);
	fprintf(out, "Number of threads: %u\n", threads);
	if (rate > 0)
		fprintf(out, "Target transaction rate: %.12g/sec\n", rate);
	if (interval > 0)
		fprintf(out, "Report intermediate results every %.12g second(s)\n", interval);
	checkpoints_head(load, out);
	if (json_is_true(json_object_get(load, "seed_given")))
		fprintf(out, "Initializing random number generator from seed (%.0f).\n", value_of(record, "seed"));
	else
		fputs("Initializing random number generator from current time\n", out);
	fputs("\n\nInitializing worker threads...\n\nThreads started!\n\n", out);
}

void xt_report_sysbench_interval(const json_t *load, const json_t *row, int digits, FILE *out)
{
	double seconds = value_of(row, "end_s") - value_of(row, "begin_s"), end = value_of(row, "end_s");
	double per_s = seconds > 0 ? 1 / seconds : 0;
	bool partial = json_is_true(json_object_get(row, "partial"));

	fprintf(out,
	        "[ %.*fs ] %sthds: %.0f tps: %4.2f qps: %4.2f (r/w/o: %4.2f/%4.2f/%4.2f) lat (ms,%.12g%%): %4.2f "
	        "err/s: "
	        "%4.2f reconn/s: %4.2f",
	        digits, end, json_is_true(json_object_get(row, "warmup")) ? "(warm-up) " : "", value_of(row, "threads"),
	        value_of(row, "tps"), value_of(row, "qps"), inner(row, "queries", "read") * per_s,
	        inner(row, "queries", "write") * per_s, inner(row, "queries", "other") * per_s,
	        value_of(load, "percentile"), inner(row, "latency_ms", "percentile"), value_of(row, "errors") * per_s,
	        value_of(row, "reconnects") * per_s);
	if (partial)
		fprintf(out, " (partial: %.2f s)", seconds);
	putc('\n', out);
	if (json_object_get(row, "queue"))
		fprintf(out, "[ %.*fs ] queue length: %.0f, concurrency: %.0f\n", digits, end, value_of(row, "queue"),
		        value_of(row, "busy"));
}

/* sysbench's grid: 1,024 values from 0.001 to 100,000 ms, equal steps of the logarithm. */
static double grid_scale(void)
{
	return (BUCKETS - 1) / (log(100000.0) - log(0.001));
}

static unsigned grid_index(double ms)
{
	double i = ms > 0.001 ? floor((log(ms) - log(0.001)) * grid_scale() + 0.5) : 0;

	return i < BUCKETS - 1 ? (unsigned)i : BUCKETS - 1;
}

void xt_report_histogram(const json_t *point, FILE *out)
{
	double count[BUCKETS] = {0}, most = 0;
	json_t *row;
	size_t i;

	json_array_foreach(json_object_get(point, "histogram"), i, row)
	{
		double *c = &count[grid_index((value_of(row, "from_ms") + value_of(row, "to_ms")) / 2)];

		*c += value_of(row, "count");
		most = *c > most ? *c : most;
	}
	fputs("Latency histogram (values are in milliseconds)\n", out);
	fputs("       value  ------------- distribution ------------- count\n", out);
	for (i = 0; i < BUCKETS; i++) {
		char stars[STARS + 1];
		int n = (int)floor(count[i] / most * STARS + 0.5);

		if (count[i] <= 0)
			continue;
		memset(stars, '*', (size_t)n);
		stars[n] = '\0';
		fprintf(out, "%12.3f |%-40s %.0f\n", exp((double)i / grid_scale() + log(0.001)), stars, count[i]);
	}
	fputs(" \n", out);
}

static void per_sec(FILE *out, const char *name, double n, double seconds)
{
	fprintf(out, "    %-37s%-6.0f (%.2f per sec.)\n", name, n, seconds > 0 ? n / seconds : 0);
}

static double sum_of(const json_t *counts)
{
	const char *key;
	json_t *value;
	double sum = json_is_number(counts) ? json_number_value(counts) : 0;

	json_object_foreach((json_t *)counts, key, value) sum += json_number_value(value);
	return sum;
}

static void latency(const json_t *record, const json_t *point, FILE *out)
{
	double percentile = inner(record, "load", "percentile"), ms = 0;
	json_t *row;
	size_t i;

	json_array_foreach(json_object_get(point, "percentiles"), i, row) if (value_of(row, "percentile") == percentile)
		ms = value_of(row, "ms");
	fprintf(out, "Latency (ms):\n         min: %39.2f\n         avg: %39.2f\n         max: %39.2f\n",
	        inner(point, "latency_ms", "min"), inner(point, "latency_ms", "avg"),
	        inner(point, "latency_ms", "max"));
	if (percentile > 0 && percentile == floor(percentile))
		fprintf(out, "        %3.0fth percentile: %27.2f\n", percentile, ms);
	else if (percentile > 0)
		fprintf(out, "        %3.12gth percentile: %25.2f\n", percentile, ms);
	else
		fputs("         percentile stats:               disabled\n", out);
	fprintf(out, "         sum: %39.2f\n\n", inner(point, "latency_ms", "sum"));
}

/* The final report; of a point or, since it has the same fields, of a checkpoint. */
static void report(const json_t *record, const json_t *part, FILE *out)
{
	const json_t *queries = json_object_get(part, "queries"), *fairness = json_object_get(part, "fairness");
	double seconds = value_of(part, "seconds"), end = xt_view_number(part, "end_s");

	fputs("SQL statistics:\n    queries performed:\n", out);
	fprintf(out, "        read:                            %.0f\n", value_of(queries, "read"));
	fprintf(out, "        write:                           %.0f\n", value_of(queries, "write"));
	fprintf(out, "        other:                           %.0f\n", value_of(queries, "other"));
	fprintf(out, "        total:                           %.0f\n", value_of(queries, "total"));
	per_sec(out, "transactions:", value_of(part, "transactions"), seconds);
	per_sec(out, "queries:", value_of(queries, "total"), seconds);
	per_sec(out, "ignored errors:", sum_of(json_object_get(part, "errors")), seconds);
	per_sec(out, "reconnects:", value_of(part, "reconnects"), seconds);
	fprintf(out, "\nGeneral statistics:\n    total time:                          %.4fs\n",
	        isnan(end) ? seconds : end);
	fprintf(out, "    total number of events:              %.0f\n\n", value_of(part, "transactions"));
	latency(record, part, out);
	fprintf(out, "Threads fairness:\n    events (avg/stddev):           %.4f/%3.2f\n",
	        value_of(fairness, "events_avg"), value_of(fairness, "events_stddev"));
	fprintf(out, "    execution time (avg/stddev):   %.4f/%3.2f\n\n", value_of(fairness, "time_avg_s"),
	        value_of(fairness, "time_stddev_s"));
}

void xt_report_sysbench_checkpoint(const json_t *record, const json_t *row, FILE *out)
{
	fprintf(out, "[ %.0fs ] Checkpoint report:\n", value_of(row, "end_s"));
	report(record, row, out);
}

void xt_report_sysbench_point(const json_t *record, const json_t *point, FILE *out)
{
	const json_t *checkpoints = json_object_get(point, "checkpoints");
	size_t n = json_array_size(checkpoints);

	if (json_object_get(point, "histogram"))
		xt_report_histogram(point, out);
	/* Behind a checkpoint the final report tells what has happened since. */
	report(record, n > 1 ? json_array_get(checkpoints, n - 1) : point, out);
}

/* Interval lines and checkpoints in the order of their moments. */
static void lines(const json_t *record, const json_t *point, FILE *out)
{
	const json_t *load = json_object_get(record, "load"), *checkpoints = json_object_get(point, "checkpoints");
	size_t n = json_array_size(checkpoints), passed = 0, k;
	json_t *row;

	json_array_foreach(json_object_get(point, "intervals"), k, row)
	{
		bool warm_up = json_is_true(json_object_get(row, "warmup"));

		for (; !warm_up && passed + 1 < n; passed++) {
			const json_t *next = json_array_get(checkpoints, passed);

			if (value_of(next, "end_s") >= value_of(row, "end_s"))
				break;
			xt_report_sysbench_checkpoint(record, next, out);
		}
		xt_report_sysbench_interval(load, row, 0, out);
	}
	for (; passed + 1 < n; passed++)
		xt_report_sysbench_checkpoint(record, json_array_get(checkpoints, passed), out);
}

int xt_report_sysbench(const json_t *record, FILE *out, struct xt_err *err)
{
	json_t *point;
	size_t i;

	if (strncmp(xt_view_text(record, "schema", ""), "xtime.run/", 10))
		return xt_err_usage(err, "only a run can be shown as sysbench shows it");
	json_array_foreach(json_object_get(record, "points"), i, point)
	{
		xt_report_sysbench_head(record, (unsigned)value_of(point, "threads"), out);
		lines(record, point, out);
		xt_report_sysbench_point(record, point, out);
	}
	return ferror(out) ? xt_err_failed(err, "cannot write the report") : 0;
}
