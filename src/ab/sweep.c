/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sweep: visits to thread counts in rounds whose order reverses, so that a drift of the machine does not bend the
 * curve over thread counts; after each visit the record is whole again and can be saved.
 */
#include "ab/dose.h"
#include "ab/point.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A point that an interrupt cut short is kept from this many blocks on. */
enum { KEEP_BLOCKS = 10 };

/* How long each visit measures the cost of a call under its own load. */
enum { COST_SLICE_NS = 100000000 };

/* Snapshots of the page's counters at both edges of a visit's measured time. */
struct edges {
	struct xt_page *page;
	struct xt_page_row *row[2];
	size_t count[2];
};

static void take_edge(void *ctx, bool end)
{
	struct edges *e = ctx;

	if (xt_page_snapshot(e->page, &e->row[end], &e->count[end]))
		e->count[end] = 0;
}

static const struct xt_page_row *same_thread(const struct edges *e, const struct xt_page_row *row)
{
	for (size_t i = 0; i < e->count[0]; i++)
		if (e->row[0][i].pid == row->pid && e->row[0][i].tid == row->tid)
			return &e->row[0][i];
	return NULL;
}

static bool listed(const pid_t *list, size_t count, pid_t pid)
{
	for (size_t i = 0; i < count; i++)
		if (list[i] == pid)
			return true;
	return false;
}

/* Whose calls a row holds. */
static struct xt_calls *owner_of(struct xt_point *point, const struct xt_page_row *row)
{
	if (row->pid == getpid())
		return listed(point->totals.tids, point->totals.tid_count, row->tid) ? &point->client : &point->others;
	if (listed(point->totals.servers, point->totals.server_count, row->pid))
		return &point->server;
	return &point->others;
}

static void add_edges(struct xt_point *point, struct edges *e)
{
	for (size_t i = 0; i < e->count[1]; i++) {
		const struct xt_page_row *row = &e->row[1][i], *before = same_thread(e, row);
		struct xt_calls *into = owner_of(point, row);

		for (unsigned fn = 0; fn < XT_FUNCTIONS; fn++)
			for (unsigned a = 0; a < XT_MAX_ARMS; a++)
				into->of[fn][a] += row->calls[fn][a] - (before ? before->calls[fn][a] : 0);
	}
	free(e->row[0]);
	free(e->row[1]);
}

struct sweep {
	struct xt_ab *ab;
	struct xt_point *points;
	struct xt_rng schedule;
	json_t *record;
	struct xt_ab_outcome *outcome;
	unsigned visit, visits; /* for the progress line */
	const struct xt_point *now;
};

static void show(void *ctx, double seconds, uint64_t transactions)
{
	struct sweep *s = ctx;
	char line[160];

	snprintf(line, sizeof(line), "visit %u of %u: %u thread%s, %.1f s, %.0f transactions/s", s->visit, s->visits,
	         s->now->threads, s->now->threads == 1 ? "" : "s", seconds,
	         seconds > 0 ? (double)transactions / seconds : 0.0);
	s->ab->progress(s->ab->ctx, line);
}

/* Whether to measure how caches cool: where some arm keeps its callers waiting and a prediction counts it. Native reads
 * are over before anything cools, so that this figure's noise would be all that it adds to theirs. */
static bool cools(const struct xt_ab_plan *plan)
{
	bool waits = false;

	for (unsigned a = 0; a < plan->arms; a++)
		waits |= plan->arm[a].arm.ns || plan->arm[a].arm.added_ns;
	return waits && !xt_ab_plan_enters_kernel(plan);
}

/* Before and after each visit: the machine's state may change in between. */
static int measure_cost(const struct sweep *s, struct xt_point *point, bool after, struct xt_err *err)
{
	const struct xt_ab *ab = s->ab;
	const struct xt_cost_load load = {
		.arms = ab->plan.arms + 1,
		.cooling = cools(&ab->plan),
		.threads = xt_point_busy(point, ab),
		.seed = ab->engine->seed + 2 * (uint64_t)s->visit + after,
		.budget_ns = COST_SLICE_NS,
	};

	if (xt_cost_measure_loaded(ab->own_page, &load, &point->cost))
		return xt_err_failed(err, "cannot start the threads that measure the cost of a call");
	return 0;
}

static int visit(struct sweep *s, struct xt_point *point, struct xt_err *err)
{
	const struct xt_ab *ab = s->ab;
	struct edges edges = {.page = ab->page};
	struct xt_visit v = {
		.threads = point->threads,
		.warmup_ns = ab->warmup_ns,
		.time_ns = ab->time_ns / ab->rounds,
		.slicing = &point->slicing,
		.progress = ab->progress ? show : NULL,
		.progress_ctx = s,
	};
	int rc;

	s->visit++;
	s->now = point;
	if (measure_cost(s, point, false, err))
		return -1;
	point->slicing.schedule = &s->schedule;
	point->slicing.edge = take_edge;
	point->slicing.ctx = &edges;
	rc = xt_engine_visit(ab->engine, &v, &point->totals, err);
	add_edges(point, &edges);
	if (rc || point->totals.interrupted)
		return rc;
	point->visits++;
	return measure_cost(s, point, true, err);
}

static int add_dose(const struct xt_point *point, const struct xt_ab *ab, const struct xt_point_result *result,
                    json_t *json, struct xt_err *err)
{
	struct xt_dose dose;

	if (xt_dose_fit(point, ab, result, &dose))
		return xt_err_failed(err, "out of memory");
	json_object_set_new(json, "dose", xt_dose_json(&dose, ab));
	return 0;
}

