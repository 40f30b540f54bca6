/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statements through libpq: everything that prepares, wants rows, or runs over an encrypted connection; the rest takes
 * the short way of pgsql_wire.c. Also the classes of PostgreSQL's errors, by SQLSTATE.
 */
#include "driver/pgsql_db.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum xt_class xt_pg_class(struct xt_conn *conn, const char *sqlstate, bool fatal)
{
	static const struct {
		const char *sqlstate;
		enum xt_class class;
	} classes[] = {
		{"40001", XT_SERIALIZATION},
		{"40P01", XT_DEADLOCK},
		{"23505", XT_UNIQUE},
		{"55P03", XT_BUSY}, /* lock_timeout and NOWAIT */
	};

	if (fatal)
		return XT_LOST;
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		if (!strcmp(sqlstate, classes[i].sqlstate))
			return classes[i].class;
	/* statement_timeout has the same code: only what we asked for is "cancelled" */
	if (!strcmp(sqlstate, "57014") && atomic_exchange(&conn->cancelled, false))
		return XT_CANCELLED;
	return XT_OTHER;
}

static void set_text(struct xt_err *err, const char *text)
{
	size_t len = strlen(text);

	while (len && (text[len - 1] == '\n' || text[len - 1] == ' '))
		len--;
	xt_err_failed(err, "%.*s", (int)len, text);
}

enum xt_class xt_pg_failed(struct xt_conn *conn, const PGresult *result, struct xt_err *err)
{
	const char *sqlstate = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
	const char *severity = result ? PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED) : NULL;
	const char *text = result ? PQresultErrorMessage(result) : PQerrorMessage(conn->pg);

	if (!*text)
		text = PQerrorMessage(conn->pg);
	set_text(err, *text ? text : "the server gave no reason");
	if (PQstatus(conn->pg) == CONNECTION_BAD) {
		conn->lost = true;
		conn->transaction = 'I';
	}
	return xt_pg_class(conn, sqlstate ? sqlstate : "", conn->lost || (severity && !strcmp(severity, "FATAL")));
}

static enum xt_class no_memory(struct xt_err *err)
{
	xt_err_failed(err, "pgsql: out of memory");
	return XT_OTHER;
}

static void drop_rows(struct xt_conn *conn)
{
	for (size_t i = 0; i < conn->kept_count; i++)
		PQclear(conn->kept[i]);
	conn->kept_count = 0;
}

void xt_pg_enter(struct xt_conn *conn)
{
	/* libpq reads until a socket has nothing more to give: on a blocking one it would hang */
	xt_wire_set_blocking(&conn->wire, false);
	drop_rows(conn);
}

void xt_pg_leave(struct xt_conn *conn)
{
	switch (PQtransactionStatus(conn->pg)) {
	case PQTRANS_INTRANS:
		conn->transaction = 'T';
		break;
	case PQTRANS_INERROR:
		conn->transaction = 'E';
		break;
	case PQTRANS_ACTIVE: /* in the middle of a COPY or a pipeline */
		break;
	case PQTRANS_IDLE:
	case PQTRANS_UNKNOWN:
		conn->transaction = 'I';
		break;
	}
}

static int keep_row(struct xt_conn *conn, PGresult *result, struct xt_rows *rows)
{
	int first = rows->columns, columns = first + PQnfields(result), row = PQntuples(result) - 1;

	if (conn->kept_count == conn->kept_cap) {
		PGresult **kept = realloc(conn->kept, (conn->kept_cap + 1) * sizeof(PGresult *));

		if (!kept)
			return -1;
		conn->kept = kept;
		conn->kept_cap++;
	}
	if (columns > conn->capacity) {
		const char **names = realloc(conn->names, (size_t)columns * sizeof(*names));
		struct xt_value *values;

		if (!names)
			return -1;
		conn->names = names;
		values = realloc(conn->values, (size_t)columns * sizeof(*values));
		if (!values)
			return -1;
		conn->values = values;
		conn->capacity = columns;
	}
	for (int i = first; i < columns; i++) {
		int c = i - first;

		conn->names[i] = PQfname(result, c);
		conn->values[i] = PQgetisnull(result, row, c)
		                          ? xt_null()
		                          : xt_text(PQgetvalue(result, row, c), (size_t)PQgetlength(result, row, c));
	}
	rows->columns = columns;
	rows->names = conn->names;
	rows->values = conn->values;
	conn->kept[conn->kept_count++] = result;
	return 0;
}

/* A script cannot feed or drain a COPY: end it, so that the server's answer can be read to its end. */
static void end_copy(struct xt_conn *conn, ExecStatusType status)
{
	char *data;

	if (status == PGRES_COPY_IN) {
		PQputCopyEnd(conn->pg, "no data to copy");
		return;
	}
	while (PQgetCopyData(conn->pg, &data, 0) > 0)
		PQfreemem(data);
}

