/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The A/B part of a record. What was not measured is null.
 */
#include "ab/point.h"
#include "record/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, xt_json_number(value));
}

static void put_int(json_t *object, const char *key, uint64_t value)
{
	json_object_set_new(object, key, json_integer((json_int_t)value));
}

static json_t *pair(double lo, double hi)
{
	if (!isfinite(lo) || !isfinite(hi))
		return json_null();
	return json_pack("[o, o]", xt_json_number(lo), xt_json_number(hi));
}

static const char *const function_name[XT_FUNCTIONS] = {"time",         "gettimeofday", "clock_gettime",
                                                        "timespec_get", "ftime",        "monotonic"};

/* timespec_get() and ftime() are listed when they were called at all. */
static json_t *calls_json(const double *calls)
{
	json_t *o = json_object();

	for (unsigned fn = 0; fn < XT_FUNCTIONS; fn++)
		if ((fn != XT_FN_TIMESPEC_GET && fn != XT_FN_FTIME) || calls[fn] > 0)
			put(o, function_name[fn], calls[fn]);
	return o;
}

static json_t *emulated_json(const struct xt_arm *arm)
{
	json_t *o;

	if (!arm->ns && !arm->added_ns)
		return json_null();
	o = json_object();
	json_object_set_new(o, "clocksource", arm->clocksource[0] ? json_string(arm->clocksource) : json_null());
	json_object_set_new(o, "ns", arm->ns ? json_integer((json_int_t)arm->ns) : json_null());
	json_object_set_new(o, "added_ns", arm->added_ns ? json_integer((json_int_t)arm->added_ns) : json_null());
	json_object_set_new(o, "serialised", json_boolean(arm->serialised));
	return o;
}

static const char *role(unsigned arm, unsigned arms)
{
	return arm == 0 ? "base" : arm == arms ? "control" : "arm";
}

static json_t *arm_name(const struct xt_ab *ab, unsigned arm)
{
	char name[300];

	snprintf(name, sizeof(name), "%s%s", ab->plan.arm[arm < ab->plan.arms ? arm : 0].name,
	         arm < ab->plan.arms ? "" : "'");
	return json_string(name);
}

static json_t *cost_json(const double *ns)
{
	json_t *o = json_object();

	put(o, "time", ns[XT_FN_TIME]);
	put(o, "gettimeofday", ns[XT_FN_GETTIMEOFDAY]);
	put(o, "clock_gettime", ns[XT_FN_CLOCK_GETTIME]);
	put(o, "monotonic", ns[XT_FN_MONOTONIC]);
	return o;
}

