/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sweep of `run`.
 */
#include "cli/points.h"

#include "base/log.h"
#include "base/mono.h"
#include "cli/point_json.h"
#include "record/record.h"
#include "report/formats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int save(struct xt_session *session, json_t *record, const struct xt_run_point *points, struct xt_err *err)
{
	json_t *list = json_array();
	bool interrupted = false;

	for (size_t i = 0; i < session->o.threads.n; i++) {
		const struct xt_totals *t = &points[i].totals;

		interrupted |= t->interrupted;
		if (points[i].visits || (t->seconds > 0 && (t->transactions || !t->interrupted)))
			json_array_append_new(list, xt_run_point_json(&points[i]));
	}
	json_object_set_new(record, "points", list);
	json_object_set_new(record, "interrupted", json_boolean(interrupted));
	return *session->output_path ? xt_record_save(record, session->output_path, err) : 0;
}

static void show(void *ctx, double seconds, uint64_t transactions)
{
	const struct xt_run_point *p = ctx;

	xt_log_progress("%u thread%s, %.1f s, %.0f transactions/s", p->threads, p->threads == 1 ? "" : "s", seconds,
	                seconds > 0 ? (double)transactions / seconds : 0.0);
}

/* Lines are to be seen when they are printed; the first failure is kept. */
static void push_out(struct xt_run_point *p)
{
	if (fflush(stdout) && !p->write_errno)
		p->write_errno = errno;
}

/* An interval has ended: into the record, and as a line where the format has lines. */
static void interval(void *ctx, const struct xt_interval *v)
{
	struct xt_run_point *p = ctx;
	json_t *row = xt_run_interval_json(p, v);

	json_array_append_new(p->intervals, row);
	xt_log_progress_end();
	if (p->session->o.format == XT_FORMAT_TABLE || p->session->o.format == XT_FORMAT_SYSBENCH) {
		/* A table's lines say parts of a second; whoever asks for sysbench's lines reads whole ones. */
		bool whole = p->session->o.format == XT_FORMAT_SYSBENCH ||
		             p->session->o.report_interval_ns % 1000000000 == 0;

		xt_report_sysbench_interval(p->load, row, whole ? 0 : 2, stdout);
		push_out(p);
	} else if (p->session->o.format == XT_FORMAT_PGBENCH) {
		xt_report_pgbench_interval(p->load, row,
		                           p->session->o.progress_timestamp ? (double)xt_wall_ns() / 1e9 : 0, stderr);
	}
}

/* A checkpoint: into the record; sysbench prints each when it is there, but the last as its final report. */
static void checkpoint(void *ctx, const struct xt_interval *v)
{
	struct xt_run_point *p = ctx;
	json_t *row = xt_run_checkpoint_json(p, v);

	json_array_append_new(p->checkpoints, row);
	if (p->session->o.format != XT_FORMAT_SYSBENCH || v->last)
		return;
	xt_log_progress_end();
	xt_report_sysbench_checkpoint(p->record, row, stdout);
	push_out(p);
}

static int visit(struct xt_session *session, struct xt_run_point *p, struct xt_err *err)
{
	uint64_t rounds = (uint64_t)session->o.rounds;
	struct xt_visit v = {
		.threads = p->threads,
		.warmup_ns = session->o.warmup_ns,
		.time_ns = p->plan->time_ns / rounds,
		.events = session->o.events ? ((uint64_t)session->o.events + rounds - 1) / rounds : 0,
		.progress = show,
		.progress_ctx = p,
		.pace = p->plan->pace,
		.measure = p->plan->measure,
	};

	v.measure.interval = interval;
	v.measure.checkpoint = checkpoint;
	v.measure.ctx = p;
	p->failed = xt_engine_visit(&session->engine, &v, &p->totals, err) != 0;
	if (p->failed)
		return -1;
	p->visits += !p->totals.interrupted;
	/* The user who asked for the end knows; the report tells the number. */
	if (p->totals.unfinished && !p->totals.interrupted)
		return xt_err_failed(err, "%llu transaction%s did not end and had to be cancelled",
		                     (unsigned long long)p->totals.unfinished, p->totals.unfinished == 1 ? "" : "s");
	return 0;
}

