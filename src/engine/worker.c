/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Workers: their memory, their threads, their main loop, their end.
 */
#include "engine/worker.h"

#include "base/mono.h"

#include <math.h>
#include <sched.h>
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

/* What a validate section knows of the run. */
static bool tell_of_run(struct xt_worker *w)
{
	const struct xt_validation *v = w->shared->validation;
	size_t scripts = xt_program_scripts(w->shared->engine->program);
	struct xt_value count = xt_int((int64_t)scripts), done;

	if (!v)
		return true;
	done = xt_int((int64_t)v->transactions[w->index * scripts + w->script]);
	if (!xt_env_set_name(w->env, "transactions", &done, &w->err) &&
	    !xt_env_set_name(w->env, "scripts", &count, &w->err))
		return true;
	xt_worker_name(w);
	w->broken = true;
	return false;
}

static void run_section(struct xt_worker *w)
{
	const struct xt_program *program = w->shared->engine->program;

	for (w->script = 0; w->script < xt_program_scripts(program); w->script++)
		if (!tell_of_run(w) ||
		    xt_exec_once(w, xt_program_code(program, w->script, w->shared->section)) != XT_DONE)
			return;
}

/* Up to the gate: connection, connect sections, the log. */
static bool get_ready(struct xt_worker *w)
{
	const struct xt_shared *shared = w->shared;

	if (!xt_worker_connect(w)) {
		xt_err_context(&w->err, "client %u", w->index);
		return false;
	}
	if (shared->section != XT_RUN)
		return true;
	if (!xt_worker_run_connect(w))
		return false;
	memset(&w->scratch, 0, sizeof(w->scratch));
	w->hash = 0xcbf29ce484222325u;
	w->hashing = shared->measure->hash;
	if (shared->measure->log) {
		w->log = xt_txlog_open(w, &w->err);
		if (!w->log) {
			xt_err_context(&w->err, "client %u", w->index);
			return false;
		}
	}
	return true;
}

static void drive(struct xt_worker *w)
{
	struct xt_shared *shared = w->shared;
	uint64_t now = xt_mono_ns(), begin = now + shared->pace->ramp_ns * w->index / shared->threads, none = 0;

	atomic_compare_exchange_strong(&shared->opened_at_ns, &none, now);
	for (; shared->pace->ramp_ns && now < begin && !atomic_load(&shared->stop); now = xt_mono_ns())
		xt_mono_sleep_until(now + 50000000 < begin ? now + 50000000 : begin);
	if (shared->paced)
		xt_worker_drive_paced(w);
	else
		xt_worker_drive(w);
}

static void *worker_main(void *arg)
{
	struct xt_worker *w = arg;
	struct xt_shared *shared = w->shared;

	w->tid = (pid_t)syscall(SYS_gettid);
	if (!get_ready(w)) {
		w->broken = true;
		xt_gate_fail(&shared->gate);
	} else if (xt_gate_wait(&shared->gate)) {
		if (shared->section == XT_RUN) {
			drive(w);
			if (!w->broken)
				xt_worker_run_disconnect(w);
		} else {
			run_section(w);
		}
	}
	if (xt_txlog_close(w->log, w->broken ? NULL : &w->err) && !w->broken) {
		xt_err_context(&w->err, "client %u", w->index);
		w->broken = true;
	}
	if (w->broken && !(shared->section == XT_RUN && shared->pace->leave_alone)) {
		atomic_store(&shared->stop, 1);
		xt_gate_fail(&shared->barrier);
	} else {
		xt_gate_leave(&shared->barrier);
	}
	xt_worker_leave(w);
	atomic_fetch_sub(&shared->left, 1);
	return NULL;
}

static int pin(struct xt_worker *w, pthread_attr_t *attr)
{
	const struct xt_pace *pace = w->shared->pace;
	cpu_set_t set;

	if (!pace->cpu_count)
		return 0;
	CPU_ZERO(&set);
	CPU_SET(pace->cpus[w->index % pace->cpu_count], &set);
	return pthread_attr_setaffinity_np(attr, sizeof(set), &set);
}

static struct xt_hist *new_hist(void)
{
	struct xt_hist *hist = malloc(sizeof(*hist));

	if (hist)
		xt_hist_init(hist);
	return hist;
}

