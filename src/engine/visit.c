/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One visit to a thread count, and the sections around it: start, gate, measured time, join, sums.
 */
#include "engine/slices.h"

#include "base/log.h"
#include "base/mono.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLICE (UINT64_C(1) << 8)

int xt_totals_init(struct xt_totals *totals, unsigned arms, struct xt_err *err)
{
	memset(totals, 0, sizeof(*totals));
	for (unsigned i = 0; i < arms; i++) {
		totals->latency[i] = malloc(sizeof(struct xt_hist));
		if (!totals->latency[i]) {
			xt_totals_free(totals);
			return xt_err_failed(err, "out of memory");
		}
		xt_hist_init(totals->latency[i]);
	}
	return 0;
}

void xt_totals_free(struct xt_totals *totals)
{
	for (unsigned i = 0; i < XT_MAX_ARMS; i++)
		free(totals->latency[i]);
	free(totals->tids);
	free(totals->servers);
	memset(totals, 0, sizeof(*totals));
}

static int keep_pid(pid_t **list, size_t *count, pid_t pid)
{
	pid_t *more;

	if (!pid)
		return 0;
	more = realloc(*list, (*count + 1) * sizeof(*more));
	if (!more)
		return -1;
	more[(*count)++] = pid;
	*list = more;
	return 0;
}

static int add_worker(struct xt_totals *t, const struct xt_worker *w, struct xt_err *err)
{
	t->transactions += XT_PEEK(w->tally.transactions);
	t->failed += XT_PEEK(w->tally.failed);
	t->unfinished += XT_PEEK(w->tally.unfinished);
	t->statements += w->tally.sum.statements;
	t->credited += w->tally.sum.credited;
	for (int i = 0; i < 3; i++)
		t->queries[i] += w->tally.sum.queries[i];
	for (int i = 0; i < XT_CLASSES; i++)
		t->errors[i] += w->tally.sum.errors[i];
	t->retries += w->tally.sum.retries;
	t->reconnects += w->tally.sum.reconnects;
	t->clock_calls += w->tally.sum.clock_calls;
	t->lock_wait_ns += w->lock_wait_ns;
	for (unsigned a = 0; a < XT_MAX_ARMS; a++)
		if (w->latency[a] && t->latency[a])
			xt_hist_merge(t->latency[a], w->latency[a]);
	if (keep_pid(&t->tids, &t->tid_count, w->tid) || keep_pid(&t->servers, &t->server_count, w->server))
		return xt_err_failed(err, "out of memory");
	return 0;
}

/* The first pipeline command that the driver cannot run. */
static int check_commands(const struct xt_engine *engine, enum xt_section section, struct xt_err *err)
{
	for (size_t s = 0; s < xt_program_scripts(engine->program); s++) {
		const struct xt_code *code = xt_program_code(engine->program, s, section);

		for (size_t i = 0; i < code->count; i++) {
			const struct xt_command *c = &code->commands[i];

			if (engine->pipeline && section == XT_RUN &&
			    ((c->op >= XT_OP_STARTPIPELINE && c->op <= XT_OP_SYNCPIPELINE) ||
			     (c->op == XT_OP_SQL && c->sql.capture != XT_CAPTURE_NONE)))
				return xt_err_usage(err,
				                    "%s:%d:%d: --pipeline sends whole transactions: the script may not "
				                    "use results or "
				                    "have pipelines of its own",
				                    c->file, c->line, c->column);
			if (c->op >= XT_OP_STARTPIPELINE && c->op <= XT_OP_SYNCPIPELINE &&
			    !engine->driver->pipeline_start)
				return xt_err_usage(err, "%s:%d:%d: pipelines need PostgreSQL: the driver %s has none",
				                    c->file, c->line, c->column, engine->driver->name);
		}
	}
	return 0;
}

/* A run without slices: one long slice. Ends by time, events or interrupt. */
static void plain_run(struct xt_shared *shared, struct xt_worker *workers, const struct xt_visit *visit,
                      _Atomic uint64_t *word, struct xt_totals *totals)
{
	uint64_t begin = xt_mono_ns(), end, cpu, shown;

	if (visit->warmup_ns && !xt_slices_sleep(shared, begin + visit->warmup_ns)) {
		atomic_store(word, shared->slices << 8);
		atomic_store(&shared->stop, 1);
		return;
	}
	cpu = xt_process_cpu_ns();
	atomic_store(word, FIRST_SLICE);
	begin = shown = xt_mono_ns();
	while (atomic_load(&shared->left)) {
		uint64_t now = xt_mono_ns(), until = now + 1000000, done = 0;

		if (visit->time_ns && now >= begin + visit->time_ns)
			break;
		/* With an event limit the end is looked for often, without one there is nothing to see. */
		if (!visit->events)
			until = now + 50000000;
		if (visit->time_ns && until > begin + visit->time_ns)
			until = begin + visit->time_ns;
		if (!xt_slices_sleep(shared, until))
			break;
		if (!visit->progress || now < shown)
			continue;
		shown = now + 500000000;
		for (unsigned i = 0; i < shared->threads; i++)
			done += XT_PEEK(workers[i].tally.transactions);
		visit->progress(visit->progress_ctx, (double)(now - begin) / 1e9, done);
	}
	totals->events_done = visit->events && !atomic_load(&shared->left);
	atomic_store(word, shared->slices << 8);
	end = xt_mono_ns();
	atomic_store(&shared->stop, 1);
	totals->cpu_ns += (double)(xt_process_cpu_ns() - cpu);
	totals->seconds += (double)(end - begin) / 1e9;
}

