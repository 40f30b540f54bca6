/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The value checks.
 */
#include "lab/verify.h"

#include "base/align.h"
#include "base/mono.h"
#include "clock/source.h"
#include "lab/coherence.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_THREADS = 16, LOOK_EVERY = 32, HOP_EVERY = 64 };

enum xt_bracket xt_bracket_judge(uint64_t before_ns, uint64_t value_ns, uint64_t after_ns,
                                 const struct xt_bounds *bounds)
{
	if (value_ns + bounds->unit_ns + bounds->lag_ns <= before_ns)
		return XT_BRACKET_OLD;
	return value_ns > after_ns + bounds->ahead_ns ? XT_BRACKET_AHEAD : XT_BRACKET_OK;
}

/* 0: the kernel refuses (a seccomp filter), so nothing can be held against its reading. */
static uint64_t read_kernel(clockid_t id)
{
	struct timespec ts;

	if (syscall(SYS_clock_gettime, id, &ts))
		return 0;
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static uint64_t resolution_of(clockid_t id)
{
	struct timespec ts = {0, 0};

	if (syscall(SYS_clock_getres, id, &ts) && clock_getres(id, &ts))
		return 1;
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Whether the call consults the clock source; time() does in few sources, the rest in most. */
static bool is_fine(const struct xt_call *call)
{
	unsigned bit = XT_SWAP_CLOCK_GETTIME;

	if (call->id == CLOCK_REALTIME_COARSE || call->id == CLOCK_MONOTONIC_COARSE)
		return false;
	if (call->path != XT_PATH_SHIM)
		return strcmp(call->name, "time") != 0;
	if (!strcmp(call->name, "time"))
		bit = XT_SWAP_TIME;
	else if (!strcmp(call->name, "gettimeofday"))
		bit = XT_SWAP_GETTIMEOFDAY;
	else if (call->id == CLOCK_MONOTONIC)
		bit = XT_SWAP_MONOTONIC;
	/* A plugin of coarse resolution says so. */
	if (call->arm->source == XT_SOURCE_PLUGIN)
		return bit != XT_SWAP_TIME;
	return xt_sources[call->arm->source].hi_res & bit;
}

enum { TSC_AGREES_NS = 1000 };

void xt_bounds_of(const struct xt_call *call, uint64_t resolution_ns, struct xt_bounds *out)
{
	bool monotonic = call->id == CLOCK_MONOTONIC || call->id == CLOCK_MONOTONIC_COARSE;

	*out = (struct xt_bounds){.lower = call->id, .upper = call->id, .unit_ns = 1};
	if (!strcmp(call->name, "time"))
		out->unit_ns = 1000000000;
	else if (!strcmp(call->name, "gettimeofday"))
		out->unit_ns = 1000;
	if (is_fine(call)) {
		out->lag_ns = out->ahead_ns = resolution_of(call->id);
	} else {
		out->lower = monotonic ? CLOCK_MONOTONIC_COARSE : CLOCK_REALTIME_COARSE;
		out->upper = monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME;
		out->lag_ns = xt_coarse_tick_ns();
	}
	if (call->path == XT_PATH_SHIM && out->lag_ns < 2 * resolution_ns)
		out->lag_ns = 2 * resolution_ns;
	/* Scaled by us between two looks at the kernel's clock: it agrees as far as its calibration does. */
	if (call->path == XT_PATH_SHIM && call->arm->source == XT_SOURCE_TSC) {
		out->lag_ns = out->lag_ns > TSC_AGREES_NS ? out->lag_ns : TSC_AGREES_NS;
		out->ahead_ns = out->ahead_ns > TSC_AGREES_NS ? out->ahead_ns : TSC_AGREES_NS;
	}
}

struct xt_check *xt_checks_add(struct xt_checks *checks, const struct xt_call *call, const char *name)
{
	struct xt_check *check;

	if (checks->n == checks->cap) {
		size_t cap = checks->cap ? 2 * checks->cap : 64;
		struct xt_check *v = realloc(checks->v, cap * sizeof(*v));

		if (!v)
			return NULL;
		checks->v = v;
		checks->cap = cap;
	}
	check = &checks->v[checks->n++];
	*check = (struct xt_check){.path = call->path, .check = name};
	memcpy(check->call, call->name, sizeof(check->call));
	memcpy(check->source, call->source, sizeof(check->source));
	return check;
}

/* The counts of one loop; copied into checks when it has ended. */
struct tally {
	uint64_t tried, failures;
	char detail[240];
};

static void __attribute__((format(printf, 2, 3))) fail(struct tally *tally, const char *fmt, ...)
{
	va_list ap;

	if (tally->failures++)
		return;
	va_start(ap, fmt);
	vsnprintf(tally->detail, sizeof(tally->detail), fmt, ap);
	va_end(ap);
}

static int keep(const struct tally *tally, const struct xt_call *call, const char *name, struct xt_checks *out,
                struct xt_err *err)
{
	struct xt_check *check = xt_checks_add(out, call, name);

	if (!check)
		return xt_err_failed(err, "out of memory");
	check->tried = tally->tried;
	check->failures = tally->failures;
	memcpy(check->detail, tally->detail, sizeof(check->detail));
	return 0;
}

static bool ended(const struct xt_verify_setup *setup, uint64_t start)
{
	return xt_mono_ns() - start >= setup->duration_ns ||
	       (setup->interrupted && atomic_load_explicit(setup->interrupted, memory_order_relaxed));
}

/* The next CPU after *cpu that this thread may use; counts the hops that succeeded. */
static void hop(const cpu_set_t *allowed, int *cpu)
{
	cpu_set_t one;

	do
		*cpu = (*cpu + 1) % CPU_SETSIZE;
	while (!CPU_ISSET(*cpu, allowed));
	CPU_ZERO(&one);
	CPU_SET(*cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void check_bracket(const struct xt_bounds *bounds, uint64_t before, uint64_t value, uint64_t after,
                          struct tally *tally)
{
	if (!before || !after) {
		snprintf(tally->detail, sizeof(tally->detail), "the kernel refuses the system call");
		return;
	}
	tally->tried++;
	switch (xt_bracket_judge(before, value, after, bounds)) {
	case XT_BRACKET_OK:
		break;
	case XT_BRACKET_OLD:
		fail(tally, "%.9f s is %" PRIu64 " ns older than a system call made before it", (double)value / 1e9,
		     before - value);
		break;
	case XT_BRACKET_AHEAD:
		fail(tally, "%.9f s is %" PRIu64 " ns ahead of a system call made after it", (double)value / 1e9,
		     value - after);
		break;
	}
}

static void check_normalised(const struct xt_instant *t, struct tally *tally)
{
	tally->tried++;
	if (t->sub < 0 || t->sub >= t->per_second)
		fail(tally, "%" PRId64 " s with a fraction of %" PRId64 ", not 0 to %" PRId64, t->sec, t->sub,
		     t->per_second - 1);
}

static void check_order(uint64_t last, uint64_t value, struct tally *tally)
{
	tally->tried++;
	if (value < last)
		fail(tally, "%" PRIu64 " ns back", last - value);
}

enum { BRACKET, NORMALISED, MONOTONIC, TALLIES };

/* System call, the reading, system call, until the time is over; hopping from CPU to CPU when allowed is given. */
static void loop(const struct xt_call *call, const struct xt_verify_setup *setup, const cpu_set_t *allowed,
                 struct tally tally[TALLIES])
{
	struct xt_bounds bounds;
	uint64_t start = xt_mono_ns(), last = 0;
	int cpu = -1;

	xt_bounds_of(call, setup->resolution_ns, &bounds);
	for (unsigned i = 0; i % LOOK_EVERY || !ended(setup, start); i++) {
		struct xt_instant t;
		uint64_t before, value, after;

		if (allowed && i % HOP_EVERY == 0)
			hop(allowed, &cpu);
		before = read_kernel(bounds.lower);
		if (call->value(call, &t)) {
			fail(&tally[BRACKET], "the call failed");
			break;
		}
		after = read_kernel(bounds.upper);
		value = xt_instant_ns(&t);
		check_bracket(&bounds, before, value, after, &tally[BRACKET]);
		check_normalised(&t, &tally[NORMALISED]);
		check_order(last, value, &tally[MONOTONIC]);
		last = value;
		if (tally[BRACKET].failures + tally[NORMALISED].failures + tally[MONOTONIC].failures >=
		    setup->max_failures)
			break;
	}
}

static int check_migrating(const struct xt_call *call, const struct xt_verify_setup *setup, struct xt_checks *out,
                           struct xt_err *err)
{
	struct tally tally[TALLIES] = {0};
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) || CPU_COUNT(&allowed) < 2) {
		snprintf(tally[BRACKET].detail, sizeof(tally[BRACKET].detail), "only one CPU to run on");
		return keep(&tally[BRACKET], call, "bracket-migrating", out, err);
	}
	loop(call, setup, &allowed, tally);
	sched_setaffinity(0, sizeof(allowed), &allowed);
	for (int i = NORMALISED; i < TALLIES; i++)
		if (tally[i].failures) {
			tally[BRACKET].failures += tally[i].failures;
			memcpy(tally[BRACKET].detail, tally[i].detail, sizeof(tally[i].detail));
		}
	return keep(&tally[BRACKET], call, "bracket-migrating", out, err);
}

struct crowd {
	const struct xt_call *call;
	const struct xt_verify_setup *setup;
	uint64_t unit_ns;
	uint64_t start;
	XT_ALIGNED _Atomic uint64_t max;
};

struct member {
	XT_ALIGNED struct crowd *crowd;
	struct tally tally;
	pthread_t thread;
};

static void *read_in_crowd(void *arg)
{
	struct member *m = arg;
	struct crowd *c = m->crowd;

	for (unsigned i = 0; i % LOOK_EVERY || !ended(c->setup, c->start); i++) {
		uint64_t seen = atomic_load(&c->max), value;
		struct xt_instant t;

		if (c->call->value(c->call, &t))
			break;
		value = xt_instant_ns(&t);
		m->tally.tried++;
		if (value < seen) {
			fail(&m->tally, "%" PRIu64 " ns behind a reading of another thread", seen - value);
			atomic_store(&c->max, value);
			if (m->tally.failures >= c->setup->max_failures)
				break;
		}
		while (value > seen && !atomic_compare_exchange_weak(&c->max, &seen, value))
			;
	}
	return NULL;
}

static int check_threads(const struct xt_call *call, const struct xt_verify_setup *setup, struct xt_checks *out,
                         struct xt_err *err)
{
	struct crowd crowd = {.call = call, .setup = setup, .start = xt_mono_ns()};
	struct member member[MAX_THREADS] = {0};
	struct tally all = {0};
	unsigned n = setup->threads < MAX_THREADS ? setup->threads : MAX_THREADS, started;
	sigset_t every, old;

	sigfillset(&every);
	pthread_sigmask(SIG_SETMASK, &every, &old);
	for (started = 0; started < n; started++) {
		member[started].crowd = &crowd;
		if (pthread_create(&member[started].thread, NULL, read_in_crowd, &member[started]))
			break;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	for (unsigned i = 0; i < started; i++) {
		pthread_join(member[i].thread, NULL);
		all.tried += member[i].tally.tried;
		all.failures += member[i].tally.failures;
		if (member[i].tally.failures)
			memcpy(all.detail, member[i].tally.detail, sizeof(all.detail));
	}
	if (started < n)
		return xt_err_failed(err, "cannot start thread %u", started + 1);
	return keep(&all, call, "monotonic-threads", out, err);
}

int xt_verify_values(const struct xt_call *call, const struct xt_verify_setup *setup, struct xt_checks *out,
                     struct xt_err *err)
{
	static const char *const names[TALLIES] = {"bracket", "normalised", "monotonic"};
	struct tally tally[TALLIES] = {0};
	bool shared = call->id != CLOCK_THREAD_CPUTIME_ID && call->id != CLOCK_PROCESS_CPUTIME_ID;

	loop(call, setup, NULL, tally);
	for (int i = 0; i < TALLIES; i++)
		if (keep(&tally[i], call, names[i], out, err))
			return -1;
	if (check_migrating(call, setup, out, err))
		return -1;
	return shared ? check_threads(call, setup, out, err) : 0;
}
