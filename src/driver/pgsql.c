/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PostgreSQL: which server, and connections to it. Statements are in pgsql_exec.c and pgsql_wire.c, the private server
 * in pgsql_server.c. Passwords go to libpq and nowhere else.
 */
#include "driver/pgsql_db.h"

#include "base/mono.h"
#include "driver/files.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

/* FILES_EACH: the connection, and one that asks for a cancel. */
enum { MAX_PARAMS = 16, FILES_EACH = 2 };

static int parse_protocol(struct xt_db *db, const char *name, struct xt_err *err)
{
	static const char *const names[] = {
		[XT_PREPARED] = "prepared", [XT_EXTENDED] = "extended", [XT_SIMPLE] = "simple"};

	for (size_t i = 0; name && i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(name, names[i])) {
			db->protocol = (enum xt_protocol)i;
			return 0;
		}
	}
	return name ? xt_err_usage(err, "--protocol=%s: allowed are prepared, extended, simple", name) : 0;
}

static int parse_isolation(struct xt_db *db, const char *name, struct xt_err *err)
{
	static const char *const levels[] = {"read uncommitted", "read committed", "repeatable read", "serializable"};
	char text[sizeof(db->isolation)];
	size_t n = 0;

	if (!name)
		return 0;
	for (; name[n] && n < sizeof(text) - 1; n++)
		text[n] = name[n] == '-' || name[n] == '_' ? ' ' : (char)tolower((unsigned char)name[n]);
	text[n] = '\0';
	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++) {
		if (!strcmp(text, levels[i])) {
			strcpy(db->isolation, text);
			return 0;
		}
	}
	return xt_err_usage(err,
	                    "isolation level %s: allowed are read-uncommitted, read-committed, repeatable-read, "
	                    "serializable",
	                    name);
}

/* libpq quotes the piece that it stumbles over, which may be of a password: say it in our own words. */
static int check_conninfo(const char *conninfo, struct xt_err *err)
{
	PQconninfoOption *parsed;

	if (!conninfo || (!strchr(conninfo, '=') && strncmp(conninfo, "postgres", 8)))
		return 0;
	parsed = PQconninfoParse(conninfo, NULL);
	if (!parsed)
		return xt_err_usage(err,
		                    "--pgsql-conninfo: not a connection string; its forms are \"host=NAME port=5432 "
		                    "dbname=NAME user=NAME\" and postgresql://USER@HOST:PORT/DBNAME");
	PQconninfoFree(parsed);
	return 0;
}

static void pg_close(struct xt_db *db)
{
	if (!db)
		return;
	xt_pg_server_stop(db->server);
	free(db);
}

static size_t add_param(const char **keywords, const char **values, size_t n, const char *keyword, const char *value)
{
	if (!value || !*value)
		return n;
	keywords[n] = keyword;
	values[n] = value;
	return n + 1;
}

static PGconn *start_connection(const struct xt_db *db)
{
	const struct xt_pgsql_options *o = &db->options;
	const char *keywords[MAX_PARAMS], *values[MAX_PARAMS];
	size_t n = 0;

	if (db->server) {
		xt_pg_server_params(db->server, keywords, values);
		return PQconnectdbParams(keywords, values, 0);
	}
	/* what comes later wins, and the string (in place of the first dbname) may say all of it */
	n = add_param(keywords, values, n, "connect_timeout", getenv("PGCONNECT_TIMEOUT") ? NULL : db->connect_timeout);
	n = add_param(keywords, values, n, "fallback_application_name", "xtime");
	n = add_param(keywords, values, n, "dbname", o->conninfo ? o->conninfo : o->dbname);
	n = add_param(keywords, values, n, "host", o->host);
	n = add_param(keywords, values, n, "port", o->port);
	n = add_param(keywords, values, n, "user", o->user);
	n = add_param(keywords, values, n, "password", o->password);
	n = add_param(keywords, values, n, "sslmode", o->sslmode);
	n = add_param(keywords, values, n, "dbname", o->conninfo ? o->dbname : NULL);
	keywords[n] = values[n] = NULL;
	return PQconnectdbParams(keywords, values, 1);
}

/* libpq's message without its final newline. */
static int connect_failed(const PGconn *pg, struct xt_err *err)
{
	const char *text = pg ? PQerrorMessage(pg) : "out of memory";
	size_t len = strlen(text);

	while (len && text[len - 1] == '\n')
		len--;
	return xt_err_failed(err, "%.*s", (int)len, text);
}

