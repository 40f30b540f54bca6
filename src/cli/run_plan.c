/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the options of `run` to a plan.
 */
#include "cli/run_plan.h"

#include "base/buf.h"
#include "base/log.h"
#include "record/host.h"
#include "record/record.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parse_think(struct xt_pace *pace, const char *text, struct xt_err *err)
{
	if (!text)
		return 0;
	if (!strncmp(text, "fixed:", 6))
		text += 6;
	else if (!strncmp(text, "exp:", 4)) {
		pace->think_exponential = true;
		text += 4;
	} else {
		return xt_err_usage(err, "--think: '%s' is neither fixed:TIME nor exp:TIME, as in exp:20ms", text);
	}
	if (xt_num_duration(text, 1000000000, 0, UINT64_C(1000000) * 1000000000, &pace->think_ns, err))
		return xt_err_context(err, "--think");
	return 0;
}

/* "0", "0,2", "0-3": CPUs that the process may use. */
static int parse_cpus(struct xt_run_plan *plan, const char *text, struct xt_err *err)
{
	cpu_set_t allowed;
	const char *p = text;

	if (!text)
		return 0;
	CPU_ZERO(&allowed);
	sched_getaffinity(0, sizeof(allowed), &allowed);
	for (;;) {
		char *end;
		long first = strtol(p, &end, 10), last = first;

		if (end != p && *end == '-') {
			p = end + 1;
			last = strtol(p, &end, 10);
		}
		if (end == p || first < 0 || last < first || last >= CPU_SETSIZE || (*end && *end != ','))
			return xt_err_usage(err, "--cpu-list: '%s' is not a list of CPUs, as in 0,2 or 0-3", text);
		for (long cpu = first; cpu <= last; cpu++) {
			if (!CPU_ISSET((size_t)cpu, &allowed))
				return xt_err_usage(err, "--cpu-list: CPU %ld is not there, or not for this process",
				                    cpu);
			if (plan->pace.cpu_count == XT_PLAN_CPUS)
				return xt_err_usage(err, "--cpu-list: at most %d CPUs are allowed", XT_PLAN_CPUS);
			plan->cpus[plan->pace.cpu_count++] = (unsigned)cpu;
		}
		if (!*end)
			break;
		p = end + 1;
	}
	plan->pace.cpus = plan->cpus;
	return 0;
}

static int add_percentile(struct xt_run_plan *plan, double p, struct xt_err *err)
{
	size_t at = 0;

	while (at < plan->percentile_count && plan->percentiles[at] < p)
		at++;
	if (at < plan->percentile_count && plan->percentiles[at] == p)
		return 0;
	if (plan->percentile_count == XT_PLAN_PERCENTILES)
		return xt_err_usage(err, "--percentiles: at most %d are allowed", XT_PLAN_PERCENTILES);
	memmove(&plan->percentiles[at + 1], &plan->percentiles[at],
	        (plan->percentile_count - at) * sizeof(plan->percentiles[0]));
	plan->percentiles[at] = p;
	plan->percentile_count++;
	return 0;
}

static int parse_percentiles(struct xt_run_plan *plan, const struct xt_session_options *o, struct xt_err *err)
{
	const char *p = o->percentiles;

	if (o->percentile > 0)
		add_percentile(plan, o->percentile, err);
	while (p) {
		size_t len = strcspn(p, ",");
		char one[32];
		double value;

		snprintf(one, sizeof(one), "%.*s", (int)(len < sizeof(one) ? len : sizeof(one) - 1), p);
		if (xt_num_double(one, 0, 100, &value, err))
			return xt_err_context(err, "--percentiles");
		if (add_percentile(plan, value, err))
			return -1;
		p = p[len] ? p + len + 1 : NULL;
	}
	return 0;
}

static int add_checkpoint(struct xt_run_plan *plan, uint64_t ns, struct xt_err *err)
{
	uint64_t *list = plan->checkpoints_ns;
	size_t n = plan->measure.checkpoint_count, at = 0;

	while (at < n && list[at] < ns)
		at++;
	if (at < n && list[at] == ns)
		return 0;
	if (n == XT_PLAN_CHECKPOINTS)
		return xt_err_usage(err, "--report-checkpoints: at most %d are allowed", XT_PLAN_CHECKPOINTS);
	memmove(&list[at + 1], &list[at], (n - at) * sizeof(*list));
	list[at] = ns;
	plan->measure.checkpoint_count = n + 1;
	return 0;
}

