/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comma-separated values, RFC 4180: named columns, everything raw, an absent figure as an empty field.
 */
#include "report/references.h"
#include "report/report.h"
#include "report/rows.h"
#include "report/view.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* One line under way. */
struct line {
	FILE *out;
	bool begun;
};

static void field(struct line *line, const char *text)
{
	if (line->begun)
		putc(',', line->out);
	line->begun = true;
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, line->out);
		return;
	}
	putc('"', line->out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', line->out);
		putc(*text, line->out);
	}
	putc('"', line->out);
}

static void number(struct line *line, double value)
{
	char text[64] = "";

	if (isfinite(value))
		snprintf(text, sizeof(text), "%.12g", value);
	field(line, text);
}

static void end(struct line *line)
{
	putc('\n', line->out);
	line->begun = false;
}

static void fields(struct line *line, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		field(line, names[i]);
}

static double sum_of(const json_t *object)
{
	const char *key;
	json_t *value;
	double sum = 0;

	json_object_foreach((json_t *)object, key, value) sum += json_number_value(value);
	return object ? sum : NAN;
}

static const char *const functions[] = {"time", "gettimeofday", "clock_gettime", "monotonic"};
static const char *const latencies[] = {"min", "avg", "p50", "p95", "p99", "max"};

static const json_t *arm_of(const json_t *point, const char *name)
{
	json_t *arm;
	size_t i;

	json_array_foreach(json_object_get(point, "arms"), i, arm)
	{
		if (!strcmp(xt_view_text(arm, "name", ""), name))
			return arm;
	}
	return NULL;
}

static void ab_row(struct line *line, const struct xt_view_point *point, const struct xt_view_comparison *c,
                   const struct xt_references *series)
{
	static const char *const shared[] = {"seconds", "transactions", "slice_ms", "blocks", "blocks_dropped"};
	const json_t *latency = json_object_get(arm_of(point->json, c->arm), "latency_ms");

	number(line, point->threads);
	field(line, c->letter);
	field(line, c->arm);
	field(line, c->base);
	field(line, c->control ? "control" : "arm");
	field(line, point->partial ? "1" : "0");
	number(line, point->tps);
	number(line, c->tps);
	number(line, c->ratio);
	number(line, c->lo);
	number(line, c->hi);
	number(line, xt_view_percent(c->ratio));
	number(line, c->predicted);
	field(line, c->verdict);
	number(line, c->min_detectable);
	number(line, c->ratio_of_totals);
	number(line, c->lag1);
	number(line, c->merged);
	for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++)
		number(line, xt_view_number(point->json, shared[i]));
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		number(line, xt_view_number(json_object_get(point->json, "calls_per_transaction"), functions[i]));
	for (size_t i = 0; i < sizeof(latencies) / sizeof(*latencies); i++)
		number(line, xt_view_number(latency, latencies[i]));
	number(line, sum_of(json_object_get(point->json, "errors")));
	for (size_t i = 0; i < series->n; i++) {
		const json_t *published = xt_references_find(point->json, series->name[i]);

		number(line, xt_view_number(published, "before_tps"));
		number(line, xt_view_number(published, "after_tps"));
		number(line, xt_view_number(published, "ratio"));
	}
	end(line);
}