/* Says once, and before any thread starts, what is wrong with the way to the server. */
static int probe(const struct xt_db *db, struct xt_err *err)
{
	PGconn *pg = start_connection(db);
	int rc = 0;

	if (PQstatus(pg) != CONNECTION_OK) {
		rc = connect_failed(pg, err);
		if (pg && PQconnectionNeedsPassword(pg))
			xt_err_context(err, "cannot connect (a password comes from --pgsql-password, PGPASSWORD or "
			                    "a .pgpass file)");
		else if (pg && PQconnectionUsedPassword(pg))
			xt_err_context(err, "cannot connect (was the password from --pgsql-password, PGPASSWORD or "
			                    ".pgpass the right one?)");
		else
			xt_err_context(err, "cannot connect (see --pgsql-host, --pgsql-port, --pgsql-user, "
			                    "--pgsql-db and --pgsql-conninfo)");
	}
	PQfinish(pg);
	return rc;
}

static int pg_open(struct xt_db **out, const struct xt_driver_config *config, struct xt_err *err)
{
	struct xt_db *db = calloc(1, sizeof(*db));
	uint64_t seconds = (config->connect_timeout_ns + 999999999u) / 1000000000u;

	*out = NULL;
	if (!db)
		return xt_err_failed(err, "pgsql: out of memory");
	db->options = config->pgsql;
	db->threads = config->threads ? config->threads : 1;
	if (seconds)
		snprintf(db->connect_timeout, sizeof(db->connect_timeout), "%u", (unsigned)(seconds & 0xffffff));
	if (parse_protocol(db, config->pgsql.protocol, err) || parse_isolation(db, config->pgsql.isolation, err) ||
	    check_conninfo(config->pgsql.conninfo, err) || xt_files_reserve(db->threads, FILES_EACH, err))
		goto fail;
	if (config->pgsql.want_private && !config->temporary_ok) {
		xt_err_usage(err, "which server? Name one with --pgsql-host, --pgsql-port, --pgsql-user, --pgsql-db, "
		                  "with --pgsql-conninfo, or with PGHOST and its like (a private server would be "
		                  "gone at the end of this command)");
		goto fail;
	}
	if (config->pgsql.want_private ? xt_pg_server_start(&db->server, config, err) : probe(db, err))
		goto fail;
	*out = db;
	return 0;
fail:
	pg_close(db);
	return -1;
}

static bool pg_needs_prepare(const struct xt_db *db)
{
	return db->server != NULL;
}

static unsigned pg_prepare_workers(const struct xt_db *db)
{
	return db->threads;
}

static bool pg_single_writer(const struct xt_db *db)
{
	(void)db;
	return false;
}

static void ignore_notice(void *ctx, const PGresult *result)
{
	(void)ctx;
	(void)result;
}

static void pg_disconnect(struct xt_conn *conn)
{
	if (!conn)
		return;
	if (conn->pg)
		xt_pg_enter(conn);
	conn->lost = true; /* statements end with the connection: none is closed one by one */
	while (conn->statements)
		xt_pg_unprepare(conn, conn->statements);
	PQfreeCancel(conn->cancel);
	PQfinish(conn->pg);
	xt_wire_free(conn);
	xt_buf_free(&conn->scratch);
	free(conn->texts);
	free(conn->kept);
	free(conn->names);
	free(conn->values);
	free(conn);
}

static int setup_session(struct xt_conn *conn, struct xt_err *err)
{
	char text[96];

	if (*conn->db->isolation) {
		snprintf(text, sizeof(text), "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL %s",
		         conn->db->isolation);
		if (xt_pg_run(conn, text, err) != XT_OK)
			return -1;
	}
	if (conn->db->options.on_connect && xt_pg_run(conn, conn->db->options.on_connect, err) != XT_OK)
		return xt_err_context(err, "the statement on connect");
	return 0;
}

static int pg_connect(struct xt_conn **out, struct xt_db *db, unsigned worker, struct xt_err *err)
{
	struct xt_conn *conn = xt_aligned_calloc(1, sizeof(*conn));
	int rc = -1;

	(void)worker;
	*out = NULL;
	if (!conn)
		return xt_err_failed(err, "pgsql: out of memory");
	conn->db = db;
	conn->protocol = db->protocol;
	conn->transaction = 'I';
	conn->pg = start_connection(db);
	if (PQstatus(conn->pg) != CONNECTION_OK) {
		connect_failed(conn->pg, err);
	} else {
		PQsetNoticeReceiver(conn->pg, ignore_notice, NULL);
		conn->cancel = PQgetCancel(conn->pg);
		if (!conn->cancel || xt_wire_init(conn))
			xt_err_failed(err, "pgsql: out of memory");
		else
			rc = setup_session(conn, err);
	}
	if (rc) {
		pg_disconnect(conn);
		return -1;
	}
	*out = conn;
	return 0;
}

