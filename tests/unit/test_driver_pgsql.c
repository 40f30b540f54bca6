/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * driver: PostgreSQL, statements and errors, on a private server that this test starts. Skipped (77) where there are
 * no server programs.
 */
#include "driver_util.h"

#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/socket.h>

static struct xt_db *db;
static struct xt_driver_config pg;
static char port_option[32], cert_option[128], key_option[128];
static bool with_tls;

/* A port that nobody listens on at the moment. */
static unsigned free_port(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&address, len), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
	close(fd);
	return ntohs(address.sin_port);
}

/* A certificate that the server's user can read; false where there is no openssl. */
static bool make_certificate(void)
{
	const struct passwd *user = geteuid() ? NULL : getpwnam("postgres");
	char command[512], key[96];

	snprintf(cert_option, sizeof(cert_option), "ssl_cert_file=%s/cert.pem", scratch);
	snprintf(key_option, sizeof(key_option), "ssl_key_file=%s/key.pem", scratch);
	snprintf(key, sizeof(key), "%s/key.pem", scratch);
	snprintf(command, sizeof(command),
	         "openssl req -new -x509 -days 2 -nodes -newkey rsa:2048 -subj /CN=localhost -out %s/cert.pem "
	         "-keyout %s 2>/dev/null",
	         scratch, key);
	if (system(command) || chmod(key, 0600) || chmod(scratch, 0755))
		return false;
	if (!geteuid() && !user)
		user = getpwnam("nobody");
	return !user || !chown(key, user->pw_uid, user->pw_gid);
}

static int start_server(void)
{
	static const char *options[9] = {"fsync=off", "deadlock_timeout=20ms", "synchronous_commit=off"};

	snprintf(port_option, sizeof(port_option), "port=%u", free_port());
	options[3] = port_option;
	options[4] = "listen_addresses=127.0.0.1";
	with_tls = make_certificate();
	if (with_tls) {
		options[5] = "ssl=on";
		options[6] = cert_option;
		options[7] = key_option;
	}
	pg = (struct xt_driver_config){.threads = 4, .temporary_ok = true};
	pg.pgsql.want_private = true;
	pg.pgsql.shm_fd = -1;
	pg.pgsql.server_options = options;
	return drv->open(&db, &pg, &err);
}

static int stop_server(void **state)
{
	drv->close(db);
	return remove_scratch(state);
}

static struct xt_stmt *prepared(struct xt_conn *conn, const char *text, size_t params)
{
	struct xt_stmt *stmt;

	if (drv->prepare(conn, text, strlen(text), params, &stmt, &err) != XT_OK)
		fail_msg("%s: %s", text, err.text);
	return stmt;
}

static void test_values(void **state)
{
	const struct xt_value v[] = {xt_int(INT64_MIN),
	                             xt_text("a\tb'\\cde", 7),
	                             xt_null(),
	                             {.type = XT_DOUBLE, .u = {.d = 0.1}},
	                             {.type = XT_BOOL, .u = {.b = true}}};
	const struct xt_value *params[] = {&v[0], &v[1], &v[2], &v[3], &v[4]};
	struct xt_stmt *insert, *select;
	struct xt_conn *conn = connect_to(db, 0);
	struct xt_rows rows;

	(void)state;
	must(conn, "create temp table v(a bigint, b text, c int, d float8, e bool)");
	insert = prepared(conn, "insert into v values ($1, $2, $3, $4, $5)", 5);
	select = prepared(conn, "select a, b, c, d, e as last from v where a = $1", 1);
	assert_int_equal(drv->execute(conn, insert, params, NULL, &err), XT_OK);  /* the short way */
	assert_int_equal(drv->execute(conn, insert, params, &rows, &err), XT_OK); /* libpq's */
	assert_int_equal(rows.affected, 1);
	assert_int_equal(rows.columns, 0);
	assert_int_equal(drv->execute(conn, select, params, &rows, &err), XT_OK);
	assert_int_equal(rows.count, 2);
	assert_int_equal(rows.columns, 5);
	assert_string_equal(rows.names[4], "last");
	assert_string_equal(rows.values[0].u.s, "-9223372036854775808");
	assert_string_equal(rows.values[1].u.s, "a\tb'\\cd");
	assert_int_equal(rows.values[2].type, XT_NULL);
	assert_string_equal(rows.values[3].u.s, "0.1");
	assert_string_equal(rows.values[4].u.s, "t");
	assert_int_equal(number(conn, "select count(distinct (a, b, d, e)) from v"), 1);
	drv->unprepare(conn, insert);
	drv->disconnect(conn);
}

