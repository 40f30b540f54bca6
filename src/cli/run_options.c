/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The option tables of `run` alone: how load is offered, and what is measured beside the totals.
 */
#include "cli/session.h"

#define FIELD(f) offsetof(struct xt_session_options, f)
#define COUNT(t) (sizeof(t) / sizeof(*(t)))

static const struct xt_arg control_args[] = {
	{"rate", "tx-rate", XT_ARG_DOUBLE, FIELD(rate), 0, 1e9, "0", "N",
         "open loop: so many transactions per second over all threads begin whether or not answers come; 0: closed "
         "loop"},
	{"pacing", NULL, XT_ARG_CHOICE, FIELD(pacing), 0, 0, "poisson", "poisson|regular",
         "gaps between starts under --rate"},
	{"latency-limit", NULL, XT_ARG_MILLIS, FIELD(latency_limit_ns), 0, 1e6, "0", "MS",
         "count slower transactions as late; under --rate, skip those that are this late before they begin"},
	{"think", NULL, XT_ARG_TEXT, FIELD(think), 0, 0, NULL, "fixed:TIME|exp:TIME",
         "pause after each transaction, fixed or exponential with that mean"},
	{"transactions", NULL, XT_ARG_INT, FIELD(transactions), 0, 1e15, "0", "N",
         "transactions of each thread, 0: no limit; without --time no limit of time either"},
	{"reconnect", NULL, XT_ARG_INT, FIELD(reconnect), 0, 1e15, "0", "N",
         "a new connection after so many transactions, and after a lost one; 0: never"},
	{"ramp", NULL, XT_ARG_SECONDS, FIELD(ramp_ns), 0, 1e6, "0", "SECONDS",
         "threads begin one by one over this time, before the warm-up; not measured"},
	{"cpu-list", NULL, XT_ARG_TEXT, FIELD(cpu_list), 0, 0, NULL, "LIST",
         "CPUs that threads are bound to in turn (0,2 or 0-3)"},
	{"continue-on-error", NULL, XT_ARG_FLAG, FIELD(continue_on_error), 0, 0, NULL, NULL,
         "any error of a statement fails its transaction, and the run goes on"},
	{"exit-on-abort", NULL, XT_ARG_FLAG, FIELD(exit_on_abort), 0, 0, "on", NULL,
         "a thread that cannot go on ends the run; off: the others go on, and the run fails at its end"},
};
const struct xt_arg_table xt_control_table = {"Load control", control_args, COUNT(control_args)};

static const struct xt_arg measure_args[] = {
	{"report-interval", NULL, XT_ARG_SECONDS, FIELD(report_interval_ns), 0, 1e6, "0", "SECONDS",
         "a line each interval; their sums are the totals; 0: none"},
	{"report-checkpoints", NULL, XT_ARG_TEXT, FIELD(checkpoints), 0, 0, NULL, "LIST",
         "seconds of the measured time, as in 10,60: a full report at each of what happened since the one before"},
	{"percentile", NULL, XT_ARG_DOUBLE, FIELD(percentile), 0, 100, "95", "P",
         "the percentile of interval lines and of --format=sysbench, 0: none"},
	{"percentiles", NULL, XT_ARG_TEXT, FIELD(percentiles), 0, 0, NULL, "LIST",
         "further percentiles of latency, as in 50,90,99.9"},
	{"progress-timestamp", NULL, XT_ARG_FLAG, FIELD(progress_timestamp), 0, 0, NULL, NULL,
         "with --format=pgbench: lines begin with the wall clock's seconds"},
	{"histogram", NULL, XT_ARG_FLAG, FIELD(histogram), 0, 0, NULL, NULL, "print and keep the latency histogram"},
	{"report-per-command", NULL, XT_ARG_FLAG, FIELD(per_command), 0, 0, NULL, NULL,
         "count, failures, retries, mean and percentiles of each command of the script; times of what is no statement "
         "are of a sample"},
	{"statement-hash", NULL, XT_ARG_FLAG, FIELD(hash), 0, 0, NULL, NULL,
         "a hash over the statements of each thread: the same seed sends the same statements"},
	{"log", NULL, XT_ARG_FLAG, FIELD(log), 0, 0, NULL, NULL,
         "log each transaction in pgbench's format, a file per thread"},
	{"log-prefix", NULL, XT_ARG_TEXT, FIELD(log_prefix), 0, 0, "xtime_log", "PREFIX",
         "with --log: files PREFIX.PID, PREFIX.PID.1, ..."},
	{"aggregate-interval", NULL, XT_ARG_SECONDS, FIELD(aggregate_ns), 0, 1e6, "0", "SECONDS",
         "with --log: sums over so long instead of single transactions"},
	{"sampling-rate", NULL, XT_ARG_DOUBLE, FIELD(sampling_rate), 0, 1, "0", "R",
         "with --log: the share of transactions that is logged; 0: all"},
	{"failures-detailed", NULL, XT_ARG_FLAG, FIELD(failures_detailed), 0, 0, NULL, NULL,
         "name the kinds of failures in logs and in --format=pgbench"},
};
const struct xt_arg_table xt_measure_table = {"Measurement", measure_args, COUNT(measure_args)};

static const struct xt_arg output_args[] = {
	{"format", NULL, XT_ARG_CHOICE, FIELD(format), 0, 0, "table", "table|json|csv|sysbench|pgbench",
         "what is printed on standard output"},
	{"output", NULL, XT_ARG_TEXT, FIELD(output), 0, 0, NULL, "FILE|DIR/",
         "save the record there, after each visit"},
};
const struct xt_arg_table xt_run_output_table = {"Output", output_args, COUNT(output_args)};

static const struct xt_arg compat_args[] = {
	{"thread-stack-size", NULL, XT_ARG_BYTES, FIELD(thread_stack_size), 0, 1e15, "0", "BYTES", "no effect"},
	{"verbosity", NULL, XT_ARG_INT, FIELD(verbosity), 0, 5, "3", "N", "no effect"},
	{"debug", NULL, XT_ARG_FLAG, FIELD(debug), 0, 0, NULL, NULL, "no effect"},
	{"db-debug", NULL, XT_ARG_FLAG, FIELD(db_debug), 0, 0, NULL, NULL, "no effect"},
};
const struct xt_arg_table xt_compat_table = {"Accepted for sysbench's sake", compat_args, COUNT(compat_args)};
