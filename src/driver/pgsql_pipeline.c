/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pipeline mode: statements are queued and their answers read together at a sync. On plain sockets pgsql_wire.c does
 * it; the rest is for encrypted connections, where libpq does.
 */
#include "driver/pgsql_db.h"

#include <libpq-fe.h>

enum xt_class xt_pg_pipeline_start(struct xt_conn *conn, struct xt_err *err)
{
	if (conn->protocol == XT_SIMPLE) {
		xt_err_failed(err, "a pipeline needs --protocol=prepared or --protocol=extended, not simple");
		return XT_OTHER;
	}
	if (conn->pipeline)
		return XT_OK;
	if (conn->wire.usable) {
		conn->wire.queued = 0;
		conn->pipeline = true;
		return XT_OK;
	}
	xt_pg_enter(conn);
	if (!PQenterPipelineMode(conn->pg))
		return xt_pg_failed(conn, NULL, err);
	conn->pipeline = true;
	return XT_OK;
}

enum xt_class xt_pg_pipeline_sync(struct xt_conn *conn, struct xt_err *err)
{
	enum xt_class class = XT_OK;
	unsigned empty = 0; /* NULL results in a row: one ends each statement */

	if (!conn->pipeline)
		return XT_OK;
	if (conn->wire.usable)
		return xt_wire_sync(conn, err);
	if (!PQpipelineSync(conn->pg))
		return xt_pg_failed(conn, NULL, err);
	for (;;) {
		PGresult *result = PQgetResult(conn->pg);
		ExecStatusType status = PQresultStatus(result);

		empty = result ? 0 : empty + 1;
		if (result && status != PGRES_PIPELINE_SYNC && status != PGRES_TUPLES_OK &&
		    status != PGRES_COMMAND_OK && status != PGRES_EMPTY_QUERY && status != PGRES_PIPELINE_ABORTED &&
		    class == XT_OK)
			class = xt_pg_failed(conn, result, err);
		PQclear(result);
		if (PQstatus(conn->pg) == CONNECTION_BAD || empty > 1) {
			xt_pg_failed(conn, NULL, class == XT_OK ? err : NULL);
			conn->lost = true;
			class = XT_LOST;
			break;
		}
		if (result && status == PGRES_PIPELINE_SYNC)
			break;
	}
	xt_pg_leave(conn);
	return class;
}

enum xt_class xt_pg_pipeline_end(struct xt_conn *conn, struct xt_err *err)
{
	enum xt_class class;

	if (!conn->pipeline)
		return XT_OK;
	class = xt_pg_pipeline_sync(conn, err);
	conn->pipeline = false;
	if (!conn->wire.usable && !conn->lost && !PQexitPipelineMode(conn->pg) && class == XT_OK)
		class = xt_pg_failed(conn, NULL, err);
	return class;
}