static struct xt_conn *connect_again(const char *protocol, struct xt_db **own)
{
	struct xt_driver_config c = {.threads = 1};
	static char conninfo[256];
	struct xt_conn *conn = connect_to(db, 0);
	const bool want[] = {true};
	struct xt_rows rows;
	const char *ask = "select current_setting('unix_socket_directories')";

	assert_int_equal(drv->query(conn, ask, strlen(ask), want, &rows, &err), XT_OK);
	snprintf(conninfo, sizeof(conninfo), "host=%s %s user=xtime", rows.values[0].u.s, port_option);
	drv->disconnect(conn);
	c.pgsql.conninfo = conninfo;
	c.pgsql.dbname = "postgres";
	c.pgsql.protocol = protocol;
	c.pgsql.shm_fd = -1;
	*own = open_db(&c);
	assert_false(drv->needs_prepare(*own));
	return connect_to(*own, 0);
}

static void test_extended_and_simple(void **state)
{
	const struct xt_value a = xt_int(41), *params[] = {&a};
	struct xt_conn *conn;
	struct xt_rows rows;
	struct xt_db *own;

	(void)state;
	conn = connect_again("extended", &own);
	assert_false(drv->inline_params(conn));
	for (int i = 0; i < 3; i++) {
		struct xt_stmt *stmt = prepared(conn, "select $1::int + 1", 1);

		assert_int_equal(drv->execute(conn, stmt, params, NULL, &err), XT_OK);
		assert_int_equal(drv->execute(conn, stmt, params, &rows, &err), XT_OK);
		assert_string_equal(rows.values[0].u.s, "42");
		drv->unprepare(conn, stmt);
	}
	assert_int_equal(number(conn, "select count(*) from pg_prepared_statements"), 0);
	drv->disconnect(conn);
	drv->close(own);
	conn = connect_again("simple", &own);
	assert_true(drv->inline_params(conn));
	must(conn, "begin; select 1; select 2");
	assert_true(drv->in_transaction(conn));
	assert_int_equal(query(conn, "select 1; selec; select 2"), XT_OTHER);
	assert_true(drv->in_transaction(conn));
	assert_int_equal(drv->rollback(conn, &err), 0);
	assert_int_equal(drv->pipeline_start(conn, &err), XT_OTHER);
	drv->disconnect(conn);
	drv->close(own);
}

/* Names of closed statements are gone from the server, in a failed transaction too. */
static void test_unprepare(void **state)
{
	struct xt_conn *conn = connect_to(db, 0);
	struct xt_stmt *a = prepared(conn, "select 1", 0), *b = prepared(conn, "select 2", 0);

	(void)state;
	assert_int_equal(number(conn, "select count(*) from pg_prepared_statements"), 2);
	drv->unprepare(conn, a);
	must(conn, "begin");
	assert_int_equal(query(conn, "select 1/0"), XT_OTHER);
	drv->unprepare(conn, b);
	assert_int_equal(drv->rollback(conn, &err), 0);
	assert_int_equal(number(conn, "select count(*) from pg_prepared_statements"), 0);
	assert_int_equal(drv->prepare(conn, "selec 1", 7, 0, &a, &err), XT_OTHER);
	assert_non_null(strstr(err.text, "syntax error"));
	assert_null(a);
	drv->disconnect(conn);
}

