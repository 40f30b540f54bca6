/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One ops table per database. A driver knows nothing of scripts, shims or arms: it opens a database (a file, a
 * server), gives one connection to each worker, executes statements and sorts errors into classes. SQLSTATEs and
 * SQLite result codes stay behind this header.
 */
#ifndef XT_DRIVER_DRIVER_H
#define XT_DRIVER_DRIVER_H

#include "base/err.h"
#include "base/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct xt_db;   /* one per run: where the data live; defined by each driver */
struct xt_conn; /* one per worker; defined by each driver */
struct xt_stmt; /* a prepared statement of one connection */

/* How a statement ended. The same classes on every database. */
enum xt_class {
	XT_OK,
	XT_BUSY,
	XT_BUSY_SNAPSHOT,
	XT_SERIALIZATION,
	XT_DEADLOCK,
	XT_UNIQUE,
	XT_OTHER,     /* any other error of the statement: stops the run unless told otherwise */
	XT_LOST,      /* the connection is gone */
	XT_CANCELLED, /* by ->cancel() */
	XT_CLASSES,
};

/* "ok", "busy", "busy_snapshot", ... : the names in records and reports. */
const char *xt_class_name(enum xt_class class);

/* Configuration, filled by the command line. Strings belong to the caller and outlive the db. NULL or 0 = not given. */
struct xt_sqlite_options {
	const char *path;           /* NULL: a private file per worker (temporary); ":memory:"; or a file */
	bool private_files;         /* PATH.1 .. PATH.N, one per worker */
	const char *journal_mode;   /* "wal" */
	const char *synchronous;    /* "normal" */
	const char *temp_store;     /* NULL: SQLite's default */
	const char *locking_mode;   /* NULL: SQLite's default */
	int64_t cache_size;         /* as PRAGMA cache_size; 0: SQLite's default */
	int64_t mmap_size;          /* bytes; < 0: SQLite's default */
	int64_t page_size;          /* bytes; 0: SQLite's default; for new files */
	int64_t wal_autocheckpoint; /* pages; < 0: SQLite's default */
	int64_t busy_timeout_ms;
};

struct xt_pgsql_options {
	const char *conninfo; /* any libpq string or URI */
	const char *host, *port, *user, *password, *dbname, *sslmode;
	const char *protocol;   /* "prepared", "extended", "simple" */
	const char *isolation;  /* NULL: the server's default */
	const char *on_connect; /* a statement run on each connection */
	bool want_private;      /* no connection option given and no PG* variable set: start a server of our own */
	const char *bindir;
	const char *const *server_options; /* "name=value", NULL-terminated; may be NULL */
	int shm_fd;                        /* the control page's descriptor for a private server, or -1 */
	const char *preload;               /* libxtime.so for it, or NULL */
	const char *page_env;              /* value of XTIME_PAGE for it, or NULL */
	const char *const *plugins; /* files that the shim opens, by the page's slots; NULL-terminated; or NULL */
};

struct xt_null_options {
	uint64_t latency_ns; /* every statement takes this long */
	const char *fail;    /* "connect:3" (worker 3, 0-based, cannot connect) or "exec:N" (the N-th statement of each
	                        connection fails, counted from 1) */
	bool hash;           /* keep statement_hash */
};

struct xt_driver_config {
	unsigned threads;
	bool need_existing; /* run on data made by an earlier prepare: a missing database is an error that says so */
	bool temporary_ok;  /* ab, run, reproduce: may make temporary databases and prepare them at start */
	struct xt_sqlite_options sqlite;
	struct xt_pgsql_options pgsql;
	struct xt_null_options null;
	uint64_t connect_timeout_ns;
};

/* What a statement gave back. Values are valid until the next call on the connection. */
struct xt_rows {
	uint64_t count;    /* rows returned */
	uint64_t affected; /* rows changed */
	int columns;       /* filled, with names and values of the last row, only when wanted: of every wanted one of
	                    * several joined statements, one behind the other; count is then the wanted ones' too */
	const char *const *names;
	const struct xt_value *values; /* text or NULL */
};

struct xt_driver {
	const char *name;
	const char *summary;
	bool is_sqlite, is_pgsql;

