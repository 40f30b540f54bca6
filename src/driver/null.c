/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The driver without a database: it takes every statement and every value and answers "ok, no rows" at once. It shows
 * what the harness itself costs, and makes tests of engine and statistics exact: statements that take a given time,
 * fail when asked to, or are hashed. It must stay nearly free when none of that is asked for.
 */
#include "driver/drivers.h"

#include "base/align.h"
#include "base/mono.h"
#include "base/num.h"

#include <ctype.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct xt_db {
	unsigned threads;
	uint64_t latency_ns;
	bool hash;
	bool fail_connect;
	unsigned fail_worker;
	uint64_t fail_exec; /* 0: none */
};

enum effect { EFFECT_NONE, EFFECT_BEGIN, EFFECT_END };

struct xt_conn {
	XT_ALIGNED const struct xt_db *db;
	bool special; /* latency, failure or hash: leaves the short path */
	bool in_transaction;
	uint64_t executed;
	uint64_t touched; /* keeps the compiler from dropping the reads of parameters */
	uint64_t hash;
	uint64_t load_columns;
	_Atomic bool cancel;
	struct xt_stmt *statements; /* all that are prepared */
};

struct xt_stmt {
	struct xt_stmt *next, **link;
	size_t params;
	enum effect effect;
	uint64_t hash;
};

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < len; i++) /* FNV-1a */
		hash = (hash ^ p[i]) * 0x100000001b3u;
	return hash;
}

static uint64_t hash_value(uint64_t hash, const struct xt_value *value)
{
	unsigned char type = (unsigned char)value->type;

	hash = hash_bytes(hash, &type, 1);
	switch (value->type) {
	case XT_NULL:
		return hash;
	case XT_BOOL:
		return hash_bytes(hash, &value->u.b, sizeof(value->u.b));
	case XT_TEXT:
		hash = hash_bytes(hash, &value->len, sizeof(value->len));
		return hash_bytes(hash, value->u.s, value->len);
	case XT_INT:
	case XT_DOUBLE:
		break;
	}
	return hash_bytes(hash, &value->u, 8);
}

static bool first_word(const char *text, size_t len, const char *word)
{
	size_t n = strlen(word);

	while (len && isspace((unsigned char)*text)) {
		text++;
		len--;
	}
	return len >= n && !strncasecmp(text, word, n) && (len == n || !isalnum((unsigned char)text[n]));
}

static enum effect effect_of(const char *text, size_t len)
{
	if (first_word(text, len, "begin") || first_word(text, len, "start"))
		return EFFECT_BEGIN;
	if (first_word(text, len, "commit") || first_word(text, len, "end") || first_word(text, len, "rollback") ||
	    first_word(text, len, "abort"))
		return EFFECT_END;
	return EFFECT_NONE;
}

static int parse_fail(struct xt_db *db, const char *fail, struct xt_err *err)
{
	int64_t n;

	if (!strncmp(fail, "connect:", 8) && !xt_num_count(fail + 8, 0, 1 << 20, &n, err)) {
		db->fail_connect = true;
		db->fail_worker = (unsigned)n;
		return 0;
	}
	if (!strncmp(fail, "exec:", 5) && !xt_num_count(fail + 5, 1, INT64_MAX, &n, err)) {
		db->fail_exec = (uint64_t)n;
		return 0;
	}
	return xt_err_usage(err, "--null-fail=%s: allowed are connect:WORKER (from 0) and exec:N (from 1)", fail);
}

static int null_open(struct xt_db **out, const struct xt_driver_config *config, struct xt_err *err)
{
	struct xt_db *db = calloc(1, sizeof(*db));

	*out = NULL;
	if (!db)
		return xt_err_failed(err, "null driver: out of memory");
	db->threads = config->threads;
	db->latency_ns = config->null.latency_ns;
	db->hash = config->null.hash;
	if (config->null.fail && parse_fail(db, config->null.fail, err)) {
		free(db);
		return -1;
	}
	*out = db;
	return 0;
}