static void test_classes(void **state)
{
	struct xt_conn *a = connect_to(db, 0), *b = connect_to(db, 1);

	(void)state;
	must(a, "create table k(a int primary key, b int); insert into k values (1, 0), (2, 0)");
	must(a, "begin");
	assert_int_equal(query(a, "insert into k values (1, 1)"), XT_UNIQUE);
	assert_non_null(strstr(err.text, "ERROR:  duplicate key value"));
	assert_non_null(strstr(err.text, "\nDETAIL:  Key (a)=(1) already exists."));
	assert_true(drv->in_transaction(a));
	assert_int_equal(query(a, "select 1"), XT_OTHER);
	assert_int_equal(drv->rollback(a, &err), 0);
	assert_false(drv->in_transaction(a));

	must(a, "begin isolation level repeatable read");
	assert_int_equal(number(a, "select count(*) from k"), 2);
	must(b, "update k set b = 1 where a = 1");
	assert_int_equal(query(a, "update k set b = 2 where a = 1"), XT_SERIALIZATION);
	assert_int_equal(drv->rollback(a, &err), 0);

	must(a, "begin; update k set b = 1 where a = 1");
	must(b, "set lock_timeout = '20ms'");
	assert_int_equal(query(b, "update k set b = 3 where a = 1"), XT_BUSY);
	assert_int_equal(query(b, "select * from k where a = 1 for update nowait"), XT_BUSY);
	must(b, "set statement_timeout = '20ms'; set lock_timeout = 0");
	assert_int_equal(query(b, "update k set b = 3 where a = 1"), XT_OTHER);
	assert_non_null(strstr(err.text, "statement timeout"));
	must(b, "set statement_timeout = 0");
	assert_int_equal(cancelled_class(b, "update k set b = 3 where a = 1"), XT_CANCELLED);
	must(a, "commit");
	must(a, "drop table k");
	drv->disconnect(a);
	drv->disconnect(b);
}

static void test_deadlock(void **state)
{
	struct xt_conn *a = connect_to(db, 0), *b = connect_to(db, 1);
	struct cancel_job job = {.conn = b, .text = "update dl set b = 1 where a = 1"};
	enum xt_class mine;
	pthread_t thread;

	(void)state;
	must(a, "create table dl(a int primary key, b int); insert into dl values (1, 0), (2, 0)");
	must(a, "begin; update dl set b = 1 where a = 1");
	must(b, "begin; update dl set b = 1 where a = 2");
	assert_int_equal(pthread_create(&thread, NULL, run_job, &job), 0);
	mine = query(a, "update dl set b = 1 where a = 2");
	if (mine == XT_DEADLOCK)
		assert_int_equal(drv->rollback(a, &err), 0);
	pthread_join(thread, NULL);
	assert_true((mine == XT_DEADLOCK && job.class == XT_OK) || (mine == XT_OK && job.class == XT_DEADLOCK));
	assert_int_equal(drv->rollback(a, &err), 0);
	assert_int_equal(drv->rollback(b, &err), 0);
	must(a, "drop table dl");
	drv->disconnect(a);
	drv->disconnect(b);
}

/* Answers of every awkward length, both ways in turn: neither may wait for bytes that do not come. */
static void check_lengths(struct xt_conn *conn)
{
	static const int sizes[] = {0,     1,     4000,  8100,  8192,  16300, 16384, 16385,  32700,  32768,
	                            32769, 40000, 65400, 65520, 65530, 65536, 70000, 131072, 500000, 3000000};
	struct xt_stmt *one = prepared(conn, "select repeat('x', $1)", 1);
	struct xt_stmt *many = prepared(conn, "select repeat('y', 100) from generate_series(1, $1)", 1);
	struct xt_stmt *back = prepared(conn, "select length($1)", 1);
	char *text = malloc(3000000);
	struct xt_rows rows;

	alarm(120);
	memset(text, 'z', 3000000);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		const struct xt_value n = xt_int(sizes[i]), count = xt_int(sizes[i] / 100);
		const struct xt_value big = xt_text(text, (size_t)sizes[i]);
		const struct xt_value *p[] = {&n}, *q[] = {&count}, *r[] = {&big};

		for (int round = 0; round < 2; round++) {
			assert_int_equal(drv->execute(conn, one, p, round ? &rows : NULL, &err), XT_OK);
			assert_int_equal(drv->execute(conn, many, q, NULL, &err), XT_OK);
			assert_int_equal(drv->execute(conn, many, q, &rows, &err), XT_OK);
			assert_int_equal(rows.count, sizes[i] / 100);
			assert_int_equal(drv->execute(conn, back, r, round ? &rows : NULL, &err), XT_OK);
		}
		assert_int_equal(strtol(rows.values[0].u.s, NULL, 10), sizes[i]);
	}
	alarm(0);
	free(text);
}