static int parse_checkpoints(struct xt_run_plan *plan, const struct xt_session_options *o, struct xt_err *err)
{
	const char *p = o->checkpoints;

	if (!p || !*p)
		return 0;
	if (o->rounds > 1)
		return xt_err_usage(err, "--report-checkpoints needs --rounds=1: rounds cut the time in parts");
	while (p) {
		size_t len = strcspn(p, ",");
		char one[32];
		uint64_t ns;

		snprintf(one, sizeof(one), "%.*s", (int)(len < sizeof(one) ? len : sizeof(one) - 1), p);
		if (xt_num_duration(one, 1000000000, 1000000, UINT64_C(10000000) * 1000000000, &ns, err))
			return xt_err_context(err, "--report-checkpoints");
		if (plan->time_ns && ns >= plan->time_ns)
			xt_log_note(
				"--report-checkpoints: %s is not before the end (--time); the report at the end is it",
				one);
		else if (add_checkpoint(plan, ns, err))
			return -1;
		p = p[len] ? p + len + 1 : NULL;
	}
	plan->measure.checkpoints_ns = plan->checkpoints_ns;
	return 0;
}

static int check_log(const struct xt_session *session, struct xt_err *err)
{
	static const char *const needing[] = {"log-prefix", "aggregate-interval", "sampling-rate"};
	const struct xt_session_options *o = &session->o;

	for (size_t i = 0; !o->log && i < sizeof(needing) / sizeof(*needing); i++)
		if (xt_session_given(session, needing[i]))
			return xt_err_usage(err, "--%s does nothing without --log", needing[i]);
	if (o->aggregate_ns && o->sampling_rate > 0)
		return xt_err_usage(err,
		                    "--sampling-rate and --aggregate-interval exclude each other: sums need them all");
	if (o->aggregate_ns && o->aggregate_ns % 1000000000)
		return xt_err_usage(err, "--aggregate-interval: whole seconds are needed");
	return 0;
}

static int check(const struct xt_session *session, struct xt_err *err)
{
	const struct xt_session_options *o = &session->o;

	if (o->rate > 0 && o->think)
		return xt_err_usage(err, "--rate and --think exclude each other: an open loop does not wait");
	if (o->rate <= 0 && xt_session_given(session, "pacing"))
		return xt_err_usage(err, "--pacing does nothing without --rate");
	if (o->transactions && o->events)
		return xt_err_usage(err, "--transactions (of each thread) and --events (of all) exclude each other");
	if (o->transactions && o->rounds > 1)
		return xt_err_usage(err, "--transactions needs --rounds=1: a part of a transaction cannot be run");
	return check_log(session, err);
}

int xt_run_plan_make(struct xt_run_plan *plan, const struct xt_session *session, struct xt_err *err)
{
	const struct xt_session_options *o = &session->o;

	memset(plan, 0, sizeof(*plan));
	plan->time_ns = o->transactions && !xt_session_given(session, "time") ? 0 : o->time_ns;
	plan->pace = (struct xt_pace){
		.rate_per_s = o->rate,
		.regular = o->pacing == 1,
		.latency_limit_ns = o->latency_limit_ns,
		.ramp_ns = o->ramp_ns,
		.reconnect = (uint64_t)o->reconnect,
		.transactions = (uint64_t)o->transactions,
		.continue_on_error = o->continue_on_error,
		.leave_alone = !o->exit_on_abort,
	};
	plan->measure = (struct xt_measure){
		.interval_ns = o->report_interval_ns,
		.commands = o->per_command,
		.hash = o->hash,
		.log = o->log ? o->log_prefix : NULL,
		.sampling_rate = o->sampling_rate,
		.aggregate_ns = o->aggregate_ns,
		.failures_detailed = o->failures_detailed,
	};
	if (!plan->time_ns && !o->events && !o->transactions)
		return xt_err_usage(err, "--time=0, --events=0 and --transactions=0: the run would never end; give one "
		                         "of them a limit");
	if (check(session, err) || parse_think(&plan->pace, o->think, err) || parse_cpus(plan, o->cpu_list, err))
		return -1;
	if (parse_checkpoints(plan, o, err))
		return -1;
	return parse_percentiles(plan, o, err);
}

