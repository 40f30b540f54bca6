/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tsc: the cycle counter scaled to the kernel's clock. Anchors (a counter value, the time there, the rate from there)
 * lie in the shared state, so that all readers agree; whoever finds the anchor old takes the next one. Nobody waits for
 * anybody: readers go on with the old anchor until the new one is published, and a claim to make one expires.
 */
#include "clock/source.h"

#include "clock/cycles.h"
#include "clock/emulate.h"
#include "clock/env.h"
#include "clock/tsc.h"

#include <string.h>

enum {
	RATE_BITS = 32,
	FIRST_INTERVAL_NS = 1000000, /* doubled with each anchor, since the rate gets better */
	LAST_DOUBLING = 7, /* 128 ms: what the kernel's clock may drift from a fixed rate meanwhile is small */
	CLAIM_EXPIRES_NS = 10000000,
	STEP_NS = 1000000, /* further apart than this the clock was set, nearer it is slewed to */
};

static inline uint64_t ordered_cycles(void)
{
#if defined(__x86_64__) || defined(__i386__)
	/* Not before what stands before it: readings of two threads must not pass each other. */
	__asm__ volatile("lfence" : : : "memory");
#elif defined(__aarch64__)
	__asm__ volatile("isb" : : : "memory");
#endif
	return xt_cycles();
}