static void test_lengths(void **state)
{
	struct xt_conn *conn = connect_to(db, 0);

	(void)state;
	check_lengths(conn);
	drv->disconnect(conn);
}

/* What comes unasked (notices, notifications) or asks for more (COPY) does not lead the short way astray. */
static void test_unasked(void **state)
{
	struct xt_conn *conn = connect_to(db, 0);
	struct xt_stmt *copy_in, *copy_out;
	struct xt_rows rows;

	(void)state;
	alarm(60);
	must(conn, "create temp table u(a int)");
	must(conn, "do $$ begin raise notice 'one'; raise warning 'two'; end $$");
	must(conn, "listen here; notify here, 'x'");
	assert_int_equal(number(conn, "select 1"), 1);
	must(conn, "set application_name = 'other'");
	copy_in = prepared(conn, "copy u from stdin", 0);
	copy_out = prepared(conn, "copy (select generate_series(1, 100000)) to stdout", 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(drv->execute(conn, copy_in, NULL, i ? &rows : NULL, &err), XT_OTHER);
		assert_non_null(strstr(err.text, "no data to copy"));
		assert_int_equal(drv->execute(conn, copy_out, NULL, i ? &rows : NULL, &err), XT_OK);
		assert_int_equal(query(conn, "copy u from stdin"), XT_OTHER);
		must(conn, "");
		assert_int_equal(number(conn, "select 7"), 7);
	}
	alarm(0);
	drv->disconnect(conn);
}

static void test_load(void **state)
{
	const char *const columns[] = {"a", "b"};
	const struct xt_value odd = xt_text("\\N\t\n\r\\x", 7);
	struct xt_conn *conn = connect_to(db, 0), *other = connect_to(db, 1);
	char ask[128];

	(void)state;
	must(conn, "begin; create table ld(a int primary key, b text)");
	assert_int_equal(drv->load_begin(conn, "ld", columns, 2, &err), 0);
	for (int i = 1; i <= 5000; i++) {
		const struct xt_value row[] = {xt_int(i), i == 1 ? odd : i == 2 ? xt_null() : xt_text("plain", 5)};

		assert_int_equal(drv->load_row(conn, row, &err), 0);
	}
	snprintf(ask, sizeof(ask), "select count(*) from pg_stat_activity where pid = %d and query like '%%FREEZE%%'",
	         (int)drv->server_pid(conn));
	assert_int_equal(number(other, ask), 1);
	assert_int_equal(drv->load_end(conn, &err), 0);
	assert_true(drv->in_transaction(conn));
	must(conn, "commit");
	assert_int_equal(number(conn, "select count(*) from ld"), 5000);
	assert_int_equal(number(conn, "select count(*) from ld where a = 1 and b = E'\\\\N\\t\\n\\r\\\\x'"), 1);
	assert_int_equal(number(conn, "select count(*) from ld where a = 2 and b is null"), 1);
	/* a table that was there before: FREEZE would be an error, also after a change to it */
	must(conn, "begin; alter table ld add column c int");
	assert_int_equal(drv->load_begin(conn, "ld", columns, 2, &err), 0);
	assert_int_equal(drv->load_end(conn, &err), 0);
	must(conn, "commit");
	/* an abort, a bad row and a missing table */
	assert_int_equal(drv->load_begin(conn, "ld", columns, 2, &err), 0);
	{
		const struct xt_value row[] = {xt_int(6000), xt_null()}, bad[] = {xt_int(1), xt_null()};

		assert_int_equal(drv->load_row(conn, row, &err), 0);
		drv->load_abort(conn);
		assert_int_equal(number(conn, "select count(*) from ld"), 5000);
		assert_int_equal(drv->load_begin(conn, "ld", columns, 2, &err), 0);
		assert_int_equal(drv->load_row(conn, bad, &err), 0);
		assert_int_equal(drv->load_end(conn, &err), -1);
		assert_non_null(strstr(err.text, "duplicate key"));
	}
	assert_int_equal(drv->load_begin(conn, "nowhere", columns, 2, &err), -1);
	assert_non_null(strstr(err.text, "does not exist"));
	must(conn, "drop table ld");
	drv->disconnect(conn);
	drv->disconnect(other);
}

