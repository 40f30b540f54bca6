/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Intervals and checkpoints: differences of the workers' counters between two looks. Nothing is reset, so that whatever
 * a look misses is in the next one, and the intervals' sums are the totals.
 */
#include "engine/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct counts {
	uint64_t transactions, queries[3], errors, failed, retried, retries, reconnects, skipped, late, started, lag_ns;
};

/* One series of looks: at equal distances, or at the checkpoints. */
struct view {
	const struct xt_visit *visit;
	bool checkpoints;
	size_t passed; /* checkpoints */
	bool warm_up;
	uint64_t begin_ns, end_ns; /* of the phase; end 0: not known, begin 0: between phases */
	uint64_t last_ns, next_ns;
	struct counts last;
	struct xt_hist seen, now, between;      /* cumulative at the last look, at this one, and their difference */
	struct xt_thread_sum *rows_seen, *rows; /* the same of workers, for checkpoints */
};

struct xt_watch {
	struct view *intervals, *checkpoints; /* NULL: not asked for */
};

static void free_view(struct view *view)
{
	if (view) {
		free(view->rows_seen);
		free(view->rows);
	}
	free(view);
}

static struct view *new_view(const struct xt_visit *visit, bool checkpoints)
{
	struct view *view = calloc(1, sizeof(*view));

	if (!view)
		return NULL;
	view->visit = visit;
	view->checkpoints = checkpoints;
	view->next_ns = UINT64_MAX;
	if (!checkpoints)
		return view;
	view->rows_seen = calloc(visit->threads, sizeof(*view->rows_seen));
	view->rows = calloc(visit->threads, sizeof(*view->rows));
	if (view->rows_seen && view->rows)
		return view;
	free_view(view);
	return NULL;
}

struct xt_watch *xt_watch_new(const struct xt_visit *visit, struct xt_err *err)
{
	bool intervals = visit->measure.interval_ns != 0, checkpoints = visit->measure.checkpoint_count != 0;
	struct xt_watch *watch;

	if (!intervals && !checkpoints)
		return NULL;
	watch = calloc(1, sizeof(*watch));
	if (watch && (!intervals || (watch->intervals = new_view(visit, false))) &&
	    (!checkpoints || (watch->checkpoints = new_view(visit, true))))
		return watch;
	xt_watch_free(watch);
	xt_err_failed(err, "out of memory");
	return NULL;
}

void xt_watch_free(struct xt_watch *watch)
{
	if (watch) {
		free_view(watch->intervals);
		free_view(watch->checkpoints);
	}
	free(watch);
}

uint64_t xt_watch_next(const struct xt_watch *watch)
{
	uint64_t next = UINT64_MAX;

	if (watch && watch->intervals)
		next = watch->intervals->next_ns;
	if (watch && watch->checkpoints && watch->checkpoints->next_ns < next)
		next = watch->checkpoints->next_ns;
	return next;
}

uint64_t xt_watch_last(const struct xt_watch *watch)
{
	uint64_t last = watch && watch->intervals ? watch->intervals->last_ns : 0;

	return watch && watch->checkpoints && watch->checkpoints->last_ns > last ? watch->checkpoints->last_ns : last;
}

/* The look at the phase's end is xt_watch_end()'s. */
static void plan_next(struct view *view)
{
	const struct xt_measure *measure = &view->visit->measure;

	if (!view->checkpoints)
		view->next_ns += measure->interval_ns;
	else if (view->passed < measure->checkpoint_count)
		view->next_ns = view->begin_ns + measure->checkpoints_ns[view->passed++];
	else
		view->next_ns = UINT64_MAX;
	if (view->end_ns && view->next_ns >= view->end_ns)
		view->next_ns = UINT64_MAX;
}

static void begin_view(struct view *view, uint64_t begin_ns, uint64_t length_ns, bool warm_up)
{
	if (!view)
		return;
	view->warm_up = warm_up;
	view->begin_ns = view->last_ns = view->next_ns = begin_ns;
	view->end_ns = length_ns ? begin_ns + length_ns : 0;
	view->passed = 0;
	memset(&view->last, 0, sizeof(view->last));
	xt_hist_init(&view->seen);
	plan_next(view);
}

