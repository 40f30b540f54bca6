/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * xtime run: drive session, report throughput and latency.
 */
#include "cli/commands.h"
#include "cli/impl.h"
#include "cli/interrupt.h"
#include "cli/points.h"
#include "cli/session.h"
#include "record/record.h"

const struct xt_arg_table *const xt_run_tables[] = {
	&xt_load_table, &xt_random_table, &xt_driver_table, &xt_pgsql_table, &xt_output_table, &xt_impl_table, NULL};

static int run(struct xt_session *session, int argc, char **argv, struct xt_err *err)
{
	json_t *record;
	bool interrupted = false;
	int rc;

	session->engine.interrupted = xt_interrupt_watch();
	if (xt_session_open(session, xt_session_max_threads(session), false, true, err))
		return -1;
	record = xt_record_new(XT_SCHEMA_RUN, argc, argv, session->engine.seed);
	if (!record)
		return xt_err_failed(err, "out of memory");
	rc = xt_session_describe(session, record, err);
	if (!rc)
		rc = xt_points_run(session, record, &interrupted, err);
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

int xt_cmd_run(int argc, char **argv, struct xt_err *err)
{
	static const struct xt_session_spec spec = {.tables = xt_run_tables};
	struct xt_session session;
	int rc = xt_session_parse(&session, argc, argv, &spec, err);

	if (!rc && !session.o.time_ns && !session.o.events)
		rc = xt_err_usage(err, "--time=0 and --events=0: the run would never end; give one of them a limit");
	if (!rc)
		rc = xt_session_check_output(&session, err);
	if (!rc && session.o.impl) {
		rc = xt_impl_enter(session.o.impl, session.o.swap, argv, NULL, err);
		session.under_shim = true;
	}
	if (!rc)
		rc = run(&session, argc, argv, err);
	else if (rc == 1)
		rc = 0;
	xt_session_close(&session);
	return rc;
}
