/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joins a record's arms and comparisons. Lenient: a field that is not there is NAN here; that it ought to be there was
 * checked when the record was read.
 */
#include "report/view.h"

#include <math.h>
#include <string.h>

static const double STALL_SHARE = 0.05;        /* tps and typical slice differ by more: stalls are outside */
static const double PREDICTION_MARGIN = 0.005; /* beyond the interval */

double xt_view_number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *xt_view_text(const json_t *object, const char *key, const char *fallback)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : fallback;
}

double xt_view_percent(double ratio)
{
	return (ratio - 1) * 100;
}

char xt_view_letter(size_t index)
{
	return (char)('A' + index % 26);
}

static void pair(const json_t *object, const char *key, double *lo, double *hi)
{
	const json_t *value = json_object_get(object, key);
	const json_t *first = json_array_get(value, 0), *second = json_array_get(value, 1);

	*lo = json_is_number(first) ? json_number_value(first) : NAN;
	*hi = json_is_number(second) ? json_number_value(second) : NAN;
}

/* The arm of a point by its name; NULL: none. */
static const json_t *find_arm(const json_t *point, const char *name)
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

static const json_t *find_role(const json_t *owner, const char *role)
{
	json_t *arm;
	size_t i;

	json_array_foreach(json_object_get(owner, "arms"), i, arm)
	{
		if (!strcmp(xt_view_text(arm, "role", ""), role))
			return arm;
	}
	return NULL;
}

/* The control is named as the base with a trailing '. */
static bool is_control(const char *arm, const char *base)
{
	size_t len = strlen(base);

	return !strncmp(arm, base, len) && !strcmp(arm + len, "'");
}

static void letter_of(const json_t *record, struct xt_view_comparison *c)
{
	json_t *arm;
	size_t i;

	strcpy(c->letter, c->control ? "A'" : "?");
	if (c->control)
		return;
	json_array_foreach(json_object_get(record, "arms"), i, arm)
	{
		if (!strcmp(xt_view_text(arm, "name", ""), c->arm)) {
			c->letter[0] = xt_view_letter(i);
			return;
		}
	}
}

static void read_comparison(const json_t *record, const json_t *point, const json_t *json,
                            struct xt_view_comparison *out)
{
	*out = (struct xt_view_comparison){
		.arm = xt_view_text(json, "arm", ""),
		.base = xt_view_text(json, "base", ""),
		.ratio = xt_view_number(json, "ratio"),
		.predicted = xt_view_number(json, "predicted_ratio"),
		.min_detectable = xt_view_number(json, "min_detectable"),
		.ratio_of_totals = xt_view_number(json, "ratio_of_totals"),
		.lag1 = xt_view_number(json, "lag1"),
		.merged = xt_view_number(json, "merged"),
		.verdict = xt_view_text(json, "verdict", ""),
	};
	out->control = is_control(out->arm, out->base);
	out->tps = xt_view_number(find_arm(point, out->arm), "tps");
	pair(json, "ci95", &out->lo, &out->hi);
	letter_of(record, out);
	/* Comparisons with NAN are false: nothing to mark where there is no figure. */
	out->totals_outside = out->ratio_of_totals < out->lo || out->ratio_of_totals > out->hi;
	out->prediction_differs =
		out->predicted < out->lo - PREDICTION_MARGIN || out->predicted > out->hi + PREDICTION_MARGIN;
}

size_t xt_view_points(const json_t *record)
{
	return json_array_size(json_object_get(record, "points"));
}

void xt_view_point(const json_t *record, size_t index, struct xt_view_point *out)
{
	const json_t *point = json_array_get(json_object_get(record, "points"), index);
	const json_t *base = find_role(point, "base");
	json_t *json;
	size_t i;

	*out = (struct xt_view_point){
		.json = point,
		.threads = (unsigned)json_integer_value(json_object_get(point, "threads")),
		.partial = json_is_true(json_object_get(point, "partial")),
		.tps = xt_view_number(base, "tps"),
		.tps_typical = xt_view_number(base, "tps_typical"),
	};
	pair(base, "tps_ci95", &out->tps_lo, &out->tps_hi);
	out->typical_differs = fabs(out->tps_typical / out->tps - 1) > STALL_SHARE;
	json_array_foreach(json_object_get(point, "comparisons"), i, json)
	{
		struct xt_view_comparison c;

		read_comparison(record, point, json, &c);
		if (c.control) {
			out->control = c;
			out->has_control = true;
		} else if (out->n < XT_VIEW_ARMS) {
			out->comparison[out->n++] = c;
		}
	}
	if (!out->has_control)
		out->control = (struct xt_view_comparison){
			.arm = "",
			.base = "",
			.letter = "A'",
			.control = true,
			.tps = NAN,
			.ratio = NAN,
			.lo = NAN,
			.hi = NAN,
			.predicted = NAN,
			.min_detectable = NAN,
			.ratio_of_totals = NAN,
			.lag1 = NAN,
			.merged = NAN,
			.verdict = "",
		};
}

size_t xt_view_functions(const json_t *record, const char *name[XT_VIEW_FUNCTIONS])
{
	static const char *const all[XT_VIEW_FUNCTIONS] = {"time", "gettimeofday", "clock_gettime", "monotonic"};
	const json_t *cost = json_object_get(find_role(record, "base"), "cost_ns");
	const char *first = NULL;
	json_t *point;
	size_t i, n = 0;

	for (size_t f = 0; f < XT_VIEW_FUNCTIONS; f++) {
		bool swapped = !isnan(xt_view_number(cost, all[f]));
		bool called = false;

		json_array_foreach(json_object_get(record, "points"), i, point)
		{
			if (xt_view_number(json_object_get(point, "calls_per_transaction"), all[f]) >= 0.05)
				called = true;
		}
		if (swapped && !first)
			first = all[f];
		if (called && (swapped || !cost))
			name[n++] = all[f];
	}
	if (!n)
		name[n++] = first ? first : all[0];
	return n;
}
