/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One visit to a thread count, and the sections around it: start, gate, measured time, join, sums.
 */
#include "engine/plain.h"
#include "engine/slices.h"

#include "base/mono.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	free(totals->service);
	free(totals->lag);
	free(totals->commands);
	free(totals->scripts);
	free(totals->figures);
	free(totals->threads);
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

/* Makes room once, for sums over visits. */
static int room(void **list, size_t *count, size_t n, size_t size)
{
	if (*list || !n)
		return 0;
	*list = calloc(n, size);
	*count = *list ? n : 0;
	return *list ? 0 : -1;
}

static int make_room(struct xt_totals *t, const struct xt_shared *shared, const struct xt_visit *visit)
{
	const struct xt_program *program = shared->engine->program;
	size_t scripts = xt_program_scripts(program), commands = 0;

	for (size_t i = 0; i < scripts && visit->measure.commands; i++)
		commands += xt_program_code(program, i, XT_RUN)->count;
	if (visit->pace.rate_per_s > 0 && !t->service) {
		t->service = malloc(sizeof(*t->service));
		t->lag = malloc(sizeof(*t->lag));
		if (!t->service || !t->lag)
			return -1;
		xt_hist_init(t->service);
		xt_hist_init(t->lag);
	}
	if (!t->figures) {
		const struct xt_figure *figure;
		size_t figures = xt_program_figures(program, &figure);

		if (room((void **)&t->figures, &t->figure_count, figures, sizeof(*t->figures)))
			return -1;
		for (size_t i = 0; i < t->figure_count; i++)
			t->figures[i] = NAN;
	}
	if (commands && !t->commands) {
		t->commands = xt_command_sums_new(commands);
		t->command_count = t->commands ? commands : 0;
		if (!t->commands)
			return -1;
	}
	if (room((void **)&t->scripts, &t->script_count, scripts > 1 ? scripts : 0, sizeof(*t->scripts)) ||
	    room((void **)&t->threads, &t->thread_count, visit->threads, sizeof(*t->threads)))
		return -1;
	return 0;
}

struct xt_command_sum *xt_command_sums_new(size_t n)
{
	struct xt_command_sum *sums = calloc(n ? n : 1, sizeof(*sums));

	for (size_t i = 0; sums && i < n; i++)
		sums[i].latency.min = UINT64_MAX; /* xt_hist_init() would write to every page */
	return sums;
}

static void add_command(struct xt_command_sum *into, const struct xt_command_sum *from)
{
	xt_hist_merge(&into->latency, &from->latency);
	into->count += from->count;
	into->failures += from->failures;
	into->retries += from->retries;
}

static void add_details(struct xt_totals *t, const struct xt_worker *w)
{
	for (size_t i = 0; w->commands && i < t->command_count; i++)
		add_command(&t->commands[i], &w->commands[i]);
	for (size_t i = 0; w->scripts && i < t->script_count; i++) {
		t->scripts[i].transactions += w->scripts[i].transactions;
		t->scripts[i].failed += w->scripts[i].failed;
		t->scripts[i].skipped += w->scripts[i].skipped;
		t->scripts[i].sum_ns += w->scripts[i].sum_ns;
		t->scripts[i].sum_squares += w->scripts[i].sum_squares;
	}
	for (size_t i = 0; w->figures && i < t->figure_count; i++)
		xt_figure_add(w->shared->engine->program, (int)i, &t->figures[i], w->figures[i]);
	if (w->service && t->service) {
		xt_hist_merge(t->service, w->service);
		xt_hist_merge(t->lag, w->lag);
	}
	if (w->index < t->thread_count) {
		struct xt_thread_sum *sum = &t->threads[w->index];

		sum->transactions += XT_PEEK(w->tally.transactions);
		for (unsigned a = 0; a < XT_MAX_ARMS && w->latency[a]; a++)
			sum->busy_ns += w->latency[a]->sum;
		sum->hash = w->hash;
	}
}