static void csv_ab(const json_t *record, FILE *out)
{
	static const char *const head[] = {"threads",
	                                   "letter",
	                                   "arm",
	                                   "base",
	                                   "role",
	                                   "partial",
	                                   "tps_base",
	                                   "tps_arm",
	                                   "ratio",
	                                   "ci95_lo",
	                                   "ci95_hi",
	                                   "gain_percent",
	                                   "predicted_ratio",
	                                   "verdict",
	                                   "min_detectable",
	                                   "ratio_of_totals",
	                                   "lag1",
	                                   "merged",
	                                   "seconds",
	                                   "transactions",
	                                   "slice_ms",
	                                   "blocks",
	                                   "blocks_dropped",
	                                   "calls_time",
	                                   "calls_gettimeofday",
	                                   "calls_clock_gettime",
	                                   "calls_monotonic",
	                                   "latency_min_ms",
	                                   "latency_avg_ms",
	                                   "latency_p50_ms",
	                                   "latency_p95_ms",
	                                   "latency_p99_ms",
	                                   "latency_max_ms",
	                                   "errors"};
	struct line line = {.out = out};
	struct xt_references series;
	struct xt_view_point point;

	xt_references_list(record, &series);
	fields(&line, head, sizeof(head) / sizeof(*head));
	for (size_t i = 0; i < series.n; i++) {
		static const char *const part[] = {"before_tps", "after_tps", "ratio"};

		for (size_t k = 0; k < 3; k++) {
			char name[128];

			snprintf(name, sizeof(name), "%.100s_%s", series.name[i], part[k]);
			field(&line, name);
		}
	}
	end(&line);
	for (size_t i = 0; i < xt_view_points(record); i++) {
		xt_view_point(record, i, &point);
		for (size_t k = 0; k < point.n; k++)
			ab_row(&line, &point, &point.comparison[k], &series);
		if (point.has_control)
			ab_row(&line, &point, &point.control, &series);
	}
}

static void csv_run(const json_t *record, FILE *out)
{
	static const char *const head[] = {"threads",
	                                   "partial",
	                                   "seconds",
	                                   "transactions",
	                                   "tps",
	                                   "qps",
	                                   "reads",
	                                   "writes",
	                                   "others",
	                                   "queries",
	                                   "latency_min_ms",
	                                   "latency_avg_ms",
	                                   "latency_p50_ms",
	                                   "latency_p95_ms",
	                                   "latency_p99_ms",
	                                   "latency_max_ms",
	                                   "errors",
	                                   "retries",
	                                   "reconnects",
	                                   "cpu_us_per_transaction",
	                                   "schema"};
	static const char *const main_fields[] = {"seconds", "transactions", "tps", "qps"};
	static const char *const queries[] = {"read", "write", "other", "total"};
	struct line line = {.out = out};
	json_t *point;
	size_t i;

	fields(&line, head, sizeof(head) / sizeof(*head));
	end(&line);
	json_array_foreach(json_object_get(record, "points"), i, point)
	{
		number(&line, xt_view_number(point, "threads"));
		field(&line, json_is_true(json_object_get(point, "partial")) ? "1" : "0");
		for (size_t k = 0; k < 4; k++)
			number(&line, xt_view_number(point, main_fields[k]));
		for (size_t k = 0; k < 4; k++)
			number(&line, xt_view_number(json_object_get(point, "queries"), queries[k]));
		for (size_t k = 0; k < sizeof(latencies) / sizeof(*latencies); k++)
			number(&line, xt_view_number(json_object_get(point, "latency_ms"), latencies[k]));
		number(&line, sum_of(json_object_get(point, "errors")));
		number(&line, xt_view_number(point, "retries"));
		number(&line, xt_view_number(point, "reconnects"));
		number(&line, xt_view_number(point, "cpu_us_per_transaction"));
		field(&line, xt_view_text(record, "schema", ""));
		end(&line);
	}
}

