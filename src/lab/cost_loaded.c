/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cost of a call while as many CPUs are busy as the load keeps busy. Each slice gives a sample of what a call takes
 * and one of what it does to its caller's caches; a sample is a mean over its slice, as a slice of the experiment is.
 */
#include "lab/cost.h"

#include "base/align.h"
#include "base/mono.h"
#include "base/rng.h"
#include "lab/working_set.h"
#include "stats/summary.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 32, WALKS = 8, SLICE_NS = 2000000 };

/* A mean in the making. */
struct mean {
	double sum;
	uint64_t n;
};

struct caller {
	XT_ALIGNED struct xt_cost_pool pool;
	struct board *board;
	struct xt_working_set *set;
	pthread_t thread;
	bool short_of_memory;
};

/* What the callers are to call now; the page's word says under which arm. */
struct board {
	struct xt_page *page;
	const _Atomic uint64_t *word;
	bool cooling; /* as in struct xt_cost_load */
	atomic_int function;
	atomic_int stop;
};

/* What a caller found in the slice that runs. */
struct found {
	uint64_t word;
	enum xt_function function;
	struct mean call, after, still; /* walks after a call, and walks without */
};

static int add_sample(struct xt_cost_series *s, double value)
{
	if (s->n == s->room) {
		size_t room = s->room ? 2 * s->room : 64;
		double *v = realloc(s->v, room * sizeof(*v));

		if (!v)
			return -1;
		s->v = v;
		s->room = room;
	}
	s->v[s->n++] = value;
	return 0;
}

static double mean_of(const struct mean *m)
{
	return m->sum / (double)m->n;
}

static void close_slice(struct caller *c, const struct found *f)
{
	unsigned arm = xt_word_arm(f->word);

	if (f->call.n && add_sample(&c->pool.call[f->function][arm], mean_of(&f->call)))
		c->short_of_memory = true;
	if (f->after.n && f->still.n &&
	    add_sample(&c->pool.cooling[f->function][arm], mean_of(&f->after) - mean_of(&f->still)))
		c->short_of_memory = true;
}

/* The first walks after a change settle the caches and are left out. */
static void walk(struct caller *c, enum xt_function function, bool calling, struct mean *into)
{
	for (int i = 0; i < WALKS; i++) {
		uint64_t ns;

		if (calling)
			xt_cost_call(function, 1);
		ns = xt_working_set_walk(c->set);
		if (ns && i >= WALKS / 4) {
			into->sum += (double)ns;
			into->n++;
		}
	}
}

static bool flipped(struct board *b, const struct found *f)
{
	return atomic_load(b->word) != f->word || atomic_load(&b->function) != (int)f->function;
}

static void *call_on(void *arg)
{
	struct caller *c = arg;
	struct board *b = c->board;
	struct found f = {0};

	while (!atomic_load_explicit(&b->stop, memory_order_relaxed)) {
		struct found now;
		uint64_t begin;

		if (flipped(b, &f)) {
			close_slice(c, &f);
			f = (struct found){.word = atomic_load(b->word),
			                   .function = (enum xt_function)atomic_load(&b->function)};
		}
		now = f;
		begin = xt_mono_ns();
		xt_cost_call(f.function, BATCH);
		now.call.sum += (double)(xt_mono_ns() - begin);
		now.call.n += BATCH;
		if (b->cooling) {
			walk(c, f.function, true, &now.after);
			walk(c, f.function, false, &now.still);
		}
		/* A turn that saw a flip belongs to nobody. */
		if (!flipped(b, &f))
			f = now;
	}
	close_slice(c, &f);
	return NULL;
}

