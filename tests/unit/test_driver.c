/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * driver: the registry, the null driver, and statements on SQLite.
 */
#include "driver_util.h"

static void test_registry(void **state)
{
	(void)state;
	assert_null(xt_driver_check());
	assert_ptr_equal(xt_driver_find("sqlite"), xt_drivers[0]);
	assert_non_null(xt_driver_find("null"));
	assert_null(xt_driver_find("oracle"));
	assert_string_equal(xt_class_name(XT_BUSY_SNAPSHOT), "busy_snapshot");
	for (int i = 0; i < XT_CLASSES; i++)
		assert_non_null(xt_class_name((enum xt_class)i));
}

static void test_null(void **state)
{
	struct xt_driver_config c = {.threads = 4, .null = {.fail = "exec:3", .hash = true}};
	const struct xt_value a = xt_int(7), b = xt_text("x", 1), *params[] = {&a, &b};
	struct xt_stmt *stmt;
	struct xt_rows rows;
	struct xt_conn *conn;
	struct xt_db *db;
	uint64_t hash;

	(void)state;
	drv = xt_driver_find("null");
	db = open_db(&c);
	assert_int_equal(drv->prepare_workers(db), 4);
	conn = connect_to(db, 0);
	assert_int_equal(drv->prepare(conn, "SELECT $1, $2", 13, 2, &stmt, &err), XT_OK);
	assert_int_equal(drv->execute(conn, stmt, params, &rows, &err), XT_OK);
	assert_int_equal(rows.count, 0);
	hash = drv->statement_hash(conn);
	must(conn, "begin");
	assert_true(drv->in_transaction(conn));
	assert_int_not_equal(drv->statement_hash(conn), hash);
	assert_int_equal(drv->execute(conn, stmt, params, NULL, &err), XT_OTHER);
	assert_non_null(strstr(err.text, "statement 3"));
	assert_int_equal(drv->rollback(conn, &err), 0);
	assert_false(drv->in_transaction(conn));
	drv->disconnect(conn);
	drv->close(db);

	c.null.fail = "connect:3";
	db = open_db(&c);
	assert_int_equal(drv->connect(&conn, db, 3, &err), -1);
	assert_non_null(strstr(err.text, "worker 3"));
	drv->disconnect(connect_to(db, 2));
	drv->close(db);
	for (const char *const *bad = (const char *const[]){"exec", "exec:0", "connect:", "exec:x", "", NULL}; *bad;
	     bad++) {
		c.null.fail = *bad;
		assert_int_equal(drv->open(&db, &c, &err), -1);
		assert_int_equal(err.kind, XT_ERR_USAGE);
	}
}

/* Equal texts and values hash equally; a changed value, or the same bytes split otherwise, does not. */
static void test_null_hash(void **state)
{
	struct xt_driver_config c = {.threads = 1, .null = {.hash = true}};
	uint64_t hashes[3];
	struct xt_db *db;

	(void)state;
	drv = xt_driver_find("null");
	db = open_db(&c);
	for (int i = 0; i < 3; i++) {
		const struct xt_value a = xt_text("ab", i < 2 ? 2 : 1), b = xt_text("bc", i < 2 ? 1 : 2),
				      *params[] = {&a, &b};
		struct xt_conn *conn = connect_to(db, 0);
		struct xt_stmt *stmt;

		assert_int_equal(drv->prepare(conn, "x", 1, 2, &stmt, &err), XT_OK);
		assert_int_equal(drv->execute(conn, stmt, params, NULL, &err), XT_OK);
		hashes[i] = drv->statement_hash(conn);
		drv->unprepare(conn, stmt);
		drv->disconnect(conn);
	}
	assert_true(hashes[0] == hashes[1]);
	assert_true(hashes[0] != hashes[2]);
	drv->close(db);
}