	/* Opens the database or starts what is needed (private folder, private server). On failure *out is NULL and
	 * nothing is left behind. One thread. */
	int (*open)(struct xt_db **out, const struct xt_driver_config *config, struct xt_err *err);
	/* Disconnects and removes what open made. Every connection is closed before. NULL is allowed. */
	void (*close)(struct xt_db *db);
	/* true when the tables must be loaded at start (a temporary or in-memory database, a private server). */
	bool (*needs_prepare)(const struct xt_db *db);
	/* How many workers prepare together: the rest get copies through replicate. */
	unsigned (*prepare_workers)(const struct xt_db *db);
	/* After the prepare section: copies worker 0's database to the others. NULL: nothing to copy. */
	int (*replicate)(struct xt_db *db, struct xt_err *err);
	/* true when several workers write one database file: one writer at a time (prediction's W). */
	bool (*single_writer)(const struct xt_db *db);
	/* Calls add(ctx, name, value) for each fact of the record's driver object: "version", "server",
	 * and settings as read back ("journal_mode", ...). Needs one open connection. */
	void (*describe)(struct xt_conn *conn, void (*add)(void *ctx, const char *name, const char *value), void *ctx);

	/* Called on the worker's own thread; worker is 0-based. */
	int (*connect)(struct xt_conn **out, struct xt_db *db, unsigned worker, struct xt_err *err);
	void (*disconnect)(struct xt_conn *conn); /* NULL is allowed */

	/* Prepares text with $1 .. $n. The statement belongs to the connection; unprepare before disconnect is
	 * optional. */
	enum xt_class (*prepare)(struct xt_conn *conn, const char *text, size_t len, size_t params,
	                         struct xt_stmt **out, struct xt_err *err);
	void (*unprepare)(struct xt_conn *conn, struct xt_stmt *stmt);
	/* Executes to the end, discarding rows unless rows is given. err has the engine's own words. No allocation of
	 * ours for integer parameters. */
	enum xt_class (*execute)(struct xt_conn *conn, struct xt_stmt *stmt, const struct xt_value *const *params,
	                         struct xt_rows *rows, struct xt_err *err);
	/* Text without parameters, possibly several statements joined by semicolons (\; and the simple protocol).
	 * want[i] says which statement's row is wanted; NULL: none. */
	enum xt_class (*query)(struct xt_conn *conn, const char *text, size_t len, const bool *want,
	                       struct xt_rows *rows, struct xt_err *err);
	/* true: the engine renders parameters into the text and uses query() (--protocol=simple). NULL: false. */
	bool (*inline_params)(const struct xt_conn *conn);

	bool (*in_transaction)(const struct xt_conn *conn);        /* open or failed transaction block */
	int (*rollback)(struct xt_conn *conn, struct xt_err *err); /* no-op outside a transaction */
	/* From any thread: makes a running execute of conn return XT_CANCELLED soon. A call between two statements is
	 * lost, or ends the next one. Called again 2 s and more after a call that has not helped, it may cut the
	 * connection (XT_LOST): for a server that has stopped answering. */
	void (*cancel)(struct xt_conn *conn);
	pid_t (*server_pid)(const struct xt_conn *conn); /* backend's pid on this machine; 0 when none. NULL: none */

	/* Bulk rows into a table that exists. Rows are visible after load_end. load_abort after a failure. */
	int (*load_begin)(struct xt_conn *conn, const char *table, const char *const *columns, size_t count,
	                  struct xt_err *err);
	int (*load_row)(struct xt_conn *conn, const struct xt_value *values, struct xt_err *err);
	int (*load_end)(struct xt_conn *conn, struct xt_err *err);
	void (*load_abort)(struct xt_conn *conn);

	/* Pipeline mode; NULL where the database has none. Between start and end, execute() only queues and returns
	 * XT_OK; sync and end wait for what was sent and return the class of the first failure. */
	enum xt_class (*pipeline_start)(struct xt_conn *conn, struct xt_err *err);
	enum xt_class (*pipeline_sync)(struct xt_conn *conn, struct xt_err *err);
	enum xt_class (*pipeline_end)(struct xt_conn *conn, struct xt_err *err);

	/* Time that statements of this connection have waited for another's lock, so far, in ns. NULL: not known. */
	uint64_t (*lock_wait_ns)(const struct xt_conn *conn);
	/* Hash of all statements' texts and bound values since connect, in order; 0 unless asked for. NULL: none. */
	uint64_t (*statement_hash)(const struct xt_conn *conn);
};

/* The registry: NULL-terminated. */
extern const struct xt_driver *const xt_drivers[];
/* By name, or NULL. */
const struct xt_driver *xt_driver_find(const char *name);
/* The first registered driver that lacks a required hook, with the hook's name; NULL when all are whole. */
const char *xt_driver_check(void);

#endif
