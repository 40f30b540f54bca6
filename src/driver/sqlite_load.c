/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bulk rows into SQLite: one prepared INSERT inside one transaction.
 */
#include "driver/sqlite_db.h"

#include <sqlite3.h>

static int fail(struct xt_conn *conn, struct xt_err *err)
{
	return xt_err_failed(err, "%s", sqlite3_errmsg(conn->handle));
}

static int prepare_insert(struct xt_conn *conn, const char *table, const char *const *columns, struct xt_err *err)
{
	struct xt_buf sql = {0};
	int rc = SQLITE_NOMEM;

	xt_buf_printf(&sql, "INSERT INTO %s (", table);
	for (size_t i = 0; i < conn->load_columns; i++)
		xt_buf_printf(&sql, "%s%s", i ? ", " : "", columns[i]);
	xt_buf_puts(&sql, ") VALUES (");
	for (size_t i = 0; i < conn->load_columns; i++)
		xt_buf_puts(&sql, i ? ", ?" : "?");
	xt_buf_puts(&sql, ")");
	if (!sql.failed)
		rc = sqlite3_prepare_v3(conn->handle, sql.data, -1, SQLITE_PREPARE_PERSISTENT, &conn->load, NULL);
	xt_buf_free(&sql);
	if (rc == SQLITE_NOMEM)
		return xt_err_failed(err, "sqlite: out of memory");
	return rc ? fail(conn, err) : 0;
}

int xt_sqlite_load_begin(struct xt_conn *conn, const char *table, const char *const *columns, size_t count,
                         struct xt_err *err)
{
	conn->load_columns = count;
	conn->load_began = false;
	if (prepare_insert(conn, table, columns, err))
		return -1;
	if (sqlite3_get_autocommit(conn->handle)) {
		if (sqlite3_exec(conn->handle, "BEGIN IMMEDIATE", NULL, NULL, NULL)) {
			fail(conn, err);
			xt_sqlite_load_abort(conn);
			return -1;
		}
		conn->load_began = true;
	}
	return 0;
}

int xt_sqlite_load_row(struct xt_conn *conn, const struct xt_value *values, struct xt_err *err)
{
	int rc = SQLITE_OK;

	for (size_t i = 0; i < conn->load_columns && rc == SQLITE_OK; i++)
		rc = xt_sqlite_bind(conn->load, (int)i + 1, &values[i]);
	if (rc == SQLITE_OK && sqlite3_step(conn->load) == SQLITE_DONE) {
		sqlite3_reset(conn->load);
		return 0;
	}
	fail(conn, err);
	sqlite3_reset(conn->load);
	return -1;
}

int xt_sqlite_load_end(struct xt_conn *conn, struct xt_err *err)
{
	sqlite3_finalize(conn->load);
	conn->load = NULL;
	if (conn->load_began && sqlite3_exec(conn->handle, "COMMIT", NULL, NULL, NULL)) {
		fail(conn, err);
		xt_sqlite_load_abort(conn);
		return -1;
	}
	conn->load_began = false;
	return 0;
}

void xt_sqlite_load_abort(struct xt_conn *conn)
{
	sqlite3_finalize(conn->load);
	conn->load = NULL;
	if (conn->load_began)
		xt_sqlite_rollback(conn, NULL);
	conn->load_began = false;
}
