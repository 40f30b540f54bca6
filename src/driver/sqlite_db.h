/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the sqlite*.c files share. Nobody else includes this.
 */
#ifndef XT_DRIVER_SQLITE_DB_H
#define XT_DRIVER_SQLITE_DB_H

#include "base/align.h"
#include "base/buf.h"
#include "driver/drivers.h"
#include "driver/folder.h"

#include <pthread.h>
#include <stdatomic.h>

struct sqlite3;
struct sqlite3_stmt;

struct xt_db {
	struct xt_sqlite_options options; /* defaults filled in */
	unsigned threads;
	bool memory;
	bool temporary;
	bool per_worker;         /* a file for each worker */
	struct xt_folder folder; /* temporary only */
	const char *base;        /* path, or the folder's database name without number */
	char base_buf[PATH_MAX];
	struct sqlite3 **memory_handles; /* memory only: one per worker, alive until close */
	pthread_mutex_t setup;           /* one connection at a time sets its pragmas up */
};

struct xt_conn {
	XT_ALIGNED struct sqlite3 *handle;
	struct xt_db *db;
	unsigned worker;
	uint64_t busy_timeout_ns;
	uint64_t busy_since_ns;
	_Atomic uint64_t lock_wait_ns; /* written by the worker only */
	_Atomic bool cancel;

	/* The last row that was wanted. */
	struct xt_buf text;
	const char **names;
	struct xt_value *values;
	int capacity;

	struct xt_stmt *statements; /* all that are prepared */
	struct sqlite3_stmt *load;
	size_t load_columns;
	bool load_began; /* the load's transaction is ours */
};

struct xt_stmt {
	struct xt_stmt *next, **link;
	struct sqlite3_stmt *st; /* NULL: an empty statement */
	unsigned count;
	unsigned map[]; /* SQLite's parameter i + 1 is value map[i] */
};

/* sqlite.c: the file of a worker's database into buf of PATH_MAX bytes. */
void xt_sqlite_path(const struct xt_db *db, unsigned worker, char *buf);
/* Opens path without any setting; *out is NULL on failure. Kind USAGE when it is no database. */
int xt_sqlite_open_file(struct sqlite3 **out, const char *path, bool create, struct xt_err *err);

/* sqlite_setup.c: checks option texts (USAGE), fills in defaults. */
int xt_sqlite_check_options(struct xt_sqlite_options *options, struct xt_err *err);
/* Applies the options to an open handle; path is for messages, NULL in memory. */
int xt_sqlite_apply(struct sqlite3 *handle, const struct xt_sqlite_options *options, const char *path,
                    struct xt_err *err);
void xt_sqlite_describe(struct xt_conn *conn, void (*add)(void *ctx, const char *name, const char *value), void *ctx);
int xt_sqlite_busy(void *conn, int count);

/* sqlite_exec.c: the statement hooks. */
enum xt_class xt_sqlite_prepare(struct xt_conn *conn, const char *text, size_t len, size_t params, struct xt_stmt **out,
                                struct xt_err *err);
void xt_sqlite_unprepare(struct xt_conn *conn, struct xt_stmt *stmt);
enum xt_class xt_sqlite_execute(struct xt_conn *conn, struct xt_stmt *stmt, const struct xt_value *const *params,
                                struct xt_rows *rows, struct xt_err *err);
enum xt_class xt_sqlite_query(struct xt_conn *conn, const char *text, size_t len, const bool *want,
                              struct xt_rows *rows, struct xt_err *err);
int xt_sqlite_rollback(struct xt_conn *conn, struct xt_err *err);

/* sqlite_load.c: bulk rows. */
int xt_sqlite_load_begin(struct xt_conn *conn, const char *table, const char *const *columns, size_t count,
                         struct xt_err *err);
int xt_sqlite_load_row(struct xt_conn *conn, const struct xt_value *values, struct xt_err *err);
int xt_sqlite_load_end(struct xt_conn *conn, struct xt_err *err);
void xt_sqlite_load_abort(struct xt_conn *conn);
/* Binds value as parameter index (1-based); an SQLite result code. */
int xt_sqlite_bind(struct sqlite3_stmt *st, int index, const struct xt_value *value);

#endif
