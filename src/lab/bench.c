/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The half of the microbench that runs: calibration, rounds, threads in step.
 */
#include "lab/bench.h"

#include "base/align.h"
#include "base/mono.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
	MIN_ROUNDS = 7,
	WANTED_ROUNDS = 40,
	MIN_BATCH_NS = 20000,
	MAX_BATCH_NS = 200000,
	LOOK_NS = 300000, /* how long a clock is watched for its resolution at first */
	LOOK_STEPS = 500,
	COARSEST_NS = 25000000, /* and at most, when it has not moved twice by then */
	MAX_THREADS = 256,
};

struct bench {
	const struct xt_call *calls;
	const struct xt_bench_setup *setup;
	size_t n;
	size_t *row;   /* indexes of the available calls */
	size_t rows;   /* how many */
	size_t *count; /* calls per batch, by row */
	size_t rounds;
	uint64_t *last; /* latest reading of each call, by call */
	struct xt_timing *out;
	XT_ALIGNED _Atomic unsigned arrived; /* the barrier between batches */
	XT_ALIGNED _Atomic unsigned gate;
	_Atomic bool called_off;
	bool ending; /* after the meeting that is next */
};

struct bench_thread {
	XT_ALIGNED struct bench *bench;
	double *ns; /* [row * rounds + round] */
	size_t *order;
	size_t done; /* rounds finished */
	bool first;
	pthread_t thread;
};

/* All threads leave together; false when the run is called off. Spins, since a sleeper would wake tens of microseconds
 * late; gives way when there are more threads than CPUs. */
static bool meet(struct bench *b)
{
	unsigned gate, spins = 0;

	if (b->setup->threads < 2)
		return true;
	gate = atomic_load(&b->gate);
	if (atomic_fetch_add(&b->arrived, 1) + 1 == b->setup->threads) {
		atomic_store(&b->arrived, 0);
		atomic_store(&b->gate, gate + 1);
		return true;
	}
	while (atomic_load_explicit(&b->gate, memory_order_acquire) == gate) {
		if (++spins % 1000)
			continue;
		if (atomic_load(&b->called_off))
			return false;
		sched_yield();
	}
	return true;
}

static uint64_t time_batch(const struct xt_call *call, size_t n)
{
	uint64_t start = xt_mono_ns();

	call->batch(call, n);
	return xt_mono_ns() - start;
}

/* The best of a few batches: the first pays for cold caches and page faults, another may lose its CPU. */
static uint64_t best_batch(const struct xt_call *call, size_t n)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 4; i++) {
		uint64_t took = time_batch(call, n);

		if (took < best)
			best = took;
	}
	return best;
}

/* Calls per batch: doubled until the time can be told, then scaled. */
static size_t calibrate(const struct xt_call *call, uint64_t target_ns)
{
	size_t n = 1;
	uint64_t best = best_batch(call, n);

	while (best < target_ns / 8 && n < (size_t)1 << 24) {
		n *= 2;
		best = best_batch(call, n);
	}
	return xt_bench_scale(n, best, target_ns);
}

/* Watches a clock until it has moved often, or has had the time to. */
static void observe(const struct xt_call *call, struct xt_timing *out)
{
	uint64_t start = xt_mono_ns(), last = 0, now, elapsed;
	struct xt_instant instant;
	unsigned steps = 0;

	do {
		if (call->value(call, &instant))
			return;
		now = xt_instant_ns(&instant);
		if (last && now != last)
			steps++;
		xt_bench_note_step(last, now, out);
		last = now;
		elapsed = xt_mono_ns() - start;
	} while (steps < LOOK_STEPS && (elapsed < LOOK_NS || (steps < 3 && elapsed < COARSEST_NS)));
}

/* A clock of whole seconds moves too seldom to be watched on purpose; from round to round it is seen moving. */
static void look_again(struct bench *b)
{
	enum { COARSE_NS = 1000000 };

	for (size_t row = 0; row < b->rows; row++) {
		size_t i = b->row[row];
		struct xt_instant instant;
		uint64_t now;

		if (!b->calls[i].value || b->out[i].resolution_ns < COARSE_NS ||
		    b->calls[i].value(&b->calls[i], &instant))
			continue;
		now = xt_instant_ns(&instant);
		xt_bench_note_step(b->last[i], now, &b->out[i]);
		b->last[i] = now;
	}
}

static bool wants_end(const struct bench *b, size_t round)
{
	return round >= MIN_ROUNDS && b->setup->interrupted && atomic_load(b->setup->interrupted);
}

static void *run_thread(void *arg)
{
	struct bench_thread *t = arg;
	struct bench *b = t->bench;

	for (size_t round = 0; round < b->rounds; round++) {
		xt_bench_shuffle(b->setup->seed, round, t->order, b->rows);
		/* The first thread decides, before it meets the others, who read it after that meeting. */
		if (t->first)
			b->ending = wants_end(b, round);
		for (size_t i = 0; i < b->rows; i++) {
			size_t row = t->order[i];

			if (!meet(b) || (i == 0 && b->ending))
				return NULL;
			t->ns[row * b->rounds + round] =
				(double)time_batch(&b->calls[b->row[row]], b->count[row]) / (double)b->count[row];
		}
		t->done++;
		if (t->first)
			look_again(b);
	}
	return NULL;
}