static void check_pipeline(struct xt_conn *conn)
{
	struct xt_stmt *insert;

	alarm(60);
	must(conn, "create temp table p(a int primary key)");
	insert = prepared(conn, "insert into p values ($1)", 1);
	assert_int_equal(drv->pipeline_start(conn, &err), XT_OK);
	assert_int_equal(query(conn, "begin"), XT_OK);
	for (int i = 0; i < 20000; i++) { /* more than the socket holds */
		const struct xt_value a = xt_int(i), *params[] = {&a};

		assert_int_equal(drv->execute(conn, insert, params, NULL, &err), XT_OK);
	}
	assert_int_equal(query(conn, "commit"), XT_OK);
	assert_int_equal(drv->pipeline_sync(conn, &err), XT_OK);
	assert_false(drv->in_transaction(conn));
	assert_int_equal(query(conn, "begin"), XT_OK);
	for (int i = 19999; i < 20002; i++) {
		const struct xt_value a = xt_int(i), *params[] = {&a};

		assert_int_equal(drv->execute(conn, insert, params, NULL, &err), XT_OK);
	}
	assert_int_equal(drv->pipeline_end(conn, &err), XT_UNIQUE);
	assert_non_null(strstr(err.text, "duplicate key"));
	assert_true(drv->in_transaction(conn));
	assert_int_equal(drv->rollback(conn, &err), 0);
	assert_int_equal(number(conn, "select count(*) from p"), 20000);
	assert_int_equal(drv->pipeline_start(conn, &err), XT_OK);
	assert_int_equal(drv->pipeline_end(conn, &err), XT_OK);
	alarm(0);
}

static void test_pipeline(void **state)
{
	struct xt_conn *conn = connect_to(db, 0);

	(void)state;
	check_pipeline(conn);
	drv->disconnect(conn);
}

static void take_encrypted(void *ctx, const char *name, const char *value)
{
	if (!strcmp(name, "encrypted"))
		snprintf(ctx, 8, "%s", value);
}

/* Over TLS everything goes through libpq. */
static void test_encrypted(void **state)
{
	struct xt_driver_config c = {.threads = 2};
	struct xt_conn *conn, *other;
	char encrypted[8] = "", text[64];
	struct xt_stmt *stmt;
	struct xt_db *own;

	(void)state;
	if (!with_tls)
		skip();
	c.pgsql = (struct xt_pgsql_options){.conninfo = "postgresql://xtime@127.0.0.1/postgres?sslmode=require",
	                                    .port = port_option + 5,
	                                    .shm_fd = -1};
	own = open_db(&c);
	conn = connect_to(own, 0);
	other = connect_to(own, 1);
	drv->describe(conn, take_encrypted, encrypted);
	assert_string_equal(encrypted, "yes");
	check_lengths(conn);
	check_pipeline(conn);
	must(conn, "begin");
	assert_int_equal(query(conn, "insert into p values (1)"), XT_UNIQUE);
	assert_true(drv->in_transaction(conn));
	assert_int_equal(drv->rollback(conn, &err), 0);
	assert_int_equal(cancelled_class(conn, "select pg_sleep(3600)"), XT_CANCELLED);
	stmt = prepared(conn, "select 1", 0);
	snprintf(text, sizeof(text), "select pg_terminate_backend(%d, 5000)", (int)drv->server_pid(conn));
	must(other, text);
	assert_int_equal(drv->execute(conn, stmt, NULL, NULL, &err), XT_LOST);
	assert_non_null(strstr(err.text, "administrator command"));
	drv->disconnect(conn);
	drv->disconnect(other);
	drv->close(own);
}

