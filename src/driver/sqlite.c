/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SQLite: where the databases live and who gets which. A file per worker in a private folder, files that the user
 * named, or databases in memory, which this module keeps alive between connections. Statements are in sqlite_exec.c.
 */
#include "driver/sqlite_db.h"

#include "driver/files.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The database, its log, the log's index, and a temporary file. */
enum { FILES_EACH = 4 };

void xt_sqlite_path(const struct xt_db *db, unsigned worker, char *buf)
{
	if (db->per_worker)
		snprintf(buf, PATH_MAX, "%s.%u", db->base, worker + 1);
	else
		snprintf(buf, PATH_MAX, "%s", db->base);
}

int xt_sqlite_open_file(sqlite3 **out, const char *path, bool create, struct xt_err *err)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (create ? SQLITE_OPEN_CREATE : 0);
	int rc = sqlite3_open_v2(path, out, flags, NULL);

	if (!rc) {
		sqlite3_extended_result_codes(*out, 1);
		rc = sqlite3_exec(*out, "PRAGMA schema_version", NULL, NULL, NULL);
		if ((rc & 0xff) != SQLITE_NOTADB)
			return 0; /* other troubles, a lock say, show where they can be waited for */
		xt_err_usage(err, "%s is not an SQLite database", path);
	} else {
		xt_err_failed(err, "cannot open %s: %s", path, *out ? sqlite3_errmsg(*out) : "out of memory");
	}
	sqlite3_close(*out);
	*out = NULL;
	return -1;
}

static int check_folder(const char *path, struct xt_err *err)
{
	char copy[PATH_MAX];
	const char *folder;
	struct stat st;

	snprintf(copy, sizeof(copy), "%s", path);
	folder = dirname(copy);
	if (stat(folder, &st))
		return xt_err_usage(err, "%s: the folder %s: %s", path, folder, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return xt_err_usage(err, "%s: %s is not a folder", path, folder);
	if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS))
		return xt_err_usage(err,
		                    "%s: the folder %s is not writable (SQLite keeps its journal beside the file): %s",
		                    path, folder, strerror(errno));
	return 0;
}

static int check_file(const char *path, bool need_existing, struct xt_err *err)
{
	struct stat st;

	if (stat(path, &st)) {
		if (errno != ENOENT)
			return xt_err_usage(err, "%s: %s", path, strerror(errno));
		if (need_existing)
			return xt_err_usage(err,
			                    "%s: there is no such database; `xtime prepare` with the same workload and "
			                    "options makes it",
			                    path);
		return check_folder(path, err);
	}
	if (S_ISDIR(st.st_mode))
		return xt_err_usage(err, "%s is a folder, not a database", path);
	if (faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS))
		return xt_err_usage(err, "%s is not readable and writable: %s", path, strerror(errno));
	return check_folder(path, err);
}

static int check_config(const struct xt_driver_config *config, struct xt_err *err)
{
	const char *path = config->sqlite.path;
	bool memory = path && !strcmp(path, ":memory:");

	if (path && strlen(path) > PATH_MAX - 32)
		return xt_err_usage(err, "--sqlite-db: the path is too long");
	if (path && !*path)
		return xt_err_usage(err, "--sqlite-db: the path is empty");
	if (!path && config->sqlite.private_files)
		return xt_err_usage(err, "--sqlite-private needs --sqlite-db=PATH: the files are PATH.1, PATH.2, ...");
	if (!path && !config->temporary_ok)
		return xt_err_usage(err, "which database? Give --sqlite-db=PATH");
	if (memory && !config->temporary_ok)
		return xt_err_usage(err, "--sqlite-db=:memory: would be gone at the end of this command; give a file");
	if (!sqlite3_threadsafe() && config->threads > 1)
		return xt_err_usage(err, "this SQLite library was compiled for a single thread: use --threads=1");
	return 0;
}

static int make_folder(struct xt_db *db, struct xt_err *err)
{
	const char *base = getenv("TMPDIR");

	if (!base || !*base)
		base = "/tmp";
	xt_folder_sweep(base, "xtime-", geteuid(), NULL);
	if (xt_folder_create(&db->folder, base, "xtime-", false, err))
		return xt_err_context(err, "TMPDIR");
	if (strlen(db->folder.path) > PATH_MAX - 32)
		return xt_err_usage(err, "TMPDIR: the path is too long");
	snprintf(db->base_buf, sizeof(db->base_buf), "%.*s/db", PATH_MAX - 8, db->folder.path);
	db->base = db->base_buf;
	return 0;
}

