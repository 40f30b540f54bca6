/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statements on SQLite. The way from xt_sqlite_execute() to the engine and back is what every benchmark on SQLite
 * carries along: bind without copying, step to the end, reset; rows are looked at only when somebody wants them.
 */
#include "driver/sqlite_db.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define likely(x) __builtin_expect(!!(x), 1)

static enum xt_class classify(struct xt_conn *conn, int rc)
{
	switch (rc) {
	case SQLITE_BUSY_SNAPSHOT:
		return XT_BUSY_SNAPSHOT;
	case SQLITE_CONSTRAINT_UNIQUE:
	case SQLITE_CONSTRAINT_PRIMARYKEY:
	case SQLITE_CONSTRAINT_ROWID:
		return XT_UNIQUE;
	}
	switch (rc & 0xff) {
	case SQLITE_BUSY: /* the busy handler gives up when cancel() asks it to */
		return atomic_exchange(&conn->cancel, false) ? XT_CANCELLED : XT_BUSY;
	case SQLITE_LOCKED:
		return XT_BUSY;
	case SQLITE_INTERRUPT:
		atomic_store(&conn->cancel, false);
		return XT_CANCELLED;
	}
	return XT_OTHER;
}

static __attribute__((noinline, cold)) enum xt_class failed(struct xt_conn *conn, sqlite3_stmt *st, int rc,
                                                            struct xt_err *err)
{
	xt_err_failed(err, "%s", sqlite3_errmsg(conn->handle));
	if (st)
		sqlite3_reset(st);
	return classify(conn, rc);
}

static enum xt_class no_memory(struct xt_err *err)
{
	xt_err_failed(err, "sqlite: out of memory");
	return XT_OTHER;
}

int xt_sqlite_bind(sqlite3_stmt *st, int index, const struct xt_value *value)
{
	switch (value->type) {
	case XT_INT:
		return sqlite3_bind_int64(st, index, value->u.i);
	case XT_TEXT:
		if (value->len > INT32_MAX)
			return SQLITE_TOOBIG;
		/* The bytes outlive the statement's run: the next one binds anew. */
		return sqlite3_bind_text(st, index, value->u.s, (int)value->len, SQLITE_STATIC);
	case XT_DOUBLE:
		return sqlite3_bind_double(st, index, value->u.d);
	case XT_BOOL:
		return sqlite3_bind_int(st, index, value->u.b);
	case XT_NULL:
		break;
	}
	return sqlite3_bind_null(st, index);
}

/* Which of our values is parameter number i of SQLite? "$7" is value 6. */
static int map_parameters(struct xt_stmt *stmt, size_t params, struct xt_err *err)
{
	for (unsigned i = 0; i < stmt->count; i++) {
		const char *name = sqlite3_bind_parameter_name(stmt->st, (int)i + 1);
		char *end = NULL;
		unsigned long number = name && name[0] == '$' ? strtoul(name + 1, &end, 10) : 0;

		if (!number || *end || number > params)
			return xt_err_failed(err, "parameter %s has no value", name ? name : "?");
		stmt->map[i] = (unsigned)number - 1;
	}
	return 0;
}

static bool only_blanks(sqlite3 *handle, const char *text, const char *end)
{
	while (text < end) {
		sqlite3_stmt *st = NULL;
		const char *tail = end;

		if (sqlite3_prepare_v2(handle, text, (int)(end - text), &st, &tail) || st) {
			sqlite3_finalize(st);
			return false;
		}
		if (tail <= text)
			break;
		text = tail;
	}
	return true;
}

enum xt_class xt_sqlite_prepare(struct xt_conn *conn, const char *text, size_t len, size_t params, struct xt_stmt **out,
                                struct xt_err *err)
{
	sqlite3_stmt *st = NULL;
	struct xt_stmt *stmt;
	const char *tail = text + len;
	unsigned count;
	int rc;

	*out = NULL;
	if (len > INT32_MAX)
		return no_memory(err);
	rc = sqlite3_prepare_v3(conn->handle, text, (int)len, SQLITE_PREPARE_PERSISTENT, &st, &tail);
	if (rc)
		return failed(conn, NULL, rc, err);
	if (!only_blanks(conn->handle, tail, text + len)) {
		sqlite3_finalize(st);
		xt_err_failed(err, "cannot prepare several statements as one");
		return XT_OTHER;
	}
	count = st ? (unsigned)sqlite3_bind_parameter_count(st) : 0;
	stmt = malloc(sizeof(*stmt) + count * sizeof(stmt->map[0]));
	if (!stmt) {
		sqlite3_finalize(st);
		return no_memory(err);
	}
	stmt->st = st;
	stmt->count = count;
	stmt->next = conn->statements;
	stmt->link = &conn->statements;
	if (stmt->next)
		stmt->next->link = &stmt->next;
	conn->statements = stmt;
	if (map_parameters(stmt, params, err)) {
		xt_sqlite_unprepare(conn, stmt);
		return XT_OTHER;
	}
	*out = stmt;
	return XT_OK;
}