static int64_t kernel_ns(clockid_t id)
{
	struct timespec t = {0, 0};

	xt_clock.clock_gettime(id, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* A copy of the anchor of generation gen. */
struct anchor {
	uint64_t gen, cycles, rate, lasts;
	int64_t ns;      /* what readers are told at cycles */
	int64_t true_ns; /* what the kernel said there */
};

static void load_anchor(struct xt_tsc_state *tsc, struct anchor *out)
{
	const struct xt_tsc_anchor *slot;

	out->gen = atomic_load_explicit(&tsc->gen, memory_order_acquire);
	slot = &tsc->slot[out->gen % 2];
	out->cycles = atomic_load_explicit(&slot->cycles, memory_order_relaxed);
	out->rate = atomic_load_explicit(&slot->rate, memory_order_relaxed);
	out->lasts = atomic_load_explicit(&slot->lasts, memory_order_relaxed);
	out->ns = atomic_load_explicit(&slot->ns, memory_order_relaxed);
	out->true_ns = atomic_load_explicit(&slot->true_ns, memory_order_relaxed);
}

static inline int64_t scaled(uint64_t cycles, uint64_t rate)
{
#ifdef __SIZEOF_INT128__
	return (int64_t)((unsigned __int128)cycles * rate >> RATE_BITS);
#else
	return (int64_t)((cycles >> 32) * rate + ((cycles & UINT32_MAX) * (rate >> 16) >> (RATE_BITS - 16)));
#endif
}

static uint64_t rate_between(int64_t ns, uint64_t cycles)
{
	return (uint64_t)((long double)ns * (UINT64_C(1) << RATE_BITS) / (long double)cycles);
}

/* Counter and clock together, the tightest of three. */
static void sample(clockid_t id, uint64_t *cycles, int64_t *ns)
{
	uint64_t width = UINT64_MAX;

	for (int i = 0; i < 3; i++) {
		uint64_t before = ordered_cycles();
		int64_t now = kernel_ns(id);
		uint64_t after = ordered_cycles();

		if (after - before < width) {
			width = after - before;
			*cycles = before + width / 2;
			*ns = now;
		}
	}
}

static void publish(struct xt_tsc_state *tsc, const struct anchor *next)
{
	struct xt_tsc_anchor *slot = &tsc->slot[next->gen % 2];

	atomic_store_explicit(&slot->cycles, next->cycles, memory_order_relaxed);
	atomic_store_explicit(&slot->rate, next->rate, memory_order_relaxed);
	atomic_store_explicit(&slot->lasts, next->lasts, memory_order_relaxed);
	atomic_store_explicit(&slot->ns, next->ns, memory_order_relaxed);
	atomic_store_explicit(&slot->true_ns, next->true_ns, memory_order_relaxed);
	atomic_store_explicit(&tsc->gen, next->gen, memory_order_release);
}

static void next_anchor(struct xt_tsc_state *tsc, clockid_t id, const struct anchor *old)
{
	struct anchor next = {.gen = old->gen + 1};
	uint64_t doublings = old->gen < LAST_DOUBLING ? old->gen : LAST_DOUBLING;
	int64_t lasts_ns = (int64_t)FIRST_INTERVAL_NS << doublings, told;

	sample(id, &next.cycles, &next.true_ns);
	next.ns = next.true_ns;
	next.lasts = xt_emulate_cycles((uint64_t)lasts_ns);
	next.rate = rate_between(lasts_ns, next.lasts);
	if (old->gen) {
		uint64_t passed = next.cycles - old->cycles;

		told = old->ns + scaled(passed, old->rate);
		if (next.true_ns - told < STEP_NS && told - next.true_ns < STEP_NS) {
			next.rate = rate_between(next.true_ns - old->true_ns, passed);
			if (told > next.true_ns) {
				/* Ahead: never back, but slower until the clock has caught up. */
				next.ns = told;
				next.rate -= rate_between(told - next.true_ns, next.lasts);
			}
		}
	}
	publish(tsc, &next);
}

static void renew(struct xt_tsc_state *tsc, clockid_t id, const struct anchor *old)
{
	uint64_t now = xt_cycles(), claim = atomic_load(&tsc->claim);

	if (claim && now - claim < xt_emulate_cycles(CLAIM_EXPIRES_NS))
		return;
	if (!atomic_compare_exchange_strong(&tsc->claim, &claim, now | 1))
		return;
	if (atomic_load(&tsc->gen) == old->gen)
		next_anchor(tsc, id, old);
	atomic_store(&tsc->claim, 0);
}

int64_t xt_tsc_ns(struct xt_tsc_state *tsc, clockid_t id)
{
	struct anchor anchor;

	for (int tries = 0; tries < 100; tries++) {
		uint64_t now;

		load_anchor(tsc, &anchor);
		now = ordered_cycles();
		/* Taken before the check: an anchor is good for as long as it was the current one. */
		atomic_thread_fence(memory_order_acquire);
		if (atomic_load_explicit(&tsc->gen, memory_order_relaxed) != anchor.gen)
			continue;
		if (__builtin_expect(anchor.gen && now - anchor.cycles < anchor.lasts, 1))
			return anchor.ns + scaled(now - anchor.cycles, anchor.rate);
		renew(tsc, id, &anchor);
		if (atomic_load(&tsc->gen) != anchor.gen)
			continue;
		/* Another thread is at it. A little too old is still good; one that is long out of date is not. */
		if (anchor.gen && now - anchor.cycles < anchor.lasts * 2)
			return anchor.ns + scaled(now - anchor.cycles, anchor.rate);
	}
	return kernel_ns(id);
}

time_t xt_tsc_time(time_t *out, const struct xt_arm *arm, struct xt_clock_state *state)
{
	time_t sec = (time_t)(xt_tsc_ns(&state->tsc[0], CLOCK_REALTIME) / 1000000000);

	(void)arm;
	if (out)
		*out = sec;
	return sec;
}

int xt_tsc_gettimeofday(struct timeval *tv, void *tz, const struct xt_arm *arm, struct xt_clock_state *state)
{
	int64_t ns = xt_tsc_ns(&state->tsc[0], CLOCK_REALTIME);

	(void)arm;
	if (tv) {
		tv->tv_sec = (time_t)(ns / 1000000000);
		tv->tv_usec = (suseconds_t)(ns % 1000000000 / 1000);
	}
	if (tz)
		memset(tz, 0, sizeof(struct timezone));
	return 0;
}

int xt_tsc_clock_gettime(clockid_t id, struct timespec *t, const struct xt_arm *arm, struct xt_clock_state *state)
{
	int64_t ns = xt_tsc_ns(&state->tsc[id == CLOCK_MONOTONIC], id);

	(void)arm;
	t->tv_sec = (time_t)(ns / 1000000000);
	t->tv_nsec = (long)(ns % 1000000000);
	return 0;
}