/* Opens each file once, so that what is wrong with one is said before any thread starts. */
static int check_databases(struct xt_db *db, bool need_existing, struct xt_err *err)
{
	unsigned n = db->per_worker ? db->threads : 1;
	char path[PATH_MAX];

	for (unsigned i = 0; i < n; i++) {
		sqlite3 *handle;

		xt_sqlite_path(db, i, path);
		if (check_file(path, need_existing, err))
			return -1;
		if (access(path, F_OK))
			continue;
		if (xt_sqlite_open_file(&handle, path, false, err))
			return -1;
		sqlite3_close(handle);
	}
	return 0;
}

static void sqlite_close(struct xt_db *db)
{
	if (!db)
		return;
	for (unsigned i = 0; db->memory_handles && i < db->threads; i++)
		sqlite3_close(db->memory_handles[i]);
	free(db->memory_handles);
	xt_folder_remove(&db->folder);
	pthread_mutex_destroy(&db->setup);
	free(db);
}

static int sqlite_open(struct xt_db **out, const struct xt_driver_config *config, struct xt_err *err)
{
	struct xt_db *db;

	*out = NULL;
	/* Half as fast again at two threads; refused (and not needed) when an earlier open has done it. */
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	if (sqlite3_initialize())
		return xt_err_failed(err, "cannot initialise SQLite");
	if (check_config(config, err))
		return -1;
	db = calloc(1, sizeof(*db));
	if (!db)
		return xt_err_failed(err, "sqlite: out of memory");
	db->folder.fd = -1;
	pthread_mutex_init(&db->setup, NULL);
	db->options = config->sqlite;
	db->threads = config->threads ? config->threads : 1;
	db->base = config->sqlite.path;
	db->memory = db->base && !strcmp(db->base, ":memory:");
	db->temporary = !db->base;
	db->per_worker = db->memory || db->temporary || config->sqlite.private_files;
	if (xt_sqlite_check_options(&db->options, err) ||
	    xt_files_reserve(db->threads, db->memory ? 0 : FILES_EACH, err))
		goto fail;
	if (db->memory) {
		db->memory_handles = calloc(db->threads, sizeof(sqlite3 *));
		if (!db->memory_handles) {
			xt_err_failed(err, "sqlite: out of memory");
			goto fail;
		}
	} else if (db->temporary ? make_folder(db, err) : check_databases(db, config->need_existing, err)) {
		goto fail;
	}
	*out = db;
	return 0;
fail:
	sqlite_close(db);
	return -1;
}

static bool sqlite_needs_prepare(const struct xt_db *db)
{
	return db->memory || db->temporary;
}

static unsigned sqlite_prepare_workers(const struct xt_db *db)
{
	(void)db;
	return 1; /* one writer at a time, or one file that the others are copied from */
}

static bool sqlite_single_writer(const struct xt_db *db)
{
	return !db->per_worker && db->threads > 1;
}

static int setup_conn(struct xt_conn *conn, struct xt_err *err)
{
	struct xt_db *db = conn->db;
	char path[PATH_MAX];
	int rc;

	xt_sqlite_path(db, conn->worker, path);
	if (db->memory && db->memory_handles[conn->worker])
		conn->handle = db->memory_handles[conn->worker];
	else if (xt_sqlite_open_file(&conn->handle, db->memory ? ":memory:" : path, true, err))
		return -1;
	if (db->memory)
		db->memory_handles[conn->worker] = conn->handle;
	sqlite3_busy_handler(conn->handle, xt_sqlite_busy, conn);
	pthread_mutex_lock(&db->setup);
	rc = xt_sqlite_apply(conn->handle, &db->options, db->memory ? NULL : path, err);
	pthread_mutex_unlock(&db->setup);
	return rc;
}

static void sqlite_disconnect(struct xt_conn *conn)
{
	if (!conn)
		return;
	if (conn->handle) {
		xt_sqlite_load_abort(conn);
		while (conn->statements)
			xt_sqlite_unprepare(conn, conn->statements);
		xt_sqlite_rollback(conn, NULL);
		sqlite3_busy_handler(conn->handle, NULL, NULL);
		if (!conn->db->memory)
			sqlite3_close(conn->handle);
	}
	xt_buf_free(&conn->text);
	free(conn->names);
	free(conn->values);
	free(conn);
}

