/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The transaction executor: walks a section's commands for one worker. Errors of statements are sorted here into
 * retry, give up and stop, by the program's policy; nothing here knows which database answers.
 */
#include "engine/worker.h"

#include "base/mono.h"
#include "engine/clockcall.h"

#include <stdio.h>

enum { MAX_PARAMS = 256, NAME_MAX_LEN = 256 };

/* The disconnect section is what a worker does when it has stopped. */
static bool stopping(const struct xt_worker *w)
{
	return w->section != XT_DISCONNECT && atomic_load_explicit(&w->shared->stop, memory_order_relaxed);
}

static enum xt_outcome broken_at(struct xt_worker *w, const struct xt_command *c)
{
	xt_err_context(&w->err, "%s:%d:%d", c->file, c->line, c->column);
	xt_worker_name(w);
	w->broken = true;
	return XT_BROKEN;
}

/* \gset and \aset: columns of the last row become variables. */
static int capture(struct xt_worker *w, const struct xt_sql *sql, const struct xt_rows *rows)
{
	char name[NAME_MAX_LEN];

	if (sql->capture == XT_GSET && rows->count != 1)
		return xt_err_failed(&w->err, rows->count ? "expected one row, got %llu" : "expected one row, got none",
		                     (unsigned long long)rows->count);
	if (!rows->count)
		return 0;
	for (int i = 0; i < rows->columns; i++) {
		int n = snprintf(name, sizeof(name), "%s%s", sql->prefix ? sql->prefix : "", rows->names[i]);

		if (n < 0 || n >= (int)sizeof(name))
			return xt_err_failed(&w->err, "column name '%s' is too long for a variable", rows->names[i]);
		if (xt_env_set_name(w->env, name, &rows->values[i], &w->err))
			return -1;
	}
	return 0;
}

/* The parameters' current values; NULL for a variable that has none, as pgbench has it. */
static void gather(const struct xt_worker *w, const struct xt_sql *sql, const struct xt_value **params)
{
	static const struct xt_value null = {.type = XT_NULL};

	for (size_t i = 0; i < sql->param_count; i++) {
		params[i] = xt_env_get(w->env, sql->params[i]);
		if (!params[i])
			params[i] = &null;
	}
}

static enum xt_class send(struct xt_worker *w, const struct xt_sql *sql, struct xt_rows *rows)
{
	const struct xt_driver *driver = w->shared->engine->driver;
	const struct xt_value *params[MAX_PARAMS];
	struct xt_stmt *stmt;
	enum xt_class class;

	if ((driver->inline_params && driver->inline_params(w->conn)) || (sql->statements > 1 && driver->is_sqlite)) {
		xt_buf_reset(&w->text);
		if (xt_sql_render(sql->parts, sql->part_count, w->env, true, &w->text, &w->err))
			return XT_OTHER;
		return driver->query(w->conn, w->text.data, w->text.len, sql->row_wanted, rows, &w->err);
	}
	gather(w, sql, params);
	class = xt_stmts_get(w->stmts, w->conn, sql, w->env, &stmt, &w->err);
	if (class != XT_OK)
		return class;
	return driver->execute(w->conn, stmt, params, rows, &w->err);
}

/* The statement as it would read with its parameters filled in. */
static int hash_statement(struct xt_worker *w, const struct xt_sql *sql)
{
	uint64_t hash = w->hash;

	xt_buf_reset(&w->text);
	if (xt_sql_render(sql->parts, sql->part_count, w->env, true, &w->text, &w->err))
		return -1;
	for (size_t i = 0; i < w->text.len; i++) /* FNV-1a */
		hash = (hash ^ (unsigned char)w->text.data[i]) * 0x100000001b3u;
	w->hash = hash * 0x100000001b3u;
	return 0;
}

/* XT_OK, or the class of the error with w->err filled. */
static enum xt_class do_sql(struct xt_worker *w, const struct xt_command *c)
{
	struct xt_rows rows;
	bool wanted = c->sql.capture != XT_CAPTURE_NONE;
	enum xt_class class;

	if (w->hashing && hash_statement(w, &c->sql))
		return XT_OTHER;
	class = send(w, &c->sql, wanted ? &rows : NULL);
	w->scratch.statements += c->sql.statements;
	w->scratch.queries[c->sql.kind] += c->sql.statements;
	xt_worker_credit(w);
	if (class == XT_OK && wanted && capture(w, &c->sql, &rows))
		return XT_OTHER;
	return class;
}

static int do_sleep(struct xt_worker *w, const struct xt_command *c)
{
	int64_t n;
	uint64_t end;

	if (xt_expr_eval_count(c->expr, w->env, &n, &w->err))
		return -1;
	if (n <= 0)
		return 0;
	end = xt_mono_ns() + (uint64_t)n * c->unit_us * 1000u;
	/* In steps, so that a stop is seen. */
	for (uint64_t now = xt_mono_ns(); now < end && !stopping(w); now = xt_mono_ns())
		xt_mono_sleep_until(end - now > 50000000u ? now + 50000000u : end);
	return 0;
}

