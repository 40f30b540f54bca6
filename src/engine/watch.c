/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Intervals: differences of the workers' counters between two looks. Nothing is reset, so that whatever a look misses
 * is in the next one, and the intervals' sums are the totals.
 */
#include "engine/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct counts {
	uint64_t transactions, queries[3], errors, failed, retried, retries, reconnects, skipped, late, started, lag_ns;
};

struct xt_watch {
	const struct xt_visit *visit;
	bool warm_up;
	uint64_t begin_ns, end_ns; /* of the phase; end 0: not known */
	uint64_t last_ns, next_ns;
	struct counts last;
	struct xt_hist seen, now, between; /* cumulative at the last look, at this one, and their difference */
};

struct xt_watch *xt_watch_new(const struct xt_visit *visit, struct xt_err *err)
{
	struct xt_watch *watch;

	if (!visit->measure.interval_ns)
		return NULL;
	watch = calloc(1, sizeof(*watch));
	if (!watch) {
		xt_err_failed(err, "out of memory");
		return NULL;
	}
	watch->visit = visit;
	watch->next_ns = UINT64_MAX;
	return watch;
}

void xt_watch_free(struct xt_watch *watch)
{
	free(watch);
}

uint64_t xt_watch_next(const struct xt_watch *watch)
{
	return watch ? watch->next_ns : UINT64_MAX;
}

/* The look at the phase's end is xt_watch_end()'s. */
static void plan_next(struct xt_watch *watch)
{
	watch->next_ns += watch->visit->measure.interval_ns;
	if (watch->end_ns && watch->next_ns >= watch->end_ns)
		watch->next_ns = UINT64_MAX;
}

void xt_watch_begin(struct xt_watch *watch, uint64_t begin_ns, uint64_t length_ns, bool warm_up)
{
	if (!watch)
		return;
	watch->warm_up = warm_up;
	watch->begin_ns = watch->last_ns = watch->next_ns = begin_ns;
	watch->end_ns = length_ns ? begin_ns + length_ns : 0;
	memset(&watch->last, 0, sizeof(watch->last));
	xt_hist_init(&watch->seen);
	plan_next(watch);
}

static void add_counts(struct counts *sum, const struct xt_tally *t)
{
	sum->transactions += XT_PEEK(t->transactions);
	for (int i = 0; i < 3; i++)
		sum->queries[i] += XT_PEEK(t->queries[i]);
	for (int i = 0; i < XT_CLASSES; i++)
		sum->errors += XT_PEEK(t->errors[i]);
	sum->failed += XT_PEEK(t->failed);
	sum->retried += XT_PEEK(t->retried);
	sum->retries += XT_PEEK(t->retries);
	sum->reconnects += XT_PEEK(t->reconnects);
	sum->skipped += XT_PEEK(t->skipped);
	sum->late += XT_PEEK(t->late);
	sum->started += XT_PEEK(t->started);
	sum->lag_ns += XT_PEEK(t->lag_ns);
}

/* now minus seen, into between; minimum and maximum to a bucket's edge. */
static void subtract(struct xt_watch *watch)
{
	struct xt_hist *d = &watch->between;

	xt_hist_init(d);
	d->sum = watch->now.sum - watch->seen.sum;
	d->sum_squares = watch->now.sum_squares - watch->seen.sum_squares;
	for (unsigned i = 0; i < XT_HIST_BUCKETS; i++) {
		d->bucket[i] = watch->now.bucket[i] - watch->seen.bucket[i];
		if (!d->bucket[i])
			continue;
		d->count += d->bucket[i];
		if (d->min == UINT64_MAX)
			d->min = xt_hist_low(i);
		d->max = xt_hist_high(i) - 1;
	}
}

/* Intended starts that wait: what the rate has asked for since the phase began, less what was begun. */
static uint64_t queue_length(const struct xt_watch *watch, const struct counts *now, uint64_t at_ns)
{
	double asked = watch->visit->pace.rate_per_s * (double)(at_ns - watch->begin_ns) / 1e9;

	return !watch->warm_up && asked > (double)now->started ? (uint64_t)(asked - (double)now->started) : 0;
}

static void look(struct xt_watch *watch, struct xt_shared *shared, struct xt_worker *workers, uint64_t at_ns)
{
	const struct counts *last = &watch->last;
	struct counts now = {0};
	struct xt_interval out = {
		.begin_s = (double)(watch->last_ns - watch->begin_ns) / 1e9,
		.end_s = (double)(at_ns - watch->begin_ns) / 1e9,
		.warmup = watch->warm_up,
		.threads = shared->ran ? shared->ran : atomic_load(&shared->left),
		.latency = &watch->between,
	};

	xt_hist_init(&watch->now);
	for (unsigned i = 0; i < shared->threads; i++) {
		add_counts(&now, watch->warm_up ? &workers[i].warm : &workers[i].tally);
		xt_live_read(&watch->now, watch->warm_up ? workers[i].warm_latency : workers[i].latency[0]);
		out.busy += atomic_load_explicit(&workers[i].busy, memory_order_relaxed) != 0;
	}
	subtract(watch);
	out.partial = (double)(at_ns - watch->last_ns) < 0.95 * (double)watch->visit->measure.interval_ns;
	out.transactions = now.transactions - last->transactions;
	for (int i = 0; i < 3; i++)
		out.queries[i] = now.queries[i] - last->queries[i];
	out.errors = now.errors - last->errors;
	out.failed = now.failed - last->failed;
	out.retried = now.retried - last->retried;
	out.retries = now.retries - last->retries;
	out.reconnects = now.reconnects - last->reconnects;
	out.skipped = now.skipped - last->skipped;
	out.late = now.late - last->late;
	out.lag_ns = (double)(now.lag_ns - last->lag_ns);
	out.queue = watch->visit->pace.rate_per_s > 0 ? queue_length(watch, &now, at_ns) : 0;
	watch->visit->measure.interval(watch->visit->measure.ctx, &out);
	watch->last = now;
	watch->seen = watch->now;
	watch->last_ns = at_ns;
}

void xt_watch_tick(struct xt_watch *watch, struct xt_shared *shared, struct xt_worker *workers, uint64_t now_ns)
{
	if (!watch || now_ns < watch->next_ns)
		return;
	look(watch, shared, workers, now_ns);
	/* What a stopped process missed is one long interval. */
	while (watch->next_ns <= now_ns)
		plan_next(watch);
}

void xt_watch_end(struct xt_watch *watch, struct xt_shared *shared, struct xt_worker *workers, uint64_t end_ns)
{
	/* A phase that was broken off before its time has no end. */
	if (!watch || !watch->begin_ns || end_ns < watch->last_ns)
		return;
	look(watch, shared, workers, end_ns);
	watch->begin_ns = 0;
	watch->next_ns = UINT64_MAX;
}
