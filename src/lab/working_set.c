/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The working set and the walk. Pointers lead from line to line, so that each load waits for the one before.
 */
#include "lab/working_set.h"

#include "base/align.h"
#include "base/mono.h"
#include "base/rng.h"

#include <stdlib.h>
#include <unistd.h>

enum {
	LINE = 64,
	USUAL_CACHE = 32768, /* where the C library does not know the size */
	LARGEST_CACHE = 262144,
	INTERRUPTED_NS = 20000 /* far above any walk through caches, below a slice of the scheduler */
};

struct line {
	struct line *next;
	char rest[LINE - sizeof(struct line *)];
};

struct xt_working_set {
	struct line *line, *at;
	unsigned lines;
};

/* Two thirds of the cache: what is walked fits and the thread's own data too. */
static unsigned count_lines(void)
{
	long bytes = -1;

#ifdef _SC_LEVEL1_DCACHE_SIZE
	bytes = sysconf(_SC_LEVEL1_DCACHE_SIZE);
#endif
	if (bytes <= 0 || bytes > LARGEST_CACHE)
		bytes = USUAL_CACHE;
	return (unsigned)(bytes / 3 * 2 / LINE);
}

struct xt_working_set *xt_working_set_new(uint64_t seed)
{
	struct xt_working_set *set = calloc(1, sizeof(*set));
	unsigned *order;
	struct xt_rng rng;

	if (!set)
		return NULL;
	set->lines = count_lines();
	set->line = xt_aligned_calloc(set->lines, sizeof(*set->line));
	order = calloc(set->lines, sizeof(*order));
	if (!set->line || !order) {
		free(order);
		xt_working_set_free(set);
		return NULL;
	}
	xt_rng_init(&rng, seed, 0, XT_RNG_LAB);
	for (unsigned i = 0; i < set->lines; i++) {
		unsigned j = (unsigned)xt_rng_range(&rng, 0, i);

		order[i] = order[j];
		order[j] = i;
	}
	for (unsigned i = 0; i < set->lines; i++)
		set->line[order[i]].next = &set->line[order[(i + 1) % set->lines]];
	set->at = set->line;
	free(order);
	return set;
}

void xt_working_set_free(struct xt_working_set *set)
{
	if (set)
		free(set->line);
	free(set);
}

uint64_t xt_working_set_walk(struct xt_working_set *set)
{
	uint64_t begin = xt_mono_ns(), taken;
	struct line *at = set->at;

	for (unsigned i = 0; i < set->lines / 2; i++)
		at = at->next;
	set->at = at; /* without this the compiler would drop the loop */
	taken = xt_mono_ns() - begin;
	return taken < INTERRUPTED_NS ? taken : 0;
}
