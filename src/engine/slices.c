/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Slices. One store of the page's word flips the arm and opens the next slice at once; stamps before and after it say
 * how well the moment is known. Slice 0 is warm-up; the measured ones are numbered from 1 in each visit.
 */
#include "engine/slices.h"

#include "base/mono.h"

#include <stdlib.h>

static const uint64_t SLICE_MIN_NS = 2000000, SLICE_MAX_NS = 200000000, SLICES_MAX = 1u << 24;
/* A warm-up of no length still has to show how long a statement takes. */
static const uint64_t PROBE_NS = 100000000;
static const uint64_t LOOK_NS = 50000000; /* how often a sleeper looks whether the run is to end */

int xt_slices_limit(const struct xt_visit *visit, uint64_t *out, struct xt_err *err)
{
	uint64_t slice = visit->slicing->slice_ns ? visit->slicing->slice_ns : SLICE_MIN_NS;
	uint64_t n = visit->time_ns / slice + 2 * XT_MAX_ARMS + 2;

	if (!visit->time_ns)
		return xt_err_usage(err, "an A/B needs a limit of time: --time must be above 0");
	if (n > SLICES_MAX)
		return xt_err_usage(
			err, "--time is too long for slices of this length: at most %llu slices a visit are kept",
			(unsigned long long)SLICES_MAX);
	*out = n;
	return 0;
}

bool xt_slices_sleep(const struct xt_shared *shared, uint64_t deadline_ns)
{
	for (;;) {
		uint64_t now;

		if (atomic_load_explicit(&shared->stop, memory_order_relaxed) || xt_engine_ended(shared->engine))
			return false;
		now = xt_mono_ns();
		if (now >= deadline_ns)
			return true;
		xt_mono_sleep_until(now + LOOK_NS < deadline_ns ? now + LOOK_NS : deadline_ns);
	}
}

static uint64_t credits_of(const struct xt_shared *shared, const struct xt_worker *workers, uint64_t slice)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < shared->threads; i++)
		sum += XT_PEEK(workers[i].credit[slice]);
	return sum;
}

/* 100 mean statements: what a worker needs for one, from its share of the warm-up. */
static uint64_t choose_slice(uint64_t elapsed_ns, uint64_t statements, unsigned threads)
{
	double mean = statements ? (double)elapsed_ns * threads / (double)statements : (double)SLICE_MAX_NS;
	double slice = 100 * mean;

	if (slice < (double)SLICE_MIN_NS)
		return SLICE_MIN_NS;
	return slice > (double)SLICE_MAX_NS ? SLICE_MAX_NS : (uint64_t)slice;
}

/* Warm-up under the base arm. False when the run is to end. */
static bool warm_up(struct xt_shared *shared, const struct xt_worker *workers, const struct xt_visit *visit)
{
	struct xt_slicing *slicing = visit->slicing;
	uint64_t begin = xt_mono_ns(), length = visit->warmup_ns;

	if (!slicing->slice_ns && length < PROBE_NS)
		length = PROBE_NS;
	if (!xt_slices_sleep(shared, begin + length))
		return false;
	if (!slicing->slice_ns)
		slicing->slice_ns = choose_slice(xt_mono_ns() - begin, credits_of(shared, workers, 0), shared->threads);
	return true;
}

static struct xt_slice *append(struct xt_slices *slices)
{
	if (slices->n == slices->cap) {
		size_t cap = slices->cap ? slices->cap * 2 : 4096;
		struct xt_slice *v = realloc(slices->v, cap * sizeof(*v));

		if (!v)
			return NULL;
		slices->v = v;
		slices->cap = cap;
	}
	return &slices->v[slices->n++];
}

static void shuffle(struct xt_rng *rng, unsigned *order, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		order[i] = i;
	for (unsigned i = n; i > 1; i--) {
		unsigned j = (unsigned)xt_rng_range(rng, 0, i - 1), t = order[i - 1];

		order[i - 1] = order[j];
		order[j] = t;
	}
}

struct flips {
	uint64_t number;   /* of the slice that runs */
	size_t first;      /* where this visit's slices begin in slicing->slices */
	uint64_t after_ns; /* stamp behind the last store */
};

