/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sweep of `run`.
 */
#include "cli/points.h"

#include "base/log.h"
#include "record/record.h"

#include <math.h>
#include <stdlib.h>

struct point {
	unsigned threads;
	unsigned visits;
	struct xt_totals totals;
};

static void put(json_t *o, const char *key, double value)
{
	json_object_set_new(o, key, xt_json_number(value));
}

static void put_int(json_t *o, const char *key, uint64_t value)
{
	json_object_set_new(o, key, json_integer((json_int_t)value));
}

static json_t *latency_json(const struct xt_hist *h)
{
	json_t *o = json_object();

	put(o, "min", h->count ? (double)h->min / 1e6 : NAN);
	put(o, "avg", xt_hist_mean(h) / 1e6);
	put(o, "p50", xt_hist_quantile(h, 0.5) / 1e6);
	put(o, "p95", xt_hist_quantile(h, 0.95) / 1e6);
	put(o, "p99", xt_hist_quantile(h, 0.99) / 1e6);
	put(o, "max", h->count ? (double)h->max / 1e6 : NAN);
	put(o, "stddev", xt_hist_stddev(h) / 1e6);
	put(o, "sum", h->sum / 1e6);
	return o;
}

static double rate(uint64_t n, double seconds)
{
	return seconds > 0 ? (double)n / seconds : NAN;
}

static json_t *point_json(const struct point *p, unsigned wanted)
{
	const struct xt_totals *t = &p->totals;
	json_t *o = json_object(), *queries = json_object(), *errors = json_object();

	put_int(o, "threads", p->threads);
	put(o, "seconds", t->seconds);
	json_object_set_new(o, "partial", json_boolean(p->visits < wanted));
	put_int(o, "transactions", t->transactions);
	put_int(queries, "read", t->queries[XT_SQL_READ]);
	put_int(queries, "write", t->queries[XT_SQL_WRITE]);
	put_int(queries, "other", t->queries[XT_SQL_OTHER]);
	put_int(queries, "total", t->statements);
	json_object_set_new(o, "queries", queries);
	put(o, "tps", rate(t->transactions, t->seconds));
	put(o, "qps", rate(t->statements, t->seconds));
	for (int i = XT_BUSY; i <= XT_OTHER; i++)
		put_int(errors, xt_class_name((enum xt_class)i), t->errors[i]);
	json_object_set_new(o, "errors", errors);
	put_int(o, "failed", t->failed);
	put_int(o, "retries", t->retries);
	put_int(o, "reconnects", t->reconnects);
	put_int(o, "unfinished", t->unfinished);
	put_int(o, "time_calls", t->clock_calls);
	json_object_set_new(o, "latency_ms", latency_json(t->latency[0]));
	put(o, "cpu_us_per_transaction", t->transactions ? t->cpu_ns / 1e3 / (double)t->transactions : NAN);
	put(o, "lock_wait_share", t->seconds > 0 ? (double)t->lock_wait_ns / 1e9 / t->seconds / p->threads : NAN);
	json_object_set_new(o, "ended_by",
	                    json_string(t->interrupted   ? "interrupt"
	                                : t->events_done ? "events"
	                                                 : "time"));
	return o;
}

static int save(struct xt_session *session, json_t *record, const struct point *points, struct xt_err *err)
{
	json_t *list = json_array();
	bool interrupted = false;

	for (size_t i = 0; i < session->o.threads.n; i++) {
		const struct xt_totals *t = &points[i].totals;

		interrupted |= t->interrupted;
		if (points[i].visits || (t->seconds > 0 && (t->transactions || !t->interrupted)))
			json_array_append_new(list, point_json(&points[i], (unsigned)session->o.rounds));
	}
	json_object_set_new(record, "points", list);
	json_object_set_new(record, "interrupted", json_boolean(interrupted));
	return *session->output_path ? xt_record_save(record, session->output_path, err) : 0;
}

static void show(void *ctx, double seconds, uint64_t transactions)
{
	const struct point *p = ctx;

	xt_log_progress("%u thread%s, %.1f s, %.0f transactions/s", p->threads, p->threads == 1 ? "" : "s", seconds,
	                seconds > 0 ? (double)transactions / seconds : 0.0);
}

static int visit(struct xt_session *session, struct point *p, struct xt_err *err)
{
	uint64_t rounds = (uint64_t)session->o.rounds;
	const struct xt_visit v = {
		.threads = p->threads,
		.warmup_ns = session->o.warmup_ns,
		.time_ns = session->o.time_ns / rounds,
		.events = session->o.events ? ((uint64_t)session->o.events + rounds - 1) / rounds : 0,
		.progress = show,
		.progress_ctx = p,
	};

	if (xt_engine_visit(&session->engine, &v, &p->totals, err))
		return -1;
	p->visits += !p->totals.interrupted;
	if (p->totals.unfinished)
		return xt_err_failed(err, "%llu transaction%s did not end and had to be cancelled",
		                     (unsigned long long)p->totals.unfinished, p->totals.unfinished == 1 ? "" : "s");
	return 0;
}

int xt_points_run(struct xt_session *session, json_t *record, bool *interrupted, struct xt_err *err)
{
	size_t n = session->o.threads.n;
	struct point *points = calloc(n, sizeof(*points));
	struct xt_err later;
	int rc = points ? 0 : xt_err_failed(err, "out of memory");

	*interrupted = false;
	for (size_t i = 0; !rc && i < n; i++) {
		points[i].threads = session->o.threads.v[i];
		rc = xt_totals_init(&points[i].totals, 1, err);
	}
	for (int64_t round = 0; !rc && !*interrupted && round < session->o.rounds; round++)
		for (size_t i = 0; !rc && !*interrupted && i < n; i++) {
			struct point *p = &points[round % 2 ? n - 1 - i : i];

			rc = visit(session, p, err);
			*interrupted = p->totals.interrupted;
			if (!rc)
				rc = save(session, record, points, err);
		}
	/* What was measured is kept even when the run failed. */
	if (rc && points && save(session, record, points, &later))
		xt_log_error("%s", later.text);
	for (size_t i = 0; points && i < n; i++)
		xt_totals_free(&points[i].totals);
	free(points);
	return rc;
}
