/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Workers: their memory, their threads, their main loop, their end.
 */
#include "engine/worker.h"

#include "base/mono.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int xt_shared_init(struct xt_shared *shared, const struct xt_engine *engine, enum xt_section section, unsigned threads)
{
	memset(shared, 0, sizeof(*shared));
	shared->engine = engine;
	shared->section = section;
	shared->threads = threads;
	shared->policy = xt_program_errors(engine->program);
	atomic_init(&shared->left, threads);
	if (xt_gate_init(&shared->gate, threads + 1))
		return -1;
	if (xt_gate_init(&shared->barrier, threads)) {
		xt_gate_destroy(&shared->gate);
		return -1;
	}
	return 0;
}

void xt_shared_destroy(struct xt_shared *shared)
{
	xt_gate_destroy(&shared->gate);
	xt_gate_destroy(&shared->barrier);
}

static void add_scratch(struct xt_scratch *into, const struct xt_scratch *from)
{
	into->statements += from->statements;
	into->credited += from->credited;
	for (int i = 0; i < 3; i++)
		into->queries[i] += from->queries[i];
	for (int i = 0; i < XT_CLASSES; i++)
		into->errors[i] += from->errors[i];
	into->retries += from->retries;
	into->clock_calls += from->clock_calls;
	into->reconnects += from->reconnects;
}

/* One of several scripts, by weight. */
static const struct xt_code *choose(struct xt_worker *w)
{
	const struct xt_program *program = w->shared->engine->program;
	size_t scripts = xt_program_scripts(program), i = 0;
	double x = xt_rng_unit(&w->choice) * w->weight_end[scripts - 1];

	while (i < scripts - 1 && x >= w->weight_end[i])
		i++;
	return xt_program_code(program, i, XT_RUN);
}

/* The end of a transaction that began under `before`: counted when it lies in the measured slices. */
static void settle(struct xt_worker *w, enum xt_outcome outcome, uint64_t begin, uint64_t end, uint64_t before)
{
	uint64_t slice;

	if (outcome == XT_DONE && !w->scratch.credited)
		xt_worker_credit(w);
	slice = xt_word_slice(atomic_load_explicit(w->shared->word, memory_order_relaxed));
	if (slice && slice < w->shared->slices) {
		/* A transaction that only computes has nothing else to add. */
		if (w->scratch.statements | w->scratch.clock_calls | w->scratch.retries | (outcome != XT_DONE))
			add_scratch(&w->tally.sum, &w->scratch);
		else
			w->tally.sum.credited += w->scratch.credited;
		if (outcome == XT_DONE) {
			struct xt_hist *hist = w->latency[xt_word_arm(before)];

			XT_BUMP(w->tally.transactions, 1);
			if (hist)
				xt_hist_add(hist, end > begin ? end - begin : 0);
		} else if (outcome == XT_GIVEN_UP) {
			XT_BUMP(w->tally.failed, 1);
		}
	}
	if (w->scratch.statements | w->scratch.clock_calls | w->scratch.retries | (outcome != XT_DONE))
		memset(&w->scratch, 0, sizeof(w->scratch));
	else
		w->scratch.credited = 0;
}

/* The loop that is measured. One reading of the ruler a transaction: an end is the next one's begin. */
static void drive(struct xt_worker *w)
{
	struct xt_shared *shared = w->shared;
	bool mixed = xt_program_scripts(shared->engine->program) > 1;
	const struct xt_code *only = xt_program_code(shared->engine->program, 0, XT_RUN);
	uint64_t begin = xt_mono_ns();
	uint64_t word = atomic_load_explicit(shared->word, memory_order_relaxed);

	while (!atomic_load_explicit(&shared->stop, memory_order_relaxed)) {
		if (w->limited && XT_PEEK(w->tally.transactions) >= w->quota)
			return;
		enum xt_outcome outcome = xt_exec_transaction(w, mixed ? choose(w) : only);
		uint64_t end = xt_mono_ns();

		if (outcome == XT_BROKEN)
			return;
		if (outcome == XT_STOPPED) {
			if (atomic_load_explicit(&shared->cancelled, memory_order_relaxed))
				XT_BUMP(w->tally.unfinished, 1);
			return;
		}
		settle(w, outcome, begin, end, word);
		begin = end;
		word = atomic_load_explicit(shared->word, memory_order_relaxed);
	}
}