void xt_watch_begin(struct xt_watch *watch, uint64_t begin_ns, uint64_t length_ns, bool warm_up)
{
	if (!watch)
		return;
	begin_view(watch->intervals, begin_ns, length_ns, warm_up);
	if (!warm_up)
		begin_view(watch->checkpoints, begin_ns, length_ns, false);
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
static void subtract(struct view *view)
{
	struct xt_hist *d = &view->between;

	xt_hist_init(d);
	d->sum = view->now.sum - view->seen.sum;
	d->sum_squares = view->now.sum_squares - view->seen.sum_squares;
	for (unsigned i = 0; i < XT_HIST_BUCKETS; i++) {
		d->bucket[i] = view->now.bucket[i] - view->seen.bucket[i];
		if (!d->bucket[i])
			continue;
		d->count += d->bucket[i];
		if (d->min == UINT64_MAX)
			d->min = xt_hist_low(i);
		d->max = xt_hist_high(i) - 1;
	}
}

/* Intended starts that wait: what the rate has asked for since the phase began, less what was begun. */
static uint64_t queue_length(const struct view *view, const struct counts *now, uint64_t at_ns)
{
	double asked = view->visit->pace.rate_per_s * (double)(at_ns - view->begin_ns) / 1e9;

	return !view->warm_up && asked > (double)now->started ? (uint64_t)(asked - (double)now->started) : 0;
}

/* One worker's share of the totals, as they are now. */
static struct xt_thread_sum row_of(const struct xt_worker *w)
{
	struct xt_thread_sum row = {.transactions = XT_PEEK(w->tally.transactions)};

	__atomic_load(&w->latency[0]->sum, &row.busy_ns, __ATOMIC_RELAXED);
	return row;
}

static void look_at_rows(struct view *view, const struct xt_worker *workers, unsigned threads)
{
	for (unsigned i = 0; view->rows && i < threads; i++) {
		struct xt_thread_sum now = row_of(&workers[i]);

		view->rows[i].transactions = now.transactions - view->rows_seen[i].transactions;
		view->rows[i].busy_ns = now.busy_ns - view->rows_seen[i].busy_ns;
		view->rows_seen[i] = now;
	}
}

/* What the workers have counted by now, and how many run a transaction. */
static struct counts count_all(struct view *view, struct xt_shared *shared, struct xt_worker *workers, uint64_t *busy)
{
	struct counts now = {0};

	xt_hist_init(&view->now);
	for (unsigned i = 0; i < shared->threads; i++) {
		add_counts(&now, view->warm_up ? &workers[i].warm : &workers[i].tally);
		xt_live_read(&view->now, view->warm_up ? workers[i].warm_latency : workers[i].latency[0]);
		*busy += atomic_load_explicit(&workers[i].busy, memory_order_relaxed) != 0;
	}
	return now;
}

static void look(struct view *view, struct xt_shared *shared, struct xt_worker *workers, uint64_t at_ns, bool end)
{
	const struct xt_measure *measure = &view->visit->measure;
	const struct counts *last = &view->last;
	struct xt_interval out = {
		.begin_s = (double)(view->last_ns - view->begin_ns) / 1e9,
		.end_s = (double)(at_ns - view->begin_ns) / 1e9,
		.warmup = view->warm_up,
		.threads = shared->ran ? shared->ran : atomic_load(&shared->left),
		.latency = &view->between,
		.last = end && !view->warm_up,
		.rows = view->rows,
		.row_count = view->rows ? shared->threads : 0,
	};
	struct counts now = count_all(view, shared, workers, &out.busy);

	look_at_rows(view, workers, shared->threads);
	subtract(view);
	out.partial = !view->checkpoints && (double)(at_ns - view->last_ns) < 0.95 * (double)measure->interval_ns;
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
	out.queue = view->visit->pace.rate_per_s > 0 ? queue_length(view, &now, at_ns) : 0;
	(view->checkpoints ? measure->checkpoint : measure->interval)(measure->ctx, &out);
	view->last = now;
	view->seen = view->now;
	view->last_ns = at_ns;
}

static void tick(struct view *view, struct xt_shared *shared, struct xt_worker *workers, uint64_t now_ns)
{
	if (!view || now_ns < view->next_ns)
		return;
	look(view, shared, workers, now_ns, false);
	/* What a stopped process missed is one long interval. */
	while (view->next_ns <= now_ns)
		plan_next(view);
}

void xt_watch_tick(struct xt_watch *watch, struct xt_shared *shared, struct xt_worker *workers, uint64_t now_ns)
{
	if (!watch)
		return;
	tick(watch->intervals, shared, workers, now_ns);
	tick(watch->checkpoints, shared, workers, now_ns);
}

static void end_view(struct view *view, struct xt_shared *shared, struct xt_worker *workers, uint64_t end_ns)
{
	/* A phase that was broken off before its time has no end. */
	if (!view || !view->begin_ns || end_ns < view->last_ns)
		return;
	look(view, shared, workers, end_ns, true);
	view->begin_ns = 0;
	view->next_ns = UINT64_MAX;
}

void xt_watch_end(struct xt_watch *watch, struct xt_shared *shared, struct xt_worker *workers, uint64_t end_ns)
{
	if (!watch)
		return;
	end_view(watch->intervals, shared, workers, end_ns);
	end_view(watch->checkpoints, shared, workers, end_ns);
}
