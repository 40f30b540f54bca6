/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loop of a worker under load control: intended starts, pauses, new connections, the log. Each worker computes its
 * own starts from its own stream, so that a stall of one neither moves the others' starts nor fills a queue.
 */
#include "engine/worker.h"

#include "base/mono.h"

#include <math.h>

static const uint64_t LOOK_NS = 50000000; /* how often a sleeper looks whether the run is to end */

struct schedule {
	struct xt_rng rate, think;
	double gap_ns;    /* mean, of this worker */
	uint64_t origin;  /* where offset counts from */
	double offset_ns; /* of the next start */
	bool measured;    /* the origin is the measured time's */
	bool active;      /* there is a rate */
};

bool xt_paced(const struct xt_pace *pace, const struct xt_measure *measure)
{
	return pace->rate_per_s > 0 || pace->think_ns || pace->reconnect || measure->log;
}

static bool in_measured_time(const struct xt_worker *w)
{
	return xt_word_slice(atomic_load_explicit(w->shared->word, memory_order_relaxed)) != 0;
}

static void advance(struct schedule *s, bool regular)
{
	s->offset_ns += regular ? s->gap_ns : xt_rng_exp(&s->rate, s->gap_ns);
}

/* Begins the schedule anew: at the gate, and at the end of the warm-up, whose queue is dropped. */
static void restart(struct schedule *s, struct xt_worker *w, uint64_t origin)
{
	s->origin = origin;
	s->measured = in_measured_time(w);
	s->offset_ns = 0;
	if (w->shared->pace->regular)
		s->offset_ns = s->gap_ns * w->index / w->shared->threads;
	else
		advance(s, false);
}

static uint64_t next_start(const struct schedule *s)
{
	const double never_ns = 9e18; /* a rate of almost nothing: no start in 285 years */

	return s->origin + (uint64_t)(s->offset_ns < never_ns ? s->offset_ns : never_ns);
}

static uint64_t read_ruler(struct xt_worker *w)
{
	w->ruler_reads += in_measured_time(w);
	return xt_mono_ns();
}

static bool stopping(const struct xt_worker *w)
{
	return atomic_load_explicit(&w->shared->stop, memory_order_relaxed);
}

/* Sleeps until then; *now is the last reading before and after. False when the run is to end, or when the measured time
 * has begun meanwhile (phase). */
static bool sleep_until(struct xt_worker *w, uint64_t deadline, const bool *phase, uint64_t *now)
{
	uint64_t boundary = atomic_load_explicit(&w->shared->measure_at_ns, memory_order_relaxed);

	while (*now < deadline) {
		uint64_t until = *now + LOOK_NS < deadline ? *now + LOOK_NS : deadline;

		if (stopping(w) || (phase && !*phase && in_measured_time(w)))
			return false;
		if (phase && !*phase && boundary > *now && boundary < until)
			until = boundary;
		xt_mono_sleep_until(until);
		*now = read_ruler(w);
	}
	return !stopping(w) && !(phase && !*phase && in_measured_time(w));
}

/* A start that is too late to be begun. False: the worker ends. */
static bool skip(struct xt_worker *w, const struct schedule *s, struct xt_pass *pass)
{
	pass->script = xt_worker_choose(w);
	if (!s->measured)
		return true;
	XT_BUMP(w->tally.skipped, 1);
	if (w->scripts)
		w->scripts[pass->script].skipped++;
	if (w->log && xt_txlog_add(w->log, w, pass, true)) {
		xt_worker_name(w);
		w->broken = true;
		return false;
	}
	return true;
}

/* Waits for the next intended start, passing over those that are too late already; pass->end is the last reading of the
 * ruler. False: the run is to end. */
static bool await_start(struct xt_worker *w, struct schedule *s, struct xt_pass *pass)
{
	const struct xt_pace *pace = w->shared->pace;

	for (;;) {
		if (!s->measured && in_measured_time(w))
			restart(s, w, atomic_load_explicit(&w->shared->measure_at_ns, memory_order_relaxed));
		pass->intended = next_start(s);
		if (!sleep_until(w, pass->intended, &s->measured, &pass->end)) {
			if (stopping(w))
				return false;
			continue;
		}
		if (xt_worker_done(w))
			return false;
		pass->begin = pass->end;
		pass->word = atomic_load_explicit(w->shared->word, memory_order_relaxed);
		advance(s, pace->regular);
		if (s->measured)
			XT_BUMP(w->tally.started, 1);
		if (!pace->latency_limit_ns || pass->begin <= pass->intended + pace->latency_limit_ns)
			return true;
		if (!skip(w, s, pass))
			return false;
	}
}