/* The points begun so far, in the order of the command line, into the record. */
static int write_points(struct sweep *s, bool final, struct xt_err *err)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->ab->threads.n; i++) {
		struct xt_point_result r;
		struct xt_point *point = &s->points[i];

		if (!point->totals.seconds)
			continue;
		if (xt_point_evaluate(point, s->ab, &r, err)) {
			json_decref(list);
			return -1;
		}
		if (point->totals.interrupted && !point->visits && r.blocks < KEEP_BLOCKS)
			continue;
		json_array_append_new(list, xt_point_json(point, s->ab, &r));
		if (s->ab->plan.dose &&
		    add_dose(point, s->ab, &r, json_array_get(list, json_array_size(list) - 1), err)) {
			json_decref(list);
			return -1;
		}
		for (unsigned a = 1; final && a < s->ab->plan.arms; a++)
			s->outcome->voids += r.comparison[a].verdict == XT_VOID;
	}
	json_object_set_new(s->record, "points", list);
	json_object_set_new(s->record, "fallbacks", json_integer((json_int_t)xt_page_fallbacks(s->ab->page)));
	json_object_set_new(s->record, "interrupted", json_boolean(s->outcome->interrupted));
	return 0;
}

static int save(struct sweep *s, bool final, struct xt_err *err)
{
	if (write_points(s, final, err))
		return -1;
	return s->ab->save ? s->ab->save(s->ab->ctx, s->record, err) : 0;
}

static int rounds(struct sweep *s, struct xt_err *err)
{
	struct xt_ab *ab = s->ab;

	for (unsigned round = 0; round < ab->rounds; round++)
		for (size_t i = 0; i < ab->threads.n; i++) {
			struct xt_point *point = &s->points[round % 2 ? ab->threads.n - 1 - i : i];

			if (visit(s, point, err))
				return -1;
			s->outcome->interrupted = point->totals.interrupted;
			if (save(s, false, err))
				return -1;
			if (s->outcome->interrupted)
				return 0;
		}
	return 0;
}

/* Which arm and function make a comparison void, in words. */
static void describe_void(struct sweep *s)
{
	const struct xt_ab *ab = s->ab;
	char swap[128];

	xt_swap_format(ab->plan.swap, swap, sizeof(swap));
	for (size_t i = 0; i < ab->threads.n; i++)
		for (unsigned a = 0; a < ab->plan.arms; a++)
			if (s->points[i].totals.seconds > 0 && !xt_point_calls_under(&s->points[i], ab, a)) {
				snprintf(s->outcome->void_text, sizeof(s->outcome->void_text),
				         "the comparison is void: at %u thread%s arm '%.100s' was never called (%s was "
				         "never called by "
				         "this workload%s)",
				         s->points[i].threads, s->points[i].threads == 1 ? "" : "s",
				         ab->plan.arm[a].name, swap,
				         ab->engine->driver->is_pgsql ? " or its server" : "");
				return;
			}
}

/* The raw data: every slice as it was, in time order within a point. */
static void write_slices(const struct sweep *s)
{
	FILE *out = s->ab->slices;

	fputs("threads,slice,begin_ns,end_ns,arm,statements,late\n", out);
	for (size_t i = 0; i < s->ab->threads.n; i++)
		for (size_t k = 0; k < s->points[i].slicing.slices.n; k++) {
			const struct xt_slice *slice = &s->points[i].slicing.slices.v[k];
			unsigned arm = slice->arm;

			fprintf(out, "%u,%zu,%llu,%llu,%s%s,%llu,%u\n", s->points[i].threads, k,
			        (unsigned long long)slice->begin_ns, (unsigned long long)slice->end_ns,
			        s->ab->plan.arm[arm < s->ab->plan.arms ? arm : 0].name,
			        arm < s->ab->plan.arms ? "" : "'", (unsigned long long)slice->statements, slice->late);
		}
}

int xt_ab_run(struct xt_ab *ab, json_t *record, struct xt_ab_outcome *outcome, struct xt_err *err)
{
	struct sweep s = {
		.ab = ab, .record = record, .outcome = outcome, .visits = ab->rounds * (unsigned)ab->threads.n};
	struct xt_err later;
	int rc = 0;

	memset(outcome, 0, sizeof(*outcome));
	s.points = calloc(ab->threads.n, sizeof(*s.points));
	if (!s.points)
		return xt_err_failed(err, "out of memory");
	xt_rng_init(&s.schedule, ab->engine->seed, 0, XT_RNG_SCHEDULE);
	if (xt_ab_plan_apply(&ab->plan, ab->page, err) || xt_ab_plan_apply(&ab->plan, ab->own_page, err)) {
		free(s.points);
		return -1;
	}
	xt_cost_measure(ab->own_page, ab->plan.arms + 1, ab->engine->seed, ab->cost_ns, ab->alone);
	json_object_set_new(record, "arms", xt_ab_arms_json(ab, ab->alone));
	json_object_set_new(record, "points", json_array());
	for (size_t i = 0; !rc && i < ab->threads.n; i++)
		rc = xt_point_init(&s.points[i], ab, ab->threads.v[i], err);
	if (!rc)
		rc = rounds(&s, err);
	/* What was measured is written even when the run failed. */
	if (write_points(&s, true, &later) || (ab->save && ab->save(ab->ctx, record, &later))) {
		if (!rc)
			*err = later;
		rc = -1;
	}
	if (outcome->voids)
		describe_void(&s);
	if (ab->slices)
		write_slices(&s);
	for (size_t i = 0; i < ab->threads.n; i++)
		xt_point_free(&s.points[i]);
	free(s.points);
	return rc;
}
