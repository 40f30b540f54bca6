/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The spin, its calibration against CLOCK_MONOTONIC, and the emulated twins of the ops. The calibration is the only
 * writable state: it must be global because ops run inside interposed functions. Threads that calibrate at the same
 * time store the same figures, give or take noise.
 */
#include "clock/emulate.h"

#include "clock/cycles.h"
#include "clock/env.h"

enum {
	SCALE_BITS = 24,
	FIRST_NS = 200000,       /* base line of the first calibration: errors of a reading are 1e-4 of it */
	FINAL_NS = 50000000,     /* base line of the second and last one */
	MAX_AHEAD_NS = 100000000 /* a reservation further in the future is a leftover, not a queue */
};

struct sample {
	uint64_t cycles, ns;
};

static struct {
	struct sample base;
	_Alignas(8) _Atomic uint64_t scale;     /* cycles per ns << SCALE_BITS; 0: not calibrated yet */
	_Alignas(8) _Atomic uint64_t overshoot; /* cycles by which a spin ends late on average */
	_Alignas(8) _Atomic uint64_t reading;   /* cycles that one reading of the counter takes */
	_Alignas(8) _Atomic uint64_t final_at;  /* cycle count after which to calibrate once more; 0: done */
} calibration;

static uint64_t mono_ns(void)
{
	struct timespec t = {0, 0};

	xt_clock.clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Counter and clock together: the tightest of a few brackets, so that an interrupt between the reads does no harm. */
static struct sample take_sample(void)
{
	struct sample best = {0, 0};
	uint64_t width = UINT64_MAX;

	for (int i = 0; i < 5; i++) {
		uint64_t before = xt_cycles(), ns = mono_ns(), after = xt_cycles();

		if (after - before < width) {
			width = after - before;
			best = (struct sample){before + width / 2, ns};
		}
	}
	return best;
}

void xt_emulate_mark(void)
{
	calibration.base = take_sample();
}

static uint64_t scale_since_base(const struct sample *now)
{
	uint64_t cycles = now->cycles - calibration.base.cycles, ns = now->ns - calibration.base.ns;

	/* In 128 bits only where the compiler has them; elsewhere a long double carries all 64. */
#ifdef __SIZEOF_INT128__
	return (uint64_t)(((unsigned __int128)cycles << SCALE_BITS) / (ns ? ns : 1));
#else
	return (uint64_t)((long double)cycles * (1 << SCALE_BITS) / (ns ? ns : 1));
#endif
}

static uint64_t to_cycles(uint64_t ns)
{
	return (ns * atomic_load_explicit(&calibration.scale, memory_order_relaxed)) >> SCALE_BITS;
}

static void spin_until(uint64_t start, uint64_t span)
{
	/* A counter behind start (another CPU's, not synchronised) reads as a huge difference and ends the spin. */
	while (xt_cycles() - start < span)
		;
}

enum { BATCHES = 15, READS = 16 };

/* The middle one: an interrupt spoils a batch, but a busy neighbour on the same core slows down all, and all reads to
 * come. Sorts. */
static uint64_t middle(uint64_t taken[BATCHES])
{
	for (int i = 1; i < BATCHES; i++)
		for (int k = i; k > 0 && taken[k] < taken[k - 1]; k--) {
			uint64_t kept = taken[k];

			taken[k] = taken[k - 1];
			taken[k - 1] = kept;
		}
	return taken[BATCHES / 2] / READS;
}

static uint64_t measure_reading(void)
{
	uint64_t taken[BATCHES];

	for (int batch = 0; batch < BATCHES; batch++) {
		uint64_t start = xt_cycles();

		for (int i = 1; i < READS; i++)
			xt_cycles();
		taken[batch] = xt_cycles() - start;
	}
	return middle(taken);
}

/* What a stretched read has around it, with nothing read inside: that may take longer than the span. */
static __attribute__((noinline)) void stretch_nothing(const struct xt_arm *arm)
{
	xt_emulate_finish(xt_cycles(), arm, NULL, true);
}

/* By how much a stretched read takes longer than it should on average, as its caller pays for it: the call, the
 * counter's own cost and half a turn of the loop, wherever in a turn the end falls. What is taken off meanwhile counts
 * as late, too; when another thread, or a calibration that came due within this one, has stored a figure of its own by
 * then, that one stays. */
static uint64_t measure_overshoot(void)
{
	enum { SPAN_NS = 200 };
	struct xt_arm arm = {0};
	uint64_t before = atomic_load_explicit(&calibration.overshoot, memory_order_relaxed), now;
	uint64_t taken[BATCHES], span = to_cycles(SPAN_NS * READS + READS * (READS - 1) / 2) / READS, late;

	for (int batch = 0; batch < BATCHES; batch++) {
		uint64_t start = xt_cycles();

		for (unsigned i = 0; i < READS; i++) {
			arm.ns = SPAN_NS + i;
			stretch_nothing(&arm);
		}
		taken[batch] = xt_cycles() - start;
	}
	now = atomic_load_explicit(&calibration.overshoot, memory_order_relaxed);
	if (now != before)
		return now;
	late = middle(taken) + (before < span ? before : span - 1);
	return late > span ? late - span : 0;
}

static void calibrate(void)
{
	struct sample now = take_sample();
	uint64_t reading, overshoot;

	while (now.ns - calibration.base.ns < FIRST_NS)
		now = take_sample();
	atomic_store_explicit(&calibration.scale, scale_since_base(&now), memory_order_relaxed);
	if (now.ns - calibration.base.ns < FINAL_NS)
		atomic_store_explicit(&calibration.final_at, calibration.base.cycles + to_cycles(FINAL_NS),
		                      memory_order_relaxed);
	else
		atomic_store_explicit(&calibration.final_at, 0, memory_order_relaxed);
	reading = measure_reading();
	overshoot = measure_overshoot();
	/* A reading, half a turn of the loop and a few calls; what a busy machine adds is none of ours. */
	if (overshoot > 3 * reading)
		overshoot = 3 * reading;
	atomic_store_explicit(&calibration.overshoot, overshoot, memory_order_relaxed);
	atomic_store_explicit(&calibration.reading, reading, memory_order_relaxed);
}

uint64_t xt_emulate_cycles(uint64_t ns)
{
	uint64_t final_at = atomic_load_explicit(&calibration.final_at, memory_order_relaxed);

	if (!atomic_load_explicit(&calibration.scale, memory_order_relaxed) || (final_at && xt_cycles() > final_at))
		calibrate();
	return to_cycles(ns);
}

/* The end of this reader's turn at the device: max(now, busy_until) + span. */
static uint64_t reserve(struct xt_clock_state *state, uint64_t now, uint64_t span)
{
	uint64_t busy = atomic_load_explicit(&state->busy_until, memory_order_relaxed), from, ahead;

	ahead = xt_emulate_cycles(MAX_AHEAD_NS);
	do
		from = busy > now && busy - now < ahead ? busy : now;
	while (!atomic_compare_exchange_weak_explicit(&state->busy_until, &busy, from + span, memory_order_relaxed,
	                                              memory_order_relaxed));
	return from + span;
}

/* What the spin itself takes beyond its span is taken off the span. */
static uint64_t shorten(uint64_t span, uint64_t by)
{
	return span > by ? span - by : 1;
}

void xt_emulate_finish(uint64_t start, const struct xt_arm *arm, struct xt_clock_state *state, bool hi_res)
{
	uint64_t ns = hi_res ? arm->ns : 0, span, late;

	if (ns) {
		span = xt_emulate_cycles(ns);
		/* The device is taken for all of a read: readers in a queue must not be served sooner than one alone.
		 */
		if (arm->serialised)
			span = reserve(state, start, span) - start;
		spin_until(start, shorten(span, atomic_load_explicit(&calibration.overshoot, memory_order_relaxed)));
	}
	if (arm->added_ns) {
		span = xt_emulate_cycles(arm->added_ns);
		late = atomic_load_explicit(&calibration.overshoot, memory_order_relaxed);
		if (!ns) /* the reading at the start served nothing */
			late += atomic_load_explicit(&calibration.reading, memory_order_relaxed);
		spin_until(xt_cycles(), shorten(span, late));
	}
}

time_t xt_emulated_time(time_t *out, const struct xt_arm *arm, struct xt_clock_state *state)
{
	uint64_t start = xt_cycles();
	time_t ret = xt_route_time(arm->source % XT_ROUTE_EMULATED)(out, arm, state);

	xt_emulate_finish(start, arm, state, xt_sources[arm->source % XT_SOURCES].hi_res & XT_SWAP_TIME);
	return ret;
}

int xt_emulated_gettimeofday(struct timeval *tv, void *tz, const struct xt_arm *arm, struct xt_clock_state *state)
{
	uint64_t start = xt_cycles();
	int ret = xt_route_gettimeofday(arm->source % XT_ROUTE_EMULATED)(tv, tz, arm, state);

	xt_emulate_finish(start, arm, state, xt_sources[arm->source % XT_SOURCES].hi_res & XT_SWAP_GETTIMEOFDAY);
	return ret;
}

int xt_emulated_clock_gettime(clockid_t id, struct timespec *t, const struct xt_arm *arm, struct xt_clock_state *state)
{
	uint64_t start = xt_cycles();
	int ret = xt_route_clock_gettime(arm->source % XT_ROUTE_EMULATED)(id, t, arm, state);
	unsigned bit = id == CLOCK_MONOTONIC ? XT_SWAP_MONOTONIC : XT_SWAP_CLOCK_GETTIME;

	xt_emulate_finish(start, arm, state, xt_sources[arm->source % XT_SOURCES].hi_res & bit);
	return ret;
}