static enum xt_class do_pipeline(struct xt_worker *w, const struct xt_command *c)
{
	const struct xt_driver *driver = w->shared->engine->driver;

	switch (c->op) {
	case XT_OP_STARTPIPELINE:
		return driver->pipeline_start(w->conn, &w->err);
	case XT_OP_SYNCPIPELINE:
		return driver->pipeline_sync(w->conn, &w->err);
	default:
		return driver->pipeline_end(w->conn, &w->err);
	}
}

static int do_figure(struct xt_worker *w, const struct xt_command *c)
{
	double value;
	bool null;

	if (xt_expr_eval_double(c->expr, w->env, &value, &null, &w->err))
		return -1;
	if (!null && w->figures && xt_worker_measures(w))
		xt_figure_add(w->shared->engine->program, c->slot, &w->figures[c->slot], value);
	return 0;
}

/* Commands that compute and jump. Returns the next index, or -1 with w->err filled. */
static int64_t do_control(struct xt_worker *w, const struct xt_command *c, int64_t pc)
{
	struct xt_value value;
	int64_t n;
	bool yes;

	switch (c->op) {
	case XT_OP_SET:
		if (xt_expr_eval(c->expr, w->env, &value, &w->err))
			return -1;
		if (xt_env_set(w->env, c->slot, &value))
			return xt_err_failed(&w->err, "out of memory");
		return pc + 1;
	case XT_OP_JUMP_UNLESS:
		if (xt_expr_eval_bool(c->expr, w->env, &yes, &w->err))
			return -1;
		return yes ? pc + 1 : (int64_t)c->target;
	case XT_OP_JUMP:
		return c->target;
	case XT_OP_REPEAT:
		if (xt_expr_eval_count(c->expr, w->env, &n, &w->err))
			return -1;
		*xt_env_counter(w->env, c->depth) = n;
		return n > 0 ? pc + 1 : (int64_t)c->target;
	case XT_OP_ENDREPEAT:
		return --*xt_env_counter(w->env, c->depth) > 0 && !stopping(w) ? (int64_t)c->target : pc + 1;
	case XT_OP_TIME:
		if (xt_expr_eval_count(c->expr, w->env, &n, &w->err))
			return -1;
		xt_clockcall_time(n);
		w->scratch.clock_calls += n > 0 ? (uint64_t)n : 0;
		return pc + 1;
	case XT_OP_CHECK:
		if (xt_command_check(c, w->env, &w->err))
			return -1;
		w->checks++;
		return pc + 1;
	case XT_OP_FIGURE:
		return do_figure(w, c) ? -1 : pc + 1;
	case XT_OP_SLEEP:
		return do_sleep(w, c) ? -1 : pc + 1;
	case XT_OP_SHELL:
	case XT_OP_SETSHELL:
		return xt_command_shell(c, w->env, &w->shell, &w->err) ? -1 : pc + 1;
	default:
		return xt_err_failed(&w->err, "this command cannot run here");
	}
}

/* Walks the code once. XT_OK: done, or stopped (see the stop flag); else the class of what failed, and where. */
static enum xt_class walk(struct xt_worker *w, const struct xt_code *code, const struct xt_command **at)
{
	int64_t pc = 0;

	while (pc < (int64_t)code->count) {
		const struct xt_command *c = &code->commands[pc];
		enum xt_class class = XT_OK;
		enum xt_outcome loaded;

		*at = c;
		if (w->shared->engine->print) {
			int printed = xt_print_command(w, c);

			if (printed < 0)
				return XT_OTHER;
			if (printed) {
				pc++;
				continue;
			}
		}
		if (w->row)
			xt_times_before(w, c);
		switch (c->op) {
		case XT_OP_SQL:
			class = do_sql(w, c);
			pc++;
			break;
		case XT_OP_STARTPIPELINE:
		case XT_OP_ENDPIPELINE:
		case XT_OP_SYNCPIPELINE:
			class = do_pipeline(w, c);
			pc++;
			break;
		case XT_OP_LOAD:
			loaded = xt_exec_load(w, c);
			class = loaded == XT_DONE ? XT_OK : loaded == XT_STOPPED ? XT_CANCELLED : XT_OTHER;
			pc++;
			break;
		case XT_OP_BARRIER:
			if (!xt_gate_wait(&w->shared->barrier))
				return XT_CANCELLED;
			pc++;
			break;
		default:
			pc = do_control(w, c, pc);
			if (pc < 0)
				return w->shell_killed ? XT_CANCELLED : XT_OTHER;
		}
		/* A branch has one jump for its end that is no line of the script. */
		if (w->row && c->op != XT_OP_JUMP)
			xt_times_after(w, c, &w->row[c - code->commands]);
		if (class != XT_OK)
			return class;
	}
	return XT_OK;
}