/* A second table, behind an empty line: the intervals of all points. */
static void csv_intervals(const json_t *record, FILE *out)
{
	static const char *const head[] = {
		"threads",    "begin_s", "end_s",  "warmup", "partial",        "transactions",          "tps",
		"qps",        "reads",   "writes", "others", "latency_avg_ms", "latency_percentile_ms", "errors",
		"reconnects", "schema"};
	static const char *const queries[] = {"read", "write", "other"};
	struct line line = {.out = out};
	json_t *point, *row;
	size_t i, k;
	bool begun = false;

	json_array_foreach(json_object_get(record, "points"), i, point)
		json_array_foreach(json_object_get(point, "intervals"), k, row)
	{
		const json_t *latency = json_object_get(row, "latency_ms");

		if (!begun) {
			putc('\n', out);
			fields(&line, head, sizeof(head) / sizeof(*head));
			end(&line);
			begun = true;
		}
		number(&line, xt_view_number(point, "threads"));
		number(&line, xt_view_number(row, "begin_s"));
		number(&line, xt_view_number(row, "end_s"));
		field(&line, json_is_true(json_object_get(row, "warmup")) ? "1" : "0");
		field(&line, json_is_true(json_object_get(row, "partial")) ? "1" : "0");
		number(&line, xt_view_number(row, "transactions"));
		number(&line, xt_view_number(row, "tps"));
		number(&line, xt_view_number(row, "qps"));
		for (size_t q = 0; q < 3; q++)
			number(&line, xt_view_number(json_object_get(row, "queries"), queries[q]));
		number(&line, xt_view_number(latency, "avg"));
		number(&line, xt_view_number(latency, "percentile"));
		number(&line, xt_view_number(row, "errors"));
		number(&line, xt_view_number(row, "reconnects"));
		field(&line, xt_view_text(record, "schema", ""));
		end(&line);
	}
}

static void raw_value(struct line *line, const json_t *value)
{
	if (json_is_number(value))
		number(line, json_number_value(value));
	else if (json_is_boolean(value))
		field(line, json_is_true(value) ? "1" : "0");
	else
		field(line, json_is_string(value) ? json_string_value(value) : "");
}

static void csv_rows(const json_t *record, FILE *out)
{
	const char *const *column = xt_rows_columns(xt_view_text(record, "schema", ""));
	struct line line = {.out = out};
	json_t *row;
	size_t i;

	for (size_t k = 0; column && column[k]; k++) {
		bool interval = !strcmp(column[k], "ci95");

		field(&line, interval ? "ci95_lo" : column[k]);
		if (interval)
			field(&line, "ci95_hi");
	}
	end(&line);
	json_array_foreach(json_object_get(record, "rows"), i, row)
	{
		for (size_t k = 0; column && column[k]; k++) {
			const json_t *value = json_object_get(row, column[k]);
			bool interval = !strcmp(column[k], "ci95");

			raw_value(&line, interval ? json_array_get(value, 0) : value);
			if (interval)
				raw_value(&line, json_array_get(value, 1));
		}
		end(&line);
	}
}

static void csv_reproduce(const json_t *record, FILE *out)
{
	static const char *const head[] = {"id", "claim", "published", "measured", "verdict", "reason"};
	struct line line = {.out = out};
	json_t *claim;
	size_t i;

	fields(&line, head, sizeof(head) / sizeof(*head));
	end(&line);
	json_array_foreach(json_object_get(record, "claims"), i, claim)
	{
		for (size_t k = 0; k < sizeof(head) / sizeof(*head); k++)
			field(&line, xt_view_text(claim, head[k], ""));
		end(&line);
	}
}

static void csv_any(const json_t *record, FILE *out)
{
	const char *schema = xt_view_text(record, "schema", "");

	if (!strncmp(schema, "xtime.ab/", 9))
		csv_ab(record, out);
	else if (!strncmp(schema, "xtime.run/", 10)) {
		csv_run(record, out);
		csv_intervals(record, out);
	} else
		csv_rows(record, out);
}

int xt_report_csv(const json_t *record, FILE *out, struct xt_err *err)
{
	json_t *inner;
	size_t i;

	if (!strncmp(xt_view_text(record, "schema", ""), "xtime.reproduce/", 16)) {
		json_array_foreach(json_object_get(record, "records"), i, inner)
		{
			csv_any(inner, out);
			putc('\n', out);
		}
		csv_reproduce(record, out);
	} else {
		csv_any(record, out);
	}
	if (fflush(out) || ferror(out))
		return xt_err_failed(err, "cannot write CSV: %s", strerror(errno));
	return 0;
}
