/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * constant: the moment of the last flip, for ever. The ceiling of what a cheaper clock could give; no clock at all.
 */
#include "clock/env.h"
#include "clock/source.h"

#include <string.h>

#define XT_UNUSED __attribute__((unused))

enum { NSEC_MASK = (1 << 30) - 1 };

static inline uint64_t frozen(const struct xt_clock_state *state)
{
	return atomic_load_explicit(&state->constant, memory_order_relaxed);
}

time_t xt_constant_time(time_t *out, const struct xt_arm *arm XT_UNUSED, struct xt_clock_state *state)
{
	time_t sec = (time_t)(frozen(state) >> 30);

	if (out)
		*out = sec;
	return sec;
}

int xt_constant_gettimeofday(struct timeval *tv, void *tz, const struct xt_arm *arm XT_UNUSED,
                             struct xt_clock_state *state)
{
	uint64_t stamp = frozen(state);

	if (tv) {
		tv->tv_sec = (time_t)(stamp >> 30);
		tv->tv_usec = (suseconds_t)((stamp & NSEC_MASK) / 1000);
	}
	if (tz)
		memset(tz, 0, sizeof(struct timezone));
	return 0;
}

int xt_constant_clock_gettime(clockid_t id, struct timespec *t, const struct xt_arm *arm XT_UNUSED,
                              struct xt_clock_state *state)
{
	uint64_t stamp = frozen(state);

	if (id != CLOCK_REALTIME) /* a frozen monotonic clock would hang its host */
		return xt_clock.libc.clock_gettime(id, t);
	t->tv_sec = (time_t)(stamp >> 30);
	t->tv_nsec = (long)(stamp & NSEC_MASK);
	return 0;
}