static int sqlite_connect(struct xt_conn **out, struct xt_db *db, unsigned worker, struct xt_err *err)
{
	struct xt_conn *conn;

	*out = NULL;
	if (worker >= db->threads)
		return xt_err_failed(err, "sqlite: worker %u of %u", worker + 1, db->threads);
	conn = xt_aligned_calloc(1, sizeof(*conn));
	if (!conn)
		return xt_err_failed(err, "sqlite: out of memory");
	conn->db = db;
	conn->worker = worker;
	conn->busy_timeout_ns = (uint64_t)db->options.busy_timeout_ms * 1000000u;
	if (setup_conn(conn, err)) {
		sqlite_disconnect(conn);
		return -1;
	}
	*out = conn;
	return 0;
}

/* One database onto another through the backup API, in one step: nobody else is connected. */
static int copy_database(sqlite3 *from, sqlite3 *to, const char *name, struct xt_err *err)
{
	sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
	int rc = backup ? sqlite3_backup_step(backup, -1) : sqlite3_errcode(to);

	if (backup)
		sqlite3_backup_finish(backup);
	if (rc != SQLITE_DONE)
		return xt_err_failed(err, "cannot copy the database to %s: %s", name, sqlite3_errstr(rc));
	return 0;
}

static int replicate_to(struct xt_db *db, sqlite3 *from, unsigned worker, struct xt_err *err)
{
	sqlite3 *to;
	char path[PATH_MAX];
	int rc;

	xt_sqlite_path(db, worker, path);
	if (db->memory && db->memory_handles[worker])
		return copy_database(from, db->memory_handles[worker], ":memory:", err);
	if (xt_sqlite_open_file(&to, db->memory ? ":memory:" : path, true, err))
		return -1;
	if (db->memory) {
		db->memory_handles[worker] = to;
		return copy_database(from, to, ":memory:", err);
	}
	if (db->temporary) /* nobody reads these after a crash */
		sqlite3_exec(to, "PRAGMA synchronous=OFF", NULL, NULL, NULL);
	rc = copy_database(from, to, path, err);
	sqlite3_close(to);
	return rc;
}

static int sqlite_replicate(struct xt_db *db, struct xt_err *err)
{
	sqlite3 *from;
	char path[PATH_MAX];
	int rc = 0;

	if (!db->per_worker)
		return 0;
	xt_sqlite_path(db, 0, path);
	if (db->memory)
		from = db->memory_handles[0];
	else if (xt_sqlite_open_file(&from, path, true, err))
		return -1;
	for (unsigned i = 1; from && i < db->threads && !rc; i++)
		rc = replicate_to(db, from, i, err);
	if (!db->memory)
		sqlite3_close(from);
	return rc;
}

static bool sqlite_in_transaction(const struct xt_conn *conn)
{
	return !sqlite3_get_autocommit(conn->handle);
}

static void sqlite_cancel(struct xt_conn *conn)
{
	atomic_store(&conn->cancel, true);
	sqlite3_interrupt(conn->handle);
}

static uint64_t sqlite_lock_wait_ns(const struct xt_conn *conn)
{
	return atomic_load_explicit(&conn->lock_wait_ns, memory_order_relaxed);
}

const struct xt_driver xt_driver_sqlite = {
	.name = "sqlite",
	.summary = "SQLite, embedded: a file per thread, one file for all, or in memory",
	.is_sqlite = true,
	.open = sqlite_open,
	.close = sqlite_close,
	.needs_prepare = sqlite_needs_prepare,
	.prepare_workers = sqlite_prepare_workers,
	.replicate = sqlite_replicate,
	.single_writer = sqlite_single_writer,
	.describe = xt_sqlite_describe,
	.connect = sqlite_connect,
	.disconnect = sqlite_disconnect,
	.prepare = xt_sqlite_prepare,
	.unprepare = xt_sqlite_unprepare,
	.execute = xt_sqlite_execute,
	.query = xt_sqlite_query,
	.in_transaction = sqlite_in_transaction,
	.rollback = xt_sqlite_rollback,
	.cancel = sqlite_cancel,
	.load_begin = xt_sqlite_load_begin,
	.load_row = xt_sqlite_load_row,
	.load_end = xt_sqlite_load_end,
	.load_abort = xt_sqlite_load_abort,
	.lock_wait_ns = sqlite_lock_wait_ns,
};