/* A backend that has stopped answers no cancel: asking on cuts the connection. */
static void test_stopped(void **state)
{
	struct xt_conn *conn = connect_to(db, 0);
	pid_t backend = drv->server_pid(conn);

	(void)state;
	alarm(60);
	assert_int_equal(kill(backend, SIGSTOP), 0);
	assert_int_equal(cancelled_class(conn, "select 1"), XT_LOST);
	assert_int_equal(kill(backend, SIGCONT), 0);
	alarm(0);
	drv->disconnect(conn);
}

static void test_lost(void **state)
{
	struct xt_conn *conn = connect_to(db, 0), *other = connect_to(db, 1);
	struct xt_stmt *stmt = prepared(conn, "select 1", 0);
	char text[64];

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct xt_rows rows;

		snprintf(text, sizeof(text), "select pg_terminate_backend(%d, 5000)", (int)drv->server_pid(conn));
		must(other, text);
		assert_int_equal(drv->execute(conn, stmt, NULL, i ? &rows : NULL, &err), XT_LOST);
		assert_non_null(strstr(err.text, "terminating connection due to administrator command"));
		assert_false(drv->in_transaction(conn));
		assert_int_equal(drv->execute(conn, stmt, NULL, NULL, &err), XT_LOST);
		drv->disconnect(conn);
		conn = connect_to(db, 0);
		stmt = prepared(conn, "select 1", 0);
	}
	drv->disconnect(conn);
	drv->disconnect(other);
}

static void test_isolation_and_on_connect(void **state)
{
	struct xt_driver_config c = {.threads = 1};
	static char host[128];
	struct xt_conn *conn = connect_to(db, 0);
	const bool want[] = {true};
	struct xt_rows rows;
	struct xt_db *own;
	const char *ask = "select current_setting('unix_socket_directories')";

	(void)state;
	assert_int_equal(drv->query(conn, ask, strlen(ask), want, &rows, &err), XT_OK);
	snprintf(host, sizeof(host), "%s", rows.values[0].u.s);
	drv->disconnect(conn);
	c.pgsql = (struct xt_pgsql_options){.host = host,
	                                    .port = port_option + 5,
	                                    .user = "xtime",
	                                    .dbname = "postgres",
	                                    .shm_fd = -1,
	                                    .isolation = "Repeatable-Read",
	                                    .on_connect = "set work_mem = '7MB'"};
	own = open_db(&c);
	conn = connect_to(own, 0);
	ask = "select current_setting('transaction_isolation') || current_setting('work_mem')";
	assert_int_equal(drv->query(conn, ask, strlen(ask), want, &rows, &err), XT_OK);
	assert_string_equal(rows.values[0].u.s, "repeatable read7MB");
	drv->disconnect(conn);
	drv->close(own);
	c.pgsql.dbname = "nothere";
	assert_int_equal(drv->open(&own, &c, &err), -1);
	assert_non_null(strstr(err.text, "database \"nothere\" does not exist"));
	assert_non_null(strstr(err.text, "--pgsql-db"));
	c.pgsql.isolation = "dirty";
	assert_int_equal(drv->open(&own, &c, &err), -1);
	assert_int_equal(err.kind, XT_ERR_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_extended_and_simple),
		cmocka_unit_test(test_unprepare),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_deadlock),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_unasked),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_pipeline),
		cmocka_unit_test(test_encrypted),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_isolation_and_on_connect),
	};

	xt_mono_init();
	drv = xt_driver_find("pgsql");
	if (!drv)
		return 77;
	if (make_scratch(NULL))
		return 1;
	if (start_server()) {
		fprintf(stderr, "%s\n", err.text);
		remove_scratch(NULL);
		return err.kind == XT_ERR_USAGE ? 77 : 1;
	}
	return cmocka_run_group_tests(tests, NULL, stop_server);
}