static void null_close(struct xt_db *db)
{
	free(db);
}

static bool null_needs_prepare(const struct xt_db *db)
{
	(void)db;
	return false;
}

static unsigned null_prepare_workers(const struct xt_db *db)
{
	return db->threads;
}

static bool null_single_writer(const struct xt_db *db)
{
	(void)db;
	return false;
}

static void null_describe(struct xt_conn *conn, void (*add)(void *ctx, const char *name, const char *value), void *ctx)
{
	char text[32];

	add(ctx, "version", "1");
	if (conn->db->latency_ns)
		add(ctx, "latency", xt_num_print_ns((double)conn->db->latency_ns, text, sizeof(text)));
}

static int null_connect(struct xt_conn **out, struct xt_db *db, unsigned worker, struct xt_err *err)
{
	struct xt_conn *conn;

	*out = NULL;
	if (db->fail_connect && worker == db->fail_worker)
		return xt_err_failed(err, "null driver: worker %u cannot connect, as --null-fail=connect:%u asks",
		                     worker, worker);
	conn = xt_aligned_calloc(1, sizeof(*conn));
	if (!conn)
		return xt_err_failed(err, "null driver: out of memory");
	conn->db = db;
	conn->special = db->latency_ns || db->fail_exec || db->hash;
	conn->hash = 0xcbf29ce484222325u;
	*out = conn;
	return 0;
}

static enum xt_class null_prepare(struct xt_conn *conn, const char *text, size_t len, size_t params,
                                  struct xt_stmt **out, struct xt_err *err)
{
	struct xt_stmt *stmt = calloc(1, sizeof(*stmt));

	*out = stmt;
	if (!stmt) {
		xt_err_failed(err, "null driver: out of memory");
		return XT_OTHER;
	}
	stmt->next = conn->statements;
	stmt->link = &conn->statements;
	if (stmt->next)
		stmt->next->link = &stmt->next;
	conn->statements = stmt;
	stmt->params = params;
	stmt->effect = effect_of(text, len);
	stmt->hash = hash_bytes(0xcbf29ce484222325u, text, len);
	return XT_OK;
}

static void null_unprepare(struct xt_conn *conn, struct xt_stmt *stmt)
{
	(void)conn;
	if (!stmt)
		return;
	*stmt->link = stmt->next;
	if (stmt->next)
		stmt->next->link = stmt->link;
	free(stmt);
}

static void null_disconnect(struct xt_conn *conn)
{
	if (!conn)
		return;
	while (conn->statements)
		null_unprepare(conn, conn->statements);
	free(conn);
}

/* Sleeps in steps, so that cancel() is seen soon whatever the latency is. */
static enum xt_class wait_latency(struct xt_conn *conn, struct xt_err *err)
{
	const uint64_t step_ns = 5000000;
	uint64_t now = xt_mono_ns();
	uint64_t end = now + conn->db->latency_ns;

	atomic_store_explicit(&conn->cancel, false, memory_order_relaxed);
	for (; now < end; now = xt_mono_ns()) {
		xt_mono_sleep_until(end - now > step_ns ? now + step_ns : end);
		if (atomic_load_explicit(&conn->cancel, memory_order_relaxed)) {
			xt_err_failed(err, "null driver: cancelled");
			return XT_CANCELLED;
		}
	}
	return XT_OK;
}

static enum xt_class run_special(struct xt_conn *conn, uint64_t text_hash, size_t count,
                                 const struct xt_value *const *params, struct xt_err *err)
{
	if (conn->db->hash) {
		conn->hash = hash_bytes(conn->hash, &text_hash, sizeof(text_hash));
		for (size_t i = 0; i < count; i++)
			conn->hash = hash_value(conn->hash, params[i]);
	}
	if (conn->executed == conn->db->fail_exec) {
		xt_err_failed(err, "null driver: statement %llu fails, as --null-fail asks",
		              (unsigned long long)conn->executed);
		return XT_OTHER;
	}
	return conn->db->latency_ns ? wait_latency(conn, err) : XT_OK;
}