static void add_tally(struct xt_totals *t, const struct xt_tally *from)
{
	t->transactions += XT_PEEK(from->transactions);
	t->failed += XT_PEEK(from->failed);
	t->unfinished += XT_PEEK(from->unfinished);
	t->statements += XT_PEEK(from->statements);
	t->credited += XT_PEEK(from->credited);
	for (int i = 0; i < 3; i++)
		t->queries[i] += XT_PEEK(from->queries[i]);
	for (int i = 0; i < XT_CLASSES; i++) {
		t->errors[i] += XT_PEEK(from->errors[i]);
		t->failures[i] += XT_PEEK(from->failures[i]);
	}
	t->retries += XT_PEEK(from->retries);
	t->retried += XT_PEEK(from->retried);
	t->reconnects += XT_PEEK(from->reconnects);
	t->clock_calls += XT_PEEK(from->clock_calls);
	t->skipped += XT_PEEK(from->skipped);
	t->late += XT_PEEK(from->late);
	t->started += XT_PEEK(from->started);
}

static int add_worker(struct xt_totals *t, const struct xt_worker *w, struct xt_err *err)
{
	add_tally(t, &w->tally);
	t->backlog += w->backlog;
	t->ruler_reads += w->ruler_reads + XT_PEEK(w->tally.transactions) + XT_PEEK(w->tally.failed);
	t->connects += w->connects;
	t->connect_ns += (double)w->connect_ns;
	if ((double)w->connect_max_ns > t->connect_max_ns)
		t->connect_max_ns = (double)w->connect_max_ns;
	t->lock_wait_ns += w->lock_wait_ns;
	t->aborted += w->broken && w->shared->pace->leave_alone;
	for (unsigned a = 0; a < XT_MAX_ARMS; a++)
		if (w->latency[a] && t->latency[a])
			xt_hist_merge(t->latency[a], w->latency[a]);
	add_details(t, w);
	if (keep_pid(&t->tids, &t->tid_count, w->tid) ||
	    keep_pid(&t->servers, &t->server_count, atomic_load(&w->server)))
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
			    !engine->driver->pipeline_start && !(engine->print && engine->print->is_pgsql))
				return xt_err_usage(err, "%s:%d:%d: pipelines need PostgreSQL: the driver %s has none",
				                    c->file, c->line, c->column, engine->driver->name);
		}
	}
	return 0;
}

static int measure(struct xt_shared *shared, struct xt_worker *workers, const struct xt_visit *visit,
                   struct xt_watch *watch, struct xt_totals *totals, struct xt_err *err)
{
	const struct xt_engine *engine = shared->engine;
	uint64_t begin = xt_mono_ns();

	if (!xt_gate_wait_until(&shared->gate, begin + engine->connect_timeout_ns)) {
		atomic_store(&shared->stop, 1);
		return xt_err_failed(err, "not all %u threads were connected within %.0f s", shared->threads,
		                     (double)engine->connect_timeout_ns / 1e9);
	}
	totals->startup_ns += (double)(xt_mono_ns() - begin);
	if (visit->slicing) {
		int rc = xt_slices_run(shared, workers, visit, totals, err);

		atomic_store(&shared->stop, 1);
		return rc;
	}
	xt_plain_run(shared, workers, visit, watch, totals);
	return 0;
}

/* What the visit asks of workers, before they are made. */
static int set_up(struct xt_shared *shared, const struct xt_visit *visit, struct xt_err *err)
{
	const struct xt_pace *pace = &visit->pace;

	shared->pace = pace;
	shared->measure = &visit->measure;
	shared->paced = xt_paced(pace, &visit->measure);
	shared->wall_offset_ns = xt_wall_ns() - xt_mono_ns();
	shared->slices = 2;
	if (!visit->slicing) {
		bool warm_up = visit->warmup_ns || pace->ramp_ns;

		/* Without a warm-up everything counts from the gate on: with a limit of events, every one. */
		atomic_store(&shared->own_word, warm_up ? 0 : XT_FIRST_SLICE);
		shared->word = &shared->own_word;
		shared->warm_up_watched = warm_up && visit->measure.interval_ns;
		return 0;
	}
	shared->word = xt_page_word(visit->slicing->page);
	if (xt_slices_limit(visit, &shared->slices, err))
		return -1;
	xt_page_flip(visit->slicing->page, 0, 0);
	return 0;
}