/* What is watched of a visit's worker. */
static int make_measures(struct xt_worker *w, const struct xt_visit *visit)
{
	const struct xt_shared *shared = w->shared;
	const struct xt_program *program = shared->engine->program;
	const struct xt_figure *figure;
	size_t scripts = xt_program_scripts(program), commands = 0, figures;

	for (size_t i = 0; i < scripts; i++)
		commands += xt_program_code(program, i, XT_RUN)->count;
	for (unsigned i = 0; i < (visit->slicing ? visit->slicing->arms : 1); i++) {
		w->latency[i] = new_hist();
		if (!w->latency[i])
			return -1;
	}
	if (shared->warm_up_watched && !(w->warm_latency = new_hist()))
		return -1;
	if (visit->pace.rate_per_s > 0 && (!(w->service = new_hist()) || !(w->lag = new_hist())))
		return -1;
	if (visit->measure.commands) {
		w->commands = xt_command_sums_new(commands);
		if (!w->commands)
			return -1;
	}
	if (scripts > 1) {
		w->scripts = xt_aligned_calloc(scripts, sizeof(*w->scripts));
		if (!w->scripts)
			return -1;
	}
	figures = xt_program_figures(program, &figure);
	if (figures) {
		w->figures = xt_aligned_calloc(figures, sizeof(*w->figures));
		if (!w->figures)
			return -1;
		for (size_t i = 0; i < figures; i++)
			w->figures[i] = NAN;
	}
	if (visit->pace.transactions) {
		w->limited = true;
		w->quota = visit->pace.transactions;
	} else if (visit->events) {
		w->limited = true;
		w->quota = visit->events / shared->threads + (w->index < visit->events % shared->threads);
	}
	return 0;
}

static int make_worker(struct xt_worker *w, struct xt_shared *shared, const struct xt_visit *visit)
{
	const struct xt_engine *engine = shared->engine;
	struct xt_env_options options = {
		.seed = engine->seed,
		.client_id = w->index,
		.threads = shared->threads,
		.is_sqlite = engine->print ? engine->print->is_sqlite : engine->driver->is_sqlite,
		.is_pgsql = engine->print ? engine->print->is_pgsql : engine->driver->is_pgsql,
		.scale_known = engine->scale_known,
		.scale = engine->scale,
		.rand = engine->rand,
	};

	w->section = shared->section;
	xt_rng_init(&w->choice, engine->seed, w->index, XT_RNG_CHOICE);
	w->env = xt_env_new(engine->program, &options);
	w->stmts = xt_stmts_new(engine->driver, engine->program);
	w->credit = calloc(shared->slices + 1, sizeof(*w->credit));
	if (!w->env || !w->stmts || !w->credit)
		return -1;
	if (engine->print)
		xt_env_fill(w->env);
	if (shared->section != XT_RUN)
		return 0;
	return make_measures(w, visit);
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

/* 0, or the errno value. */
static int start_thread(struct xt_worker *w)
{
	pthread_attr_t attr;
	int rc = pthread_attr_init(&attr);

	if (rc)
		return rc;
	rc = pin(w, &attr);
	if (!rc)
		rc = pthread_create(&w->thread, &attr, worker_main, w);
	pthread_attr_destroy(&attr);
	return rc;
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
		pthread_mutex_init(&workers[i].conn_lock, NULL);
		workers[i].shell.lock = &workers[i].conn_lock;
	}
	for (unsigned i = 0; i < shared->threads; i++)
		if (make_worker(&workers[i], shared, visit))
			return xt_err_failed(err, "out of memory for worker %u", i);
	for (unsigned i = 0; i < shared->threads; i++) {
		int rc = start_thread(&workers[i]);

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
		for (unsigned i = 0; i < shared->threads; i++) {
			pthread_mutex_lock(&workers[i].conn_lock);
			if (atomic_load(&workers[i].conn) && driver->cancel)
				driver->cancel(atomic_load(&workers[i].conn));
			if (workers[i].shell.group) {
				atomic_store(&workers[i].shell_killed, true);
				xt_shell_kill(&workers[i].shell);
			}
			pthread_mutex_unlock(&workers[i].conn_lock);
		}
	} while (!wait_left(shared, not_started, xt_mono_ns() + 20000000));
}

/* How long running statements may go on after the end; an impatient user waits a tenth. */
static uint64_t patience_ns(const struct xt_engine *engine)
{
	if (!xt_engine_ended(engine))
		return engine->grace_ns;
	return engine->grace_ns == UINT64_MAX ? 500000000 : engine->grace_ns / 10;
}

int xt_workers_join(struct xt_shared *shared, struct xt_worker *workers, struct xt_err *err)
{
	const struct xt_engine *engine = shared->engine;
	unsigned not_started = 0;
	uint64_t since = 0;

	for (unsigned i = 0; i < shared->threads; i++)
		not_started += !workers[i].started;
	/* A section runs as long as it takes, unless the user ends it; a visit was told to stop already. */
	while (!wait_left(shared, not_started, xt_mono_ns() + 10000000)) {
		if (xt_engine_ended(engine))
			atomic_store(&shared->stop, 1);
		if (atomic_load(&shared->stop) && !since)
			since = xt_mono_ns();
		if (since && xt_mono_ns() - since >= patience_ns(engine)) {
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
			return -1;
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
		free(w->warm_latency);
		free(w->service);
		free(w->lag);
		free(w->commands);
		free(w->scripts);
		free(w->figures);
		pthread_mutex_destroy(&w->conn_lock);
		free((void *)w->credit);
		xt_buf_free(&w->text);
	}
	free(workers);
}
