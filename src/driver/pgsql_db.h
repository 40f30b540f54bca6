/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the pgsql*.c files share. Nobody else includes this.
 */
#ifndef XT_DRIVER_PGSQL_DB_H
#define XT_DRIVER_PGSQL_DB_H

#include "base/align.h"
#include "base/buf.h"
#include "driver/drivers.h"

#include <stdatomic.h>

struct pg_conn; /* PGconn, PGresult and PGcancel of libpq */
struct pg_result;
struct pg_cancel;
struct xt_pg_server;

enum xt_protocol { XT_PREPARED, XT_EXTENDED, XT_SIMPLE };

struct xt_db {
	struct xt_pgsql_options options;
	unsigned threads;
	enum xt_protocol protocol;
	char isolation[24]; /* "" = the server's default */
	char connect_timeout[16];
	struct xt_pg_server *server; /* a private one, or NULL */
};

/* What the server said about a failure. */
struct xt_pg_error {
	bool set;
	bool fatal; /* the server closes the connection */
	char sqlstate[6];
	char text[1024];
};

enum { XT_WIRE_IN = 65536 };

/* The short way to the socket, past libpq (pgsql_wire.c). */
struct xt_wire {
	int fd;
	bool usable;   /* a plain socket: neither TLS nor GSS */
	bool local;    /* a Unix socket */
	bool blocking; /* what the socket is set to now */
	bool simple;   /* the statement that runs came as a simple query */
	unsigned char *out;
	size_t out_cap;
	size_t queued; /* bytes of out that a pipeline has not sent yet */
	unsigned char *in;
	size_t pos, end;          /* received and not yet looked at */
	struct xt_pg_error error; /* the first one of the answer that is being read */
};

struct xt_conn {
	XT_ALIGNED struct pg_conn *pg;
	struct xt_db *db;
	enum xt_protocol protocol;
	char transaction; /* 'I' idle, 'T' in a block, 'E' in a failed block */
	bool lost;
	bool pipeline;
	struct xt_wire wire;

	struct pg_cancel *cancel;
	_Atomic bool cancelled;
	_Atomic uint64_t cancelled_ns; /* since when */
	unsigned prepared;             /* number of the last prepared statement: its name */
	struct xt_stmt *statements;

	/* The last rows that were wanted, of one statement or of several joined ones: text and names belong to kept. */
	struct pg_result **kept;
	size_t kept_count, kept_cap;
	const char **names;
	struct xt_value *values;
	int capacity;

	struct xt_buf scratch; /* texts with their final NUL, COPY rows */
	const char **texts;    /* parameters as libpq wants them */
	size_t texts_cap;
	size_t load_columns;
	bool loading;
};

struct xt_stmt {
	struct xt_stmt *next, **link;
	char name[16]; /* "" with --protocol=extended */
	char *text;
	size_t params;
	unsigned char *head; /* the messages up to the first parameter */
	size_t head_len, bind_at;
};

/* pgsql_exec.c */
enum xt_class xt_pg_prepare(struct xt_conn *conn, const char *text, size_t len, size_t params, struct xt_stmt **out,
                            struct xt_err *err);
void xt_pg_unprepare(struct xt_conn *conn, struct xt_stmt *stmt);
enum xt_class xt_pg_execute(struct xt_conn *conn, struct xt_stmt *stmt, const struct xt_value *const *params,
                            struct xt_rows *rows, struct xt_err *err);
enum xt_class xt_pg_query(struct xt_conn *conn, const char *text, size_t len, const bool *want, struct xt_rows *rows,
                          struct xt_err *err);
int xt_pg_rollback(struct xt_conn *conn, struct xt_err *err);
/* A statement of ours, NUL-terminated; the class of its failure. */
enum xt_class xt_pg_run(struct xt_conn *conn, const char *text, struct xt_err *err);
/* Before and after any use of conn->pg that talks to the server. */
void xt_pg_enter(struct xt_conn *conn);
void xt_pg_leave(struct xt_conn *conn);
/* Class and message of a failed result (or of the connection when result is NULL). */
enum xt_class xt_pg_failed(struct xt_conn *conn, const struct pg_result *result, struct xt_err *err);
enum xt_class xt_pg_class(struct xt_conn *conn, const char *sqlstate, bool fatal);
/* Puts the parameters into conn->texts as C strings; -1 when one holds a NUL byte or memory is short. */
int xt_pg_texts(struct xt_conn *conn, const struct xt_stmt *stmt, const struct xt_value *const *params,
                struct xt_err *err);
