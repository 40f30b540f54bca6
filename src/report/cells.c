/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures and shared lines of tables.
 */
#include "report/cells.h"

#include "report/grid.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Not finite: '-'. What would be printed as -0.0 is 0. */
static bool absent(char *buf, double *value, int decimals)
{
	if (!isfinite(*value)) {
		strcpy(buf, "-");
		return true;
	}
	if (fabs(*value) < 0.5 * pow(10, -decimals))
		*value = 0;
	return false;
}

const char *xt_cell_number(char *buf, double value, int decimals)
{
	if (!absent(buf, &value, decimals))
		snprintf(buf, XT_CELL, "%.*f", decimals, value);
	return buf;
}

const char *xt_cell_signed(char *buf, double value, int decimals)
{
	if (!absent(buf, &value, decimals))
		snprintf(buf, XT_CELL, "%+.*f", decimals, value);
	return buf;
}

const char *xt_cell_tps(char *buf, double tps)
{
	return xt_cell_number(buf, tps, tps < 1000 ? 2 : tps < 100000 ? 1 : 0);
}

const char *xt_cell_gain(char *buf, const struct xt_view_comparison *c, int decimals)
{
	char gain[XT_CELL], lo[XT_CELL], hi[XT_CELL];

	if (!strcmp(c->verdict, "void"))
		return strcpy(buf, "void");
	if (isnan(c->ratio))
		return strcpy(buf, "-");
	xt_cell_signed(gain, xt_view_percent(c->ratio), decimals);
	if (isnan(c->lo) || isnan(c->hi)) {
		snprintf(buf, XT_CELL, "%.20s [too few]", gain);
		return buf;
	}
	xt_cell_signed(lo, xt_view_percent(c->lo), decimals);
	xt_cell_signed(hi, xt_view_percent(c->hi), decimals);
	snprintf(buf, XT_CELL, "%.18s [%.18s, %.18s]", gain, lo, hi);
	return buf;
}

const char *xt_cell_ms(char *buf, double ms)
{
	if (!isfinite(ms))
		return strcpy(buf, "-");
	return xt_cell_number(buf, ms, ms < 10 ? 3 : ms < 100 ? 2 : 1);
}

int xt_cells_decimals(const json_t *record)
{
	struct xt_view_point point;

	for (size_t i = 0; i < xt_view_points(record); i++) {
		xt_view_point(record, i, &point);
		for (size_t k = 0; k < point.n; k++)
			if (point.comparison[k].hi - point.comparison[k].lo < 0.003)
				return 2;
	}
	return 1;
}

/* Appends to a text of at most cap bytes. */
static void add(char *buf, size_t cap, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void add(char *buf, size_t cap, const char *fmt, ...)
{
	size_t used = strlen(buf);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf + used, cap - used, fmt, ap);
	va_end(ap);
}

void xt_cells_subject(const json_t *record, char *buf, size_t cap)
{
	const json_t *workload = json_object_get(record, "workload");
	const json_t *driver = json_object_get(record, "driver");
	size_t scripts = json_array_size(json_object_get(workload, "scripts"));

	*buf = '\0';
	if (workload)
		add(buf, cap, "%s", xt_view_text(workload, "name", "?"));
	if (scripts > 1)
		add(buf, cap, " and %zu more", scripts - 1);
	if (driver)
		add(buf, cap, " on %s %s", xt_view_text(driver, "name", "?"), xt_view_text(driver, "version", ""));
	if (*buf && buf[strlen(buf) - 1] == ' ')
		buf[strlen(buf) - 1] = '\0';
}

void xt_cells_machine(const json_t *record, char *buf, size_t cap)
{
	const json_t *host = json_object_get(record, "host");
	const char *kernel = xt_view_text(host, "kernel", "");
	const char *virtualization = xt_view_text(host, "virtualization", "");
	double cpus = xt_view_number(host, "cpus");

	*buf = '\0';
	add(buf, cap, "%s", xt_view_text(host, "cpu", "unknown CPU"));
	if (!isnan(cpus))
		add(buf, cap, ", %.0f CPU%s", cpus, cpus == 1 ? "" : "s");
	if (*kernel)
		add(buf, cap, ", %s%s", strncmp(kernel, "Linux", 5) ? "Linux " : "", kernel);
	if (json_object_get(host, "clocksource"))
		add(buf, cap, ", clock source %s", xt_view_text(host, "clocksource", "unknown"));
	if (*virtualization && strcmp(virtualization, "none") && strcmp(virtualization, "unknown"))
		add(buf, cap, ", %s guest", virtualization);
}

void xt_cells_head(const json_t *record, const char *what, FILE *out)
{
	char subject[512], machine[512];

	xt_cells_subject(record, subject, sizeof(subject));
	xt_cells_machine(record, machine, sizeof(machine));
	xt_grid_note(out, "", "%s%s%s (%s%s)", what, *subject ? ": " : "", subject,
	             xt_view_text(record, "started", "?"),
	             json_is_true(json_object_get(record, "interrupted")) ? ", interrupted" : "");
	xt_grid_wrap(out, "", machine);
}

void xt_cells_emulated(const json_t *arm, char *buf, size_t cap)
{
	const json_t *emulated = json_object_get(arm, "emulated");
	const char *clocksource = xt_view_text(emulated, "clocksource", "");
	double ns = xt_view_number(emulated, "ns"), added = xt_view_number(emulated, "added_ns");

	*buf = '\0';
	if (!json_is_object(emulated))
		return;
	add(buf, cap, "emulated:");
	if (*clocksource)
		add(buf, cap, " %s", clocksource);
	if (!isnan(ns))
		add(buf, cap, "%s %.6g ns a read", *clocksource ? "," : "", ns);
	if (added > 0)
		add(buf, cap, "%s %.6g ns added to each read", *clocksource || !isnan(ns) ? "," : "", added);
	if (json_is_true(json_object_get(emulated, "serialised")))
		add(buf, cap, ", one CPU at a time");
}

void xt_cells_arms(const json_t *record, FILE *out)
{
	const char *function[XT_VIEW_FUNCTIONS];
	size_t functions = xt_view_functions(record, function);
	struct xt_grid grid = {.left = ~0u};
	json_t *arm;
	size_t i;

	json_array_foreach(json_object_get(record, "arms"), i, arm)
	{
		const json_t *cost = json_object_get(arm, "cost_ns");
		char emulated[128], text[512] = "", ns[XT_CELL];

		if (!strcmp(xt_view_text(arm, "role", ""), "control"))
			continue;
		for (size_t f = 0; f < functions; f++)
			if (!isnan(xt_view_number(cost, function[f])))
				add(text, sizeof(text), "%s%s() %s ns", *text ? ", " : "", function[f],
				    xt_cell_number(ns, xt_view_number(cost, function[f]), 1));
		xt_cells_emulated(arm, emulated, sizeof(emulated));
		xt_grid_cell(&grid, "%c", xt_view_letter(i));
		xt_grid_cell(&grid, "%s", xt_view_text(arm, "name", "?"));
		xt_grid_cell(&grid, "%s%s%s", text, *emulated && *text ? "; " : "", emulated);
		xt_grid_end_row(&grid);
	}
	xt_grid_print(&grid, out);
	xt_grid_free(&grid);
}

void xt_cells_errors(const json_t *point, char *buf, size_t cap)
{
	const char *class;
	json_t *count;

	*buf = '\0';
	json_object_foreach(json_object_get(point, "errors"), class, count)
	{
		if (json_number_value(count) > 0)
			add(buf, cap, "%s%s %.0f", *buf ? ", " : "", class, json_number_value(count));
	}
}