json_t *xt_ab_arms_json(const struct xt_ab *ab, const struct xt_cost *cost)
{
	json_t *list = json_array();

	for (unsigned i = 0; i <= ab->plan.arms; i++) {
		const struct xt_ab_arm *a = &ab->plan.arm[i < ab->plan.arms ? i : 0];
		json_t *o = json_object();

		json_object_set_new(o, "name", arm_name(ab, i));
		json_object_set_new(o, "spec", json_string(a->spec));
		json_object_set_new(o, "role", json_string(role(i, ab->plan.arms)));
		json_object_set_new(o, "emulated", emulated_json(&a->arm));
		json_object_set_new(o, "cost_ns", cost_json(cost[i].ns));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *latency_json(const struct xt_hist *hist)
{
	json_t *o = json_object();
	static const struct {
		const char *name;
		double q;
	} quantile[] = {{"p50", 0.5}, {"p95", 0.95}, {"p99", 0.99}};

	put(o, "min", hist->count ? (double)hist->min / 1e6 : NAN);
	put(o, "avg", xt_hist_mean(hist) / 1e6);
	for (size_t i = 0; i < 3; i++)
		put(o, quantile[i].name, xt_hist_quantile(hist, quantile[i].q) / 1e6);
	put(o, "max", hist->count ? (double)hist->max / 1e6 : NAN);
	return o;
}

static json_t *arm_json(const struct xt_point *point, const struct xt_ab *ab, const struct xt_point_result *r,
                        unsigned arm)
{
	const struct xt_point_arm *a = &r->arm[arm];
	json_t *o = json_object();
	double calls[XT_FUNCTIONS];

	for (unsigned fn = 0; fn < XT_FUNCTIONS; fn++)
		calls[fn] = (double)(point->client.of[fn][arm] + (ab->client_only ? 0 : point->server.of[fn][arm]));
	json_object_set_new(o, "name", arm_name(ab, arm));
	json_object_set_new(o, "role", json_string(role(arm, ab->plan.arms)));
	put(o, "seconds", a->seconds);
	put_int(o, "statements", a->statements);
	put(o, "tps", a->tps);
	put(o, "tps_typical", a->typical);
	json_object_set_new(o, "tps_ci95", pair(a->tps_lo, a->tps_hi));
	json_object_set_new(o, "calls", calls_json(calls));
	json_object_set_new(o, "cost_ns", cost_json(r->cost[arm].ns));
	json_object_set_new(o, "cooling_ns", cost_json(r->cost[arm].cooling_ns));
	json_object_set_new(o, "latency_ms", latency_json(point->totals.latency[arm]));
	return o;
}

static json_t *comparison_json(const struct xt_ab *ab, const struct xt_point_comparison *c, unsigned arm)
{
	const struct xt_estimate *e = &c->estimate;
	json_t *o = json_object();

	json_object_set_new(o, "arm", arm_name(ab, arm));
	json_object_set_new(o, "base", arm_name(ab, 0));
	put(o, "ratio", e->ratio);
	json_object_set_new(o, "ci95", pair(e->lo, e->hi));
	put(o, "predicted_ratio", c->predicted);
	json_object_set_new(o, "verdict", json_string(xt_verdict_name(c->verdict)));
	put(o, "min_detectable", c->verdict == XT_VOID ? NAN : e->min_detectable);
	put(o, "ratio_of_totals", c->ratio_of_totals);
	put(o, "lag1", e->lag1);
	json_object_set_new(o, "merged", e->n ? json_integer(e->merged) : json_null());
	return o;
}

static json_t *errors_json(const uint64_t *errors)
{
	json_t *o = json_object();

	for (int i = XT_BUSY; i <= XT_OTHER; i++)
		put_int(o, xt_class_name((enum xt_class)i), errors[i]);
	return o;
}

/* What the workload counts itself. */
static json_t *figures_json(const struct xt_program *program, const struct xt_totals *t)
{
	const struct xt_figure *figures;
	json_t *o = json_object();

	xt_program_figures(program, &figures);
	for (size_t i = 0; i < t->figure_count; i++)
		put(o, figures[i].name, t->figures[i]);
	return o;
}

json_t *xt_point_json(const struct xt_point *point, const struct xt_ab *ab, const struct xt_point_result *r)
{
	const struct xt_totals *t = &point->totals;
	json_t *o = json_object(), *arms = json_array(), *comparisons = json_array();
	double others[XT_FUNCTIONS];

	put_int(o, "threads", point->threads);
	put(o, "seconds", t->seconds);
	json_object_set_new(o, "partial", json_boolean(point->visits < point->visits_wanted || t->interrupted));
	put(o, "slice_ms", point->slicing.slice_ns ? (double)point->slicing.slice_ns / 1e6 : NAN);
	put_int(o, "blocks", r->blocks);
	put_int(o, "blocks_dropped", r->dropped);
	put_int(o, "transactions", t->transactions);
	put(o, "statements_per_transaction", r->statements_per_transaction);
	json_object_set_new(o, "errors", errors_json(t->errors));
	put_int(o, "retries", t->retries);
	put_int(o, "failed", t->failed);
	put_int(o, "unfinished", t->unfinished);
	put(o, "cpu_us_per_transaction", t->transactions ? t->cpu_ns / 1e3 / (double)t->transactions : NAN);
	json_object_set_new(o, "calls_per_transaction", calls_json(r->calls));
	json_object_set_new(o, "calls_client", calls_json(r->calls_client));
	for (unsigned fn = 0; fn < XT_FUNCTIONS; fn++) {
		others[fn] = 0;
		for (unsigned a = 0; a <= ab->plan.arms; a++)
			others[fn] += (double)point->others.of[fn][a];
	}
	json_object_set_new(o, "calls_others", calls_json(others));
	if (t->figure_count)
		json_object_set_new(o, "figures", figures_json(ab->engine->program, t));
	for (unsigned a = 0; a <= ab->plan.arms; a++)
		json_array_append_new(arms, arm_json(point, ab, r, a));
	json_object_set_new(o, "arms", arms);
	for (unsigned a = 1; a <= ab->plan.arms; a++)
		json_array_append_new(comparisons, comparison_json(ab, &r->comparison[a], a));
	json_object_set_new(o, "comparisons", comparisons);
	json_object_set_new(o, "references", json_array());
	return o;
}
