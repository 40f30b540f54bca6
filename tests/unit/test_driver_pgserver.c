/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * driver: the private PostgreSQL server's life and ends, and what is said when a server cannot be had. Skipped (77)
 * where there are no server programs.
 */
#include "driver_util.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/shm.h>

enum { NOBODY = 65534 };

static const char *quick[] = {"fsync=off", NULL};

static struct xt_driver_config private_config(const char *const *options)
{
	struct xt_driver_config c = {.threads = 2, .temporary_ok = true};

	c.pgsql.want_private = true;
	c.pgsql.shm_fd = -1;
	c.pgsql.server_options = options;
	return c;
}

/* What the first column of the first row says, in a static buffer. */
static const char *ask(struct xt_conn *conn, const char *text)
{
	static char answer[4096];
	const bool want[] = {true};
	struct xt_rows rows;

	if (drv->query(conn, text, strlen(text), want, &rows, &err) != XT_OK)
		fail_msg("%s: %s", text, err.text);
	snprintf(answer, sizeof(answer), "%s", rows.values[0].u.s);
	return answer;
}

static void must_say(const struct xt_driver_config *c, enum xt_err_kind kind, const char *words)
{
	struct xt_db *db;

	if (!drv->open(&db, c, &err)) {
		drv->close(db);
		fail_msg("opened, but should say: %s", words);
	}
	assert_null(db);
	if (!strstr(err.text, words))
		fail_msg("'%s' is not in: %s", words, err.text);
	assert_int_equal(err.kind, kind);
}

static bool wait_for_exit(pid_t pid)
{
	uint64_t end = xt_mono_ns() + UINT64_C(20000000000);

	while (!kill(pid, 0)) {
		if (xt_mono_ns() > end)
			return false;
		usleep(5000);
	}
	return true;
}

/* The postmaster's pid, and its folder (without /data) into folder. */
static pid_t server_of(struct xt_conn *conn, char *folder, size_t cap)
{
	snprintf(folder, cap, "%s", ask(conn, "select current_setting('data_directory')"));
	*strrchr(folder, '/') = '\0';
	return (pid_t)strtol(ask(conn, "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)"), NULL, 10);
}

