/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Merging of runs.
 */
#include "ab/runs.h"

#include "record/record.h"
#include "stats/student.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where a figure stands in each run: point p, and inside it a list's element i (list NULL: the point itself). */
struct place {
	const json_t *records;
	size_t point;
	const char *list;
	size_t element;
};

static json_t *at(const struct place *place, size_t run)
{
	json_t *point = json_array_get(json_object_get(json_array_get(place->records, run), "points"), place->point);

	return place->list ? json_array_get(json_object_get(point, place->list), place->element) : point;
}

static double figure(const struct place *place, size_t run, const char *key)
{
	const json_t *value = json_object_get(at(place, run), key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

enum how { SUM, MEAN, GEOMETRIC };

static double combine(const struct place *place, const char *key, enum how how)
{
	size_t runs = json_array_size(place->records), known = 0;
	double sum = 0;

	for (size_t r = 0; r < runs; r++) {
		double v = figure(place, r, key);

		if (!isfinite(v) || (how == GEOMETRIC && v <= 0))
			continue;
		sum += how == GEOMETRIC ? log(v) : v;
		known++;
	}
	if (!known)
		return NAN;
	return how == SUM ? sum : how == MEAN ? sum / (double)known : exp(sum / (double)known);
}

static void set(json_t *into, const struct place *place, const char *key, enum how how)
{
	double v = combine(place, key, how);

	/* What is counted stays a whole number. */
	if (how == SUM && json_is_integer(json_object_get(into, key)))
		json_object_set_new(into, key, json_integer((json_int_t)llround(v)));
	else if (json_object_get(into, key))
		json_object_set_new(into, key, xt_json_number(v));
}

static int estimate(const struct place *place, struct xt_estimate *out, bool *is_void, json_t *ratios)
{
	size_t runs = json_array_size(place->records);
	double *log_ratio = calloc(runs + 1, sizeof(*log_ratio));

	if (!log_ratio)
		return -1;
	*is_void = false;
	for (size_t r = 0; r < runs; r++) {
		const char *verdict = json_string_value(json_object_get(at(place, r), "verdict"));

		log_ratio[r] = log(figure(place, r, "ratio"));
		*is_void |= verdict && !strcmp(verdict, "void");
		json_array_append_new(ratios, xt_json_number(figure(place, r, "ratio")));
	}
	xt_estimate_runs(log_ratio, runs, out);
	free(log_ratio);
	return 0;
}

static void merge_comparison(json_t *into, const struct place *place, const struct xt_estimate *control)
{
	struct xt_estimate e;
	json_t *ratios = json_array();
	bool is_void;

	if (estimate(place, &e, &is_void, ratios)) {
		json_decref(ratios);
		return;
	}
	if (is_void)
		e.ratio = e.lo = e.hi = NAN;
	json_object_set_new(into, "ratio", xt_json_number(e.ratio));
	json_object_set_new(into, "ci95",
	                    isfinite(e.lo) ? json_pack("[o, o]", xt_json_number(e.lo), xt_json_number(e.hi))
	                                   : json_null());
	json_object_set_new(into, "verdict", json_string(xt_verdict_name(xt_verdict_of(&e, control, is_void))));
	json_object_set_new(into, "min_detectable", xt_json_number(e.min_detectable));
	json_object_set_new(into, "lag1", json_null());
	json_object_set_new(into, "merged", json_integer(1));
	json_object_set_new(into, "runs", ratios);
	set(into, place, "predicted_ratio", GEOMETRIC);
	set(into, place, "ratio_of_totals", GEOMETRIC);
}

static void merge_comparisons(json_t *point, struct place place)
{
	json_t *list = json_object_get(point, "comparisons"), *ratios = json_array();
	size_t n = json_array_size(list);
	struct xt_estimate control;
	bool is_void;

	place.list = "comparisons";
	place.element = n ? n - 1 : 0; /* the control stands last */
	if (n && !estimate(&place, &control, &is_void, ratios))
		for (size_t i = 0; i < n; i++) {
			place.element = i;
			merge_comparison(json_array_get(list, i), &place, &control);
		}
	json_decref(ratios);
}

static void merge_arms(json_t *point, struct place place)
{
	json_t *arm;
	size_t i;

	place.list = "arms";
	json_array_foreach(json_object_get(point, "arms"), i, arm)
	{
		place.element = i;
		set(arm, &place, "seconds", SUM);
		set(arm, &place, "statements", SUM);
		set(arm, &place, "tps", MEAN);
		set(arm, &place, "tps_typical", MEAN);
		/* The spread between runs is in the comparison; one run's own intervals and latencies do not stand for
		 * it. */
		json_object_set_new(arm, "tps_ci95", json_null());
		json_object_del(arm, "latency_ms");
		json_object_del(arm, "calls");
	}
}

json_t *xt_runs_merge(const json_t *records)
{
	static const char *const sums[] = {"seconds", "blocks", "blocks_dropped", "transactions",
	                                   "retries", "failed", "unfinished"};
	json_t *merged = json_deep_copy(json_array_get(records, 0)), *point;
	struct place place = {.records = records};
	bool interrupted = false;

	if (!merged)
		return NULL;
	json_array_foreach(json_object_get(merged, "points"), place.point, point)
	{
		for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++)
			set(point, &place, sums[i], SUM);
		set(point, &place, "cpu_us_per_transaction", MEAN);
		json_object_del(point, "dose");
		merge_arms(point, place);
		merge_comparisons(point, place);
	}
	for (size_t r = 0; r < json_array_size(records); r++)
		interrupted |= json_is_true(json_object_get(json_array_get(records, r), "interrupted"));
	json_object_set_new(merged, "interrupted", json_boolean(interrupted));
	json_object_set_new(merged, "runs", json_integer((json_int_t)json_array_size(records)));
	return merged;
}
