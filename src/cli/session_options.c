/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The option tables of the commands that drive a database. Names and meanings are sysbench's where it has the option,
 * pgbench's where only pgbench has it.
 */
#include "cli/session.h"

#define FIELD(f) offsetof(struct xt_session_options, f)
#define COUNT(t) (sizeof(t) / sizeof(*(t)))

static const struct xt_arg load_args[] = {
	{"threads", "num-threads", XT_ARG_COUNTS, FIELD(threads), 1, XT_MAX_THREADS, "1", "N",
         "threads, one connection each: a number, a list or a range (4, 1,2,4, 1-5)"},
	{"time", "max-time", XT_ARG_SECONDS, FIELD(time_ns), 0, 1e7, "10", "SECONDS",
         "measured time per thread count, 0: no limit"},
	{"events", "max-requests", XT_ARG_INT, FIELD(events), 0, 1e15, "0", "N",
         "transactions in all per thread count, 0: no limit"},
	{"warmup-time", NULL, XT_ARG_SECONDS, FIELD(warmup_ns), 0, 1e6, NULL, "SECONDS",
         "load that is not measured, before each visit to a thread count"},
	{"rounds", NULL, XT_ARG_INT, FIELD(rounds), 0, 1000, "0", "N",
         "visits to each thread count, each a part of the time, order reversed each round; 0: 4 for several counts, "
         "else 1"},
	{"rand-seed", "random-seed", XT_ARG_INT, FIELD(seed), 0, 9.2e18, "0", "N",
         "seed of all random streams, 0: from the clock"},
	{"seed", NULL, XT_ARG_INT, FIELD(seed_alias), 0, 9.2e18, "0", "N", "the same as --rand-seed"},
	{"file", NULL, XT_ARG_LIST, FIELD(files), 0, 0, NULL, "FILE[@WEIGHT]", "a script to mix in; may be repeated"},
	{"define", NULL, XT_ARG_LIST, FIELD(defines), 0, 0, NULL, "NAME=VALUE", "a script variable; may be repeated"},
	{"allow-shell", NULL, XT_ARG_FLAG, FIELD(allow_shell), 0, 0, NULL, NULL,
         "scripts may run shell commands (\\shell, \\setshell)"},
	{"scale", NULL, XT_ARG_INT, FIELD(scale), 1, 1e9, "1", "N",
         "the scripts' :scale; pgbench's own scripts take it from tables that are loaded already"},
	{"max-tries", NULL, XT_ARG_INT, FIELD(max_tries), 0, 1e9, "1", "N",
         "tries of a transaction under pgbench's rules, 0: no limit"},
	{"config-file", NULL, XT_ARG_TEXT, FIELD(config_file), 0, 0, NULL, "FILE",
         "options, one a line as in --threads=4 or threads=4; those of the command line come after them"},
	{"forced-shutdown", NULL, XT_ARG_PATIENCE, FIELD(grace_ns), 0, 1e6, "5", "off|SECONDS",
         "after the end, how long a running statement may take before it is cancelled; off: as long as it wants"},
	{"thread-init-timeout", NULL, XT_ARG_SECONDS, FIELD(connect_timeout_ns), 0.001, 1e6, "10", "SECONDS",
         "how long all connections may take to stand"},
};
const struct xt_arg_table xt_load_table = {"Load", load_args, COUNT(load_args)};

static const struct xt_arg random_args[] = {
	{"rand-type", NULL, XT_ARG_CHOICE, FIELD(rand_type), 0, 0, "special", "uniform|gaussian|special|pareto|zipfian",
         "how random_default() draws"},
	{"sysbench-compat", NULL, XT_ARG_CHOICE, FIELD(compat), 0, 0, "1.0", "1.0|master",
         "whose defaults: master draws uniform"},
	{"rand-spec-iter", NULL, XT_ARG_INT, FIELD(spec_iter), 1, 1000, "12", "N",
         "special, gaussian: draws per value"},
	{"rand-spec-pct", NULL, XT_ARG_INT, FIELD(spec_pct), 1, 100, "1", "N",
         "special: per cent of all rows that are hot"},
	{"rand-spec-res", NULL, XT_ARG_INT, FIELD(spec_res), 1, 100, "75", "N",
         "special: per cent of draws that go there"},
	{"rand-pareto-h", NULL, XT_ARG_DOUBLE, FIELD(pareto_h), 1e-9, 0.999999, "0.2", "H", "pareto: shape"},
	{"rand-zipfian-exp", NULL, XT_ARG_DOUBLE, FIELD(zipfian_exp), 0, 1000, "0.8", "S", "zipfian: exponent"},
};
const struct xt_arg_table xt_random_table = {"Random numbers", random_args, COUNT(random_args)};

