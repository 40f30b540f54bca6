/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * xtime prepare, warmup and cleanup: one section of a workload on a database that the user named.
 */
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/only_print.h"
#include "cli/session.h"

#include <string.h>

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

static int section(struct xt_session *session, enum xt_section section, struct xt_err *err)
{
	const struct xt_code *code = xt_program_code(session->program, 0, section);
	unsigned threads = xt_session_max_threads(session);
	int rc;

	if (!code->present)
		return xt_err_usage(err, "workload %s has no %s section", session->workload, session->command);
	session->engine.interrupted = xt_interrupt_watch();
	if (xt_session_open(session, threads, section != XT_PREPARE, false, err))
		return -1;
	if (section == XT_PREPARE)
		rc = xt_engine_prepare(&session->engine, threads, err);
	else
		rc = xt_engine_section(&session->engine, section,
		                       section == XT_CLEANUP && !session->o.sqlite_private ? 1 : threads, err);
	if (rc)
		return -1;
	return xt_engine_ended(&session->engine) ? XT_EXIT_INTERRUPTED : 0;
}

static int data_command(int argc, char **argv, enum xt_section which, struct xt_err *err)
{
	static const struct xt_session_spec spec = {.tables = xt_data_tables, .idle = xt_run_tables};
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
