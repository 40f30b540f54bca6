/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Settings of an SQLite connection: checked, applied, read back. Also how a connection waits for another's lock, and
 * for how long it has.
 */
#include "driver/sqlite_db.h"

#include "base/mono.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int check_word(const char *option, const char **value, const char *const *allowed, struct xt_err *err)
{
	struct xt_buf list = {0};

	if (!*value)
		return 0;
	for (size_t i = 0; allowed[i]; i++) {
		if (!strcasecmp(*value, allowed[i])) {
			*value = allowed[i];
			return 0;
		}
	}
	for (size_t i = 0; allowed[i]; i++)
		xt_buf_printf(&list, "%s%s", i ? ", " : "", allowed[i]);
	xt_err_usage(err, "--%s=%s: allowed are %s", option, *value, list.data ? list.data : "");
	xt_buf_free(&list);
	return -1;
}

int xt_sqlite_check_options(struct xt_sqlite_options *o, struct xt_err *err)
{
	static const char *const journal[] = {"wal", "delete", "truncate", "persist", "memory", "off", NULL};
	static const char *const synchronous[] = {"off", "normal", "full", "extra", NULL};
	static const char *const temp_store[] = {"default", "file", "memory", NULL};
	static const char *const locking[] = {"normal", "exclusive", NULL};

	if (!o->journal_mode)
		o->journal_mode = "wal";
	if (!o->synchronous)
		o->synchronous = "normal";
	if (check_word("sqlite-journal-mode", &o->journal_mode, journal, err) ||
	    check_word("sqlite-synchronous", &o->synchronous, synchronous, err) ||
	    check_word("sqlite-temp-store", &o->temp_store, temp_store, err) ||
	    check_word("sqlite-locking-mode", &o->locking_mode, locking, err))
		return -1;
	if (o->page_size && (o->page_size < 512 || o->page_size > 65536 || (o->page_size & (o->page_size - 1))))
		return xt_err_usage(err, "--sqlite-page-size=%" PRId64 ": allowed are powers of two from 512 to 65536",
		                    o->page_size);
	if (o->busy_timeout_ms < 0)
		return xt_err_usage(err, "--sqlite-busy-timeout=%" PRId64 ": must not be negative", o->busy_timeout_ms);
	return 0;
}

int xt_sqlite_busy(void *ctx, int count)
{
	struct xt_conn *conn = ctx;
	uint64_t now = xt_mono_ns(), end, deadline;
	unsigned shift = count < 6 ? (unsigned)count : 6;
	bool go_on;

	if (!count)
		conn->busy_since_ns = now;
	deadline = conn->busy_since_ns + conn->busy_timeout_ns;
	go_on = now < deadline && !atomic_load_explicit(&conn->cancel, memory_order_relaxed);
	if (go_on) {
		/* 100 us at first: a lock is held for about as long as a transaction takes. */
		end = now + (UINT64_C(100000) << shift);
		xt_mono_sleep_until(end < deadline ? end : deadline);
		end = xt_mono_ns();
		atomic_store_explicit(&conn->lock_wait_ns,
		                      atomic_load_explicit(&conn->lock_wait_ns, memory_order_relaxed) + (end - now),
		                      memory_order_relaxed);
	}
	return go_on;
}

/* The first column of the first row as text; "" when there is none. Returns SQLite's code. */
static int ask(sqlite3 *handle, const char *sql, char *buf, size_t cap)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(handle, sql, -1, &st, NULL);

	buf[0] = '\0';
	if (!rc) {
		rc = sqlite3_step(st);
		if (rc == SQLITE_ROW) {
			const unsigned char *text = sqlite3_column_text(st, 0);

			snprintf(buf, cap, "%s", text ? (const char *)text : "");
			while (rc == SQLITE_ROW)
				rc = sqlite3_step(st);
		}
		rc = rc == SQLITE_DONE ? SQLITE_OK : rc;
	}
	sqlite3_finalize(st);
	return rc;
}

static int set(sqlite3 *handle, const char *name, const char *value, const char *path, struct xt_err *err)
{
	char sql[128], back[64];

	snprintf(sql, sizeof(sql), "PRAGMA %s=%s", name, value);
	if (ask(handle, sql, back, sizeof(back)))
		return xt_err_failed(err, "%s: %s: %s", path ? path : ":memory:", sql, sqlite3_errmsg(handle));
	return 0;
}

static int set_int(sqlite3 *handle, const char *name, int64_t value, const char *path, struct xt_err *err)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, value);
	return set(handle, name, text, path, err);
}

