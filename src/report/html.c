/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One page that stands alone: no script runs, nothing is fetched, the record is inside. Every text from a record is
 * escaped. The figures are those of the plain table, cell by cell.
 */
#include "record/record.h"
#include "report/cells.h"
#include "report/plot.h"
#include "report/references.h"
#include "report/report.h"
#include "report/rows.h"
#include "report/tables.h"
#include "report/view.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<style>\n"
	"body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 64em; margin: 2em auto; padding: 0 1em; "
	"}\n"
	"table { border-collapse: collapse; margin: 1em 0; display: block; overflow-x: auto; }\n"
	"th, td { padding: .2em .7em; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }\n"
	"th { font-weight: 600; border-bottom: 2px solid #888; vertical-align: bottom; }\n"
	"td.text, th.text { text-align: left; white-space: normal; }\n"
	"td.name { text-align: left; }\n"
	".machine { color: #555; }\n"
	"svg { max-width: 100%; height: auto; }\n"
	"pre { white-space: pre-wrap; font: 13px/1.5 ui-monospace, monospace; }\n"
	"</style>\n";

static void escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			putc(*text, out);
		}
	}
}

/* One cell; class "" for figures, "text" or "name" for words. */
static void cell(FILE *out, const char *class, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void cell(FILE *out, const char *class, const char *fmt, ...)
{
	char text[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(out, *class ? "<td class=\"%s\">" : "<td%s>", class);
	escaped(out, text);
	fputs("</td>", out);
}

static void header_cell(FILE *out, const char *text)
{
	fputs("<th>", out);
	escaped(out, text);
	fputs("</th>", out);
}

/* The head of a page's part: subject and machine. */
static void heading(const json_t *record, FILE *out)
{
	char subject[512], machine[512];

	xt_cells_subject(record, subject, sizeof(subject));
	xt_cells_machine(record, machine, sizeof(machine));
	fputs("<h2>", out);
	escaped(out, *subject ? subject : xt_view_text(record, "schema", ""));
	fputs("</h2>\n<p class=\"machine\">", out);
	escaped(out, machine);
	fputs("<br>", out);
	escaped(out, xt_view_text(record, "started", ""));
	fputs(json_is_true(json_object_get(record, "interrupted")) ? ", interrupted</p>\n" : "</p>\n", out);
}

static void arms_table(const json_t *record, FILE *out)
{
	const char *function[XT_VIEW_FUNCTIONS];
	size_t functions = xt_view_functions(record, function);
	json_t *arm;
	size_t i;

	fputs("<table><tr><th></th><th class=\"text\">implementation</th>", out);
	for (size_t f = 0; f < functions; f++)
		fprintf(out, "<th>%s(), ns</th>", function[f]);
	fputs("<th class=\"text\"></th></tr>\n", out);
	json_array_foreach(json_object_get(record, "arms"), i, arm)
	{
		char emulated[128], number[XT_CELL];

		if (!strcmp(xt_view_text(arm, "role", ""), "control"))
			continue;
		fputs("<tr>", out);
		cell(out, "", "%c", xt_view_letter(i));
		cell(out, "name", "%s", xt_view_text(arm, "name", "?"));
		for (size_t f = 0; f < functions; f++)
			cell(out, "", "%s",
			     xt_cell_number(number, xt_view_number(json_object_get(arm, "cost_ns"), function[f]), 1));
		xt_cells_emulated(arm, emulated, sizeof(emulated));
		cell(out, "text", "%s", emulated);
		fputs("</tr>\n", out);
	}
	fputs("</table>\n", out);
}

static void ab_row(const json_t *record, const struct xt_view_point *point, size_t k,
                   const struct xt_references *series, FILE *out)
{
	const struct xt_view_comparison *c = &point->comparison[k];
	const json_t *calls = json_object_get(point->json, "calls_per_transaction");
	const char *function[XT_VIEW_FUNCTIONS];
	size_t functions = xt_view_functions(record, function);
	int decimals = xt_cells_decimals(record);
	char a[XT_CELL], b[XT_CELL], gain[XT_CELL];

	fputs("<tr>", out);
	cell(out, "", "%u", point->threads);
	cell(out, "name", "%s", c->letter);
	cell(out, "", "%s", xt_cell_tps(a, point->tps));
	cell(out, "", "%s", xt_cell_tps(a, c->tps));
	cell(out, "", "%s%s", xt_cell_gain(a, c, decimals), c->totals_outside ? "*" : "");
	cell(out, "", "%s", xt_cell_gain(a, &point->control, decimals));
	for (size_t f = 0; f < functions; f++)
		cell(out, "", "%s", xt_cell_number(a, xt_view_number(calls, function[f]), 1));
	cell(out, "", "%s%s", xt_cell_signed(a, xt_view_percent(c->predicted), decimals),
	     c->prediction_differs ? "!" : "");
	cell(out, "name", "%s%s", *c->verdict ? c->verdict : "-", point->partial ? " (partial)" : "");
	for (size_t s = 0; s < series->n; s++) {
		const json_t *row = xt_references_find(point->json, series->name[s]);

		cell(out, "", "%s, %s: %s %%", xt_cell_number(a, xt_view_number(row, "before_tps"), 0),
		     xt_cell_number(b, xt_view_number(row, "after_tps"), 0),
		     xt_cell_signed(gain, xt_view_percent(xt_view_number(row, "ratio")), 1));
	}
	fputs("</tr>\n", out);
}

static void ab_table(const json_t *record, FILE *out)
{
	const char *function[XT_VIEW_FUNCTIONS];
	size_t functions = xt_view_functions(record, function);
	struct xt_references series;
	struct xt_view_point point;

	xt_references_list(record, &series);
	arms_table(record, out);
	fputs("<table>\n<tr><th>threads</th><th>arm</th><th>tps, A</th><th>tps, arm</th><th>gain, %<br>[95 % "
	      "interval]</th>"
	      "<th>A'/A, %<br>[95 % interval]</th>",
	      out);
	for (size_t f = 0; f < functions; f++)
		fprintf(out, "<th>%s()<br>per transaction</th>", function[f]);
	fputs("<th>predicted, %</th><th class=\"text\">verdict</th>", out);
	for (size_t s = 0; s < series.n; s++) {
		fputs("<th>", out);
		escaped(out, xt_references_label(series.name[s]));
		fputs(", published<br>before, after: gain</th>", out);
	}
	fputs("</tr>\n", out);
	for (size_t i = 0; i < xt_view_points(record); i++) {
		xt_view_point(record, i, &point);
		for (size_t k = 0; k < point.n; k++)
			ab_row(record, &point, k, &series, out);
	}
	fputs("</table>\n", out);
}

static void run_table(const json_t *record, FILE *out)
{
	static const char *const field[] = {"threads", "seconds", "transactions",
	                                    "tps",     "qps",     "cpu_us_per_transaction"};
	static const int decimals[] = {0, 2, 0, 2, 1, 1};
	static const char *const latency[] = {"min", "avg", "p50", "p95", "p99", "max"};
	json_t *point;
	size_t i;

	fputs("<table>\n<tr><th>threads</th><th>seconds</th><th>transactions</th><th>tps</th><th>qps</th>"
	      "<th>CPU us<br>per transaction</th>",
	      out);
	for (size_t k = 0; k < 6; k++)
		fprintf(out, "<th>%s, ms</th>", latency[k]);
	fputs("<th class=\"text\">errors</th></tr>\n", out);
	json_array_foreach(json_object_get(record, "points"), i, point)
	{
		char text[XT_CELL], errors[512];

		fputs("<tr>", out);
		for (size_t k = 0; k < 6; k++)
			cell(out, "", "%s", xt_cell_number(text, xt_view_number(point, field[k]), decimals[k]));
		for (size_t k = 0; k < 6; k++)
			cell(out, "", "%s",
			     xt_cell_ms(text, xt_view_number(json_object_get(point, "latency_ms"), latency[k])));
		xt_cells_errors(point, errors, sizeof(errors));
		cell(out, "text", "%s%s", *errors ? errors : "-",
		     json_is_true(json_object_get(point, "partial")) ? " (partial)" : "");
		fputs("</tr>\n", out);
	}
	fputs("</table>\n", out);
}

static void rows_table(const json_t *record, FILE *out)
{
	const char *const *column = xt_rows_columns(xt_view_text(record, "schema", ""));
	json_t *row;
	size_t i;

	fputs("<table>\n<tr>", out);
	for (size_t k = 0; column && column[k]; k++)
		header_cell(out, column[k]);
	fputs("</tr>\n", out);
	json_array_foreach(json_object_get(record, "rows"), i, row)
	{
		fputs("<tr>", out);
		for (size_t k = 0; column && column[k]; k++) {
			const json_t *value = json_object_get(row, column[k]);
			char text[512];

			xt_rows_value(value, text, sizeof(text));
			cell(out, json_is_string(value) ? "name" : "", "%s", text);
		}
		fputs("</tr>\n", out);
	}
	fputs("</table>\n", out);
}

/* The notes of the plain table, as they are. */
static void notes(const json_t *record, FILE *out)
{
	char *text = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);

	if (!memory)
		return;
	xt_table_ab_notes(record, memory);
	if (!fclose(memory) && len) {
		fputs("<pre>", out);
		escaped(out, text);
		fputs("</pre>\n", out);
	}
	free(text);
}

/* The picture inside the page, or why there is none. Returns -1 when gnuplot is there and fails. */
static int picture(const json_t *record, FILE *out, struct xt_err *err)
{
	struct xt_buf script = {0}, image = {0};
	int status = 0;
	const char *svg;

	/* A record without throughput has nothing to draw: the page shows its table. */
	if (!xt_report_drawable(record) || xt_plot_script(record, XT_PICTURE_SVG, &script, NULL)) {
		xt_buf_free(&script);
		return 0;
	}
	status = xt_gnuplot_run(script.data, &image, err);
	svg = status ? NULL : strstr(image.data, "<svg");
	if (svg)
		fputs(svg, out);
	else if (status == 1)
		fputs("<p>No picture: gnuplot was not there when this page was made (Debian: gnuplot-nox).</p>\n", out);
	xt_buf_free(&script);
	xt_buf_free(&image);
	return status < 0 ? -1 : 0;
}

static int part(const json_t *record, FILE *out, struct xt_err *err)
{
	const char *schema = xt_view_text(record, "schema", "");

	heading(record, out);
	if (picture(record, out, err))
		return -1;
	if (!strncmp(schema, "xtime.ab/", 9)) {
		ab_table(record, out);
		notes(record, out);
	} else if (!strncmp(schema, "xtime.run/", 10)) {
		run_table(record, out);
	} else {
		rows_table(record, out);
	}
	return 0;
}

static void claims(const json_t *record, FILE *out)
{
	static const char *const field[] = {"id", "verdict", "claim", "published", "measured", "reason"};
	json_t *claim;
	size_t i;

	fputs("<h2>Claims</h2>\n<table>\n<tr>", out);
	for (size_t k = 0; k < 6; k++)
		fprintf(out, "<th class=\"text\">%s</th>", field[k]);
	fputs("</tr>\n", out);
	json_array_foreach(json_object_get(record, "claims"), i, claim)
	{
		fputs("<tr>", out);
		for (size_t k = 0; k < 6; k++)
			cell(out, k < 2 ? "name" : "text", "%s", xt_view_text(claim, field[k], "-"));
		fputs("</tr>\n", out);
	}
	fputs("</table>\n", out);
}

/* The record as it is, with '<' written so that no text in it can end the element. */
static int embed(const json_t *record, FILE *out, struct xt_err *err)
{
	char *text = xt_record_text(record);

	if (!text)
		return xt_err_failed(err, "out of memory");
	fputs("<script id=\"record\" type=\"application/json\">\n", out);
	for (const char *p = text; *p; p++) {
		if (*p == '<')
			fputs("\\u003c", out);
		else
			putc(*p, out);
	}
	fputs("</script>\n", out);
	free(text);
	return 0;
}

static int parts(const json_t *record, FILE *out, struct xt_err *err)
{
	json_t *inner;
	size_t i;

	if (strncmp(xt_view_text(record, "schema", ""), "xtime.reproduce/", 16) != 0)
		return part(record, out, err);
	json_array_foreach(json_object_get(record, "records"), i, inner)
	{
		if (part(inner, out, err))
			return -1;
	}
	claims(record, out);
	return 0;
}

int xt_report_html(const json_t *record, FILE *out, struct xt_err *err)
{
	json_t *word;
	size_t i;

	fputs(head, out);
	fputs("<title>xtime: ", out);
	escaped(out, xt_view_text(record, "schema", ""));
	fputs("</title>\n</head>\n<body>\n<h1>xtime</h1>\n<pre>", out);
	json_array_foreach(json_object_get(record, "argv"), i, word)
	{
		fputs(i ? " " : "", out);
		escaped(out, json_is_string(word) ? json_string_value(word) : "");
	}
	fputs("</pre>\n", out);
	if (parts(record, out, err) || embed(record, out, err))
		return -1;
	fputs("</body>\n</html>\n", out);
	if (fflush(out) || ferror(out))
		return xt_err_failed(err, "cannot write the page: %s", strerror(errno));
	return 0;
}