/* The mean over the threads of each round, summarised over the rounds. */
static void collect(const struct bench *b, const struct bench_thread *threads, struct xt_timing *out)
{
	size_t rounds = threads[0].done;
	double *v = threads[0].ns; /* the means take the place of the first thread's figures */

	for (size_t row = 0; row < b->rows; row++) {
		double *mean = v + row * b->rounds;

		for (size_t round = 0; round < rounds; round++) {
			for (unsigned t = 1; t < b->setup->threads; t++)
				mean[round] += threads[t].ns[row * b->rounds + round];
			mean[round] /= b->setup->threads;
		}
		xt_bench_summarise(mean, rounds, &out[b->row[row]]);
	}
}

static int run_threads(struct bench *b, struct bench_thread *threads, struct xt_err *err)
{
	sigset_t all, old;
	unsigned started;
	int rc = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (started = 1; started < b->setup->threads; started++) {
		rc = pthread_create(&threads[started].thread, NULL, run_thread, &threads[started]);
		if (rc)
			break;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc)
		atomic_store(&b->called_off, true);
	else
		run_thread(&threads[0]);
	for (unsigned t = 1; t < started; t++)
		pthread_join(threads[t].thread, NULL);
	return rc ? xt_err_failed(err, "cannot start thread %u: %s", started, strerror(rc)) : 0;
}

/* Which calls there are, how many of each make a batch, and how many rounds fit. */
static void plan(struct bench *b)
{
	double all, batch;

	for (size_t i = 0; i < b->n; i++)
		if (b->calls[i].available)
			b->row[b->rows++] = i;
	all = (double)b->setup->duration_ns;
	batch = all / WANTED_ROUNDS / (double)(b->rows ? b->rows : 1);
	if (batch < MIN_BATCH_NS)
		batch = MIN_BATCH_NS;
	if (batch > MAX_BATCH_NS)
		batch = MAX_BATCH_NS;
	/* Threads start a batch within a microsecond or so of each other: longer batches overlap better. */
	if (b->setup->threads > 1 && batch < MAX_BATCH_NS)
		batch = MAX_BATCH_NS;
	for (size_t row = 0; row < b->rows; row++)
		b->count[row] = calibrate(&b->calls[b->row[row]], (uint64_t)batch);
	b->rounds = b->rows ? (size_t)(all / batch / (double)b->rows) : 0;
	if (b->rounds < MIN_ROUNDS)
		b->rounds = MIN_ROUNDS;
}

static int make_threads(struct bench *b, struct bench_thread *threads)
{
	for (unsigned t = 0; t < b->setup->threads; t++) {
		threads[t].bench = b;
		threads[t].first = t == 0;
		threads[t].ns = calloc(b->rows * b->rounds + 1, sizeof(double));
		threads[t].order = calloc(b->rows + 1, sizeof(size_t));
		if (!threads[t].ns || !threads[t].order)
			return -1;
	}
	return 0;
}

static int run(struct bench *b, struct xt_timing *out, struct xt_err *err)
{
	struct bench_thread *threads;
	int rc = -1;

	plan(b);
	threads = xt_aligned_calloc(b->setup->threads, sizeof(*threads));
	if (!threads || make_threads(b, threads))
		xt_err_failed(err, "out of memory");
	else
		rc = run_threads(b, threads, err);
	if (!rc)
		collect(b, threads, out);
	for (unsigned t = 0; threads && t < b->setup->threads; t++) {
		free(threads[t].ns);
		free(threads[t].order);
	}
	free(threads);
	return rc;
}

int xt_bench_run(const struct xt_call *calls, size_t n, const struct xt_bench_setup *setup, struct xt_timing *out,
                 struct xt_err *err)
{
	struct bench b = {.calls = calls, .setup = setup, .n = n, .out = out};
	int rc = -1;

	if (setup->threads < 1 || setup->threads > MAX_THREADS)
		return xt_err_usage(err, "%u threads: 1 to %d are allowed", setup->threads, MAX_THREADS);
	for (size_t i = 0; i < n; i++) {
		out[i] = (struct xt_timing){.ns = NAN, .lo = NAN, .hi = NAN, .resolution_ns = NAN};
		if (calls[i].available && calls[i].value)
			observe(&calls[i], &out[i]);
	}
	b.row = calloc(n + 1, sizeof(*b.row));
	b.count = calloc(n + 1, sizeof(*b.count));
	b.last = calloc(n + 1, sizeof(*b.last));
	if (!b.row || !b.count || !b.last)
		xt_err_failed(err, "out of memory");
	else
		rc = run(&b, out, err);
	free(b.row);
	free(b.count);
	free(b.last);
	return rc;
}
