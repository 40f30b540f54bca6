/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * xtime prepare, warmup and cleanup: one section of a workload on a database that the user named.
 */
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/only_print.h"
#include "cli/session.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct xt_arg prepare_args[] = {
	{"force", NULL, XT_ARG_FLAG, offsetof(struct xt_session_options, force), 0, 0, NULL, NULL,
         "drop the workload's tables first; without it a table that exists is an error"},
};
static const struct xt_arg_table prepare_table = {"Tables", prepare_args, 1};

const struct xt_arg_table *const xt_prepare_tables[] = {
	&prepare_table, &xt_load_table, &xt_random_table, &xt_driver_table, &xt_pgsql_table, &xt_script_table, NULL};
const struct xt_arg_table *const xt_data_tables[] = {&xt_load_table,  &xt_random_table, &xt_driver_table,
                                                     &xt_pgsql_table, &xt_script_table, NULL};

/* A temporary database would be gone with the command. */
static int check_target(const struct xt_session *session, struct xt_err *err)
{
	const char *path = session->o.sqlite_db;

	if (session->engine.driver->is_sqlite && (!path || !strcmp(path, ":memory:")))
		return xt_err_usage(
			err,
			"%s needs a database that stays: give --sqlite-db=PATH (run, ab and reproduce load a "
			"temporary one by themselves)",
			session->command);
	if (session->config.pgsql.want_private)
		return xt_err_usage(err,
		                    "%s needs a server that stays: give --pgsql-host, --pgsql-db or another --pgsql-* "
		                    "connection option, or set PGHOST (run, ab and reproduce start a private server by "
		                    "themselves)",
		                    session->command);
	return 0;
}

#define STAYS "tables made so far, if any, stay: xtime cleanup %s drops them, prepare --force does so before it loads"

/* What a load that ended early has left can be looked at, and is not in the way for good. */
static int say_what_stays(const struct xt_session *session, int rc, struct xt_err *err)
{
	const struct xt_err cause = *err;

	if (rc && cause.kind == XT_ERR_FAILED)
		return xt_err_failed(err, "%s\n" STAYS, cause.text, session->workload);
	if (!rc && xt_engine_ended(&session->engine))
		fprintf(stderr, "xtime: interrupted: " STAYS "\n", session->workload);
	return rc;
}

static int drop(const struct xt_session *session, unsigned workers, struct xt_err *err)
{
	return xt_engine_section(&session->engine, XT_CLEANUP, session->o.sqlite_private ? workers : 1, err);
}

static int load(const struct xt_session *session, unsigned threads, struct xt_err *err)
{
	int rc = session->o.force ? drop(session, threads, err) : 0;

	if (!rc)
		rc = xt_engine_prepare(&session->engine, threads, err);
	return say_what_stays(session, rc, err);
}

static int section(struct xt_session *session, enum xt_section section, struct xt_err *err)
{
	const struct xt_code *code = xt_program_code(session->program, 0, section);
	unsigned threads = xt_session_max_threads(session);
	int rc;

	if (!code->present || (session->o.force && !xt_program_code(session->program, 0, XT_CLEANUP)->present))
		return xt_err_usage(err, "workload %s has no %s section", session->workload,
		                    code->present ? "cleanup" : session->command);
	session->engine.interrupted = xt_interrupt_watch();
	if (xt_session_open(session, threads, section != XT_PREPARE, false, err))
		return -1;
	if (section == XT_PREPARE)
		rc = load(session, threads, err);
	else if (section == XT_CLEANUP)
		rc = drop(session, threads, err);
	else
		rc = xt_engine_section(&session->engine, section, threads, err);
	if (rc)
		return -1;
	return xt_engine_ended(&session->engine) ? XT_EXIT_INTERRUPTED : 0;
}

static int data_command(int argc, char **argv, enum xt_section which, struct xt_err *err)
{
	const struct xt_session_spec spec = {.tables = which == XT_PREPARE ? xt_prepare_tables : xt_data_tables,
	                                     .idle = xt_run_tables};
	struct xt_session session;
	int rc = xt_session_parse(&session, argc, argv, &spec, err);

	if (!rc && session.o.only_print)
		rc = xt_only_print(&session, which, err);
	else if (!rc)
		rc = check_target(&session, err) ? -1 : section(&session, which, err);
	else if (rc == 1)
		rc = 0;
	xt_session_close(&session);
	return rc;
}

int xt_cmd_prepare(int argc, char **argv, struct xt_err *err)
{
	return data_command(argc, argv, XT_PREPARE, err);
}

int xt_cmd_warmup(int argc, char **argv, struct xt_err *err)
{
	return data_command(argc, argv, XT_WARMUP, err);
}

int xt_cmd_cleanup(int argc, char **argv, struct xt_err *err)
{
	return data_command(argc, argv, XT_CLEANUP, err);
}