static void test_life(void **state)
{
	struct xt_driver_config c = private_config(quick);
	char folder[256];
	struct xt_conn *conn;
	struct xt_db *db = open_db(&c);
	struct stat st;
	pid_t pid;

	(void)state;
	assert_true(drv->needs_prepare(db));
	assert_int_equal(drv->prepare_workers(db), 2);
	conn = connect_to(db, 0);
	pid = server_of(conn, folder, sizeof(folder));
	assert_int_equal(strncmp(folder, "/var/tmp/xtime-pg-", 18), 0);
	assert_int_equal(stat(folder, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_not_equal(st.st_uid, 0);
	assert_string_equal(ask(conn, "select current_setting('listen_addresses')"), "");
	assert_string_equal(ask(conn, "select current_setting('max_connections')"), "22");
	assert_string_equal(ask(conn, "select current_setting('fsync')"), "off");
	assert_int_equal(getsid(pid), pid);
	drv->disconnect(conn);
	drv->close(db);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(stat(folder, &st), -1);
}

static void test_ordinary_user(void **state)
{
	struct xt_driver_config c = private_config(quick);
	int status;
	pid_t child;

	(void)state;
	if (geteuid())
		skip(); /* the other tests run as one */
	child = fork();
	if (!child) {
		struct xt_conn *conn;
		struct xt_db *db;
		int rc = 1;

		if (!setgid(NOBODY) && !setuid(NOBODY) && !drv->open(&db, &c, &err)) {
			rc = drv->connect(&conn, db, 0, &err) ? 1 : 0;
			if (!rc)
				drv->disconnect(conn);
			drv->close(db);
		}
		if (rc)
			fprintf(stderr, "%s\n", err.text);
		_exit(rc);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

struct report {
	pid_t postmaster;
	int segment;
	char folder[256];
};

/* A run in a child process that starts a server, tells about it, and waits to be killed. */
static pid_t start_run(struct report *report)
{
	struct xt_driver_config c = private_config(quick);
	int ends[2];
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (!child) {
		struct xt_db *db;
		struct xt_conn *conn;

		if (drv->open(&db, &c, &err)) {
			fprintf(stderr, "%s\n", err.text);
			_exit(1);
		}
		conn = connect_to(db, 0);
		report->postmaster = server_of(conn, report->folder, sizeof(report->folder));
		report->segment = (int)strtol(
			ask(conn, "select (regexp_match(split_part(pg_read_file('postmaster.pid'), E'\\n', 7), "
		                  "'(\\d+)\\s*$'))[1]"),
			NULL, 10);
		if (write(ends[1], report, sizeof(*report)) != sizeof(*report))
			_exit(1);
		for (;;)
			pause();
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], report, sizeof(*report)), sizeof(*report));
	close(ends[0]);
	return child;
}

/* Another run of this test may be the one that sweeps it, and be in the middle of that. */
static bool folder_goes(const char *folder)
{
	for (int i = 0; i < 2000; i++) {
		if (access(folder, F_OK))
			return true;
		usleep(5000);
	}
	return false;
}

static void test_killed_run(void **state)
{
	struct xt_driver_config c = private_config(quick);
	struct report report;
	struct shmid_ds segment;
	struct xt_db *db;
	pid_t child;

	(void)state;
	/* we are killed: the server ends by itself, the next run cleans up */
	child = start_run(&report);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_true(wait_for_exit(report.postmaster));
	db = open_db(&c);
	assert_true(folder_goes(report.folder));
	drv->close(db);
	/* the postmaster is killed too: its segment is left, and goes with the folder */
	child = start_run(&report);
	kill(report.postmaster, SIGKILL);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	for (int i = 0; i < 2000 && !shmctl(report.segment, IPC_STAT, &segment) && segment.shm_nattch; i++)
		usleep(5000);
	db = open_db(&c);
	assert_true(folder_goes(report.folder));
	assert_int_equal(shmctl(report.segment, IPC_STAT, &segment), -1);
	drv->close(db);
}

static void test_killed_postmaster(void **state)
{
	struct xt_driver_config c = private_config(quick);
	char folder[256];
	struct xt_db *db = open_db(&c);
	struct xt_conn *conn = connect_to(db, 0);
	struct stat st;

	(void)state;
	assert_int_equal(kill(server_of(conn, folder, sizeof(folder)), SIGKILL), 0);
	while (query(conn, "select 1") == XT_OK)
		usleep(1000);
	assert_non_null(strstr(err.text, "terminating connection due to unexpected postmaster exit"));
	assert_int_equal(query(conn, "select 1"), XT_LOST);
	drv->disconnect(conn);
	drv->close(db);
	assert_int_equal(stat(folder, &st), -1);
}

static void test_options(void **state)
{
	static const char *none[] = {"fsync", NULL}, *port[] = {"port=x", NULL}, *bogus[] = {"no_such_thing=1", NULL};
	static const char *folder[] = {"data_directory=/", NULL};
	struct xt_driver_config c = private_config(none);

	(void)state;
	must_say(&c, XT_ERR_USAGE, "NAME=VALUE");
	c.pgsql.server_options = port;
	must_say(&c, XT_ERR_USAGE, "--pgsql-option=port=x");
	c.pgsql.server_options = folder;
	must_say(&c, XT_ERR_USAGE, "data_directory of a private server is fixed");
	c.pgsql.server_options = bogus;
	must_say(&c, XT_ERR_FAILED, "unrecognized configuration parameter \"no_such_thing\"");
	assert_non_null(strstr(err.text, "did not start"));
	c.pgsql.server_options = quick;
	c.temporary_ok = false;
	must_say(&c, XT_ERR_USAGE, "--pgsql-host");
	c.pgsql.protocol = "fancy";
	must_say(&c, XT_ERR_USAGE, "allowed are prepared");
}

static void test_bindir(void **state)
{
	struct xt_driver_config c = private_config(quick);
	char folder[96], path[128];

	(void)state;
	snprintf(folder, sizeof(folder), "%s/bin", scratch);
	snprintf(path, sizeof(path), "%s/postgres", folder);
	c.pgsql.bindir = folder;
	must_say(&c, XT_ERR_USAGE, "bin: No such file");
	assert_int_equal(mkdir(folder, 0700), 0);
	must_say(&c, XT_ERR_USAGE, "no program postgres");
	assert_int_equal(symlink("/bin/true", path), 0);
	must_say(&c, XT_ERR_USAGE, "no program initdb");
	if (!geteuid()) {
		assert_int_equal(chmod(scratch, 0755), 0);
		assert_int_equal(seteuid(NOBODY), 0);
		must_say(&c, XT_ERR_USAGE, "cannot look into this folder: Permission denied");
		assert_int_equal(seteuid(0), 0);
	}
	unlink(path);
	rmdir(folder);
	c.pgsql.bindir = "/etc/passwd";
	must_say(&c, XT_ERR_USAGE, "not a folder");
}

/* A preload that the loader cannot use must be noticed. */
static void test_preload(void **state)
{
	struct xt_driver_config c = private_config(quick);
	char path[96];
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "%s/libxtime.so", scratch);
	fd = open(path, O_WRONLY | O_CREAT, 0644);
	assert_int_equal(write(fd, "no library\n", 11), 11);
	close(fd);
	c.pgsql.preload = path;
	must_say(&c, XT_ERR_FAILED, "the shim did not load in the private server's postmaster");
	unlink(path);
}

static void test_too_many_connections(void **state)
{
	static const char *few[] = {"fsync=off", "max_connections=5", "superuser_reserved_connections=0", NULL};
	struct xt_driver_config c = private_config(few);
	struct xt_conn *conns[8] = {NULL};
	struct xt_db *db = open_db(&c);
	unsigned n = 0;

	(void)state;
	while (n < 8 && !drv->connect(&conns[n], db, n, &err))
		n++;
	assert_true(n > 0 && n <= 5);
	assert_non_null(strstr(err.text, "too many clients already"));
	while (n)
		drv->disconnect(conns[--n]);
	drv->close(db);
}

static void test_password(void **state)
{
	struct xt_driver_config c = private_config(quick), outer = {.threads = 1};
	char folder[256], text[512];
	struct xt_db *db = open_db(&c), *other;
	struct xt_conn *conn = connect_to(db, 0);
	bool refused = false;

	(void)state;
	server_of(conn, folder, sizeof(folder));
	outer.pgsql = (struct xt_pgsql_options){
		.host = folder, .user = "xtime", .dbname = "postgres", .shm_fd = -1, .password = "hushhush"};
	snprintf(text, sizeof(text), "copy (select 'local all all scram-sha-256') to '%s/data/pg_hba.conf'", folder);
	must(conn, "alter role xtime password 'right'");
	must(conn, text);
	must(conn, "select pg_reload_conf()");
	for (int i = 0; i < 1000 && !refused; i++) {
		refused = drv->open(&other, &outer, &err) != 0;
		if (!refused)
			drv->close(other);
	}
	assert_true(refused);
	assert_non_null(strstr(err.text, "password authentication failed for user \"xtime\""));
	assert_non_null(strstr(err.text, "--pgsql-password"));
	assert_null(strstr(err.text, "hushhush"));
	outer.pgsql.password = NULL;
	must_say(&outer, XT_ERR_FAILED, "no password supplied");
	outer.pgsql.password = "right";
	assert_int_equal(drv->open(&other, &outer, &err), 0);
	drv->close(other);
	outer.pgsql.conninfo = "host=x password=hush hush";
	must_say(&outer, XT_ERR_USAGE, "not a connection string");
	assert_null(strstr(err.text, "hush"));
	drv->disconnect(conn);
	drv->close(db);
}

static void test_socket_path(void **state)
{
	struct xt_driver_config c = {.threads = 1};
	char host[200];

	(void)state;
	memset(host, 'a', sizeof(host));
	host[0] = '/';
	host[150] = '\0';
	c.pgsql = (struct xt_pgsql_options){.host = host, .shm_fd = -1};
	must_say(&c, XT_ERR_FAILED, "is too long (maximum 107 bytes)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_life),       cmocka_unit_test(test_ordinary_user),
		cmocka_unit_test(test_killed_run), cmocka_unit_test(test_killed_postmaster),
		cmocka_unit_test(test_options),    cmocka_unit_test(test_bindir),
		cmocka_unit_test(test_preload),    cmocka_unit_test(test_too_many_connections),
		cmocka_unit_test(test_password),   cmocka_unit_test(test_socket_path),
	};
	struct xt_driver_config c = private_config(quick);
	struct xt_db *db;

	xt_mono_init();
	drv = xt_driver_find("pgsql");
	if (!drv)
		return 77;
	if (drv->open(&db, &c, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return err.kind == XT_ERR_USAGE ? 77 : 1;
	}
	drv->close(db);
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