static enum xt_outcome check_end(struct xt_worker *w, const struct xt_command *last)
{
	const struct xt_driver *driver = w->shared->engine->driver;

	if (!last || !driver->in_transaction(w->conn))
		return XT_DONE;
	xt_err_failed(&w->err, "end of script reached without completing the last transaction");
	return broken_at(w, last);
}

static bool retryable(enum xt_class class, enum xt_error_policy policy)
{
	switch (class) {
	case XT_BUSY:
	case XT_BUSY_SNAPSHOT:
	case XT_SERIALIZATION:
	case XT_DEADLOCK:
		return true;
	case XT_UNIQUE:
		return policy == XT_ERRORS_RESTART;
	default:
		return false;
	}
}

/* The whole transaction in one pipeline (--pipeline): statements are queued, their errors come at its end. */
static enum xt_class walk_pipelined(struct xt_worker *w, const struct xt_code *code, const struct xt_command **at)
{
	const struct xt_driver *driver = w->shared->engine->driver;
	enum xt_class class = driver->pipeline_start(w->conn, &w->err), ended;

	*at = code->commands;
	if (class != XT_OK)
		return class;
	class = walk(w, code, at);
	ended = driver->pipeline_end(w->conn, class == XT_OK ? &w->err : NULL);
	return class == XT_OK ? ended : class;
}

static enum xt_outcome give_up(struct xt_worker *w, enum xt_class class, struct xt_command_sum *row)
{
	w->failed_class = class;
	if (row && xt_worker_measures(w))
		row->failures++;
	return XT_GIVEN_UP;
}

/* An error that is not retried: of a statement it may be a failure like others, if the user says so; a lost connection
 * too where new ones are made anyway. */
static enum xt_outcome hopeless(struct xt_worker *w, const struct xt_command *at, enum xt_class class,
                                struct xt_command_sum *row)
{
	const struct xt_pace *pace = w->shared->pace;
	bool statement = at && (at->op == XT_OP_SQL || (at->op >= XT_OP_STARTPIPELINE && at->op <= XT_OP_SYNCPIPELINE));

	if (!statement)
		return broken_at(w, at);
	if (class == XT_LOST && pace->reconnect) {
		if (!xt_worker_connect(w))
			return broken_at(w, at);
		if (!xt_worker_run_connect(w))
			return XT_BROKEN;
		w->scratch.reconnects++;
		return give_up(w, class, row);
	}
	if (class == XT_LOST || !pace->continue_on_error)
		return broken_at(w, at);
	if (w->shared->engine->driver->rollback(w->conn, &w->err))
		return broken_at(w, at);
	return give_up(w, class, row);
}

enum xt_outcome xt_exec_transaction(struct xt_worker *w, const struct xt_code *code, uint64_t begin_ns)
{
	const struct xt_engine *engine = w->shared->engine;
	enum xt_error_policy policy = w->shared->policy;
	unsigned tries = 1;

	xt_env_mark(w->env);
	w->begun++;
	if (w->row)
		xt_times_begin(w, begin_ns);
	if (engine->print)
		xt_print_head(w);
	for (;;) {
		const struct xt_command *at = NULL;
		enum xt_class class = engine->pipeline ? walk_pipelined(w, code, &at) : walk(w, code, &at);
		struct xt_command_sum *row;

		if (class == XT_OK)
			return check_end(w, at);
		if (class == XT_CANCELLED)
			return XT_STOPPED;
		w->scratch.errors[class]++;
		row = w->row && at ? &w->row[at - code->commands] : NULL;
		if (!retryable(class, policy))
			return hopeless(w, at, class, row);
		if (engine->driver->rollback(w->conn, &w->err))
			return broken_at(w, at);
		if (stopping(w))
			return XT_STOPPED;
		if (policy == XT_ERRORS_PGBENCH) {
			if (engine->max_tries && tries >= engine->max_tries)
				return give_up(w, class, row);
			xt_env_rewind(w->env); /* the same values again */
		}
		tries++;
		w->scratch.retries++;
		xt_times_pass_over(w);
		if (row && xt_worker_measures(w))
			row->retries++;
	}
}

enum xt_outcome xt_exec_once(struct xt_worker *w, const struct xt_code *code)
{
	const struct xt_command *at = NULL;
	enum xt_class class;

	if (w->shared->engine->print && code->count)
		xt_print_head(w);
	class = walk(w, code, &at);

	if (class == XT_CANCELLED)
		return XT_STOPPED;
	return class == XT_OK ? XT_DONE : broken_at(w, at);
}
