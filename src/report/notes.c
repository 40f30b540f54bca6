/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a reader of an A/B table must know beside its figures: how they came about, and which to take with care.
 */
#include "report/cells.h"
#include "report/grid.h"
#include "report/labcells.h"
#include "report/tables.h"

#include <math.h>
#include <string.h>

/* Who is meant: "2 threads", with several arms "2 threads, C". */
static const char *who(char *buf, const struct xt_view_point *point, const struct xt_view_comparison *c)
{
	snprintf(buf, XT_CELL, "%u thread%s%s%s", point->threads, point->threads == 1 ? "" : "s",
	         point->n > 1 && c ? ", " : "", point->n > 1 && c ? c->letter : "");
	return buf;
}

/* The least that would be found of all arms: the largest of min_detectable. */
static double detectable(const struct xt_view_point *point)
{
	double least = NAN;

	for (size_t k = 0; k < point->n; k++)
		least = fmax(least, point->comparison[k].min_detectable);
	return least;
}

static void note_blocks(const struct xt_view_point *point, FILE *out)
{
	double slice = xt_view_number(point->json, "slice_ms");
	double dropped = xt_view_number(point->json, "blocks_dropped");
	double merged = point->n ? point->comparison[0].merged : NAN;
	double least = detectable(point);
	char text[512] = "", cell[XT_CELL], head[XT_CELL];
	size_t used = 0;

#define ADD(...) (used += (size_t)snprintf(text + used, sizeof(text) - used, __VA_ARGS__))
	ADD("%s blocks", xt_cell_number(cell, xt_view_number(point->json, "blocks"), 0));
	if (!isnan(slice))
		ADD(" of %zu slices of %s ms", point->n + 1 + point->has_control, xt_cell_number(cell, slice, 1));
	if (dropped > 0)
		ADD(", %.0f more dropped (the flip came late)", dropped);
	if (merged > 1)
		ADD(", merged by %.0f", merged);
	if (!isnan(least))
		ADD("; a change of %s %% would be found", xt_cell_number(cell, least * 100, 2));
#undef ADD
	xt_grid_note(out, "  ", "%s: %s%s.", who(head, point, NULL), text, point->partial ? "; partial" : "");
}

/* {"value", "ci95"} times a factor, "1.2 [1.1, 1.3]". */
static void range_text(const json_t *range, double factor, int digits, char *out, size_t cap)
{
	const json_t *ci = json_object_get(range, "ci95");
	char value[XT_CELL], lo[XT_CELL], hi[XT_CELL];

	xt_cell_number(value, xt_view_number(range, "value") * factor, digits);
	if (!json_is_array(ci)) {
		snprintf(out, cap, "%s", value);
		return;
	}
	snprintf(out, cap, "%s [%s, %s]", value,
	         xt_cell_number(lo, json_number_value(json_array_get(ci, 0)) * factor, digits),
	         xt_cell_number(hi, json_number_value(json_array_get(ci, 1)) * factor, digits));
}

/* What was counted and what the loss makes should agree; where they do not, the reader is told what else it may be. */
static void note_counted(const json_t *counted, const json_t *calls, FILE *out)
{
	const json_t *ci = json_object_get(calls, "ci95");
	char count[XT_CELL];

	if (!json_is_number(counted) || !json_is_array(ci))
		return;
	xt_cell_number(count, json_number_value(counted), 1);
	if (json_number_value(counted) > json_number_value(json_array_get(ci, 1)))
		xt_grid_note(out, "  ",
		             "  %s reads a transaction were counted: part of the added time costs no throughput "
		             "(waits that overlap with other work, say).",
		             count);
	else if (json_number_value(counted) < json_number_value(json_array_get(ci, 0)))
		xt_grid_note(out, "  ",
		             "  %s reads a transaction were counted: a longer read costs more than its own time "
		             "(caches, and waits and wake-ups that grow with it; see doc/clocks.md).",
		             count);
}

static void note_dose(const struct xt_view_point *point, FILE *out)
{
	const json_t *dose = json_object_get(point->json, "dose");
	char loss[128], calls[128], even[128], head[XT_CELL];

	if (!json_is_object(dose))
		return;
	range_text(json_object_get(dose, "loss_per_ns"), 1e4, 2, loss, sizeof(loss));
	range_text(json_object_get(dose, "calls_per_transaction"), 1, 1, calls, sizeof(calls));
	range_text(json_object_get(dose, "break_even_ns"), 1, 1, even, sizeof(even));
	xt_grid_note(out, "  ",
	             "%s: dose and response: %s %% of throughput per 100 ns added to a read, as %s reads a transaction "
	             "would lose; a read may cost %s ns more before throughput drops 1 %%.",
	             who(head, point, NULL), loss, calls, even);
	note_counted(json_object_get(dose, "counted_calls"), json_object_get(dose, "calls_per_transaction"), out);
}

static void note_errors(const struct xt_view_point *point, FILE *out)
{
	char text[512], head[XT_CELL];

	xt_cells_errors(point->json, text, sizeof(text));
	if (*text)
		xt_grid_note(out, "  ", "%s: errors: %s.", who(head, point, NULL), text);
}

