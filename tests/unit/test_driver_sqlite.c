/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * driver: SQLite's files, settings, locks, and what is left behind.
 */
#include "driver_util.h"

#include "driver/folder.h"

#include <sys/resource.h>

static void test_sqlite_private_files(void **state)
{
	struct xt_driver_config c = config(2, NULL);
	char path[128];
	struct xt_conn *conn;
	struct xt_db *db;

	(void)state;
	drv = xt_driver_find("sqlite");
	c.temporary_ok = false;
	assert_int_equal(drv->open(&db, &c, &err), -1);
	assert_int_equal(err.kind, XT_ERR_USAGE);
	c.sqlite.path = ":memory:";
	assert_int_equal(drv->open(&db, &c, &err), -1);
	c = config(2, NULL);
	c.sqlite.page_size = 16384;
	db = open_db(&c);
	assert_true(drv->needs_prepare(db));
	assert_false(drv->single_writer(db));
	conn = connect_to(db, 0);
	must(conn, "create table t(a); insert into t values(5)");
	drv->disconnect(conn);
	assert_int_equal(drv->replicate(db, &err), 0);
	conn = connect_to(db, 1);
	assert_int_equal(number(conn, "select a from t"), 5);
	drv->disconnect(conn);
	assert_int_equal(entries(scratch, false), 1);
	drv->close(db);
	assert_int_equal(entries(scratch, false), 0);

	snprintf(path, sizeof(path), "%s/p.db", scratch);
	c = config(2, path);
	c.sqlite.private_files = true;
	c.need_existing = true;
	assert_int_equal(drv->open(&db, &c, &err), -1);
	assert_non_null(strstr(err.text, "p.db.1"));
	c.need_existing = false;
	db = open_db(&c);
	assert_false(drv->needs_prepare(db));
	conn = connect_to(db, 0);
	must(conn, "create table t(a)");
	drv->disconnect(conn);
	for (int i = 0; i < 2; i++) /* onto a file that is there already, too */
		if (drv->replicate(db, &err))
			fail_msg("%s", err.text);
	drv->close(db);
	c.need_existing = true;
	db = open_db(&c);
	conn = connect_to(db, 1);
	must(conn, "insert into t values(1)");
	drv->disconnect(conn);
	drv->close(db);
	assert_int_equal(entries(scratch, true), 2); /* no journal is left beside the files */
}

static void take(void *ctx, const char *name, const char *value)
{
	char *text = ctx;

	sprintf(text + strlen(text), "%s=%s\n", name, value);
}

static void test_sqlite_settings(void **state)
{
	struct xt_driver_config c;
	char path[128], facts[2048] = "";
	struct xt_conn *conn;
	struct xt_db *db;

	(void)state;
	drv = xt_driver_find("sqlite");
	snprintf(path, sizeof(path), "%s/s.db", scratch);
	c = config(1, path);
	c.sqlite.page_size = 8192;
	c.sqlite.cache_size = -4000;
	c.sqlite.mmap_size = 1 << 20;
	c.sqlite.wal_autocheckpoint = 500;
	c.sqlite.busy_timeout_ms = 1234;
	db = open_db(&c);
	conn = connect_to(db, 0);
	drv->describe(conn, take, facts);
	for (const char *const *want =
	             (const char *const[]){"version=3.", "journal_mode=wal\n", "synchronous=normal\n",
	                                   "cache_size=-4000\n", "mmap_size=1048576\n", "page_size=8192\n",
	                                   "wal_autocheckpoint=500\n", "busy_timeout=1234\n",
	                                   "threading_mode=multi-thread\n", NULL};
	     *want; want++)
		if (!strstr(facts, *want))
			fail_msg("no %s in\n%s", *want, facts);
	must(conn, "create table t(a)");
	drv->disconnect(conn);
	drv->close(db);
	c.sqlite.page_size = 4096;
	db = open_db(&c);
	assert_int_equal(drv->connect(&conn, db, 0, &err), -1);
	assert_non_null(strstr(err.text, "8192"));
	drv->close(db);
	c.sqlite.page_size = 0;
	c.sqlite.journal_mode = "bogus";
	assert_int_equal(drv->open(&db, &c, &err), -1);
	assert_non_null(strstr(err.text, "allowed are wal"));
	entries(scratch, true);
}