static bool run_connect_sections(struct xt_worker *w)
{
	const struct xt_program *program = w->shared->engine->program;

	for (size_t i = 0; i < xt_program_scripts(program); i++)
		if (xt_exec_once(w, xt_program_code(program, i, XT_CONNECT)) != XT_DONE)
			return false;
	return true;
}

static void run_section(struct xt_worker *w)
{
	const struct xt_program *program = w->shared->engine->program;

	for (size_t i = 0; i < xt_program_scripts(program); i++)
		if (xt_exec_once(w, xt_program_code(program, i, w->shared->section)) != XT_DONE)
			return;
}

static void *worker_main(void *arg)
{
	struct xt_worker *w = arg;
	struct xt_shared *shared = w->shared;
	const struct xt_driver *driver = shared->engine->driver;
	struct xt_conn *conn = NULL;
	bool ready;

	w->tid = (pid_t)syscall(SYS_gettid);
	ready = !driver->connect(&conn, shared->engine->db, w->index, &w->err);
	if (ready) {
		atomic_store(&w->conn, conn);
		if (driver->server_pid)
			w->server = driver->server_pid(conn);
	}
	if (ready && shared->section == XT_RUN)
		ready = run_connect_sections(w);
	memset(&w->scratch, 0, sizeof(w->scratch));
	if (!ready) {
		w->broken = true;
		xt_gate_fail(&shared->gate);
	} else if (xt_gate_wait(&shared->gate)) {
		if (shared->section == XT_RUN)
			drive(w);
		else
			run_section(w);
	}
	if (w->broken) {
		atomic_store(&shared->stop, 1);
		xt_gate_fail(&shared->barrier);
	}
	if (driver->lock_wait_ns && conn)
		w->lock_wait_ns = driver->lock_wait_ns(conn);
	atomic_fetch_sub(&shared->left, 1);
	return NULL;
}

static int make_worker(struct xt_worker *w, struct xt_shared *shared, const struct xt_visit *visit)
{
	const struct xt_engine *engine = shared->engine;
	struct xt_env_options options = {
		.seed = engine->seed,
		.client_id = w->index,
		.threads = shared->threads,
		.is_sqlite = engine->driver->is_sqlite,
		.is_pgsql = engine->driver->is_pgsql,
		.scale_known = engine->scale_known,
		.scale = engine->scale,
		.rand = engine->rand,
	};

	xt_rng_init(&w->choice, engine->seed, w->index, XT_RNG_CHOICE);
	w->env = xt_env_new(engine->program, &options);
	w->stmts = xt_stmts_new(engine->driver, engine->program);
	w->credit = calloc(shared->slices + 1, sizeof(*w->credit));
	if (!w->env || !w->stmts || !w->credit)
		return -1;
	if (shared->section != XT_RUN)
		return 0;
	for (unsigned i = 0; i < (visit->slicing ? visit->slicing->arms : 1); i++) {
		w->latency[i] = malloc(sizeof(struct xt_hist));
		if (!w->latency[i])
			return -1;
		xt_hist_init(w->latency[i]);
	}
	w->limited = visit->events != 0;
	if (w->limited)
		w->quota = visit->events / shared->threads + (w->index < visit->events % shared->threads);
	return 0;
}

static double *cumulative_weights(const struct xt_engine *engine)
{
	size_t n = xt_program_scripts(engine->program);
	double *end = calloc(n, sizeof(*end));
	double sum = 0;

	for (size_t i = 0; end && i < n; i++)
		end[i] = sum += engine->weights ? engine->weights[i] : 1;
	return end;
}