/* Sends the statement through libpq; false when that failed. */
bool xt_pg_send(struct xt_conn *conn, const struct xt_stmt *stmt);

/* pgsql_wire.c: 0 or -1 (out of memory). */
int xt_wire_init(struct xt_conn *conn);
void xt_wire_free(struct xt_conn *conn);
int xt_wire_head(struct xt_stmt *stmt);
enum xt_class xt_wire_execute(struct xt_conn *conn, const struct xt_stmt *stmt, const struct xt_value *const *params,
                              struct xt_err *err);
/* Forgets a prepared statement; also in a failed transaction. */
enum xt_class xt_wire_close(struct xt_conn *conn, const char *name, struct xt_err *err);
enum xt_class xt_wire_query(struct xt_conn *conn, const char *text, size_t len, struct xt_err *err);
/* Inside a pipeline: queue a statement, a preparation; send all and read the answers. */
enum xt_class xt_wire_queue(struct xt_conn *conn, const struct xt_stmt *stmt, const struct xt_value *const *params,
                            struct xt_err *err);
enum xt_class xt_wire_queue_parse(struct xt_conn *conn, const struct xt_stmt *stmt, struct xt_err *err);
enum xt_class xt_wire_sync(struct xt_conn *conn, struct xt_err *err);
/* pgsql_wire_io.c: sends the first len bytes of wire.out, and reads the answer, or not yet. */
enum xt_class xt_wire_talk(struct xt_conn *conn, size_t len, struct xt_err *err);
enum xt_class xt_wire_push(struct xt_conn *conn, size_t len, struct xt_err *err);
void xt_wire_set_blocking(struct xt_wire *wire, bool blocking);

/* pgsql_server.c: a private server under /var/tmp. Start and stop on the main thread: the server's life hangs on the
 * thread that started it. */
int xt_pg_server_start(struct xt_pg_server **out, const struct xt_driver_config *config, struct xt_err *err);
void xt_pg_server_stop(struct xt_pg_server *server); /* NULL is allowed */
/* libpq's words for a connection to it, NULL-terminated pairs; keywords and values have 16 elements. */
void xt_pg_server_params(const struct xt_pg_server *server, const char **keywords, const char **values);

/* pgsql_paths.c: the folder of postgres and initdb; wanted may be NULL. USAGE when there is none. */
int xt_pg_find_bindir(const char *wanted, char *out, struct xt_err *err);

/* pgsql_spawn.c: a child process with a clean environment. */
struct xt_pg_child {
	const char *const *argv; /* argv[0] without a slash is looked up in PATH */
	const char *folder;      /* working folder, or NULL */
	int output;              /* descriptor for its stdout and stderr */
	int keep;                /* a descriptor it inherits, or -1 */
	const char *preload;     /* in front of LD_PRELOAD, or NULL */
	const char *page;        /* XTIME_PAGE, or NULL */
	const char *plugins;     /* XTIME_PLUGINS, or NULL */
	bool change_user;
	uid_t uid;
	gid_t gid;
	bool session;
	int death_signal; /* when we die; 0 = none */
};
/* Its pid, or -1 with the reason (the program's name included). */
pid_t xt_pg_spawn(const struct xt_pg_child *child, struct xt_err *err);

/* pgsql_pipeline.c */
enum xt_class xt_pg_pipeline_start(struct xt_conn *conn, struct xt_err *err);
enum xt_class xt_pg_pipeline_sync(struct xt_conn *conn, struct xt_err *err);
enum xt_class xt_pg_pipeline_end(struct xt_conn *conn, struct xt_err *err);

/* pgsql_load.c */
int xt_pg_load_begin(struct xt_conn *conn, const char *table, const char *const *columns, size_t count,
                     struct xt_err *err);
int xt_pg_load_row(struct xt_conn *conn, const struct xt_value *values, struct xt_err *err);
int xt_pg_load_end(struct xt_conn *conn, struct xt_err *err);
void xt_pg_load_abort(struct xt_conn *conn);

#endif