static void describe_query(struct xt_conn *conn, const char *sql, const char *name,
                           void (*add)(void *ctx, const char *name, const char *value), void *ctx)
{
	PGresult *result = PQexec(conn->pg, sql);

	for (int i = 0; PQresultStatus(result) == PGRES_TUPLES_OK && i < PQntuples(result); i++) {
		if (name)
			add(ctx, name, PQgetvalue(result, i, 0));
		else
			add(ctx, PQgetvalue(result, i, 0), PQgetvalue(result, i, 1));
	}
	PQclear(result);
}

static void pg_describe(struct xt_conn *conn, void (*add)(void *ctx, const char *name, const char *value), void *ctx)
{
	static const char *const protocols[] = {
		[XT_PREPARED] = "prepared", [XT_EXTENDED] = "extended", [XT_SIMPLE] = "simple"};
	const char *version = PQparameterStatus(conn->pg, "server_version");
	char text[32];

	xt_pg_enter(conn);
	add(ctx, "version", version ? version : "unknown");
	describe_query(conn, "SELECT version()", "server", add, ctx);
	snprintf(text, sizeof(text), "%d.%d", PQlibVersion() / 10000, PQlibVersion() % 10000);
	add(ctx, "libpq", text);
	add(ctx, "private_server", conn->db->server ? "yes" : "no");
	add(ctx, "protocol", protocols[conn->protocol]);
	add(ctx, "encrypted", PQsslInUse(conn->pg) || PQgssEncInUse(conn->pg) ? "yes" : "no");
	describe_query(conn,
	               "SELECT name, current_setting(name) FROM pg_catalog.pg_settings WHERE name IN "
	               "('default_transaction_isolation', 'fsync', 'synchronous_commit', 'full_page_writes', "
	               "'shared_buffers', 'max_connections', 'wal_level', 'autovacuum') ORDER BY name",
	               NULL, add, ctx);
	xt_pg_leave(conn);
}

static bool pg_inline_params(const struct xt_conn *conn)
{
	return conn->protocol == XT_SIMPLE;
}

static bool pg_in_transaction(const struct xt_conn *conn)
{
	return conn->transaction != 'I';
}

static void pg_cancel(struct xt_conn *conn)
{
	uint64_t now = xt_mono_ns();
	char reason[256];

	if (!atomic_exchange(&conn->cancelled, true)) {
		atomic_store(&conn->cancelled_ns, now);
	} else if (now - atomic_load(&conn->cancelled_ns) > UINT64_C(2000000000)) {
		shutdown(PQsocket(conn->pg), SHUT_RDWR);
		return;
	}
	PQcancel(conn->cancel, reason, sizeof(reason)); /* when it fails, the caller's next try may not */
}

/* A backend's pid means something only on this machine. */
static pid_t pg_server_pid(const struct xt_conn *conn)
{
	struct sockaddr_storage peer;
	socklen_t len = sizeof(peer);

	if (getpeername(PQsocket(conn->pg), (struct sockaddr *)&peer, &len))
		return 0;
	switch (peer.ss_family) {
	case AF_INET:
		if (ntohl(((struct sockaddr_in *)&peer)->sin_addr.s_addr) >> 24 != 127)
			return 0;
		break;
	case AF_INET6:
		if (!IN6_IS_ADDR_LOOPBACK(&((struct sockaddr_in6 *)&peer)->sin6_addr))
			return 0;
		break;
	}
	return PQbackendPID(conn->pg);
}

const struct xt_driver xt_driver_pgsql = {
	.name = "pgsql",
	.summary = "PostgreSQL through libpq: any server, or a private one that is started for the run",
	.is_pgsql = true,
	.open = pg_open,
	.close = pg_close,
	.needs_prepare = pg_needs_prepare,
	.prepare_workers = pg_prepare_workers,
	.single_writer = pg_single_writer,
	.describe = pg_describe,
	.connect = pg_connect,
	.disconnect = pg_disconnect,
	.prepare = xt_pg_prepare,
	.unprepare = xt_pg_unprepare,
	.execute = xt_pg_execute,
	.query = xt_pg_query,
	.inline_params = pg_inline_params,
	.in_transaction = pg_in_transaction,
	.rollback = xt_pg_rollback,
	.cancel = pg_cancel,
	.server_pid = pg_server_pid,
	.load_begin = xt_pg_load_begin,
	.load_row = xt_pg_load_row,
	.load_end = xt_pg_load_end,
	.load_abort = xt_pg_load_abort,
	.pipeline_start = xt_pg_pipeline_start,
	.pipeline_sync = xt_pg_pipeline_sync,
	.pipeline_end = xt_pg_pipeline_end,
};
