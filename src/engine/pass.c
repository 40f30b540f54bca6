/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A worker's passes: the loop that is measured when nothing but speed is asked for, and how a pass is counted. What
 * the coordinator reads meanwhile is written by relaxed stores of one writer.
 */
#include "engine/worker.h"

#include "base/mono.h"

#include <math.h>
#include <string.h>

static void store_double(double *at, double value)
{
	__atomic_store(at, &value, __ATOMIC_RELAXED);
}

static double load_double(const double *at)
{
	double value;

	__atomic_load(at, &value, __ATOMIC_RELAXED);
	return value;
}

void xt_figure_add(const struct xt_program *program, int i, double *into, double value)
{
	const struct xt_figure *figures;

	xt_program_figures(program, &figures);
	if (isnan(value))
		return;
	if (isnan(*into))
		*into = value;
	else if (!figures[i].max)
		*into += value;
	else if (value > *into)
		*into = value;
}

void xt_live_add(struct xt_hist *hist, uint64_t value)
{
	uint64_t *bucket = &hist->bucket[xt_hist_index(value)];

	__atomic_store_n(&hist->count, hist->count + 1, __ATOMIC_RELAXED);
	store_double(&hist->sum, hist->sum + (double)value);
	store_double(&hist->sum_squares, hist->sum_squares + (double)value * (double)value);
	if (value < hist->min)
		hist->min = value;
	if (value > hist->max)
		hist->max = value;
	__atomic_store_n(bucket, *bucket + 1, __ATOMIC_RELAXED);
}

void xt_live_read(struct xt_hist *into, const struct xt_hist *live)
{
	into->count += __atomic_load_n(&live->count, __ATOMIC_RELAXED);
	into->sum += load_double(&live->sum);
	into->sum_squares += load_double(&live->sum_squares);
	for (unsigned i = 0; i < XT_HIST_BUCKETS; i++)
		into->bucket[i] += __atomic_load_n(&live->bucket[i], __ATOMIC_RELAXED);
}

static void add_scratch(struct xt_tally *into, const struct xt_scratch *from, bool failed)
{
	XT_BUMP(into->statements, from->statements);
	XT_BUMP(into->credited, from->credited);
	for (int i = 0; i < 3; i++)
		XT_BUMP(into->queries[i], from->queries[i]);
	XT_BUMP(into->clock_calls, from->clock_calls);
	if (!(from->retries | from->reconnects) && !failed)
		return;
	for (int i = 0; i < XT_CLASSES; i++)
		XT_BUMP(into->errors[i], from->errors[i]);
	XT_BUMP(into->retries, from->retries);
	XT_BUMP(into->retried, from->retries != 0);
	XT_BUMP(into->reconnects, from->reconnects);
}

size_t xt_worker_choose(struct xt_worker *w)
{
	size_t scripts = xt_program_scripts(w->shared->engine->program), i = 0;

	if (scripts > 1) {
		double x = xt_rng_unit(&w->choice) * w->weight_end[scripts - 1];

		while (i < scripts - 1 && x >= w->weight_end[i])
			i++;
	}
	w->row = NULL; /* in a script without commands there is nothing to time */
	if (w->commands && xt_program_code(w->shared->engine->program, i, XT_RUN)->count) {
		w->row = w->commands;
		for (size_t k = 0; k < i; k++)
			w->row += xt_program_code(w->shared->engine->program, k, XT_RUN)->count;
	}
	w->script = i;
	return i;
}

static void add_script(struct xt_script_sum *sum, const struct xt_pass *pass, double latency)
{
	if (pass->outcome == XT_GIVEN_UP) {
		sum->failed++;
		return;
	}
	sum->transactions++;
	sum->sum_ns += latency;
	sum->sum_squares += latency * latency;
}

static void count_done(struct xt_worker *w, const struct xt_pass *pass)
{
	const struct xt_pace *pace = w->shared->pace;
	struct xt_hist *hist = w->latency[xt_word_arm(pass->word)];
	uint64_t latency = pass->end > pass->intended ? pass->end - pass->intended : 0;

	XT_BUMP(w->tally.transactions, 1);
	if (hist)
		xt_live_add(hist, latency);
	if (w->scripts)
		add_script(&w->scripts[pass->script], pass, (double)latency);
	if (pace->latency_limit_ns && latency > pace->latency_limit_ns)
		XT_BUMP(w->tally.late, 1);
	if (w->service) {
		uint64_t lag = pass->begin > pass->intended ? pass->begin - pass->intended : 0;

		xt_hist_add(w->service, pass->end - pass->begin);
		xt_hist_add(w->lag, lag);
		XT_BUMP(w->tally.lag_ns, lag);
	}
}