static int measure(struct xt_shared *shared, struct xt_worker *workers, const struct xt_visit *visit,
                   _Atomic uint64_t *word, struct xt_totals *totals, struct xt_err *err)
{
	const struct xt_engine *engine = shared->engine;
	int rc = 0;

	if (!xt_gate_wait_until(&shared->gate, xt_mono_ns() + engine->connect_timeout_ns)) {
		atomic_store(&shared->stop, 1);
		rc = xt_err_failed(err, "not all %u threads were connected within %.0f s", shared->threads,
		                   (double)engine->connect_timeout_ns / 1e9);
	} else if (visit->slicing) {
		rc = xt_slices_run(shared, workers, visit, totals, err);
	} else {
		plain_run(shared, workers, visit, word, totals);
	}
	atomic_store(&shared->stop, 1);
	return rc;
}

int xt_engine_visit(const struct xt_engine *engine, const struct xt_visit *visit, struct xt_totals *totals,
                    struct xt_err *err)
{
	/* Without a warm-up everything counts from the gate on: with a limit of events, every one. */
	_Atomic uint64_t word = visit->warmup_ns ? 0 : FIRST_SLICE;
	struct xt_shared shared;
	struct xt_worker *workers = NULL;
	size_t first = visit->slicing ? visit->slicing->slices.n : 0;
	struct xt_err joined = {0};
	int rc;

	if (check_commands(engine, XT_CONNECT, err) || check_commands(engine, XT_RUN, err))
		return -1;
	if (xt_shared_init(&shared, engine, XT_RUN, visit->threads))
		return xt_err_failed(err, "cannot make the start gate");
	shared.word = visit->slicing ? xt_page_word(visit->slicing->page) : &word;
	shared.slices = 2;
	rc = visit->slicing ? xt_slices_limit(visit, &shared.slices, err) : 0;
	if (!rc && visit->slicing)
		xt_page_flip(visit->slicing->page, 0, 0);
	if (!rc)
		rc = xt_workers_start(&shared, &workers, visit, err);
	if (!rc)
		rc = measure(&shared, workers, visit, &word, totals, err);
	atomic_store(&shared.stop, 1);
	/* A worker's own words say more than "not all were connected". */
	if (workers && xt_workers_join(&shared, workers, &joined)) {
		*err = joined;
		rc = -1;
	}
	if (workers && visit->slicing)
		xt_slices_collect(&shared, workers, visit->slicing, first);
	for (unsigned i = 0; workers && i < visit->threads; i++)
		if (add_worker(totals, &workers[i], err))
			rc = -1;
	totals->interrupted |= xt_engine_ended(engine);
	xt_workers_free(&shared, workers);
	xt_shared_destroy(&shared);
	return rc;
}

int xt_engine_section(const struct xt_engine *engine, enum xt_section section, unsigned count, struct xt_err *err)
{
	_Atomic uint64_t word = 0;
	const struct xt_visit visit = {.threads = count};
	struct xt_shared shared;
	struct xt_worker *workers = NULL;
	struct xt_err joined = {0};
	int rc;

	if (check_commands(engine, section, err))
		return -1;
	if (xt_shared_init(&shared, engine, section, count))
		return xt_err_failed(err, "cannot make the start gate");
	shared.word = &word;
	shared.slices = 1;
	rc = xt_workers_start(&shared, &workers, &visit, err);
	if (!rc && !xt_gate_wait_until(&shared.gate, xt_mono_ns() + engine->connect_timeout_ns))
		rc = xt_err_failed(err, "not all %u threads were connected within %.0f s", count,
		                   (double)engine->connect_timeout_ns / 1e9);
	if (rc)
		atomic_store(&shared.stop, 1);
	if (workers && xt_workers_join(&shared, workers, &joined)) {
		*err = joined;
		rc = -1;
	}
	xt_workers_free(&shared, workers);
	xt_shared_destroy(&shared);
	return rc;
}

int xt_engine_prepare(const struct xt_engine *engine, unsigned threads, struct xt_err *err)
{
	unsigned workers = engine->driver->prepare_workers(engine->db);

	if (workers > threads || !workers)
		workers = threads;
	if (xt_engine_section(engine, XT_PREPARE, workers, err))
		return -1;
	if (xt_engine_ended(engine))
		return 0;
	return engine->driver->replicate ? engine->driver->replicate(engine->db, err) : 0;
}

int xt_engine_describe(const struct xt_engine *engine, void (*add)(void *ctx, const char *name, const char *value),
                       void *ctx, struct xt_err *err)
{
	struct xt_conn *conn;

	if (engine->driver->connect(&conn, engine->db, 0, err))
		return -1;
	engine->driver->describe(conn, add, ctx);
	engine->driver->disconnect(conn);
	return 0;
}
