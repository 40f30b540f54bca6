/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the commands that drive a database share: their options, the workload that is named, the database that is
 * opened. One struct xt_session from the command line to the end of the command.
 */
#ifndef XT_CLI_SESSION_H
#define XT_CLI_SESSION_H

#include "base/num.h"
#include "cli/options.h"
#include "clock/plugin.h"
#include "engine/engine.h"

#include <jansson.h>
#include <limits.h>

/* Filled by the option tables below. */
struct xt_session_options {
	struct xt_counts threads;
	uint64_t time_ns, warmup_ns;
	int64_t events, rounds, seed, seed_alias;
	struct xt_arg_list files, defines;
	bool allow_shell;
	int64_t scale, max_tries;
	uint64_t grace_ns, connect_timeout_ns;
	const char *config_file;
	/* load control, of run */
	double rate;
	int pacing;
	uint64_t latency_limit_ns, ramp_ns;
	const char *think, *cpu_list;
	int64_t transactions, reconnect;
	bool continue_on_error, exit_on_abort;
	bool validate, only_print, force;
	const char *show_script;
	/* sysbench's, without effect */
	int64_t thread_stack_size, verbosity;
	bool debug, db_debug;
	/* measurement, of run */
	uint64_t report_interval_ns, aggregate_ns;
	double percentile, sampling_rate;
	const char *percentiles, *log_prefix, *checkpoints;
	bool histogram, per_command, hash, log, failures_detailed, progress_timestamp;
	/* random */
	int rand_type, compat;
	int64_t spec_iter, spec_pct, spec_res;
	double pareto_h, zipfian_exp;
	/* drivers */
	const char *driver;
	const char *sqlite_db;
	bool sqlite_private;
	const char *sqlite_journal_mode, *sqlite_synchronous, *sqlite_temp_store, *sqlite_locking_mode;
	int64_t sqlite_cache_size, sqlite_mmap_size, sqlite_page_size, sqlite_wal_autocheckpoint;
	uint64_t sqlite_busy_timeout_ns;
	const char *pgsql_conninfo, *pgsql_host, *pgsql_port, *pgsql_user, *pgsql_password, *pgsql_db, *pgsql_sslmode;
	int pgsql_protocol, db_ps_mode;
	bool pipeline;
	const char *pgsql_isolation, *pgsql_on_connect, *pgsql_bindir;
	struct xt_arg_list pgsql_options;
	uint64_t null_latency_ns;
	const char *null_fail;
	/* output */
	int format;
	const char *output;
	/* shim */
	const char *impl, *swap;
};

extern const struct xt_arg_table xt_load_table;   /* threads, time, ... */
extern const struct xt_arg_table xt_random_table; /* rand-type, ... */
extern const struct xt_arg_table xt_driver_table; /* db-driver, sqlite-*, null-* */
extern const struct xt_arg_table xt_pgsql_table;
extern const struct xt_arg_table xt_output_table; /* format=table|json|csv, output */
extern const struct xt_arg_table xt_control_table;
extern const struct xt_arg_table xt_measure_table;
extern const struct xt_arg_table xt_compat_table;     /* accepted, without effect */
extern const struct xt_arg_table xt_run_output_table; /* format also sysbench, pgbench */
extern const struct xt_arg_table xt_script_table;     /* only-print, show-script */
extern const struct xt_arg_table xt_impl_table;       /* impl, swap */

enum xt_format { XT_FORMAT_TABLE, XT_FORMAT_JSON, XT_FORMAT_CSV, XT_FORMAT_SYSBENCH, XT_FORMAT_PGBENCH };

struct xt_config_file;

struct xt_session {
	struct xt_session_options o;
	struct xt_arg_set sets[16];
	size_t set_count;
	struct xt_arg_rest rest;
	int argc; /* as given to the command, behind what --config-file says */
	char **argv;
	struct xt_config_file *config_file;
	const char *command;
	const char *workload; /* as named; of several files the first */
	struct xt_program *program;
	double weights[64];
	struct xt_driver_config config;
	struct xt_engine engine; /* .db is NULL until xt_session_open */
	bool under_shim;         /* this process is: a private server shall be, with the same page */
	char shim[PATH_MAX];
	char page_env[64];
	char *plugins[XT_PLUGINS + 1]; /* files of the page's plugins, NULL-terminated; freed by close */
	char output_path[PATH_MAX];    /* "" when nothing is saved */
};

/* Parses argv with the tables (NULL-terminated; extra may be NULL: a table of the command's own filling extra_base),
 * compiles the workload (default_workload(session) names one when none is given; NULL: one is needed), checks
 * everything that can be known without touching a database. Returns 0; 1 when help was asked for and printed; -1. */
struct xt_session_spec {
	const struct xt_arg_table *const *tables;
	const struct xt_arg_table *extra;
	void *extra_base;
	const struct xt_arg_table *const *idle; /* what these tables have more is accepted with a note; NULL: nothing */
	const char **topic;           /* takes the first word ("2007") instead of a workload; NULL: no such word */
	const char *default_threads;  /* NULL: 1 */
	const char *default_workload; /* on SQLite and null */
	const char *default_workload_pgsql; /* NULL: the same */
	uint64_t default_warmup_ns;
};
int xt_session_parse(struct xt_session *session, int argc, char **argv, const struct xt_session_spec *spec,
                     struct xt_err *err);

/* Whether an option was on the command line. */
bool xt_session_given(const struct xt_session *session, const char *name);

/* The largest of --threads. */
unsigned xt_session_max_threads(const struct xt_session *session);

/* Opens the database for so many threads and, where it is a temporary one, prepares it. */
int xt_session_open(struct xt_session *session, unsigned threads, bool need_existing, bool temporary_ok,
                    struct xt_err *err);
/* Closes the database, frees the rest; safe after any failure. */
void xt_session_close(struct xt_session *session);

/* The record's workload and driver objects; needs an open database. */
int xt_session_describe(struct xt_session *session, json_t *record, struct xt_err *err);

/* --output: the path, checked; before anything is run. */
int xt_session_check_output(struct xt_session *session, struct xt_err *err);

/* Prints a record as --format says. */
int xt_session_print(const struct xt_session *session, const json_t *record, struct xt_err *err);

#endif
