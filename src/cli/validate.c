/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --validate: which workers check, and what they are told of the run.
 */
#include "cli/validate.h"

#include "base/log.h"
#include "record/record.h"

#include <stdlib.h>

static const struct xt_arg validate_args[] = {
	{"validate", NULL, XT_ARG_FLAG, offsetof(struct xt_session_options, validate), 0, 0, NULL, NULL,
         "at the end, check the data by the workload's validate section"},
};
const struct xt_arg_table xt_validate_table = {"Checks", validate_args, 1};

int xt_validate_possible(const struct xt_session *session, struct xt_err *err)
{
	const struct xt_driver *driver = session->engine.driver;

	if (!session->o.validate)
		return 0;
	if (!driver->is_sqlite && !driver->is_pgsql)
		return xt_err_usage(err, "--validate: the driver %s keeps no data that could be checked", driver->name);
	for (size_t i = 0; i < xt_program_scripts(session->program); i++)
		if (xt_program_code(session->program, i, XT_VALIDATE)->count)
			return 0;
	return xt_err_usage(err, "--validate: workload %s has no validate section", session->workload);
}

/* Transactions of a script, over all points, and of the workers that have databases of their own: by worker. What a
 * record does not tell is 0: checks take the number as the least that there must be. */
static void count(const json_t *record, bool own, size_t scripts, struct xt_validation *v, uint64_t *transactions)
{
	json_t *point, *rows, *row;
	size_t i, k;

	json_array_foreach(json_object_get(record, "points"), i, point)
	{
		if (own && scripts > 1)
			continue;
		rows = json_object_get(point, own ? "thread_rows" : "scripts");
		for (k = 0; k < v->workers * scripts; k++) {
			row = own ? json_array_get(rows, k) : scripts > 1 ? json_array_get(rows, k % scripts) : point;
			transactions[k] += (uint64_t)json_integer_value(json_object_get(row, "transactions"));
		}
	}
}

/* Makes the checks and says in the record how they went. */
static int check(struct xt_session *session, struct xt_validation *v, json_t *record, struct xt_err *err)
{
	json_t *result = json_object();
	int rc;

	xt_log_progress("validating %s", session->workload);
	rc = xt_engine_validate(&session->engine, v, err);
	xt_log_progress_end();
	json_object_set_new(result, "checks", json_integer((json_int_t)v->checks));
	json_object_set_new(result, "violation", rc ? json_string(err->text) : json_null());
	json_object_set_new(record, "validation", result);
	if (rc)
		return xt_err_context(err, "validate");
	return xt_engine_ended(&session->engine) ? xt_err_interrupted(err) : 0;
}

int xt_validate(struct xt_session *session, json_t *record, struct xt_err *err)
{
	const struct xt_engine *engine = &session->engine;
	struct xt_validation v = {.workers = xt_session_max_threads(session)};
	size_t scripts = xt_program_scripts(session->program);
	struct xt_err later;
	uint64_t *transactions;
	int rc;

	if (!session->o.validate)
		return 0;
	transactions = calloc(v.workers * scripts, sizeof(*transactions));
	if (!transactions)
		return xt_err_failed(err, "out of memory");
	count(record, engine->driver->is_sqlite && v.workers > 1 && !engine->driver->single_writer(engine->db), scripts,
	      &v, transactions);
	v.transactions = transactions;
	rc = check(session, &v, record, err);
	free(transactions);
	if (*session->output_path && xt_record_save(record, session->output_path, &later) && !rc) {
		*err = later;
		rc = -1;
	}
	return rc;
}