static void note_marks(const struct xt_view_point *point, FILE *out)
{
	char a[XT_CELL], b[XT_CELL], head[XT_CELL];

	for (size_t k = 0; k < point->n; k++) {
		const struct xt_view_comparison *c = &point->comparison[k];

		if (c->totals_outside)
			xt_grid_note(
				out, "* ",
				"%s: the totals give tps(%s)/tps(A) = %s %%, outside the interval, which speaks of "
				"the typical block: a few blocks differed much from the others.",
				who(head, point, c), c->letter,
				xt_cell_signed(a, xt_view_percent(c->ratio_of_totals), 1));
		if (c->prediction_differs)
			xt_grid_note(out, "! ",
			             "%s: predicted %s %% and measured %s %% disagree (by more than half a point "
			             "outside the "
			             "interval).",
			             who(head, point, c), xt_cell_signed(a, xt_view_percent(c->predicted), 1),
			             xt_cell_signed(b, xt_view_percent(c->ratio), 1));
	}
	if (point->typical_differs)
		xt_grid_note(out, "  ",
		             "%s: the typical slice of A ran at %s tps, all of A at %s: %s are outside both the gain "
		             "and its prediction.",
		             who(head, point, NULL), xt_cell_tps(a, point->tps_typical), xt_cell_tps(b, point->tps),
		             point->tps_typical > point->tps ? "stalls (checkpoints, say)" : "faster spells");
}

static double calls_of(const json_t *arm, const char *const *function, size_t functions)
{
	double sum = 0;

	for (size_t f = 0; f < functions; f++)
		sum += fmax(0, xt_view_number(json_object_get(arm, "calls"), function[f]));
	return sum;
}

static void note_voids(const json_t *record, const struct xt_view_point *point, FILE *out)
{
	const char *function[XT_VIEW_FUNCTIONS];
	size_t functions = xt_view_functions(record, function);
	char head[XT_CELL], list[256] = "";
	bool found = false;
	json_t *arm;
	size_t i, used = 0;

	for (size_t k = 0; k < point->n; k++)
		found |= !strcmp(point->comparison[k].verdict, "void");
	if (!found)
		return;
	json_array_foreach(json_object_get(point->json, "arms"), i, arm)
	{
		if (calls_of(arm, function, functions) == 0 && used < sizeof(list))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", used ? ", " : "",
			                         xt_view_text(arm, "name", "?"));
	}
	xt_grid_note(out, "void ",
	             "%s: %s() was never called under %s, so nothing was compared. Does this workload ask for the time "
	             "through the functions that are swapped?",
	             who(head, point, NULL), function[0], used ? list : "an arm");
}

static void note_emulated(const json_t *record, FILE *out)
{
	json_t *arm;
	size_t i;

	json_array_foreach(json_object_get(record, "arms"), i, arm)
	{
		char text[128];

		xt_cells_emulated(arm, text, sizeof(text));
		if (*text && strcmp(xt_view_text(arm, "role", ""), "control") != 0)
			xt_grid_note(out, "  ", "%c (%s) is %s; figures under it are not those of real hardware.",
			             xt_view_letter(i), xt_view_text(arm, "name", "?"), text);
	}
}

void xt_table_ab_notes(const json_t *record, FILE *out)
{
	const json_t *host = json_object_get(record, "host");
	struct xt_view_point point;
	size_t n = xt_view_points(record);

	for (size_t i = 0; i < n; i++) {
		xt_view_point(record, i, &point);
		note_blocks(&point, out);
		note_dose(&point, out);
		note_errors(&point, out);
	}
	for (size_t i = 0; i < n; i++) {
		xt_view_point(record, i, &point);
		note_voids(record, &point, out);
		note_marks(&point, out);
	}
	note_emulated(record, out);
	xt_labcell_staleness(record, out);
	if (json_integer_value(json_object_get(record, "fallbacks")) > 0)
		xt_grid_note(
			out, "! ",
			"%.0f system calls for the clock were refused (a seccomp filter) and answered by libc: arms "
			"that make them are not what their names say.",
			xt_view_number(record, "fallbacks"));
	if (json_is_true(json_object_get(host, "traced")))
		xt_grid_wrap(out, "  ", "A tracer was attached: system calls cost more than they do without.");
	if (json_is_true(json_object_get(host, "kept_awake")))
		xt_grid_wrap(out, "  ",
		             "CPUs were kept awake. Where they may sleep between a client's and a server's turns "
		             "(--keep-awake=no), transactions are longer and a read is a smaller part of them.");
	if (json_is_true(json_object_get(record, "interrupted")))
		xt_grid_wrap(out, "  ", "The run was interrupted: points that were not begun are missing.");
	if (n > 0)
		xt_grid_wrap(
			out, "  ",
			"Gains are (tps ratio - 1) of the typical block; intervals are per row and not adjusted for "
			"the number of rows. A'/A compares A with itself: the noise floor.");
}
