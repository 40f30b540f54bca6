/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sources that enter the kernel, whatever the vDSO could do. A call that the kernel or a filter refuses (EPERM, ENOSYS)
 * is answered by libc and counted; other errors are the caller's, as the kernel has them.
 */
#include "clock/env.h"
#include "clock/raw.h"
#include "clock/source.h"

#include <string.h>

#define XT_UNUSED __attribute__((unused))

static void count_fallback(struct xt_clock_state *state)
{
	atomic_fetch_add_explicit(&state->fallbacks, 1, memory_order_relaxed);
}

static inline time_t give(time_t *out, time_t sec)
{
	if (out)
		*out = sec;
	return sec;
}

static time_t refused_time(time_t *out, struct xt_clock_state *state)
{
	count_fallback(state);
	return xt_clock.libc.time(out);
}

time_t xt_sys_gettimeofday_time(time_t *out, const struct xt_arm *arm XT_UNUSED, struct xt_clock_state *state)
{
	struct timeval tv = {0, 0};

	if (xt_raw_failed(xt_raw2(SYS_gettimeofday, (long)&tv, 0)))
		return refused_time(out, state);
	return give(out, tv.tv_sec);
}

time_t xt_sys_realtime_time(time_t *out, const struct xt_arm *arm XT_UNUSED, struct xt_clock_state *state)
{
	struct timespec t = {0, 0};

	if (xt_raw_failed(xt_raw2(SYS_clock_gettime, CLOCK_REALTIME, (long)&t)))
		return refused_time(out, state);
	return give(out, t.tv_sec);
}

time_t xt_sys_coarse_time(time_t *out, const struct xt_arm *arm XT_UNUSED, struct xt_clock_state *state)
{
	struct timespec t = {0, 0};

	if (xt_raw_failed(xt_raw2(SYS_clock_gettime, CLOCK_REALTIME_COARSE, (long)&t)))
		return refused_time(out, state);
	return give(out, t.tv_sec);
}

time_t xt_sys_time(time_t *out, const struct xt_arm *arm XT_UNUSED, struct xt_clock_state *state)
{
#ifdef SYS_time
	long ret = xt_raw2(SYS_time, (long)out, 0);

	if (!xt_raw_failed(ret))
		return (time_t)ret;
	if (xt_raw_refused(ret))
		return refused_time(out, state);
	return xt_clock_result(ret);
#else
	return xt_sys_coarse_time(out, arm, state);
#endif
}

int xt_sys_gettimeofday(struct timeval *tv, void *tz, const struct xt_arm *arm XT_UNUSED, struct xt_clock_state *state)
{
	long ret = xt_raw2(SYS_gettimeofday, (long)tv, (long)tz);

	if (!xt_raw_refused(ret))
		return xt_clock_result(ret);
	count_fallback(state);
	return xt_clock.libc.gettimeofday(tv, tz);
}

static int clock_as_tv(clockid_t id, struct timeval *tv, void *tz, struct xt_clock_state *state)
{
	struct timespec t = {0, 0};

	if (xt_raw_failed(xt_raw2(SYS_clock_gettime, id, (long)&t))) {
		count_fallback(state);
		return xt_clock.libc.gettimeofday(tv, tz);
	}
	if (tv) {
		tv->tv_sec = t.tv_sec;
		tv->tv_usec = (suseconds_t)(t.tv_nsec / 1000);
	}
	if (tz)
		memset(tz, 0, sizeof(struct timezone));
	return 0;
}

int xt_sys_realtime_gettimeofday(struct timeval *tv, void *tz, const struct xt_arm *arm XT_UNUSED,
                                 struct xt_clock_state *state)
{
	return clock_as_tv(CLOCK_REALTIME, tv, tz, state);
}

int xt_sys_coarse_gettimeofday(struct timeval *tv, void *tz, const struct xt_arm *arm XT_UNUSED,
                               struct xt_clock_state *state)
{
	return clock_as_tv(CLOCK_REALTIME_COARSE, tv, tz, state);
}

static int clock_by_kernel(clockid_t id, struct timespec *t, struct xt_clock_state *state)
{
	long ret = xt_raw2(SYS_clock_gettime, id, (long)t);

	if (!xt_raw_refused(ret))
		return xt_clock_result(ret);
	count_fallback(state);
	return xt_clock.libc.clock_gettime(id, t);
}

int xt_sys_clock_gettime(clockid_t id, struct timespec *t, const struct xt_arm *arm XT_UNUSED,
                         struct xt_clock_state *state)
{
	return clock_by_kernel(id, t, state);
}

int xt_sys_coarse_clock_gettime(clockid_t id, struct timespec *t, const struct xt_arm *arm XT_UNUSED,
                                struct xt_clock_state *state)
{
	return clock_by_kernel(id == CLOCK_MONOTONIC ? CLOCK_MONOTONIC_COARSE : CLOCK_REALTIME_COARSE, t, state);
}