/* Changing into or out of WAL needs the file for itself, and SQLite does not always ask the busy handler there. */
static int set_journal_mode(sqlite3 *handle, const struct xt_sqlite_options *o, const char *path, struct xt_err *err)
{
	uint64_t deadline = xt_mono_ns() + (uint64_t)o->busy_timeout_ms * 1000000u;
	char sql[64], back[32];
	int rc;

	snprintf(sql, sizeof(sql), "PRAGMA journal_mode=%s", o->journal_mode);
	for (;;) {
		rc = ask(handle, sql, back, sizeof(back));
		if ((rc & 0xff) != SQLITE_BUSY || xt_mono_ns() >= deadline)
			break;
		xt_mono_sleep_until(xt_mono_ns() + 2000000);
	}
	if (rc)
		return xt_err_failed(err, "%s: journal mode %s: %s", path ? path : ":memory:", o->journal_mode,
		                     sqlite3_errmsg(handle));
	if (path && strcasecmp(back, o->journal_mode))
		return xt_err_failed(err, "%s: SQLite refuses journal mode %s here and stays with %s", path,
		                     o->journal_mode, back);
	return 0;
}

static int check_page_size(sqlite3 *handle, const struct xt_sqlite_options *o, const char *path, struct xt_err *err)
{
	char back[32];

	if (!o->page_size || ask(handle, "PRAGMA page_size", back, sizeof(back)) ||
	    strtoll(back, NULL, 10) == o->page_size)
		return 0;
	return xt_err_usage(err, "%s: its pages have %s bytes; --sqlite-page-size=%" PRId64 " works for new files only",
	                    path ? path : ":memory:", back, o->page_size);
}

int xt_sqlite_apply(sqlite3 *handle, const struct xt_sqlite_options *o, const char *path, struct xt_err *err)
{
	if (o->page_size && set_int(handle, "page_size", o->page_size, path, err))
		return -1;
	if (o->locking_mode && set(handle, "locking_mode", o->locking_mode, path, err))
		return -1;
	if (set_journal_mode(handle, o, path, err) || check_page_size(handle, o, path, err) ||
	    set(handle, "synchronous", o->synchronous, path, err))
		return -1;
	if (o->temp_store && set(handle, "temp_store", o->temp_store, path, err))
		return -1;
	if (o->cache_size && set_int(handle, "cache_size", o->cache_size, path, err))
		return -1;
	if (o->mmap_size >= 0 && set_int(handle, "mmap_size", o->mmap_size, path, err))
		return -1;
	if (o->wal_autocheckpoint >= 0 && set_int(handle, "wal_autocheckpoint", o->wal_autocheckpoint, path, err))
		return -1;
	return 0;
}

static const char *threading_mode(void)
{
	switch (sqlite3_threadsafe()) {
	case 0:
		return "single-thread";
	default:
		return "multi-thread"; /* what connections opened NOMUTEX have, however the library was compiled */
	}
}

void xt_sqlite_describe(struct xt_conn *conn, void (*add)(void *ctx, const char *name, const char *value), void *ctx)
{
	static const char *const plain[] = {"journal_mode", "locking_mode", "cache_size",
	                                    "mmap_size",    "page_size",    "wal_autocheckpoint"};
	static const char *const levels[] = {"off", "normal", "full", "extra"};
	static const char *const stores[] = {"default", "file", "memory"};
	const struct xt_db *db = conn->db;
	char sql[64], back[64];
	unsigned long n;

	add(ctx, "version", sqlite3_libversion());
	add(ctx, "threading_mode", threading_mode());
	if (db->memory)
		add(ctx, "database", ":memory:, one per thread");
	else if (db->temporary)
		add(ctx, "database", "temporary, one file per thread");
	else
		add(ctx, "database", db->options.path);
	add(ctx, "databases", db->per_worker ? "one per thread" : "one for all threads");
	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++) {
		snprintf(sql, sizeof(sql), "PRAGMA %s", plain[i]);
		if (!ask(conn->handle, sql, back, sizeof(back)) && back[0])
			add(ctx, plain[i], back);
	}
	if (!ask(conn->handle, "PRAGMA synchronous", back, sizeof(back))) {
		n = strtoul(back, NULL, 10);
		add(ctx, "synchronous", n < 4 ? levels[n] : back);
	}
	if (!ask(conn->handle, "PRAGMA temp_store", back, sizeof(back))) {
		n = strtoul(back, NULL, 10);
		add(ctx, "temp_store", n < 3 ? stores[n] : back);
	}
	/* The busy handler is ours, so SQLite itself would say 0. */
	snprintf(back, sizeof(back), "%" PRIu64, conn->busy_timeout_ns / 1000000u);
	add(ctx, "busy_timeout", back);
}