static void test_null_latency_and_cancel(void **state)
{
	struct xt_driver_config c = {.threads = 1, .null = {.latency_ns = 2000000}};
	uint64_t start = xt_mono_ns();
	struct xt_conn *conn;
	struct xt_db *db;

	(void)state;
	drv = xt_driver_find("null");
	db = open_db(&c);
	conn = connect_to(db, 0);
	must(conn, "x");
	must(conn, "x");
	assert_true(xt_mono_ns() - start >= 4000000);
	drv->disconnect(conn);
	drv->close(db);
	c.null.latency_ns = UINT64_C(3600000000000);
	db = open_db(&c);
	conn = connect_to(db, 0);
	assert_int_equal(cancelled_class(conn, "x"), XT_CANCELLED);
	drv->disconnect(conn);
	drv->close(db);
}

static void test_sqlite_statements(void **state)
{
	struct xt_driver_config c = config(1, ":memory:");
	struct xt_value v[3] = {xt_int(1), xt_text("one", 3), {.type = XT_DOUBLE, .u = {.d = 0.5}}};
	const struct xt_value *params[] = {&v[0], &v[1], &v[2]};
	struct xt_stmt *insert, *select, *stmt;
	struct xt_rows rows;
	struct xt_conn *conn;
	struct xt_db *db;

	(void)state;
	drv = xt_driver_find("sqlite");
	db = open_db(&c);
	assert_true(drv->needs_prepare(db));
	conn = connect_to(db, 0);
	must(conn, "create table t(a integer primary key, b text, c real); -- end");
	assert_int_equal(drv->prepare(conn, "insert into t values($1, $2, $3);", 33, 3, &insert, &err), XT_OK);
	assert_int_equal(drv->execute(conn, insert, params, &rows, &err), XT_OK);
	assert_int_equal(rows.affected, 1);
	v[0].u.i = 2;
	v[1] = xt_null();
	v[2] = (struct xt_value){.type = XT_BOOL, .u = {.b = true}};
	assert_int_equal(drv->execute(conn, insert, params, NULL, &err), XT_OK);
	assert_int_equal(drv->execute(conn, insert, params, NULL, &err), XT_UNIQUE);
	assert_non_null(strstr(err.text, "UNIQUE constraint failed: t.a"));
	/* numbers out of order of appearance still mean what they say */
	assert_int_equal(drv->prepare(conn, "select $2 as y, $1 as x, a, b, c from t order by a", 50, 2, &select, &err),
	                 XT_OK);
	v[0] = xt_int(10);
	v[1] = xt_text("20zz", 2);
	assert_int_equal(drv->execute(conn, select, params, &rows, &err), XT_OK);
	assert_int_equal(rows.count, 2);
	assert_int_equal(rows.columns, 5);
	assert_string_equal(rows.names[0], "y");
	assert_string_equal(rows.values[0].u.s, "20");
	assert_string_equal(rows.values[1].u.s, "10");
	assert_string_equal(rows.values[2].u.s, "2");
	assert_int_equal(rows.values[3].type, XT_NULL);
	assert_string_equal(rows.values[4].u.s, "1.0");
	assert_int_equal(drv->prepare(conn, "select ?", 8, 1, &stmt, &err), XT_OTHER);
	assert_int_equal(drv->prepare(conn, "select $2", 9, 1, &stmt, &err), XT_OTHER);
	assert_int_equal(drv->prepare(conn, "select 1; select 2", 18, 0, &stmt, &err), XT_OTHER);
	assert_int_equal(drv->prepare(conn, "selec 1", 7, 0, &stmt, &err), XT_OTHER);
	assert_non_null(strstr(err.text, "syntax error"));
	assert_int_equal(drv->prepare(conn, "  -- nothing", 12, 0, &stmt, &err), XT_OK);
	assert_int_equal(drv->execute(conn, stmt, NULL, &rows, &err), XT_OK);
	drv->unprepare(conn, stmt);
	drv->disconnect(conn); /* the others are released with the connection */
	drv->close(db);
}