static void count(struct xt_worker *w, const struct xt_pass *pass, bool more)
{
	/* A transaction that only computes has nothing else to add. */
	if (more)
		add_scratch(&w->tally, &w->scratch, pass->outcome != XT_DONE);
	else
		XT_BUMP(w->tally.credited, w->scratch.credited);
	if (pass->outcome == XT_DONE) {
		count_done(w, pass);
	} else if (pass->outcome == XT_GIVEN_UP) {
		XT_BUMP(w->tally.failed, 1);
		XT_BUMP(w->tally.failures[w->failed_class], 1);
		if (w->scripts)
			add_script(&w->scripts[pass->script], pass, 0);
	}
}

/* Of the warm-up only what an interval line shows. */
static void count_warm_up(struct xt_worker *w, const struct xt_pass *pass)
{
	add_scratch(&w->warm, &w->scratch, pass->outcome != XT_DONE);
	if (pass->outcome == XT_DONE) {
		XT_BUMP(w->warm.transactions, 1);
		xt_live_add(w->warm_latency, pass->end > pass->intended ? pass->end - pass->intended : 0);
	} else {
		XT_BUMP(w->warm.failed, 1);
	}
}

bool xt_worker_settle(struct xt_worker *w, const struct xt_pass *pass)
{
	const struct xt_shared *shared = w->shared;
	bool more, measured;
	uint64_t slice;

	if (pass->outcome == XT_DONE && !w->scratch.credited)
		xt_worker_credit(w);
	slice = xt_word_slice(atomic_load_explicit(shared->word, memory_order_relaxed));
	measured = slice && slice < shared->slices;
	/* Under a rate the warm-up's queue is left behind: its transactions do not count. */
	if (w->service && !xt_word_slice(pass->word))
		measured = false;
	more = w->scratch.statements | w->scratch.clock_calls | w->scratch.retries | w->scratch.reconnects |
	       (pass->outcome != XT_DONE);
	if (measured)
		count(w, pass, more);
	else if (shared->warm_up_watched && !slice)
		count_warm_up(w, pass);
	if (more)
		memset(&w->scratch, 0, sizeof(w->scratch));
	else
		w->scratch.credited = 0;
	return measured;
}

bool xt_worker_done(const struct xt_worker *w)
{
	return w->limited &&
	       XT_PEEK(w->tally.transactions) + XT_PEEK(w->tally.failed) + XT_PEEK(w->tally.skipped) >= w->quota;
}

/* One reading of the ruler a transaction: an end is the next one's begin. */
void xt_worker_drive(struct xt_worker *w)
{
	struct xt_shared *shared = w->shared;
	const struct xt_program *program = shared->engine->program;
	const bool choosing = xt_program_scripts(program) > 1;
	const struct xt_code *code = xt_program_code(program, 0, XT_RUN);
	struct xt_pass pass = {.begin = xt_mono_ns()};

	pass.word = atomic_load_explicit(shared->word, memory_order_relaxed);
	if (!choosing)
		xt_worker_choose(w);
	while (!atomic_load_explicit(&shared->stop, memory_order_relaxed)) {
		if (w->limited && xt_worker_done(w))
			return;
		if (choosing) {
			pass.script = xt_worker_choose(w);
			code = xt_program_code(program, pass.script, XT_RUN);
		}
		pass.outcome = xt_exec_transaction(w, code, pass.begin);
		w->ended_ns = pass.end = w->row ? xt_times_end(w, pass.outcome == XT_DONE) : xt_mono_ns();
		if (pass.outcome == XT_BROKEN)
			return;
		if (pass.outcome == XT_STOPPED) {
			if (atomic_load_explicit(&shared->cancelled, memory_order_relaxed))
				XT_BUMP(w->tally.unfinished, 1);
			return;
		}
		pass.intended = pass.begin;
		xt_worker_settle(w, &pass);
		pass.begin = pass.end;
		pass.word = atomic_load_explicit(shared->word, memory_order_relaxed);
	}
}
