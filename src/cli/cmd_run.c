/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * xtime run: drive session, report throughput and latency.
 */
#include "cli/commands.h"
#include "cli/impl.h"
#include "cli/interrupt.h"
#include "cli/lab.h"
#include "cli/only_print.h"
#include "cli/points.h"
#include "cli/session.h"
#include "cli/validate.h"
#include "driver/files.h"
#include "record/record.h"

const struct xt_arg_table *const xt_run_tables[] = {&xt_load_table,     &xt_control_table, &xt_measure_table,
                                                    &xt_random_table,   &xt_driver_table,  &xt_pgsql_table,
                                                    &xt_validate_table, &xt_script_table,  &xt_run_output_table,
                                                    &xt_impl_table,     &xt_compat_table,  NULL};

enum { LOG_FILES = 5 }; /* per thread with a log, the connection's included */

static int run(struct xt_session *session, const struct xt_run_plan *plan, struct xt_err *err)
{
	json_t *record;
	bool interrupted = false;
	int rc;

	session->engine.interrupted = xt_interrupt_watch();
	/* A log is one file more; the driver asks for its own again. */
	if (session->o.log && xt_files_reserve(xt_session_max_threads(session), LOG_FILES, err))
		return -1;
	if (xt_session_open(session, xt_session_max_threads(session), false, true, err))
		return -1;
	record = xt_record_new(XT_SCHEMA_RUN, session->argc, session->argv, session->engine.seed);
	if (!record)
		return xt_err_failed(err, "out of memory");
	json_object_set_new(record, "load", xt_run_plan_json(plan, session));
	if (session->o.impl && xt_impl_uses(session->o.impl, XT_SOURCE_CACHED))
		xt_lab_note_staleness(record);
	rc = xt_session_describe(session, record, err);
	if (!rc)
		rc = xt_points_run(session, plan, record, &interrupted, err);
	if (!rc && !interrupted)
		rc = xt_validate(session, record, err);
	if (json_array_size(json_object_get(record, "points"))) {
		struct xt_err later;

		if (xt_session_print(session, record, &later) && !rc) {
			*err = later;
			rc = -1;
		}
	}
	json_decref(record);
	return rc ? rc : interrupted ? XT_EXIT_INTERRUPTED : 0;
}

/* What can be said before a database is touched. */
static int plan_run(struct xt_session *session, struct xt_run_plan *plan, struct xt_err *err)
{
	/* Formats with one report a thread count, and limits that cannot be cut in parts, have one visit. */
	if (!xt_session_given(session, "rounds") &&
	    (session->o.transactions || session->o.checkpoints || session->o.format == XT_FORMAT_SYSBENCH ||
	     session->o.format == XT_FORMAT_PGBENCH))
		session->o.rounds = 1;
	if (xt_validate_possible(session, err) || xt_run_plan_make(plan, session, err))
		return -1;
	return xt_session_check_output(session, err);
}

int xt_cmd_run(int argc, char **argv, struct xt_err *err)
{
	static const struct xt_session_spec spec = {.tables = xt_run_tables};
	struct xt_session session;
	struct xt_run_plan plan;
	int rc = xt_session_parse(&session, argc, argv, &spec, err);

	if (!rc)
		rc = plan_run(&session, &plan, err);
	if (!rc && session.o.only_print) {
		rc = xt_only_print(&session, XT_RUN, err);
		xt_session_close(&session);
		return rc;
	}
	if (!rc && session.o.impl) {
		rc = xt_impl_enter(session.o.impl, session.o.swap, argv, NULL, err);
		session.under_shim = true;
	}
	if (!rc)
		rc = run(&session, &plan, err);
	else if (rc == 1)
		rc = 0;
	xt_session_close(&session);
	return rc;
}