static void test_sqlite_query(void **state)
{
	struct xt_driver_config c = config(1, ":memory:");
	const char *text = "select 1 as a; select 2 as b union select 3; begin; create table t(a)";
	const bool want[] = {true, false, false, false}, second[] = {false, true, false, false};
	const bool both[] = {true, true, false, false};
	struct xt_rows rows;
	struct xt_conn *conn;
	struct xt_db *db;

	(void)state;
	drv = xt_driver_find("sqlite");
	db = open_db(&c);
	conn = connect_to(db, 0);
	assert_int_equal(drv->query(conn, text, strlen(text), want, &rows, &err), XT_OK);
	assert_int_equal(rows.count, 1);
	assert_string_equal(rows.names[0], "a");
	assert_string_equal(rows.values[0].u.s, "1");
	assert_true(drv->in_transaction(conn));
	assert_int_equal(drv->rollback(conn, &err), 0);
	assert_int_equal(drv->rollback(conn, &err), 0);
	assert_int_equal(drv->query(conn, text, strlen(text), second, &rows, &err), XT_OK);
	assert_int_equal(rows.count, 2);
	assert_string_equal(rows.values[0].u.s, "3");
	assert_int_equal(drv->rollback(conn, &err), 0);
	assert_int_equal(drv->query(conn, text, strlen(text), both, &rows, &err), XT_OK);
	assert_int_equal(rows.columns, 2);
	assert_string_equal(rows.names[0], "a");
	assert_string_equal(rows.names[1], "b");
	assert_string_equal(rows.values[0].u.s, "1");
	assert_string_equal(rows.values[1].u.s, "3");
	drv->disconnect(conn);
	drv->close(db);
}

static void test_sqlite_load(void **state)
{
	const char *const columns[] = {"a", "b"};
	struct xt_driver_config c = config(3, ":memory:");
	struct xt_conn *conn;
	struct xt_db *db;

	(void)state;
	drv = xt_driver_find("sqlite");
	db = open_db(&c);
	assert_int_equal(drv->prepare_workers(db), 1);
	conn = connect_to(db, 0);
	must(conn, "create table t(a integer primary key, b text)");
	assert_int_equal(drv->load_begin(conn, "none", columns, 2, &err), -1);
	assert_non_null(strstr(err.text, "no such table"));
	assert_int_equal(drv->load_begin(conn, "t", columns, 2, &err), 0);
	for (int i = 1; i <= 1000; i++) {
		const struct xt_value values[] = {xt_int(i), xt_text("text", 4)};

		assert_int_equal(drv->load_row(conn, values, &err), 0);
	}
	assert_int_equal(drv->load_end(conn, &err), 0);
	assert_int_equal(drv->load_begin(conn, "t", columns, 2, &err), 0);
	{
		const struct xt_value good[] = {xt_int(1001), xt_null()}, bad[] = {xt_int(1), xt_null()};

		assert_int_equal(drv->load_row(conn, good, &err), 0);
		assert_int_equal(drv->load_row(conn, bad, &err), -1);
	}
	drv->load_abort(conn);
	drv->disconnect(conn);
	assert_int_equal(drv->replicate(db, &err), 0);
	for (unsigned i = 0; i < 3; i++) {
		conn = connect_to(db, i);
		assert_int_equal(number(conn, "select count(*) from t"), 1000);
		must(conn, i ? "delete from t where a = 1" : "delete from t where a < 501");
		assert_int_equal(number(conn, "select count(*) from t"), i ? 999 : 500);
		drv->disconnect(conn);
	}
	drv->close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registry),          cmocka_unit_test(test_null),
		cmocka_unit_test(test_null_hash),         cmocka_unit_test(test_null_latency_and_cancel),
		cmocka_unit_test(test_sqlite_statements), cmocka_unit_test(test_sqlite_query),
		cmocka_unit_test(test_sqlite_load),
	};

	xt_mono_init();
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
