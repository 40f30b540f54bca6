/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cost of a call per arm, as a program under the shim sees it: through libc's own symbols, which the shim interposes,
 * so that the loop, the call, the counting and the source are all in the figure. Medians over rounds of short batches:
 * an interrupt or a busy neighbour spoils a batch, not the figure.
 */
#include "lab/cost.h"

#include "base/mono.h"
#include "base/rng.h"
#include "clock/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

enum {
	ROUNDS_MIN = 5,
	ROUNDS_MAX = 501,
	BATCH_NS = 50000, /* what a batch should take: far above the ruler's own cost, far below a scheduler's slice */
	BATCH_MAX = 4096,
	CELLS_MAX = XT_MAX_ARMS * XT_FUNCTIONS,
};

/* What is measured: one function under one arm. */
struct cell {
	unsigned arm;
	enum xt_function function;
	unsigned batch;
	double sample[ROUNDS_MAX];
};

void xt_cost_call(enum xt_function function, unsigned calls)
{
	struct timeval tv;
	struct timespec t;
	volatile time_t sink;

	switch (function) {
	case XT_FN_TIME:
		for (unsigned i = 0; i < calls; i++)
			sink = time(NULL);
		break;
	case XT_FN_GETTIMEOFDAY:
		for (unsigned i = 0; i < calls; i++)
			gettimeofday(&tv, NULL);
		break;
	case XT_FN_CLOCK_GETTIME:
		for (unsigned i = 0; i < calls; i++)
			clock_gettime(CLOCK_REALTIME, &t);
		break;
	case XT_FN_MONOTONIC:
		for (unsigned i = 0; i < calls; i++)
			clock_gettime(CLOCK_MONOTONIC, &t);
		break;
	default:
		break;
	}
	(void)sink;
}

static double measure(struct xt_page *page, const struct cell *cell, unsigned calls)
{
	uint64_t start;

	xt_page_flip(page, 0, cell->arm);
	xt_cost_call(cell->function, calls > 16 ? 16 : calls); /* the flip's cache misses are not the clock's */
	start = xt_mono_ns();
	xt_cost_call(cell->function, calls);
	return (double)(xt_mono_ns() - start) / calls;
}

static void size_batch(struct xt_page *page, struct cell *cell)
{
	double ns = measure(page, cell, 64), fits;

	fits = ns > 0 ? BATCH_NS / ns : BATCH_MAX;
	cell->batch = fits < 16 ? 16 : fits > BATCH_MAX ? BATCH_MAX : (unsigned)fits;
}

bool xt_cost_measurable(const struct xt_page *page, unsigned arm, enum xt_function function)
{
	return xt_page_swap(page) & xt_function_swap(function) && xt_page_serves(page, arm, function);
}

static unsigned list_cells(struct xt_page *page, unsigned arms, struct cell *cells)
{
	static const enum xt_function functions[] = {XT_FN_TIME, XT_FN_GETTIMEOFDAY, XT_FN_CLOCK_GETTIME,
	                                             XT_FN_MONOTONIC};
	unsigned count = 0;

	for (unsigned arm = 0; arm < arms && arm < XT_MAX_ARMS; arm++)
		for (size_t f = 0; f < sizeof(functions) / sizeof(functions[0]); f++)
			if (xt_cost_measurable(page, arm, functions[f]))
				cells[count++] = (struct cell){.arm = arm, .function = functions[f]};
	return count;
}

static void shuffle(struct xt_rng *rng, unsigned *order, unsigned count)
{
	for (unsigned i = count; i > 1; i--) {
		unsigned j = (unsigned)xt_rng_range(rng, 0, (int64_t)i - 1), kept = order[i - 1];

		order[i - 1] = order[j];
		order[j] = kept;
	}
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, unsigned count)
{
	qsort(values, count, sizeof(*values), compare_doubles);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Rounds that visit every cell once, in a new order each time, until the budget is spent. */
static unsigned run_rounds(struct xt_page *page, struct cell *cells, unsigned count, struct xt_rng *rng,
                           uint64_t deadline)
{
	unsigned order[CELLS_MAX], round = 0;

	for (unsigned i = 0; i < count; i++)
		order[i] = i;
	do {
		shuffle(rng, order, count);
		for (unsigned i = 0; i < count; i++) {
			struct cell *cell = &cells[order[i]];

			cell->sample[round] = measure(page, cell, cell->batch);
		}
		round++;
	} while (round < ROUNDS_MIN || (round < ROUNDS_MAX && xt_mono_ns() < deadline));
	return round;
}

void xt_cost_measure(struct xt_page *page, unsigned arms, uint64_t seed, uint64_t budget_ns, struct xt_cost *out)
{
	uint64_t deadline = xt_mono_ns() + budget_ns;
	struct cell *cells = calloc(CELLS_MAX, sizeof(*cells));
	unsigned count, rounds;
	struct xt_rng rng;

	for (unsigned arm = 0; arm < arms; arm++)
		for (unsigned f = 0; f < XT_FUNCTIONS; f++)
			out[arm].ns[f] = out[arm].cooling_ns[f] = NAN;
	if (!cells)
		return;
	xt_rng_init(&rng, seed, 0, XT_RNG_LAB);
	count = list_cells(page, arms, cells);
	for (unsigned i = 0; i < count; i++)
		size_batch(page, &cells[i]);
	rounds = count ? run_rounds(page, cells, count, &rng, deadline) : 0;
	for (unsigned i = 0; i < count; i++)
		out[cells[i].arm].ns[cells[i].function] = median(cells[i].sample, rounds);
	xt_page_flip(page, 0, 0);
	free(cells);
}