int xt_workers_start(struct xt_shared *shared, struct xt_worker **out, const struct xt_visit *visit, struct xt_err *err)
{
	struct xt_worker *workers = xt_aligned_calloc(shared->threads, sizeof(*workers));
	double *weights = cumulative_weights(shared->engine);

	*out = workers;
	if (!workers || !weights) {
		free(weights);
		free(workers);
		*out = NULL;
		return xt_err_failed(err, "out of memory");
	}
	for (unsigned i = 0; i < shared->threads; i++) {
		workers[i].shared = shared;
		workers[i].index = i;
		workers[i].weight_end = weights;
	}
	for (unsigned i = 0; i < shared->threads; i++)
		if (make_worker(&workers[i], shared, visit))
			return xt_err_failed(err, "out of memory for worker %u", i);
	for (unsigned i = 0; i < shared->threads; i++) {
		int rc = pthread_create(&workers[i].thread, NULL, worker_main, &workers[i]);

		if (rc) {
			xt_gate_fail(&shared->gate);
			return xt_err_failed(err, "cannot start thread %u of %u: %s", i + 1, shared->threads,
			                     strerror(rc));
		}
		workers[i].started = true;
	}
	return 0;
}

/* Waits until no worker runs or the deadline is reached; true when none runs. */
static bool wait_left(struct xt_shared *shared, unsigned not_started, uint64_t deadline)
{
	while (atomic_load(&shared->left) > not_started) {
		uint64_t now = xt_mono_ns();

		if (now >= deadline)
			return false;
		xt_mono_sleep_until(now + 1000000 < deadline ? now + 1000000 : deadline);
	}
	return true;
}

/* Tells running statements to end, again and again: one may be just between two statements. */
static void cancel_all(struct xt_shared *shared, struct xt_worker *workers, unsigned not_started)
{
	const struct xt_driver *driver = shared->engine->driver;

	atomic_store(&shared->cancelled, 1);
	do {
		for (unsigned i = 0; i < shared->threads; i++)
			if (atomic_load(&workers[i].conn) && driver->cancel)
				driver->cancel(atomic_load(&workers[i].conn));
	} while (!wait_left(shared, not_started, xt_mono_ns() + 20000000));
}

int xt_workers_join(struct xt_shared *shared, struct xt_worker *workers, struct xt_err *err)
{
	const struct xt_engine *engine = shared->engine;
	unsigned not_started = 0;
	uint64_t limit = UINT64_MAX;

	for (unsigned i = 0; i < shared->threads; i++)
		not_started += !workers[i].started;
	/* A section runs as long as it takes, unless the user ends it; a visit was told to stop already. */
	while (!wait_left(shared, not_started, xt_mono_ns() + 10000000)) {
		if (xt_engine_ended(engine))
			atomic_store(&shared->stop, 1);
		if (atomic_load(&shared->stop) && limit == UINT64_MAX)
			limit = xt_mono_ns() + (xt_engine_ended(engine) ? engine->grace_ns / 10 : engine->grace_ns);
		if (xt_mono_ns() >= limit) {
			cancel_all(shared, workers, not_started);
			break;
		}
	}
	for (unsigned i = 0; i < shared->threads; i++)
		if (workers[i].started)
			pthread_join(workers[i].thread, NULL);
	for (unsigned i = 0; i < shared->threads; i++)
		if (workers[i].broken) {
			*err = workers[i].err;
			return xt_err_context(err, "thread %u", workers[i].index);
		}
	return 0;
}

void xt_workers_free(struct xt_shared *shared, struct xt_worker *workers)
{
	if (!workers)
		return;
	free(workers[0].weight_end);
	for (unsigned i = 0; i < shared->threads; i++) {
		struct xt_worker *w = &workers[i];

		xt_stmts_free(w->stmts, w->conn);
		shared->engine->driver->disconnect(w->conn);
		if (w->env)
			xt_env_free(w->env);
		for (unsigned a = 0; a < XT_MAX_ARMS; a++)
			free(w->latency[a]);
		free((void *)w->credit);
		xt_buf_free(&w->text);
	}
	free(workers);
}
