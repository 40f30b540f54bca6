/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cost of a call while as many CPUs are busy as the load keeps busy: the mean over wall time, not the median. What a
 * hypervisor takes away without saying so, and what a busy neighbour slows down, is in a transaction's time and so has
 * to be in the call's.
 */
#include "lab/cost.h"

#include "base/align.h"
#include "base/mono.h"
#include "base/rng.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { BATCH = 32, SLICE_NS = 2000000 };

struct caller {
	XT_ALIGNED struct xt_cost_sum sum;
	struct board *board;
	pthread_t thread;
};

/* What the callers are to call now; the page's word says under which arm. */
struct board {
	struct xt_page *page;
	const _Atomic uint64_t *word;
	atomic_int function;
	atomic_int stop;
};

static void *call_on(void *arg)
{
	struct caller *c = arg;
	struct board *b = c->board;

	while (!atomic_load_explicit(&b->stop, memory_order_relaxed)) {
		int function = atomic_load(&b->function);
		uint64_t word = atomic_load(b->word), begin = xt_mono_ns(), end;

		xt_cost_call((enum xt_function)function, BATCH);
		end = xt_mono_ns();
		/* A batch that saw a flip belongs to nobody. */
		if (atomic_load(b->word) != word || atomic_load(&b->function) != function)
			continue;
		c->sum.ns[function][xt_word_arm(word)] += (double)(end - begin);
		c->sum.calls[function][xt_word_arm(word)] += BATCH;
	}
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

int xt_cost_measure_loaded(struct xt_page *page, const struct xt_cost_load *load, struct xt_cost_sum *into)
{
	struct caller *callers = xt_aligned_calloc(load->threads, sizeof(*callers));
	struct board board = {.page = page, .word = xt_page_word(page)};
	struct xt_rng rng;
	unsigned started = 0;

	if (!callers)
		return -1;
	atomic_init(&board.function, XT_FN_TIME);
	for (; started < load->threads; started++) {
		callers[started].board = &board;
		if (pthread_create(&callers[started].thread, NULL, call_on, &callers[started]))
			break;
	}
	xt_rng_init(&rng, load->seed, load->threads, XT_RNG_LAB);
	if (started == load->threads)
		flip_through(&board, load->arms, &rng, load->budget_ns);
	atomic_store(&board.stop, 1);
	for (unsigned i = 0; i < started; i++) {
		pthread_join(callers[i].thread, NULL);
		for (unsigned f = 0; f < XT_FUNCTIONS; f++)
			for (unsigned a = 0; a < load->arms; a++) {
				into->ns[f][a] += callers[i].sum.ns[f][a];
				into->calls[f][a] += callers[i].sum.calls[f][a];
			}
	}
	free(callers);
	xt_page_flip(page, 0, 0);
	return started == load->threads ? 0 : -1;
}

void xt_cost_of_sum(const struct xt_cost_sum *sum, unsigned arms, struct xt_cost *out)
{
	for (unsigned a = 0; a < arms; a++)
		for (unsigned f = 0; f < XT_FUNCTIONS; f++)
			out[a].ns[f] = sum->calls[f][a] ? sum->ns[f][a] / (double)sum->calls[f][a] : NAN;
}