/* Every function under every arm, a slice each, in a new order each round, until the budget is spent. */
static void flip_through(struct board *b, unsigned arms, struct xt_rng *rng, uint64_t budget_ns)
{
	static const enum xt_function functions[] = {XT_FN_TIME, XT_FN_GETTIMEOFDAY, XT_FN_CLOCK_GETTIME,
	                                             XT_FN_MONOTONIC};
	unsigned cell[XT_MAX_ARMS * 4], count = 0;
	uint64_t slice = 0, end = xt_mono_ns() + budget_ns;

	for (unsigned a = 0; a < arms; a++)
		for (unsigned f = 0; f < 4; f++)
			if (xt_cost_measurable(b->page, a, functions[f]))
				cell[count++] = a * 4 + f;
	while (count && xt_mono_ns() < end) {
		for (unsigned i = count; i > 1; i--) {
			unsigned j = (unsigned)xt_rng_range(rng, 0, (int64_t)i - 1), kept = cell[i - 1];

			cell[i - 1] = cell[j];
			cell[j] = kept;
		}
		for (unsigned i = 0; i < count; i++) {
			atomic_store(&b->function, (int)functions[cell[i] % 4]);
			xt_page_flip(b->page, ++slice, cell[i] / 4);
			xt_mono_sleep_until(xt_mono_ns() + SLICE_NS);
		}
	}
}

static int join_series(struct xt_cost_series *into, const struct xt_cost_series *from)
{
	for (size_t i = 0; i < from->n; i++)
		if (add_sample(into, from->v[i]))
			return -1;
	return 0;
}

static int join_pool(struct xt_cost_pool *into, const struct xt_cost_pool *from)
{
	for (unsigned f = 0; f < XT_FUNCTIONS; f++)
		for (unsigned a = 0; a < XT_MAX_ARMS; a++)
			if (join_series(&into->call[f][a], &from->call[f][a]) ||
			    join_series(&into->cooling[f][a], &from->cooling[f][a]))
				return -1;
	return 0;
}

static int start_caller(struct caller *c, struct board *board, uint64_t seed)
{
	c->board = board;
	c->set = xt_working_set_new(seed);
	if (!c->set)
		return -1;
	if (!pthread_create(&c->thread, NULL, call_on, c))
		return 0;
	xt_working_set_free(c->set);
	return -1;
}

int xt_cost_measure_loaded(struct xt_page *page, const struct xt_cost_load *load, struct xt_cost_pool *into)
{
	struct caller *callers = xt_aligned_calloc(load->threads, sizeof(*callers));
	struct board board = {.page = page, .word = xt_page_word(page), .cooling = load->cooling};
	struct xt_rng rng;
	unsigned started = 0;
	bool failed;

	if (!callers)
		return -1;
	atomic_init(&board.function, XT_FN_TIME);
	while (started < load->threads && !start_caller(&callers[started], &board, load->seed + started))
		started++;
	failed = started < load->threads;
	xt_rng_init(&rng, load->seed, load->threads, XT_RNG_LAB);
	if (!failed)
		flip_through(&board, load->arms, &rng, load->budget_ns);
	atomic_store(&board.stop, 1);
	for (unsigned i = 0; i < started; i++) {
		pthread_join(callers[i].thread, NULL);
		failed |= callers[i].short_of_memory || join_pool(into, &callers[i].pool);
		xt_cost_pool_free(&callers[i].pool);
		xt_working_set_free(callers[i].set);
	}
	free(callers);
	xt_page_flip(page, 0, 0);
	return failed ? -1 : 0;
}

static double location_of(const struct xt_cost_series *s)
{
	double location, lo, hi;

	xt_stats_signed_rank(s->v, s->n, &location, &lo, &hi);
	return location;
}

void xt_cost_of_pool(const struct xt_cost_pool *pool, unsigned arms, struct xt_cost *out)
{
	for (unsigned a = 0; a < arms; a++)
		for (unsigned f = 0; f < XT_FUNCTIONS; f++) {
			out[a].ns[f] = location_of(&pool->call[f][a]);
			out[a].cooling_ns[f] = location_of(&pool->cooling[f][a]);
		}
}

void xt_cost_pool_free(struct xt_cost_pool *pool)
{
	for (unsigned f = 0; f < XT_FUNCTIONS; f++)
		for (unsigned a = 0; a < XT_MAX_ARMS; a++) {
			free(pool->call[f][a].v);
			free(pool->cooling[f][a].v);
		}
	memset(pool, 0, sizeof(*pool));
}
