/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A worker's connection: made before the gate, and made anew in mid-run where that is asked for.
 */
#include "engine/worker.h"

#include "base/mono.h"

static struct xt_conn *take_connection(struct xt_worker *w)
{
	struct xt_conn *conn;

	/* The coordinator may be cancelling through it just now. */
	pthread_mutex_lock(&w->conn_lock);
	conn = atomic_exchange(&w->conn, NULL);
	pthread_mutex_unlock(&w->conn_lock);
	return conn;
}

static void keep_lock_wait(struct xt_worker *w, const struct xt_conn *conn)
{
	const struct xt_driver *driver = w->shared->engine->driver;

	if (driver->lock_wait_ns && conn)
		w->lock_wait_ns += driver->lock_wait_ns(conn);
}

bool xt_worker_connect(struct xt_worker *w)
{
	const struct xt_driver *driver = w->shared->engine->driver;
	struct xt_conn *conn = take_connection(w);
	uint64_t begin, spent;

	if (conn) {
		keep_lock_wait(w, conn);
		xt_stmts_forget(w->stmts);
		driver->disconnect(conn);
	}
	begin = xt_mono_ns();
	if (driver->connect(&conn, w->shared->engine->db, w->index, &w->err))
		return false;
	spent = xt_mono_ns() - begin;
	w->connects++;
	w->connect_ns += spent;
	if (spent > w->connect_max_ns)
		w->connect_max_ns = spent;
	if (driver->server_pid)
		atomic_store(&w->server, driver->server_pid(conn));
	atomic_store(&w->conn, conn);
	return true;
}

static bool run_apart(struct xt_worker *w, enum xt_section section)
{
	const struct xt_program *program = w->shared->engine->program;
	struct xt_command_sum *row = w->row;
	struct xt_scratch scratch = w->scratch;
	size_t script = w->script;
	bool ok = true;

	/* Neither timed nor counted. */
	w->row = NULL;
	w->section = section;
	for (w->script = 0; ok && w->script < xt_program_scripts(program); w->script++)
		ok = xt_exec_once(w, xt_program_code(program, w->script, section)) == XT_DONE;
	w->section = w->shared->section;
	w->script = script;
	w->row = row;
	w->scratch = scratch;
	return ok;
}

bool xt_worker_run_connect(struct xt_worker *w)
{
	return run_apart(w, XT_CONNECT);
}

bool xt_worker_run_disconnect(struct xt_worker *w)
{
	const struct xt_driver *driver = w->shared->engine->driver;

	/* A stop may have come in the middle of a transaction. */
	if (driver->in_transaction(w->conn) && driver->rollback(w->conn, &w->err))
		return true;
	return run_apart(w, XT_DISCONNECT);
}

bool xt_worker_reconnect(struct xt_worker *w)
{
	if (!xt_worker_run_disconnect(w))
		return false;
	if (!xt_worker_connect(w)) {
		xt_worker_name(w);
		w->broken = true;
		return false;
	}
	return xt_worker_run_connect(w);
}

void xt_worker_name(struct xt_worker *w)
{
	const char *name = xt_program_name(w->shared->engine->program, w->script);

	if (w->section == XT_RUN)
		xt_err_context(&w->err, "client %u, transaction %llu of %s", w->index, (unsigned long long)w->begun,
		               name);
	else
		xt_err_context(&w->err, "client %u, %s section of %s", w->index, xt_section_name(w->section), name);
}

void xt_worker_leave(struct xt_worker *w)
{
	keep_lock_wait(w, atomic_load(&w->conn));
}
