/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * xtime ab: flip implementations of time() slice by slice under a running session.
 */
#include "base/log.h"
#include "cli/ab_run.h"
#include "cli/ab_runs.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/validate.h"

const struct xt_arg_table *const xt_ab_tables[] = {
	&xt_load_table,  &xt_ab_table,       &xt_random_table, &xt_driver_table,
	&xt_pgsql_table, &xt_validate_table, &xt_output_table, NULL};

static int report(const struct xt_session *session, const json_t *record, const struct xt_ab_outcome *outcome,
                  struct xt_err *err)
{
	if (xt_session_print(session, record, err))
		return -1;
	if (outcome->voids)
		return xt_err_failed(err, "%s", outcome->void_text);
	return outcome->interrupted ? XT_EXIT_INTERRUPTED : 0;
}

static int measure(struct xt_ab *ab, struct xt_session *session, json_t **record, struct xt_err *err)
{
	struct xt_ab_outcome outcome;
	struct xt_err later;
	int rc;

	ab->save = xt_ab_save;
	ab->ctx = session->output_path;
	rc = xt_ab_measure(ab, session, &outcome, record, err);
	if (!rc && !outcome.interrupted)
		rc = xt_validate(session, *record, err);
	if (!rc)
		return report(session, *record, &outcome, err);
	if (json_array_size(json_object_get(*record, "points")) && xt_session_print(session, *record, &later))
		xt_log_error("%s", later.text);
	return rc;
}

int xt_cmd_ab(int argc, char **argv, struct xt_err *err)
{
	struct xt_ab_options options = {0};
	const struct xt_session_spec spec = {
		.tables = xt_ab_tables,
		.extra = &xt_ab_table,
		.extra_base = &options,
		.default_workload = "oltp_time",
		.default_workload_pgsql = "oltp_read_write",
		.default_warmup_ns = 1000000000,
	};
	struct xt_session session;
	struct xt_ab ab = {0};
	json_t *record = NULL;
	int rc = xt_session_parse(&session, argc, argv, &spec, err);

	if (rc == 1) {
		xt_session_close(&session);
		return 0;
	}
	if (!rc)
		rc = xt_ab_setup(&ab, &session, &options, err);
	if (!rc)
		rc = xt_session_check_output(&session, err);
	if (!rc)
		rc = xt_validate_possible(&session, err);
	if (!rc && options.runs > 1) {
		if (options.slices)
			rc = xt_err_usage(err, "--slices and --runs exclude each other");
		else
			rc = xt_ab_runs(&session, &ab, options.runs, err);
		xt_session_close(&session);
		return rc;
	}
	if (!rc)
		rc = xt_ab_enter(&ab, &session, options.page, err);
	if (!rc && options.slices) {
		ab.slices = fopen(options.slices, "we");
		if (!ab.slices)
			rc = xt_err_usage(err, "--slices: cannot write '%s': %m", options.slices);
	}
	if (!rc)
		rc = measure(&ab, &session, &record, err);
	if (!rc && ab.slices && (ferror(ab.slices) || fflush(ab.slices)))
		rc = xt_err_failed(err, "--slices: cannot write '%s': %m", options.slices);
	if (ab.slices)
		fclose(ab.slices);
	json_decref(record);
	xt_session_close(&session);
	return rc;
}
