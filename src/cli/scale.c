/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asks the database how many branches there are.
 */
#include "cli/scale.h"

#include "base/log.h"

#include <stdlib.h>
#include <string.h>

static bool runs_builtin(const struct xt_session *session)
{
	static const char *const names[] = {"tpcb-like.sql", "simple-update.sql", "select-only.sql"};

	for (size_t s = 0; s < xt_program_scripts(session->program); s++)
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			if (!strcmp(xt_program_name(session->program, s), names[i]))
				return true;
	return false;
}

/* The one number that the statement gives. */
static int ask(const struct xt_driver *driver, struct xt_conn *conn, const char *text, int64_t *out, struct xt_err *err)
{
	static const bool wanted[] = {true};
	struct xt_rows rows = {0};
	char number[32];

	if (driver->query(conn, text, strlen(text), wanted, &rows, err) != XT_OK)
		return -1;
	if (rows.count != 1 || rows.columns != 1 || xt_value_print(&rows.values[0], number, sizeof(number)) < 0)
		return xt_err_failed(err, "expected one number");
	*out = strtoll(number, NULL, 10);
	return 0;
}

int xt_scale_read(struct xt_session *session, struct xt_err *err)
{
	const struct xt_driver *driver = session->engine.driver;
	struct xt_conn *conn;
	int64_t branches = 0;
	int rc;

	if (!(driver->is_sqlite || driver->is_pgsql) || !runs_builtin(session))
		return 0;
	if (driver->connect(&conn, session->engine.db, 0, err))
		return -1;
	rc = ask(driver, conn, "SELECT count(*) FROM pgbench_branches", &branches, err);
	driver->disconnect(conn);
	if (rc)
		return xt_err_context(err,
		                      "cannot count the branches (are the tables loaded? xtime pgbench -i, or xtime "
		                      "prepare tpcb-like)");
	if (branches < 1)
		return xt_err_failed(err, "pgbench_branches is empty: load the tables with xtime pgbench -i, or xtime "
		                          "prepare tpcb-like");
	if (xt_session_given(session, "scale") && session->o.scale != branches)
		xt_log_warning("--scale=%lld is ignored: there are %lld branches in pgbench_branches",
		               (long long)session->o.scale, (long long)branches);
	session->o.scale = session->engine.scale = branches;
	return 0;
}