void xt_sqlite_unprepare(struct xt_conn *conn, struct xt_stmt *stmt)
{
	(void)conn;
	if (!stmt)
		return;
	*stmt->link = stmt->next;
	if (stmt->next)
		stmt->next->link = stmt->link;
	sqlite3_finalize(stmt->st);
	free(stmt);
}

static int reserve_columns(struct xt_conn *conn, int columns)
{
	const char **names;
	struct xt_value *values;

	if (columns <= conn->capacity)
		return 0;
	names = realloc(conn->names, (size_t)columns * sizeof(*names));
	if (!names)
		return -1;
	conn->names = names;
	values = realloc(conn->values, (size_t)columns * sizeof(*values));
	if (!values)
		return -1;
	conn->values = values;
	conn->capacity = columns;
	return 0;
}

/* Copies names and values of the present row: SQLite's own are gone with the next step. The first columns and the base
 * bytes of text are those of wanted statements before. */
static int keep_row(struct xt_conn *conn, sqlite3_stmt *st, struct xt_rows *rows, int first, size_t base)
{
	int columns = first + sqlite3_column_count(st);
	const char *at;

	if (reserve_columns(conn, columns))
		return -1;
	conn->text.len = base;
	conn->text.failed = false;
	for (int i = first; i < columns; i++) {
		const char *name = sqlite3_column_name(st, i - first);
		const unsigned char *value = sqlite3_column_text(st, i - first);

		xt_buf_add(&conn->text, name ? name : "", (name ? strlen(name) : 0) + 1);
		conn->values[i] = value ? xt_text(NULL, (size_t)sqlite3_column_bytes(st, i - first)) : xt_null();
		xt_buf_add(&conn->text, value ? (const char *)value : "", conn->values[i].len);
		xt_buf_add(&conn->text, "", 1);
	}
	if (conn->text.failed)
		return -1;
	at = conn->text.data;
	for (int i = 0; i < columns; i++) {
		conn->names[i] = at;
		at += strlen(at) + 1;
		if (conn->values[i].type == XT_TEXT)
			conn->values[i].u.s = at;
		at += conn->values[i].len + 1;
	}
	rows->columns = columns;
	rows->names = conn->names;
	rows->values = conn->values;
	return 0;
}

/* Runs st to its end, counting into rows and keeping the last row where wanted. An SQLite result code. */
static int step_rows(struct xt_conn *conn, sqlite3_stmt *st, bool want, struct xt_rows *rows)
{
	int before = sqlite3_total_changes(conn->handle);
	size_t base = rows->columns ? conn->text.len : 0;
	int first = rows->columns, rc;

	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		rows->count++;
		if (want && keep_row(conn, st, rows, first, base))
			return SQLITE_NOMEM;
	}
	if (rc == SQLITE_DONE && sqlite3_total_changes(conn->handle) != before)
		rows->affected += (uint64_t)sqlite3_changes(conn->handle);
	return rc;
}

enum xt_class xt_sqlite_execute(struct xt_conn *conn, struct xt_stmt *stmt, const struct xt_value *const *params,
                                struct xt_rows *rows, struct xt_err *err)
{
	sqlite3_stmt *st = stmt->st;
	int rc;

	for (unsigned i = 0; i < stmt->count; i++) {
		rc = xt_sqlite_bind(st, (int)i + 1, params[stmt->map[i]]);
		if (rc != SQLITE_OK)
			return failed(conn, st, rc, err);
	}
	if (rows)
		*rows = (struct xt_rows){0};
	if (!st)
		return XT_OK;
	if (rows) {
		rc = step_rows(conn, st, true, rows);
	} else {
		do
			rc = sqlite3_step(st);
		while (rc == SQLITE_ROW);
	}
	if (likely(rc == SQLITE_DONE)) {
		sqlite3_reset(st);
		return XT_OK;
	}
	return failed(conn, st, rc, err);
}

enum xt_class xt_sqlite_query(struct xt_conn *conn, const char *text, size_t len, const bool *want,
                              struct xt_rows *rows, struct xt_err *err)
{
	struct xt_rows unused = {0}, unwanted = {0};
	const char *end = text + len;
	size_t index = 0;

	if (!rows)
		rows = &unused;
	*rows = (struct xt_rows){0};
	if (len > INT32_MAX)
		return no_memory(err);
	while (text < end) {
		sqlite3_stmt *st = NULL;
		const char *tail = end;
		int rc = sqlite3_prepare_v2(conn->handle, text, (int)(end - text), &st, &tail);

		if (rc)
			return failed(conn, NULL, rc, err);
		text = tail;
		if (!st)
			continue;
		rc = step_rows(conn, st, want && want[index], !want || want[index] ? rows : &unwanted);
		index++;
		if (rc != SQLITE_DONE) {
			enum xt_class class = failed(conn, st, rc, err);

			sqlite3_finalize(st);
			return class;
		}
		sqlite3_finalize(st);
	}
	return XT_OK;
}

int xt_sqlite_rollback(struct xt_conn *conn, struct xt_err *err)
{
	if (sqlite3_get_autocommit(conn->handle))
		return 0;
	if (sqlite3_exec(conn->handle, "ROLLBACK", NULL, NULL, NULL))
		return xt_err_failed(err, "%s", sqlite3_errmsg(conn->handle));
	return 0;
}