/* Stores the next word, closes the slice that ran and returns the moment between the stamps. */
static uint64_t flip(struct xt_slicing *slicing, struct flips *f, uint64_t number, unsigned arm, bool *late)
{
	struct xt_slices *slices = &slicing->slices;
	uint64_t before = xt_mono_ns(), moment;

	xt_page_flip(slicing->page, number, arm);
	f->after_ns = xt_mono_ns();
	f->number = number;
	moment = before + (f->after_ns - before) / 2;
	*late = f->after_ns - before > slicing->slice_ns / 100;
	if (slices->n > f->first) {
		slices->v[slices->n - 1].end_ns = moment;
		slices->v[slices->n - 1].late |= *late;
	}
	return moment;
}

/* One block: a slice of each arm in random order. 1: whole, 0: the run is to end, -1: error. */
static int block(struct xt_shared *shared, struct xt_slicing *slicing, struct flips *f, struct xt_err *err)
{
	unsigned order[XT_MAX_ARMS];

	shuffle(slicing->schedule, order, slicing->arms);
	for (unsigned i = 0; i < slicing->arms; i++) {
		bool late;
		uint64_t begin = flip(slicing, f, f->number + 1, order[i], &late);
		struct xt_slice *s = append(&slicing->slices);

		if (!s)
			return xt_err_failed(err, "out of memory for slices");
		*s = (struct xt_slice){.begin_ns = begin, .arm = order[i], .late = late};
		if (!xt_slices_sleep(shared, f->after_ns + slicing->slice_ns))
			return 0;
	}
	return 1;
}

static void show_progress(const struct xt_shared *shared, const struct xt_worker *workers, const struct xt_visit *visit,
                          uint64_t begin_ns, uint64_t *next_ns)
{
	uint64_t now = xt_mono_ns(), transactions = 0;

	if (!visit->progress || now < *next_ns)
		return;
	*next_ns = now + 500000000;
	for (unsigned i = 0; i < shared->threads; i++)
		transactions += XT_PEEK(workers[i].tally.transactions);
	visit->progress(visit->progress_ctx, (double)(now - begin_ns) / 1e9, transactions);
}

/* Blocks until the time is over. */
static int all_blocks(struct xt_shared *shared, const struct xt_worker *workers, const struct xt_visit *visit,
                      struct flips *f, struct xt_err *err)
{
	struct xt_slicing *slicing = visit->slicing;
	uint64_t begin = xt_mono_ns(), length = slicing->slice_ns * slicing->arms, shown = begin;
	int rc;

	do {
		if (f->number + slicing->arms >= shared->slices)
			return 1;
		rc = block(shared, slicing, f, err);
		show_progress(shared, workers, visit, begin, &shown);
	} while (rc == 1 && xt_mono_ns() + length / 2 < begin + visit->time_ns);
	return rc;
}

int xt_slices_run(struct xt_shared *shared, struct xt_worker *workers, const struct xt_visit *visit,
                  struct xt_totals *totals, struct xt_err *err)
{
	struct xt_slicing *slicing = visit->slicing;
	struct flips f = {.first = slicing->slices.n};
	uint64_t cpu, end;
	bool late;
	int rc;

	if (!warm_up(shared, workers, visit)) {
		xt_page_flip(slicing->page, shared->slices, 0);
		return 0;
	}
	cpu = xt_process_cpu_ns();
	if (slicing->edge)
		slicing->edge(slicing->ctx, false);
	rc = all_blocks(shared, workers, visit, &f, err);
	/* Behind the last credit: nothing that ends from here on is counted. */
	end = flip(slicing, &f, shared->slices, 0, &late);
	if (slicing->edge)
		slicing->edge(slicing->ctx, true);
	atomic_store(&shared->stop, 1);
	totals->cpu_ns += (double)(xt_process_cpu_ns() - cpu);
	if (slicing->slices.n > f.first)
		totals->seconds += (double)(end - slicing->slices.v[f.first].begin_ns) / 1e9;
	return rc < 0 ? -1 : 0;
}

void xt_slices_collect(const struct xt_shared *shared, const struct xt_worker *workers, struct xt_slicing *slicing,
                       size_t first)
{
	struct xt_slices *slices = &slicing->slices;

	for (size_t i = first; i < slices->n; i++)
		slices->v[i].statements = credits_of(shared, workers, i - first + 1);
	/* An unfinished block is not kept. */
	slices->n = first + (slices->n - first) / slicing->arms * slicing->arms;
}
