/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Totals of the engine to JSON. What was not measured is null or left out, never 0.
 */
#include "cli/point_json.h"

#include "record/record.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>

static void put(json_t *o, const char *key, double value)
{
	json_object_set_new(o, key, xt_json_number(value));
}

static void put_int(json_t *o, const char *key, uint64_t value)
{
	json_object_set_new(o, key, json_integer((json_int_t)value));
}

static double rate(uint64_t n, double seconds)
{
	return seconds > 0 ? (double)n / seconds : NAN;
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

static json_t *queries_json(const uint64_t counts[3], uint64_t total)
{
	json_t *o = json_object();

	put_int(o, "read", counts[XT_SQL_READ]);
	put_int(o, "write", counts[XT_SQL_WRITE]);
	put_int(o, "other", counts[XT_SQL_OTHER]);
	put_int(o, "total", total);
	return o;
}

static json_t *percentiles_json(const struct xt_run_point *p, const struct xt_hist *h)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->plan->percentile_count; i++) {
		json_t *one = json_object();

		put(one, "percentile", p->plan->percentiles[i]);
		put(one, "ms", xt_hist_quantile(h, p->plan->percentiles[i] / 100) / 1e6);
		json_array_append_new(list, one);
	}
	return list;
}

/* Buckets that hold something; the last `cumulative` is the number of transactions. */
static json_t *histogram_json(const struct xt_hist *h)
{
	json_t *list = json_array();
	uint64_t seen = 0;

	for (unsigned i = 0; i < XT_HIST_BUCKETS; i++) {
		json_t *one;

		if (!h->bucket[i])
			continue;
		seen += h->bucket[i];
		one = json_object();
		put(one, "from_ms", (double)xt_hist_low(i) / 1e6);
		put(one, "to_ms", (double)xt_hist_high(i) / 1e6);
		put_int(one, "count", h->bucket[i]);
		put_int(one, "cumulative", seen);
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *command_json(const struct xt_run_point *p, const struct xt_command_sum *sum,
                            const struct xt_command *command, size_t script)
{
	const struct xt_hist *h = &sum->latency;
	json_t *o = json_object();

	put_int(o, "script", script);
	put_int(o, "line", (uint64_t)command->line);
	json_object_set_new(o, "command", json_string(command->source ? command->source : ""));
	put_int(o, "count", sum->count);
	put_int(o, "timed", h->count);
	put(o, "avg_ms", xt_hist_mean(h) / 1e6);
	put(o, "min_ms", h->count ? (double)h->min / 1e6 : NAN);
	put(o, "p50_ms", xt_hist_quantile(h, 0.5) / 1e6);
	put(o, "p95_ms", xt_hist_quantile(h, 0.95) / 1e6);
	put(o, "p99_ms", xt_hist_quantile(h, 0.99) / 1e6);
	put(o, "max_ms", h->count ? (double)h->max / 1e6 : NAN);
	put(o, "stddev_ms", xt_hist_stddev(h) / 1e6);
	json_object_set_new(o, "percentiles", percentiles_json(p, h));
	put_int(o, "failures", sum->failures);
	put_int(o, "retries", sum->retries);
	return o;
}

static json_t *commands_json(const struct xt_run_point *p)
{
	const struct xt_program *program = p->session->program;
	json_t *list = json_array();
	size_t at = 0;

	for (size_t s = 0; s < xt_program_scripts(program); s++) {
		const struct xt_code *code = xt_program_code(program, s, XT_RUN);

		for (size_t i = 0; i < code->count && at < p->totals.command_count; i++, at++) {
			enum xt_op op = code->commands[i].op;

			/* A branch has one jump for its end that is no line of the script. */
			if (op == XT_OP_JUMP)
				continue;
			json_array_append_new(list, command_json(p, &p->totals.commands[at], &code->commands[i], s));
		}
	}
	return list;
}

static json_t *scripts_json(const struct xt_run_point *p)
{
	json_t *list = json_array();

	for (size_t i = 0; i < xt_program_scripts(p->session->program); i++) {
		const struct xt_script_sum *sum = i < p->totals.script_count ? &p->totals.scripts[i] : NULL;
		json_t *o = json_object();

		json_object_set_new(o, "name", json_string(xt_program_name(p->session->program, i)));
		put(o, "weight", p->session->weights[i]);
		if (sum) {
			double n = (double)sum->transactions, mean = n > 0 ? sum->sum_ns / n : NAN;
			double variance = n > 0 ? sum->sum_squares / n - mean * mean : NAN;

			put_int(o, "transactions", sum->transactions);
			put_int(o, "failed", sum->failed);
			put_int(o, "skipped", sum->skipped);
			put(o, "avg_ms", mean / 1e6);
			put(o, "stddev_ms", variance > 0 ? sqrt(variance) / 1e6 : variance);
		}
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *fairness_json(const struct xt_thread_sum *rows, size_t count)
{
	double n = (double)count, sum = 0, busy = 0, sum2 = 0, busy2 = 0;
	json_t *o = json_object();

	for (size_t i = 0; i < count; i++) {
		double x = (double)rows[i].transactions, y = rows[i].busy_ns / 1e9;

		sum += x;
		sum2 += x * x;
		busy += y;
		busy2 += y * y;
	}
	put(o, "events_avg", n > 0 ? sum / n : NAN);
	put(o, "events_stddev", n > 0 ? sqrt(fmax(0, sum2 / n - sum / n * (sum / n))) : NAN);
	put(o, "time_avg_s", n > 0 ? busy / n : NAN);
	put(o, "time_stddev_s", n > 0 ? sqrt(fmax(0, busy2 / n - busy / n * (busy / n))) : NAN);
	return o;
}

static json_t *threads_json(const struct xt_run_point *p)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->totals.thread_count; i++) {
		const struct xt_thread_sum *sum = &p->totals.threads[i];
		json_t *o = json_object();
		char hash[24];

		put_int(o, "transactions", sum->transactions);
		put(o, "busy_s", sum->busy_ns / 1e9);
		if (p->plan->measure.hash) {
			snprintf(hash, sizeof(hash), "%016llx", (unsigned long long)sum->hash);
			json_object_set_new(o, "statement_hash", json_string(hash));
		}
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *rate_json(const struct xt_run_point *p)
{
	const struct xt_totals *t = &p->totals;
	json_t *o = json_object();

	put(o, "offered_per_s", p->plan->pace.rate_per_s);
	put(o, "achieved_per_s", rate(t->transactions, t->seconds));
	put_int(o, "intended", t->started + t->backlog);
	put_int(o, "begun", t->started - t->skipped);
	put_int(o, "skipped", t->skipped);
	put_int(o, "backlog", t->backlog);
	return o;
}

/* What the workload counts itself. */
static json_t *figures_json(const struct xt_run_point *p)
{
	const struct xt_figure *figures;
	json_t *o = json_object();

	xt_program_figures(p->session->program, &figures);
	for (size_t i = 0; i < p->totals.figure_count; i++)
		put(o, figures[i].name, p->totals.figures[i]);
	return o;
}

static const char *ended_by(const struct xt_run_point *p)
{
	const struct xt_totals *t = &p->totals;

	if (p->failed)
		return "error";
	if (t->interrupted)
		return "interrupt";
	return t->events_done ? "events" : t->transactions_done ? "transactions" : "time";
}

/* CPU time and context switches are looked at by the coordinator, and in a short run it may come to look when all is
 * over: of a few milliseconds they say nothing. */
static bool long_enough(const struct xt_totals *t)
{
	return t->seconds >= 0.02;
}

/* What the generator itself took. */
static void put_own_cost(json_t *o, const struct xt_run_point *p)
{
	const struct xt_totals *t = &p->totals;
	double n = (double)t->transactions, reads = n > 0 ? (double)t->ruler_reads / n : NAN;
	json_t *clock = json_object(), *switches = json_object(), *connect = json_object();
	double spent = long_enough(t) && n > 0 ? 1 / n : NAN;
	struct rusage usage;

	put(clock, "per_transaction", reads);
	put(clock, "ns_each", p->ruler_ns);
	/* Between transactions a paced worker looks at the clock, too: outside any latency. */
	put(clock, "share_of_latency",
	    xt_paced(&p->plan->pace, &p->plan->measure) ? NAN : reads * p->ruler_ns / xt_hist_mean(t->latency[0]));
	json_object_set_new(o, "clock_reads", clock);
	put(switches, "voluntary", long_enough(t) ? (double)t->switches[0] : NAN);
	put(switches, "involuntary", long_enough(t) ? (double)t->switches[1] : NAN);
	json_object_set_new(o, "context_switches", switches);
	getrusage(RUSAGE_SELF, &usage);
	put_int(o, "peak_memory_kb", (uint64_t)usage.ru_maxrss);
	put_int(connect, "count", t->connects);
	put(connect, "startup", t->startup_ns / 1e6);
	put(connect, "avg", t->connects ? t->connect_ns / (double)t->connects / 1e6 : NAN);
	put(connect, "max", t->connects ? t->connect_max_ns / 1e6 : NAN);
	json_object_set_new(o, "connect_ms", connect);
	put(o, "cpu_us_per_transaction", t->cpu_ns / 1e3 * spent);
	put(o, "cpu_share", long_enough(t) ? t->cpu_ns / 1e9 / t->seconds / xt_run_plan_cpus_allowed() : NAN);
	put(o, "server_cpu_us_per_transaction",
	    t->server_cpu_ns >= 0 && p->session->engine.driver->server_pid ? t->server_cpu_ns / 1e3 * spent : NAN);
}

static json_t *classes_json(const uint64_t counts[XT_CLASSES], bool all)
{
	json_t *o = json_object();

	for (int i = XT_BUSY; i <= XT_LOST; i++)
		if (i <= XT_OTHER || all || counts[i])
			put_int(o, xt_class_name((enum xt_class)i), counts[i]);
	return o;
}

static void put_details(json_t *o, const struct xt_run_point *p)
{
	const struct xt_totals *t = &p->totals;

	json_object_set_new(o, "failures", classes_json(t->failures, false));
	put_int(o, "retried", t->retried);
	json_object_set_new(o, "percentiles", percentiles_json(p, t->latency[0]));
	if (p->plan->pace.latency_limit_ns)
		put_int(o, "late", t->late);
	if (p->plan->pace.latency_limit_ns && p->plan->pace.rate_per_s > 0)
		put_int(o, "skipped", t->skipped);
	if (t->service) {
		json_object_set_new(o, "rate", rate_json(p));
		json_object_set_new(o, "service_ms", latency_json(t->service));
		json_object_set_new(o, "lag_ms", latency_json(t->lag));
	}
	if (p->session->o.histogram)
		json_object_set_new(o, "histogram", histogram_json(t->latency[0]));
	if (p->plan->measure.commands)
		json_object_set_new(o, "commands", commands_json(p));
	if (t->figure_count)
		json_object_set_new(o, "figures", figures_json(p));
	json_object_set_new(o, "scripts", scripts_json(p));
	json_object_set_new(o, "fairness", fairness_json(t->threads, t->thread_count));
	json_object_set_new(o, "thread_rows", threads_json(p));
	if (p->intervals)
		json_object_set(o, "intervals", p->intervals);
	if (p->checkpoints)
		json_object_set(o, "checkpoints", p->checkpoints);
}

json_t *xt_run_point_json(const struct xt_run_point *p)
{
	const struct xt_totals *t = &p->totals;
	json_t *o = json_object();

	put_int(o, "threads", p->threads);
	put(o, "seconds", t->seconds);
	json_object_set_new(o, "partial", json_boolean(p->visits < (unsigned)p->session->o.rounds));
	put_int(o, "transactions", t->transactions);
	json_object_set_new(o, "queries", queries_json(t->queries, t->statements));
	put(o, "tps", rate(t->transactions, t->seconds));
	put(o, "qps", rate(t->statements, t->seconds));
	json_object_set_new(o, "errors", classes_json(t->errors, false));
	put_int(o, "failed", t->failed);
	put_int(o, "retries", t->retries);
	put_int(o, "reconnects", t->reconnects);
	put_int(o, "unfinished", t->unfinished);
	put_int(o, "time_calls", t->clock_calls);
	json_object_set_new(o, "latency_ms", latency_json(t->latency[0]));
	put(o, "lock_wait_share", t->seconds > 0 ? (double)t->lock_wait_ns / 1e9 / t->seconds / p->threads : NAN);
	put_own_cost(o, p);
	put_details(o, p);
	json_object_set_new(o, "ended_by", json_string(ended_by(p)));
	return o;
}

/* What was done between two looks. */
static void put_work(json_t *o, const struct xt_interval *v)
{
	double seconds = v->end_s - v->begin_s;
	uint64_t total = v->queries[0] + v->queries[1] + v->queries[2];

	put_int(o, "threads", v->threads);
	put_int(o, "transactions", v->transactions);
	json_object_set_new(o, "queries", queries_json(v->queries, total));
	put(o, "tps", rate(v->transactions, seconds));
	put(o, "qps", rate(total, seconds));
	put_int(o, "errors", v->errors);
	put_int(o, "failed", v->failed);
	put_int(o, "retries", v->retries);
	put_int(o, "reconnects", v->reconnects);
}

/* With the fields of a point, so that it is reported as one. */
json_t *xt_run_checkpoint_json(const struct xt_run_point *p, const struct xt_interval *v)
{
	json_t *o = json_object();

	put(o, "begin_s", v->begin_s);
	put(o, "end_s", v->end_s);
	put(o, "seconds", v->end_s - v->begin_s);
	json_object_set_new(o, "last", json_boolean(v->last));
	put_work(o, v);
	json_object_set_new(o, "latency_ms", latency_json(v->latency));
	json_object_set_new(o, "percentiles", percentiles_json(p, v->latency));
	json_object_set_new(o, "fairness", fairness_json(v->rows, v->row_count));
	return o;
}

json_t *xt_run_interval_json(const struct xt_run_point *p, const struct xt_interval *v)
{
	json_t *o = json_object(), *latency = json_object();

	put(o, "begin_s", v->begin_s);
	put(o, "end_s", v->end_s);
	json_object_set_new(o, "warmup", json_boolean(v->warmup));
	json_object_set_new(o, "partial", json_boolean(v->partial));
	put_work(o, v);
	put(latency, "avg", xt_hist_mean(v->latency) / 1e6);
	put(latency, "stddev", xt_hist_stddev(v->latency) / 1e6);
	put(latency, "percentile",
	    p->session->o.percentile > 0 ? xt_hist_quantile(v->latency, p->session->o.percentile / 100) / 1e6 : NAN);
	json_object_set_new(o, "latency_ms", latency);
	put_int(o, "retried", v->retried);
	if (p->plan->pace.latency_limit_ns) {
		put_int(o, "skipped", v->skipped);
		put_int(o, "late", v->late);
	}
	if (p->plan->pace.rate_per_s > 0) {
		put_int(o, "queue", v->queue);
		put_int(o, "busy", v->busy);
		put(o, "lag_avg_ms", v->transactions ? v->lag_ns / (double)v->transactions / 1e6 : NAN);
	}
	return o;
}