/* Between two transactions. False: the worker ends. */
static bool between(struct xt_worker *w, struct schedule *s, struct xt_pass *pass, uint64_t *since_connect)
{
	const struct xt_pace *pace = w->shared->pace;

	if (pace->reconnect && ++*since_connect >= pace->reconnect && !stopping(w) && !xt_worker_done(w)) {
		*since_connect = 0;
		if (!xt_worker_reconnect(w))
			return false;
		w->scratch.reconnects++;
		pass->end = read_ruler(w);
	}
	if (pace->think_ns) {
		double pause = pace->think_exponential ? xt_rng_exp(&s->think, (double)pace->think_ns)
		                                       : (double)pace->think_ns;

		if (!sleep_until(w, pass->end + (uint64_t)pause, NULL, &pass->end))
			return false;
	} else if (w->log) {
		pass->end = read_ruler(w); /* writing the log is nobody's latency */
	}
	return true;
}

static void begin_schedule(struct xt_worker *w, struct schedule *s)
{
	const struct xt_pace *pace = w->shared->pace;
	uint64_t origin = atomic_load_explicit(&w->shared->measure_at_ns, memory_order_relaxed);

	*s = (struct schedule){.active = pace->rate_per_s > 0};
	xt_rng_init(&s->rate, w->shared->engine->seed, w->index, XT_RNG_RATE);
	xt_rng_init(&s->think, w->shared->engine->seed, w->index, XT_RNG_THINK);
	if (!s->active)
		return;
	s->gap_ns = 1e9 * w->shared->threads / pace->rate_per_s;
	restart(s, w, origin && in_measured_time(w) ? origin : read_ruler(w));
}

/* Starts that were due before the end and have not been begun. */
static uint64_t backlog(struct xt_worker *w, const struct schedule *s)
{
	uint64_t end = atomic_load_explicit(&w->shared->stopped_at_ns, memory_order_relaxed), next = next_start(s);

	if (!s->active || !s->measured || !end || next >= end || xt_worker_done(w))
		return 0;
	return 1 + (uint64_t)((double)(end - next) / s->gap_ns);
}

static void loop(struct xt_worker *w, struct schedule *s)
{
	struct xt_shared *shared = w->shared;
	struct xt_pass pass = {.end = read_ruler(w)};
	uint64_t since_connect = 0;

	while (!stopping(w) && !xt_worker_done(w)) {
		if (s->active) {
			if (!await_start(w, s, &pass))
				return;
			atomic_store_explicit(&w->busy, 1, memory_order_relaxed);
		} else {
			pass.intended = pass.begin = pass.end;
			pass.word = atomic_load_explicit(shared->word, memory_order_relaxed);
		}
		pass.script = xt_worker_choose(w);
		pass.outcome = xt_exec_transaction(w, xt_program_code(shared->engine->program, pass.script, XT_RUN),
		                                   pass.begin);
		w->ended_ns = pass.end = w->row ? xt_times_end(w, pass.outcome == XT_DONE) : xt_mono_ns();
		if (s->active)
			atomic_store_explicit(&w->busy, 0, memory_order_relaxed);
		if (pass.outcome == XT_BROKEN)
			return;
		if (pass.outcome == XT_STOPPED) {
			if (atomic_load_explicit(&shared->cancelled, memory_order_relaxed))
				XT_BUMP(w->tally.unfinished, 1);
			return;
		}
		pass.retries = (unsigned)w->scratch.retries;
		if (xt_worker_settle(w, &pass) && w->log && xt_txlog_add(w->log, w, &pass, false)) {
			xt_worker_name(w);
			w->broken = true;
			return;
		}
		if (!between(w, s, &pass, &since_connect))
			return;
	}
}

void xt_worker_drive_paced(struct xt_worker *w)
{
	struct schedule s;

	begin_schedule(w, &s);
	loop(w, &s);
	w->backlog = backlog(w, &s);
}
