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

bool xt_worker_run_connect(struct xt_worker *w)
{
	const struct xt_program *program = w->shared->engine->program;
	struct xt_command_sum *row = w->row;
	struct xt_scratch scratch = w->scratch;
	bool ok = true;

	/* Neither timed nor counted. */
	w->row = NULL;
	for (size_t i = 0; ok && i < xt_program_scripts(program); i++)
		ok = xt_exec_once(w, xt_program_code(program, i, XT_CONNECT)) == XT_DONE;
	w->row = row;
	w->scratch = scratch;
	return ok;
}

void xt_worker_leave(struct xt_worker *w)
{
	keep_lock_wait(w, atomic_load(&w->conn));
}