static const struct xt_arg driver_args[] = {
	{"db-driver", NULL, XT_ARG_TEXT, FIELD(driver), 0, 0, "sqlite", "NAME",
         "sqlite, pgsql or null (xtime list drivers)"},
	{"sqlite-db", NULL, XT_ARG_TEXT, FIELD(sqlite_db), 0, 0, NULL, "PATH",
         "a database file, or :memory: for one in memory per thread; without it each thread has a temporary file"},
	{"sqlite-private", NULL, XT_ARG_FLAG, FIELD(sqlite_private), 0, 0, NULL, NULL,
         "PATH.1 ... PATH.N, a file per thread"},
	{"sqlite-journal-mode", NULL, XT_ARG_TEXT, FIELD(sqlite_journal_mode), 0, 0, "wal", "MODE",
         "PRAGMA journal_mode"},
	{"sqlite-synchronous", NULL, XT_ARG_TEXT, FIELD(sqlite_synchronous), 0, 0, "normal", "MODE",
         "PRAGMA synchronous"},
	{"sqlite-cache-size", NULL, XT_ARG_INT, FIELD(sqlite_cache_size), -2e9, 2e9, "0", "N",
         "PRAGMA cache_size: pages, or KiB when negative; 0: SQLite's own"},
	{"sqlite-mmap-size", NULL, XT_ARG_BYTES, FIELD(sqlite_mmap_size), -1, 1e15, "-1", "BYTES",
         "PRAGMA mmap_size; -1: SQLite's own"},
	{"sqlite-page-size", NULL, XT_ARG_BYTES, FIELD(sqlite_page_size), 0, 65536, "0", "BYTES",
         "PRAGMA page_size of new files; 0: SQLite's own"},
	{"sqlite-busy-timeout", NULL, XT_ARG_MILLIS, FIELD(sqlite_busy_timeout_ns), 0, 1e6, "5000", "MS",
         "how long a statement waits for a lock"},
	{"sqlite-temp-store", NULL, XT_ARG_TEXT, FIELD(sqlite_temp_store), 0, 0, NULL, "MODE", "PRAGMA temp_store"},
	{"sqlite-locking-mode", NULL, XT_ARG_TEXT, FIELD(sqlite_locking_mode), 0, 0, NULL, "MODE",
         "PRAGMA locking_mode"},
	{"sqlite-wal-autocheckpoint", NULL, XT_ARG_INT, FIELD(sqlite_wal_autocheckpoint), -1, 2e9, "-1", "PAGES",
         "PRAGMA wal_autocheckpoint; -1: SQLite's own"},
	{"null-latency", NULL, XT_ARG_MILLIS, FIELD(null_latency_ns), 0, 1e6, "0", "MS",
         "null driver: a statement takes this long"},
	{"null-fail", NULL, XT_ARG_TEXT, FIELD(null_fail), 0, 0, NULL, "connect:N|exec:N",
         "null driver: worker N cannot connect, or the N-th statement fails"},
};
const struct xt_arg_table xt_driver_table = {"Database", driver_args, COUNT(driver_args)};

static const struct xt_arg pgsql_args[] = {
	{"pgsql-conninfo", NULL, XT_ARG_TEXT, FIELD(pgsql_conninfo), 0, 0, NULL, "STRING",
         "any libpq connection string or URI"},
	{"pgsql-host", NULL, XT_ARG_TEXT, FIELD(pgsql_host), 0, 0, NULL, "HOST", "host or socket folder"},
	{"pgsql-port", NULL, XT_ARG_TEXT, FIELD(pgsql_port), 0, 0, NULL, "PORT", "port"},
	{"pgsql-user", NULL, XT_ARG_TEXT, FIELD(pgsql_user), 0, 0, NULL, "USER", "user"},
	{"pgsql-password", NULL, XT_ARG_TEXT, FIELD(pgsql_password), 0, 0, NULL, "PASSWORD",
         "password (better: .pgpass or PGPASSFILE)"},
	{"pgsql-db", NULL, XT_ARG_TEXT, FIELD(pgsql_db), 0, 0, NULL, "NAME", "database"},
	{"pgsql-sslmode", NULL, XT_ARG_TEXT, FIELD(pgsql_sslmode), 0, 0, NULL, "MODE", "libpq's sslmode"},
	{"protocol", NULL, XT_ARG_CHOICE, FIELD(pgsql_protocol), 0, 0, "prepared", "prepared|extended|simple",
         "how statements are sent"},
	{"pipeline", NULL, XT_ARG_FLAG, FIELD(pipeline), 0, 0, NULL, NULL,
         "send each transaction as one pipeline; its results are not used"},
	{"db-ps-mode", NULL, XT_ARG_CHOICE, FIELD(db_ps_mode), 0, 0, "auto", "auto|disable",
         "disable means --protocol=simple"},
	{"isolation", NULL, XT_ARG_TEXT, FIELD(pgsql_isolation), 0, 0, NULL, "LEVEL", "default_transaction_isolation"},
	{"pgsql-on-connect", NULL, XT_ARG_TEXT, FIELD(pgsql_on_connect), 0, 0, NULL, "SQL",
         "a statement run on each connection"},
	{"pgsql-bindir", NULL, XT_ARG_TEXT, FIELD(pgsql_bindir), 0, 0, NULL, "DIR", "the private server's programs"},
	{"pgsql-option", NULL, XT_ARG_LIST, FIELD(pgsql_options), 0, 0, NULL, "NAME=VALUE",
         "a setting of the private server; may be repeated"},
};
const struct xt_arg_table xt_pgsql_table = {"PostgreSQL", pgsql_args, COUNT(pgsql_args)};

static const struct xt_arg output_args[] = {
	{"format", NULL, XT_ARG_CHOICE, FIELD(format), 0, 0, "table", "table|json|csv",
         "what is printed on standard output"},
	{"output", NULL, XT_ARG_TEXT, FIELD(output), 0, 0, NULL, "FILE|DIR/",
         "save the record there, after each visit"},
};
const struct xt_arg_table xt_output_table = {"Output", output_args, COUNT(output_args)};

static const struct xt_arg impl_args[] = {
	{"impl", NULL, XT_ARG_TEXT, FIELD(impl), 0, 0, NULL, "ARM",
         "run under the shim with this implementation of time()"},
	{"swap", NULL, XT_ARG_TEXT, FIELD(swap), 0, 0, NULL, "LIST",
         "functions that are replaced: time, gettimeofday, clock_gettime, monotonic"},
};
const struct xt_arg_table xt_impl_table = {"Shim", impl_args, COUNT(impl_args)};
