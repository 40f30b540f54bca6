/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sources in user space: libc itself, and the vDSO's hi-res and coarse readings. The vDSO's entries answer -errno and
 * never touch errno.
 */
#include "clock/env.h"
#include "clock/source.h"

#include <string.h>

#define XT_UNUSED __attribute__((unused))

time_t xt_libc_time(time_t *out, const struct xt_arm *arm XT_UNUSED, struct xt_clock_state *state XT_UNUSED)
{
	return xt_clock.libc.time(out);
}

int xt_libc_gettimeofday(struct timeval *tv, void *tz, const struct xt_arm *arm XT_UNUSED,
                         struct xt_clock_state *state XT_UNUSED)
{
	return xt_clock.libc.gettimeofday(tv, tz);
}

int xt_libc_clock_gettime(clockid_t id, struct timespec *t, const struct xt_arm *arm XT_UNUSED,
                          struct xt_clock_state *state XT_UNUSED)
{
	return xt_clock.libc.clock_gettime(id, t);
}

static inline time_t give(time_t *out, time_t sec)
{
	if (out)
		*out = sec;
	return sec;
}

time_t xt_hires_time(time_t *out, const struct xt_arm *arm XT_UNUSED, struct xt_clock_state *state XT_UNUSED)
{
	struct timeval tv = {0, 0};

	xt_clock.gettimeofday(&tv, NULL);
	return give(out, tv.tv_sec);
}

int xt_hires_gettimeofday(struct timeval *tv, void *tz, const struct xt_arm *arm XT_UNUSED,
                          struct xt_clock_state *state XT_UNUSED)
{
	return xt_clock_result(xt_clock.gettimeofday(tv, tz));
}

int xt_hires_clock_gettime(clockid_t id, struct timespec *t, const struct xt_arm *arm XT_UNUSED,
                           struct xt_clock_state *state XT_UNUSED)
{
	return xt_clock_result(xt_clock.clock_gettime(id, t));
}

time_t xt_realtime_time(time_t *out, const struct xt_arm *arm XT_UNUSED, struct xt_clock_state *state XT_UNUSED)
{
	struct timespec t = {0, 0};

	xt_clock.clock_gettime(CLOCK_REALTIME, &t);
	return give(out, t.tv_sec);
}

/* tz as libc has it: zeroed. */
static inline int give_tv(struct timeval *tv, void *tz, const struct timespec *t)
{
	if (tv) {
		tv->tv_sec = t->tv_sec;
		tv->tv_usec = (suseconds_t)(t->tv_nsec / 1000);
	}
	if (tz)
		memset(tz, 0, sizeof(struct timezone));
	return 0;
}

int xt_realtime_gettimeofday(struct timeval *tv, void *tz, const struct xt_arm *arm XT_UNUSED,
                             struct xt_clock_state *state XT_UNUSED)
{
	struct timespec t = {0, 0};

	xt_clock.clock_gettime(CLOCK_REALTIME, &t);
	return give_tv(tv, tz, &t);
}

time_t xt_coarse_time(time_t *out, const struct xt_arm *arm XT_UNUSED, struct xt_clock_state *state XT_UNUSED)
{
	struct timespec t = {0, 0};

	xt_clock.clock_gettime(CLOCK_REALTIME_COARSE, &t);
	return give(out, t.tv_sec);
}

int xt_coarse_gettimeofday(struct timeval *tv, void *tz, const struct xt_arm *arm XT_UNUSED,
                           struct xt_clock_state *state XT_UNUSED)
{
	struct timespec t = {0, 0};

	xt_clock.clock_gettime(CLOCK_REALTIME_COARSE, &t);
	return give_tv(tv, tz, &t);
}

int xt_coarse_clock_gettime(clockid_t id, struct timespec *t, const struct xt_arm *arm XT_UNUSED,
                            struct xt_clock_state *state XT_UNUSED)
{
	clockid_t coarse = id == CLOCK_MONOTONIC ? CLOCK_MONOTONIC_COARSE : CLOCK_REALTIME_COARSE;

	return xt_clock_result(xt_clock.clock_gettime(coarse, t));
}

time_t xt_vdso_time(time_t *out, const struct xt_arm *arm XT_UNUSED, struct xt_clock_state *state XT_UNUSED)
{
	return xt_clock.coarse_time(out);
}
