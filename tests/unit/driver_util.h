/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the driver tests share: a scratch folder that TMPDIR names, shorthands that fail the test, and a statement that
 * is cancelled while it runs. Included once per test program.
 */
#ifndef XT_TEST_DRIVER_UTIL_H
#define XT_TEST_DRIVER_UTIL_H

#include "base/mono.h"
#include "driver/driver.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char scratch[64];
static const struct xt_driver *drv;
static struct xt_err err;

static inline int make_scratch(void **state)
{
	(void)state;
	strcpy(scratch, "/tmp/xt-test-driver-XXXXXX");
	return mkdtemp(scratch) && !setenv("TMPDIR", scratch, 1) ? 0 : -1;
}

static inline unsigned entries(const char *folder, bool remove)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	unsigned n = 0;

	if (!dir)
		return 0;
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		n++;
		if (remove)
			unlinkat(dirfd(dir), entry->d_name, 0);
	}
	closedir(dir);
	return n;
}

static inline int remove_scratch(void **state)
{
	(void)state;
	entries(scratch, true);
	return rmdir(scratch);
}

static inline struct xt_driver_config config(unsigned threads, const char *path)
{
	struct xt_driver_config c = {.threads = threads, .temporary_ok = true};

	c.sqlite.path = path;
	c.sqlite.mmap_size = -1;
	c.sqlite.wal_autocheckpoint = -1;
	c.sqlite.busy_timeout_ms = 5000;
	return c;
}

static inline struct xt_db *open_db(const struct xt_driver_config *c)
{
	struct xt_db *db;

	if (drv->open(&db, c, &err))
		fail_msg("open: %s", err.text);
	return db;
}

static inline struct xt_conn *connect_to(struct xt_db *db, unsigned worker)
{
	struct xt_conn *conn;

	if (drv->connect(&conn, db, worker, &err))
		fail_msg("connect: %s", err.text);
	return conn;
}

static inline enum xt_class query(struct xt_conn *conn, const char *text)
{
	return drv->query(conn, text, strlen(text), NULL, NULL, &err);
}

static inline void must(struct xt_conn *conn, const char *text)
{
	if (query(conn, text) != XT_OK)
		fail_msg("%s: %s", text, err.text);
}

static inline int64_t number(struct xt_conn *conn, const char *text)
{
	const bool want[] = {true};
	struct xt_rows rows;

	if (drv->query(conn, text, strlen(text), want, &rows, &err) != XT_OK)
		fail_msg("%s: %s", text, err.text);
	assert_int_equal(rows.count, 1);
	assert_true(rows.columns >= 1);
	return strtoll(rows.values[0].u.s, NULL, 10);
}

struct cancel_job {
	struct xt_conn *conn;
	const char *text;
	enum xt_class class;
	_Atomic bool done;
};

static inline void *run_job(void *ctx)
{
	struct cancel_job *job = ctx;
	struct xt_err e;

	job->class = drv->query(job->conn, job->text, strlen(job->text), NULL, NULL, &e);
	job->done = true;
	return NULL;
}

/* Asks until the statement has ended: a cancel that comes before its start is allowed to be lost. */
static inline enum xt_class cancelled_class(struct xt_conn *conn, const char *text)
{
	struct cancel_job job = {.conn = conn, .text = text};
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, run_job, &job), 0);
	while (!job.done) {
		drv->cancel(conn);
		usleep(1000);
	}
	pthread_join(thread, NULL);
	return job.class;
}

#endif
