/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Resolution of the process's clock entries. The one writable object is set in a constructor (or at the start of a
 * test) and only read afterwards; it must be global because the interposed functions have no context argument.
 */
#include "clock/env.h"

#include "clock/emulate.h"
#include "clock/raw.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

int xt_clock_failed(long ret)
{
	if (!xt_raw_failed(ret))
		return (int)ret;
	errno = (int)-ret;
	return -1;
}

static int kernel_clock_gettime(clockid_t id, struct timespec *t)
{
	return (int)xt_raw2(SYS_clock_gettime, id, (long)t);
}

static int kernel_gettimeofday(struct timeval *tv, void *tz)
{
	return (int)xt_raw2(SYS_gettimeofday, (long)tv, (long)tz);
}

static time_t coarse_second(time_t *out)
{
	struct timespec t = {0, 0};

	xt_clock.clock_gettime(CLOCK_REALTIME_COARSE, &t);
	if (out)
		*out = t.tv_sec;
	return t.tv_sec;
}

static time_t early_time(time_t *out)
{
	struct timespec t = {0, 0};

	kernel_clock_gettime(CLOCK_REALTIME_COARSE, &t);
	if (out)
		*out = t.tv_sec;
	return t.tv_sec;
}

static int early_gettimeofday(struct timeval *tv, void *tz)
{
	return xt_clock_result(kernel_gettimeofday(tv, tz));
}

static int early_clock_gettime(clockid_t id, struct timespec *t)
{
	return xt_clock_result(kernel_clock_gettime(id, t));
}

struct xt_clock_env xt_clock = {
	.clock_gettime = kernel_clock_gettime,
	.gettimeofday = kernel_gettimeofday,
	.coarse_time = early_time,
	.libc =
		{
			.time = early_time,
			.gettimeofday = early_gettimeofday,
			.clock_gettime = early_clock_gettime,
		},
};

void xt_clock_init(const struct xt_clock_libc *libc)
{
	xt_vdso_lookup(&xt_clock.vdso);
	if (xt_clock.vdso.clock_gettime)
		xt_clock.clock_gettime = xt_clock.vdso.clock_gettime;
	if (xt_clock.vdso.gettimeofday)
		xt_clock.gettimeofday = xt_clock.vdso.gettimeofday;
	xt_clock.coarse_time = xt_clock.vdso.time ? xt_clock.vdso.time : coarse_second;
	if (libc && libc->time)
		xt_clock.libc.time = libc->time;
	if (libc && libc->gettimeofday)
		xt_clock.libc.gettimeofday = libc->gettimeofday;
	if (libc && libc->clock_gettime)
		xt_clock.libc.clock_gettime = libc->clock_gettime;
	xt_emulate_mark();
}