/* Takes one result; the class of the first failure stays in *class. */
static void take_result(struct xt_conn *conn, PGresult *result, bool want, struct xt_rows *rows, enum xt_class *class,
                        struct xt_err *err)
{
	ExecStatusType status = PQresultStatus(result);

	switch (status) {
	case PGRES_TUPLES_OK:
		if (!rows)
			break;
		rows->count += (uint64_t)PQntuples(result);
		if (!want || !PQntuples(result))
			break;
		if (!keep_row(conn, result, rows))
			return; /* kept */
		*class = no_memory(err);
		break;
	case PGRES_COMMAND_OK:
		if (rows)
			rows->affected += strtoull(PQcmdTuples(result), NULL, 10);
		break;
	case PGRES_EMPTY_QUERY:
		break;
	case PGRES_COPY_IN:
	case PGRES_COPY_OUT:
	case PGRES_COPY_BOTH:
		end_copy(conn, status);
		break;
	default:
		if (*class == XT_OK)
			*class = xt_pg_failed(conn, result, err);
		break;
	}
	PQclear(result);
}

/* Reads what the server answers to what was sent. want_all: every statement's row is wanted. */
static enum xt_class finish(struct xt_conn *conn, const bool *want, bool want_all, struct xt_rows *rows,
                            struct xt_err *err)
{
	enum xt_class class = XT_OK;
	PGresult *result;
	size_t index = 0;

	while ((result = PQgetResult(conn->pg))) {
		ExecStatusType status = PQresultStatus(result);
		bool wanted;

		wanted = want_all || (want && want[index]);
		take_result(conn, result, wanted, wanted || !want ? rows : NULL, &class, err);
		if (status != PGRES_COPY_IN && status != PGRES_COPY_OUT) /* whose statement has a second result */
			index++;
		if (PQstatus(conn->pg) == CONNECTION_BAD) {
			class = XT_LOST;
			conn->lost = true;
			break;
		}
	}
	xt_pg_leave(conn);
	return class;
}

static enum xt_class finish_prepare(struct xt_conn *conn, const struct xt_stmt *stmt, struct xt_err *err)
{
	if (conn->pipeline && conn->wire.usable)
		return xt_wire_queue_parse(conn, stmt, err);
	xt_pg_enter(conn);
	if (!PQsendPrepare(conn->pg, stmt->name, stmt->text, 0, NULL))
		return xt_pg_failed(conn, NULL, err);
	return conn->pipeline ? XT_OK : finish(conn, NULL, false, NULL, err);
}

enum xt_class xt_pg_prepare(struct xt_conn *conn, const char *text, size_t len, size_t params, struct xt_stmt **out,
                            struct xt_err *err)
{
	struct xt_stmt *stmt = calloc(1, sizeof(*stmt));
	enum xt_class class = XT_OK;

	*out = NULL;
	if (!stmt || !(stmt->text = strndup(text, len))) {
		free(stmt);
		return no_memory(err);
	}
	stmt->params = params;
	stmt->next = conn->statements;
	stmt->link = &conn->statements;
	if (stmt->next)
		stmt->next->link = &stmt->next;
	conn->statements = stmt;
	if (params > 65535) {
		xt_err_failed(err, "%zu parameters: PostgreSQL takes 65535", params);
		class = XT_OTHER;
	} else if (conn->protocol == XT_PREPARED) {
		snprintf(stmt->name, sizeof(stmt->name), "x%u", ++conn->prepared);
		class = finish_prepare(conn, stmt, err);
	}
	if (class == XT_OK && xt_wire_head(stmt))
		class = no_memory(err);
	if (class != XT_OK) {
		stmt->name[0] = '\0'; /* the server has none */
		xt_pg_unprepare(conn, stmt);
		return class;
	}
	*out = stmt;
	return XT_OK;
}

void xt_pg_unprepare(struct xt_conn *conn, struct xt_stmt *stmt)
{
	char text[64];

	if (!stmt)
		return;
	*stmt->link = stmt->next;
	if (stmt->next)
		stmt->next->link = stmt->link;
	/* What cannot be closed now stays with the server: names are never used twice. */
	if (*stmt->name && !conn->lost && !conn->pipeline && conn->wire.usable) {
		xt_wire_close(conn, stmt->name, NULL);
	} else if (*stmt->name && !conn->lost && !conn->pipeline && conn->transaction != 'E') {
		snprintf(text, sizeof(text), "DEALLOCATE %s", stmt->name);
		xt_pg_run(conn, text, NULL);
	}
	free(stmt->text);
	free(stmt->head);
	free(stmt);
}