static void apply_effect(struct xt_conn *conn, enum effect effect)
{
	if (effect != EFFECT_NONE)
		conn->in_transaction = effect == EFFECT_BEGIN;
}

static enum xt_class null_execute(struct xt_conn *conn, struct xt_stmt *stmt, const struct xt_value *const *params,
                                  struct xt_rows *rows, struct xt_err *err)
{
	uint64_t touched = conn->touched;

	conn->executed++;
	for (size_t i = 0; i < stmt->params; i++)
		touched += (uint64_t)params[i]->type + (params[i]->type == XT_TEXT ? params[i]->len : 1);
	conn->touched = touched;
	if (rows)
		*rows = (struct xt_rows){0};
	if (conn->special) {
		enum xt_class class = run_special(conn, stmt->hash, stmt->params, params, err);

		if (class != XT_OK)
			return class;
	}
	apply_effect(conn, stmt->effect);
	return XT_OK;
}

static enum xt_class null_query(struct xt_conn *conn, const char *text, size_t len, const bool *want,
                                struct xt_rows *rows, struct xt_err *err)
{
	(void)want;
	conn->executed++;
	if (rows)
		*rows = (struct xt_rows){0};
	if (conn->special) {
		uint64_t hash = conn->db->hash ? hash_bytes(0xcbf29ce484222325u, text, len) : 0;
		enum xt_class class = run_special(conn, hash, 0, NULL, err);

		if (class != XT_OK)
			return class;
	}
	apply_effect(conn, effect_of(text, len));
	return XT_OK;
}

static bool null_in_transaction(const struct xt_conn *conn)
{
	return conn->in_transaction;
}

static int null_rollback(struct xt_conn *conn, struct xt_err *err)
{
	(void)err;
	conn->in_transaction = false;
	return 0;
}

static void null_cancel(struct xt_conn *conn)
{
	atomic_store_explicit(&conn->cancel, true, memory_order_relaxed);
}

static int null_load_begin(struct xt_conn *conn, const char *table, const char *const *columns, size_t count,
                           struct xt_err *err)
{
	(void)err;
	conn->load_columns = count;
	if (conn->db->hash) {
		conn->hash = hash_bytes(conn->hash, table, strlen(table) + 1);
		for (size_t i = 0; i < count; i++)
			conn->hash = hash_bytes(conn->hash, columns[i], strlen(columns[i]) + 1);
	}
	return 0;
}

static int null_load_row(struct xt_conn *conn, const struct xt_value *values, struct xt_err *err)
{
	(void)err;
	for (size_t i = 0; i < conn->load_columns && conn->db->hash; i++)
		conn->hash = hash_value(conn->hash, &values[i]);
	return 0;
}

static int null_load_end(struct xt_conn *conn, struct xt_err *err)
{
	(void)err;
	conn->load_columns = 0;
	return 0;
}

static void null_load_abort(struct xt_conn *conn)
{
	conn->load_columns = 0;
}

static uint64_t null_statement_hash(const struct xt_conn *conn)
{
	return conn->db->hash ? conn->hash : 0;
}

const struct xt_driver xt_driver_null = {
	.name = "null",
	.summary = "no database: takes every statement, returns no rows (for the harness's own cost, and for tests)",
	.open = null_open,
	.close = null_close,
	.needs_prepare = null_needs_prepare,
	.prepare_workers = null_prepare_workers,
	.single_writer = null_single_writer,
	.describe = null_describe,
	.connect = null_connect,
	.disconnect = null_disconnect,
	.prepare = null_prepare,
	.unprepare = null_unprepare,
	.execute = null_execute,
	.query = null_query,
	.in_transaction = null_in_transaction,
	.rollback = null_rollback,
	.cancel = null_cancel,
	.load_begin = null_load_begin,
	.load_row = null_load_row,
	.load_end = null_load_end,
	.load_abort = null_load_abort,
	.statement_hash = null_statement_hash,
};