static void test_sqlite_bad_files(void **state)
{
	struct xt_driver_config c;
	char path[128];
	struct xt_db *db;
	FILE *f;

	(void)state;
	drv = xt_driver_find("sqlite");
	snprintf(path, sizeof(path), "%s/none/x.db", scratch);
	c = config(1, path);
	assert_int_equal(drv->open(&db, &c, &err), -1);
	assert_int_equal(err.kind, XT_ERR_USAGE);
	assert_non_null(strstr(err.text, "none"));
	c.sqlite.path = scratch;
	assert_int_equal(drv->open(&db, &c, &err), -1);
	assert_non_null(strstr(err.text, "is a folder"));
	snprintf(path, sizeof(path), "%s/text", scratch);
	f = fopen(path, "w");
	for (int i = 0; i < 1000; i++)
		fputs("not a database\n", f);
	fclose(f);
	c.sqlite.path = path;
	assert_int_equal(drv->open(&db, &c, &err), -1);
	assert_int_equal(err.kind, XT_ERR_USAGE);
	assert_non_null(strstr(err.text, "is not an SQLite database"));
	snprintf(path, sizeof(path), "%s/missing.db", scratch);
	c.need_existing = true;
	assert_int_equal(drv->open(&db, &c, &err), -1);
	assert_non_null(strstr(err.text, "missing.db"));
	assert_int_equal(entries(scratch, true), 1);
	if (!geteuid()) { /* root can write anywhere: look as somebody else */
		assert_int_equal(chmod(scratch, 0555), 0);
		c.need_existing = false;
		assert_int_equal(seteuid(65534), 0);
		assert_int_equal(drv->open(&db, &c, &err), -1);
		assert_int_equal(seteuid(0), 0);
		assert_int_equal(chmod(scratch, 0700), 0);
		assert_non_null(strstr(err.text, "not writable"));
	}
}

static void test_sqlite_busy(void **state)
{
	struct xt_driver_config c;
	char path[128];
	struct xt_conn *a, *b;
	struct xt_db *db;

	(void)state;
	drv = xt_driver_find("sqlite");
	snprintf(path, sizeof(path), "%s/busy.db", scratch);
	c = config(2, path);
	c.sqlite.busy_timeout_ms = 20;
	db = open_db(&c);
	assert_true(drv->single_writer(db));
	a = connect_to(db, 0);
	b = connect_to(db, 1);
	must(a, "create table t(a integer primary key); insert into t values(1)");
	must(a, "begin immediate");
	assert_int_equal(drv->lock_wait_ns(b), 0);
	assert_int_equal(query(b, "begin immediate"), XT_BUSY);
	assert_true(drv->lock_wait_ns(b) >= 15000000 && drv->lock_wait_ns(a) == 0);
	assert_int_equal(query(b, "insert into t values(2)"), XT_BUSY);
	must(a, "commit");
	must(b, "begin");
	assert_int_equal(number(b, "select count(*) from t"), 1);
	must(a, "insert into t values(3)");
	assert_int_equal(query(b, "insert into t values(4)"), XT_BUSY_SNAPSHOT);
	assert_true(drv->in_transaction(b));
	assert_int_equal(drv->rollback(b, &err), 0);
	assert_int_equal(query(b, "insert into t values(3)"), XT_UNIQUE);
	drv->disconnect(b);
	drv->disconnect(a);
	drv->close(db);

	/* cancel() ends a wait for the lock and a statement that runs; rollback works afterwards */
	c.sqlite.busy_timeout_ms = 3600000;
	db = open_db(&c);
	a = connect_to(db, 0);
	b = connect_to(db, 1);
	must(a, "begin immediate");
	assert_int_equal(cancelled_class(b, "begin immediate"), XT_CANCELLED);
	must(b, "begin");
	assert_int_equal(cancelled_class(b, "with recursive n(i) as (select 1 union all select i+1 from n) "
	                                    "select count(*) from n"),
	                 XT_CANCELLED);
	assert_int_equal(drv->rollback(b, &err), 0);
	drv->disconnect(b);
	drv->disconnect(a);
	drv->close(db);
	entries(scratch, true);
}