int xt_pg_texts(struct xt_conn *conn, const struct xt_stmt *stmt, const struct xt_value *const *params,
                struct xt_err *err)
{
	size_t at = 0;
	char number[64];

	if (stmt->params > conn->texts_cap) {
		const char **texts = realloc(conn->texts, stmt->params * sizeof(*texts));

		if (!texts)
			return xt_err_failed(err, "pgsql: out of memory");
		conn->texts = texts;
		conn->texts_cap = stmt->params;
	}
	xt_buf_reset(&conn->scratch);
	for (size_t i = 0; i < stmt->params; i++) {
		const struct xt_value *value = params[i];

		if (value->type == XT_TEXT) {
			if (value->len && memchr(value->u.s, '\0', value->len))
				return xt_err_failed(err, "parameter $%zu holds a zero byte", i + 1);
			xt_buf_add(&conn->scratch, value->u.s, value->len);
		} else if (value->type != XT_NULL) {
			xt_buf_add(&conn->scratch, number, (size_t)xt_value_print(value, number, sizeof(number)));
		}
		xt_buf_add(&conn->scratch, "", 1);
	}
	if (conn->scratch.failed)
		return xt_err_failed(err, "pgsql: out of memory");
	for (size_t i = 0; i < stmt->params; i++) {
		conn->texts[i] = params[i]->type == XT_NULL ? NULL : conn->scratch.data + at;
		at += strlen(conn->scratch.data + at) + 1;
	}
	return 0;
}

bool xt_pg_send(struct xt_conn *conn, const struct xt_stmt *stmt)
{
	int n = (int)stmt->params;

	if (*stmt->name)
		return PQsendQueryPrepared(conn->pg, stmt->name, n, conn->texts, NULL, NULL, 0);
	return PQsendQueryParams(conn->pg, stmt->text, n, NULL, conn->texts, NULL, NULL, 0);
}

enum xt_class xt_pg_execute(struct xt_conn *conn, struct xt_stmt *stmt, const struct xt_value *const *params,
                            struct xt_rows *rows, struct xt_err *err)
{
	if (conn->wire.usable && !rows && !conn->pipeline)
		return xt_wire_execute(conn, stmt, params, err);
	if (rows)
		*rows = (struct xt_rows){0};
	if (conn->wire.usable && conn->pipeline)
		return xt_wire_queue(conn, stmt, params, err);
	if (xt_pg_texts(conn, stmt, params, err))
		return XT_OTHER;
	xt_pg_enter(conn);
	if (!xt_pg_send(conn, stmt))
		return xt_pg_failed(conn, NULL, err);
	return conn->pipeline ? XT_OK : finish(conn, NULL, true, rows, err);
}

/* The text in scratch as an unnamed statement without parameters. */
static enum xt_class queue_text(struct xt_conn *conn, struct xt_err *err)
{
	struct xt_stmt stmt = {.text = conn->scratch.data};
	enum xt_class class;

	if (xt_wire_head(&stmt))
		return no_memory(err);
	class = xt_wire_queue(conn, &stmt, NULL, err);
	free(stmt.head);
	return class;
}

enum xt_class xt_pg_query(struct xt_conn *conn, const char *text, size_t len, const bool *want, struct xt_rows *rows,
                          struct xt_err *err)
{
	int sent;

	if (conn->wire.usable && !rows && !conn->pipeline)
		return xt_wire_query(conn, text, len, err);
	if (rows)
		*rows = (struct xt_rows){0};
	xt_buf_reset(&conn->scratch);
	xt_buf_add(&conn->scratch, text, len);
	if (conn->scratch.failed)
		return no_memory(err);
	if (conn->wire.usable && conn->pipeline)
		return queue_text(conn, err);
	xt_pg_enter(conn);
	if (conn->pipeline) /* no simple queries there */
		sent = PQsendQueryParams(conn->pg, conn->scratch.data, 0, NULL, NULL, NULL, NULL, 0);
	else
		sent = PQsendQuery(conn->pg, conn->scratch.data);
	if (!sent)
		return xt_pg_failed(conn, NULL, err);
	return conn->pipeline ? XT_OK : finish(conn, want, false, rows, err);
}

enum xt_class xt_pg_run(struct xt_conn *conn, const char *text, struct xt_err *err)
{
	xt_pg_enter(conn);
	if (!PQsendQuery(conn->pg, text))
		return xt_pg_failed(conn, NULL, err);
	return finish(conn, NULL, false, NULL, err);
}

int xt_pg_rollback(struct xt_conn *conn, struct xt_err *err)
{
	if (conn->pipeline)
		xt_pg_pipeline_end(conn, NULL);
	if (conn->lost || conn->transaction == 'I')
		return 0;
	return xt_pg_run(conn, "ROLLBACK", err) == XT_OK ? 0 : -1;
}
