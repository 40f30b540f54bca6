/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * coherent: time() reads the coarse second, but is never behind a hi-res reading that anyone sharing the state was
 * given. Hi-res readers write the second when it changes (a compare-and-swap at most once a second); time() only loads.
 */
#include "clock/env.h"
#include "clock/source.h"

#include <string.h>

#define XT_UNUSED __attribute__((unused))

static time_t second_if_stepped_back(int64_t seen, struct xt_clock_state *state)
{
	struct timespec t = {0, 0};

	xt_clock.clock_gettime(CLOCK_REALTIME, &t);
	if (t.tv_sec >= seen)
		return (time_t)seen; /* only the tick was late */
	atomic_compare_exchange_strong(&state->sec, &seen, t.tv_sec);
	return t.tv_sec;
}

/* The coarse second is behind what somebody was given. */
static time_t __attribute__((noinline, cold))
catch_up(time_t *out, time_t sec, int64_t seen, struct xt_clock_state *state)
{
	sec = sec >= seen - 1 ? (time_t)seen : second_if_stepped_back(seen, state);
	if (out)
		*out = sec;
	return sec;
}

time_t xt_coherent_time(time_t *out, const struct xt_arm *arm XT_UNUSED, struct xt_clock_state *state)
{
	time_t sec = xt_clock.coarse_time(NULL);
	int64_t seen = atomic_load_explicit(&state->sec, memory_order_acquire);

	if (__builtin_expect(sec < seen, 0))
		return catch_up(out, sec, seen, state);
	if (out)
		*out = sec;
	return sec;
}

static inline void raise_second(struct xt_clock_state *state, int64_t sec)
{
	int64_t seen = atomic_load_explicit(&state->sec, memory_order_relaxed);

	while (__builtin_expect(sec > seen, 0))
		if (atomic_compare_exchange_weak(&state->sec, &seen, sec))
			break;
}

int xt_coherent_gettimeofday(struct timeval *tv, void *tz, const struct xt_arm *arm XT_UNUSED,
                             struct xt_clock_state *state)
{
	long ret = xt_clock.gettimeofday(tv, tz);

	if (__builtin_expect(!!ret, 0))
		return xt_clock_failed(ret);
	if (tv)
		raise_second(state, tv->tv_sec);
	return 0;
}

int xt_coherent_clock_gettime(clockid_t id, struct timespec *t, const struct xt_arm *arm XT_UNUSED,
                              struct xt_clock_state *state)
{
	long ret = xt_clock.clock_gettime(id, t);

	if (__builtin_expect(!!ret, 0))
		return xt_clock_failed(ret);
	if (id == CLOCK_REALTIME)
		raise_second(state, t->tv_sec);
	return 0;
}