/* More connections than the process may open: said before any is made; enough of them once the limit is raised. */
static void test_sqlite_many(void **state)
{
	struct xt_driver_config c = config(1000, NULL);
	struct rlimit limit;
	struct xt_db *db;
	int status;
	pid_t child;

	(void)state;
	drv = xt_driver_find("sqlite");
	child = fork();
	if (!child) {
		bool refused, raised;

		limit = (struct rlimit){256, 2000};
		refused = !setrlimit(RLIMIT_NOFILE, &limit) && drv->open(&db, &c, &err) && err.kind == XT_ERR_USAGE &&
		          strstr(err.text, "1000 threads");
		c.threads = 400;
		raised = !drv->open(&db, &c, &err) && !getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur >= 1600;
		drv->close(db);
		_exit(refused && raised ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

enum { CROWD = 64 };

struct crowd {
	struct xt_db *db;
	unsigned worker;
	int rc;
	struct xt_err err;
};

static void *join_crowd(void *ctx)
{
	struct crowd *me = ctx;
	struct xt_conn *conn;

	me->rc = drv->connect(&conn, me->db, me->worker, &me->err);
	if (!me->rc)
		drv->disconnect(conn);
	return NULL;
}

/* Many threads open one fresh file at the same moment: none may fail over the change to WAL. */
static void test_sqlite_crowd(void **state)
{
	static struct crowd crowd[CROWD];
	pthread_t threads[CROWD];
	struct xt_driver_config c;
	char path[128];

	(void)state;
	drv = xt_driver_find("sqlite");
	snprintf(path, sizeof(path), "%s/crowd.db", scratch);
	c = config(CROWD, path);
	for (int round = 0; round < 5; round++) {
		struct xt_db *db = open_db(&c);

		for (unsigned i = 0; i < CROWD; i++) {
			crowd[i] = (struct crowd){.db = db, .worker = i};
			assert_int_equal(pthread_create(&threads[i], NULL, join_crowd, &crowd[i]), 0);
		}
		for (unsigned i = 0; i < CROWD; i++)
			pthread_join(threads[i], NULL);
		for (unsigned i = 0; i < CROWD; i++)
			if (crowd[i].rc)
				fail_msg("worker %u: %s", i, crowd[i].err.text);
		drv->close(db);
		entries(scratch, true);
	}
}

/* What a killed run left is removed by the next one; a live run's folder, and links, are not touched. */
static void test_residue(void **state)
{
	struct xt_folder mine, other;
	char path[128], link_path[256];
	struct xt_driver_config c = config(1, NULL);
	struct xt_db *db;
	pid_t child;

	(void)state;
	drv = xt_driver_find("sqlite");
	child = fork();
	if (!child) {
		if (!drv->open(&db, &c, &err)) {
			struct xt_conn *conn = connect_to(db, 0);

			must(conn, "create table t(a)");
		}
		_exit(entries(scratch, false) == 1 ? 0 : 1); /* as if killed: nothing is closed */
	}
	assert_int_equal(waitpid(child, &(int){0}, 0), child);
	assert_int_equal(entries(scratch, false), 1);
	snprintf(path, sizeof(path), "%s/keep", scratch);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(link_path, sizeof(link_path), "%s/xtime-4999999-1", scratch);
	assert_int_equal(symlink(path, link_path), 0);
	assert_int_equal(xt_folder_create(&mine, scratch, "xtime-", false, &err), 0);
	assert_int_equal(xt_folder_create(&other, scratch, "xtime-", false, &err), 0);
	assert_string_not_equal(mine.path, other.path);
	xt_folder_sweep(scratch, "xtime-", geteuid(), NULL);
	assert_int_equal(access(mine.path, F_OK), 0);
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(entries(scratch, false), 4);
	xt_folder_remove(&mine);
	xt_folder_remove(&other);
	assert_int_equal(entries(scratch, false), 2);
	unlink(link_path);
	rmdir(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sqlite_private_files),
		cmocka_unit_test(test_sqlite_settings),
		cmocka_unit_test(test_sqlite_bad_files),
		cmocka_unit_test(test_sqlite_busy),
		cmocka_unit_test(test_sqlite_crowd),
		cmocka_unit_test(test_sqlite_many),
		cmocka_unit_test(test_residue),
	};

	xt_mono_init();
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