/* After the join: sums, and the last interval. */
static int collect(struct xt_shared *shared, struct xt_worker *workers, const struct xt_visit *visit,
                   struct xt_totals *totals, struct xt_err *err)
{
	int rc = 0;

	if (make_room(totals, shared, visit))
		rc = xt_err_failed(err, "out of memory");
	for (unsigned i = 0; i < visit->threads; i++)
		if (add_worker(totals, &workers[i], err))
			rc = -1;
	return rc;
}

int xt_engine_visit(const struct xt_engine *engine, const struct xt_visit *visit, struct xt_totals *totals,
                    struct xt_err *err)
{
	struct xt_shared shared;
	struct xt_worker *workers = NULL;
	struct xt_watch *watch = NULL;
	size_t first = visit->slicing ? visit->slicing->slices.n : 0;
	struct xt_err joined = {0};
	int rc;

	if (check_commands(engine, XT_CONNECT, err) || check_commands(engine, XT_RUN, err))
		return -1;
	if (xt_shared_init(&shared, engine, XT_RUN, visit->threads))
		return xt_err_failed(err, "cannot make the start gate");
	rc = set_up(&shared, visit, err);
	if (!rc && (visit->measure.interval_ns || visit->measure.checkpoint_count))
		rc = (watch = xt_watch_new(visit, err)) ? 0 : -1;
	if (!rc)
		rc = xt_workers_start(&shared, &workers, visit, err);
	if (!rc)
		rc = measure(&shared, workers, visit, watch, totals, err);
	atomic_store(&shared.stop, 1);
	/* A worker's own words say more than "not all were connected". */
	if (workers && xt_workers_join(&shared, workers, &joined)) {
		*err = joined;
		rc = -1;
	}
	if (workers && !visit->slicing)
		xt_watch_end(watch, &shared, workers, atomic_load(&shared.stopped_at_ns));
	if (workers && visit->slicing)
		xt_slices_collect(&shared, workers, visit->slicing, first);
	if (workers && collect(&shared, workers, visit, totals, err))
		rc = -1;
	totals->interrupted |= xt_engine_ended(engine);
	xt_watch_free(watch);
	xt_workers_free(&shared, workers);
	xt_shared_destroy(&shared);
	return rc;
}

static int run_section(const struct xt_engine *engine, enum xt_section section, unsigned count,
                       struct xt_validation *validation, struct xt_err *err)
{
	const struct xt_visit visit = {.threads = count};
	struct xt_shared shared;
	struct xt_worker *workers = NULL;
	struct xt_err joined = {0};
	int rc;

	if (check_commands(engine, section, err))
		return -1;
	if (xt_shared_init(&shared, engine, section, count))
		return xt_err_failed(err, "cannot make the start gate");
	shared.word = &shared.own_word;
	shared.pace = &visit.pace;
	shared.measure = &visit.measure;
	shared.slices = 1;
	shared.validation = validation;
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
	for (unsigned i = 0; workers && validation && i < count; i++)
		validation->checks += workers[i].checks;
	xt_workers_free(&shared, workers);
	xt_shared_destroy(&shared);
	return rc;
}

int xt_engine_section(const struct xt_engine *engine, enum xt_section section, unsigned count, struct xt_err *err)
{
	return run_section(engine, section, count, NULL, err);
}

int xt_engine_validate(const struct xt_engine *engine, struct xt_validation *validation, struct xt_err *err)
{
	validation->checks = 0;
	return run_section(engine, XT_VALIDATE, validation->workers, validation, err);
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