/* What one reading of the engine's own clock costs, roughly. */
static double ruler_cost_ns(void)
{
	enum { READS = 2000 };
	uint64_t begin = xt_mono_ns(), end = begin;

	for (int i = 0; i < READS; i++)
		end = xt_mono_ns();
	return (double)(end - begin) / READS;
}

/* A driver that is one process with its database cannot be told from it; a client of a server can be too slow. */
static void warn_bottleneck(const struct xt_run_point *p)
{
	double cpus = xt_run_plan_cpus_allowed(), share;

	if (!p->session->engine.driver->is_pgsql || p->totals.seconds < 0.5) /* too short to tell */
		return;
	share = p->totals.cpu_ns / 1e9 / p->totals.seconds / cpus;
	if (share > 0.8)
		xt_log_warning(
			"%u thread%s: the load generator used %.0f %% of the %.3g CPU%s it may use: it may be the "
			"bottleneck, not the server",
			p->threads, p->threads == 1 ? "" : "s", share * 100, cpus, cpus == 1 ? "" : "s");
	else if (p->threads > cpus)
		xt_log_note("%u threads share %.3g CPU%s: latencies include waiting for a CPU", p->threads, cpus,
		            cpus == 1 ? "" : "s");
}

/* sysbench's report follows each thread count. */
static void print_point(const struct xt_session *session, const json_t *record, struct xt_run_point *p)
{
	json_t *point;

	if (session->o.format != XT_FORMAT_SYSBENCH || p->totals.seconds <= 0)
		return;
	point = xt_run_point_json(p);
	xt_report_sysbench_point(record, point, stdout);
	push_out(p);
	json_decref(point);
}

static int make_point(struct xt_run_point *p, struct xt_session *session, const struct xt_run_plan *plan,
                      struct xt_err *err)
{
	p->session = session;
	p->plan = plan;
	p->ruler_ns = ruler_cost_ns();
	p->intervals = plan->measure.interval_ns ? json_array() : NULL;
	p->checkpoints = plan->measure.checkpoint_count ? json_array() : NULL;
	return xt_totals_init(&p->totals, 1, err);
}

int xt_points_run(struct xt_session *session, const struct xt_run_plan *plan, json_t *record, bool *interrupted,
                  struct xt_err *err)
{
	size_t n = session->o.threads.n;
	struct xt_run_point *points = calloc(n, sizeof(*points));
	struct xt_err later;
	int rc = points ? 0 : xt_err_failed(err, "out of memory");

	*interrupted = false;
	for (size_t i = 0; !rc && i < n; i++) {
		points[i].threads = session->o.threads.v[i];
		points[i].load = json_object_get(record, "load");
		points[i].record = record;
		rc = make_point(&points[i], session, plan, err);
	}
	for (int64_t round = 0; !rc && !*interrupted && round < session->o.rounds; round++)
		for (size_t i = 0; !rc && !*interrupted && i < n; i++) {
			struct xt_run_point *p = &points[round % 2 ? n - 1 - i : i];

			if (session->o.format == XT_FORMAT_SYSBENCH)
				xt_report_sysbench_head(record, p->threads, stdout);
			rc = visit(session, p, err);
			*interrupted = p->totals.interrupted;
			if (rc || *interrupted || round == session->o.rounds - 1)
				print_point(session, record, p);
			if (!rc && p->write_errno)
				rc = xt_err_failed(err, "cannot write standard output: %s", strerror(p->write_errno));
			if (!rc)
				rc = save(session, record, points, err);
		}
	/* What was measured is kept even when the run failed. */
	if (rc && points && save(session, record, points, &later))
		xt_log_error("%s", later.text);
	xt_log_progress_end();
	for (size_t i = 0; points && i < n; i++) {
		warn_bottleneck(&points[i]);
		json_decref(points[i].intervals);
		json_decref(points[i].checkpoints);
		xt_totals_free(&points[i].totals);
	}
	free(points);
	return rc;
}