static json_t *seconds_or_null(uint64_t ns)
{
	return ns ? xt_json_number((double)ns / 1e9) : json_null();
}

static json_t *count_or_null(int64_t n)
{
	return n ? json_integer(n) : json_null();
}

json_t *xt_run_plan_json(const struct xt_run_plan *plan, const struct xt_session *session)
{
	static const char *const protocols[] = {"prepared", "extended", "simple"};
	const struct xt_session_options *o = &session->o;
	json_t *load = json_object(), *threads = json_array(), *percentiles = json_array();
	json_t *checkpoints = json_array();

	for (size_t i = 0; i < o->threads.n; i++)
		json_array_append_new(threads, json_integer(o->threads.v[i]));
	for (size_t i = 0; i < plan->percentile_count; i++)
		json_array_append_new(percentiles, xt_json_number(plan->percentiles[i]));
	json_object_set_new(load, "threads", threads);
	json_object_set_new(load, "time_s", seconds_or_null(plan->time_ns));
	json_object_set_new(load, "events", count_or_null(o->events));
	json_object_set_new(load, "transactions_per_thread", count_or_null(o->transactions));
	json_object_set_new(load, "warmup_s", seconds_or_null(o->warmup_ns));
	json_object_set_new(load, "ramp_s", seconds_or_null(o->ramp_ns));
	json_object_set_new(load, "rate_per_s", o->rate > 0 ? xt_json_number(o->rate) : json_null());
	json_object_set_new(load, "pacing", o->rate > 0 ? json_string(o->pacing ? "regular" : "poisson") : json_null());
	json_object_set_new(load, "latency_limit_ms",
	                    o->latency_limit_ns ? xt_json_number((double)o->latency_limit_ns / 1e6) : json_null());
	json_object_set_new(load, "think", o->think ? json_string(o->think) : json_null());
	json_object_set_new(load, "reconnect", count_or_null(o->reconnect));
	json_object_set_new(load, "max_tries", json_integer(o->max_tries));
	json_object_set_new(load, "continue_on_error", json_boolean(o->continue_on_error));
	json_object_set_new(load, "failures_detailed", json_boolean(o->failures_detailed));
	json_object_set_new(load, "report_interval_s", seconds_or_null(o->report_interval_ns));
	json_object_set_new(load, "percentile", o->percentile > 0 ? xt_json_number(o->percentile) : json_null());
	json_object_set_new(load, "percentiles", percentiles);
	for (size_t i = 0; i < plan->measure.checkpoint_count; i++)
		json_array_append_new(checkpoints, xt_json_number((double)plan->checkpoints_ns[i] / 1e9));
	json_object_set_new(load, "checkpoints_s", checkpoints);
	json_object_set_new(load, "scale", json_integer(o->scale));
	json_object_set_new(load, "protocol", json_string(o->db_ps_mode ? "simple" : protocols[o->pgsql_protocol]));
	json_object_set_new(load, "seed_given",
	                    json_boolean(xt_session_given(session, "rand-seed") || xt_session_given(session, "seed")));
	return load;
}

/* CPUs that the control group's quota is worth; 0: no quota. */
static double quota(void)
{
	struct xt_buf buf = {0};
	double max, period, cpus = 0;

	if (!xt_buf_read_file(&buf, "/sys/fs/cgroup/cpu.max", 4096) &&
	    sscanf(buf.data, "%lf %lf", &max, &period) == 2 && period > 0) {
		cpus = max / period;
	} else {
		xt_buf_reset(&buf);
		if (!xt_buf_read_file(&buf, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", 4096) &&
		    sscanf(buf.data, "%lf", &max) == 1 && max > 0) {
			xt_buf_reset(&buf);
			if (!xt_buf_read_file(&buf, "/sys/fs/cgroup/cpu/cpu.cfs_period_us", 4096) &&
			    sscanf(buf.data, "%lf", &period) == 1 && period > 0)
				cpus = max / period;
		}
	}
	xt_buf_free(&buf);
	return cpus;
}

double xt_run_plan_cpus_allowed(void)
{
	double cpus = xt_host_cpus(), limit = quota();

	return limit > 0 && limit < cpus ? limit : cpus;
}
