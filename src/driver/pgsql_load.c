/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bulk rows into PostgreSQL: COPY in text format, FREEZE where the table was made in the same transaction.
 */
#include "driver/pgsql_db.h"

#include <inttypes.h>
#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

enum { FLUSH_AT = 32768 };

/* FREEZE is an error on any other table. A table's system columns are written once, by its creator. */
static bool made_here(struct xt_conn *conn, const char *table)
{
	const char *params[] = {table};
	PGresult *result;
	bool made;

	if (conn->transaction != 'T')
		return false;
	result =
		PQexecParams(conn->pg,
	                     "SELECT 1 FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid "
	                     "WHERE c.oid = pg_catalog.to_regclass($1) AND c.relkind = 'r' AND a.attnum = -1 AND "
	                     "a.xmin::pg_catalog.text = (pg_catalog.txid_current() % 4294967296)::pg_catalog.text",
	                     1, NULL, params, NULL, NULL, 0);
	made = PQntuples(result) == 1;
	PQclear(result);
	return made;
}

int xt_pg_load_begin(struct xt_conn *conn, const char *table, const char *const *columns, size_t count,
                     struct xt_err *err)
{
	struct xt_buf sql = {0};
	PGresult *result;
	int rc = 0;

	xt_pg_enter(conn);
	conn->load_columns = count;
	xt_buf_printf(&sql, "COPY %s (", table);
	for (size_t i = 0; i < count; i++)
		xt_buf_printf(&sql, "%s%s", i ? ", " : "", columns[i]);
	xt_buf_printf(&sql, ") FROM STDIN%s", made_here(conn, table) ? " (FREEZE)" : "");
	result = sql.failed ? NULL : PQexec(conn->pg, sql.data);
	xt_buf_free(&sql);
	if (PQresultStatus(result) == PGRES_COPY_IN) {
		conn->loading = true;
		xt_buf_reset(&conn->scratch);
	} else {
		xt_pg_failed(conn, result, err);
		rc = -1;
	}
	PQclear(result);
	xt_pg_leave(conn);
	return rc;
}

static int flush_rows(struct xt_conn *conn, struct xt_err *err)
{
	if (conn->scratch.failed)
		return xt_err_failed(err, "pgsql: out of memory");
	if (conn->scratch.len && PQputCopyData(conn->pg, conn->scratch.data, (int)conn->scratch.len) != 1) {
		xt_pg_failed(conn, NULL, err);
		return -1;
	}
	xt_buf_reset(&conn->scratch);
	return 0;
}

static void add_text(struct xt_buf *buf, const char *text, size_t len)
{
	size_t plain = 0;

	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (c != '\\' && c != '\t' && c != '\n' && c != '\r')
			continue;
		xt_buf_add(buf, text + plain, i - plain);
		xt_buf_add(buf, c == '\\' ? "\\\\" : c == '\t' ? "\\t" : c == '\n' ? "\\n" : "\\r", 2);
		plain = i + 1;
	}
	xt_buf_add(buf, text + plain, len - plain);
}

static void add_integer(struct xt_buf *buf, int64_t value)
{
	char text[24], *at = text + sizeof(text);
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	do
		*--at = (char)('0' + rest % 10);
	while (rest /= 10);
	if (value < 0)
		*--at = '-';
	xt_buf_add(buf, at, (size_t)(text + sizeof(text) - at));
}

int xt_pg_load_row(struct xt_conn *conn, const struct xt_value *values, struct xt_err *err)
{
	char number[64];

	for (size_t i = 0; i < conn->load_columns; i++) {
		if (i)
			xt_buf_add(&conn->scratch, "\t", 1);
		switch (values[i].type) {
		case XT_INT:
			add_integer(&conn->scratch, values[i].u.i);
			break;
		case XT_TEXT:
			add_text(&conn->scratch, values[i].u.s, values[i].len);
			break;
		case XT_NULL:
			xt_buf_add(&conn->scratch, "\\N", 2);
			break;
		default:
			xt_buf_add(&conn->scratch, number, (size_t)xt_value_print(&values[i], number, sizeof(number)));
			break;
		}
	}
	xt_buf_add(&conn->scratch, "\n", 1);
	return conn->scratch.len >= FLUSH_AT || conn->scratch.failed ? flush_rows(conn, err) : 0;
}

/* Ends the COPY (reason NULL: well) and reads the server's verdict. */
static int end_load(struct xt_conn *conn, const char *reason, struct xt_err *err)
{
	PGresult *result;
	int rc = 0;

	if (!conn->loading)
		return 0;
	conn->loading = false;
	if (PQputCopyEnd(conn->pg, reason) != 1) {
		xt_pg_failed(conn, NULL, err);
		rc = -1;
	}
	while ((result = PQgetResult(conn->pg))) {
		if (PQresultStatus(result) != PGRES_COMMAND_OK && !rc) {
			xt_pg_failed(conn, result, err);
			rc = -1;
		}
		PQclear(result);
		if (PQstatus(conn->pg) == CONNECTION_BAD)
			break;
	}
	xt_pg_leave(conn);
	return rc;
}

int xt_pg_load_end(struct xt_conn *conn, struct xt_err *err)
{
	if (flush_rows(conn, err)) {
		struct xt_err words = {0};

		/* a row the server refused: its words are in the COPY's result */
		if (end_load(conn, "the load failed", &words) && err && words.text[0])
			*err = words;
		return -1;
	}
	return end_load(conn, NULL, err);
}

void xt_pg_load_abort(struct xt_conn *conn)
{
	end_load(conn, "the load was given up", NULL);
}
