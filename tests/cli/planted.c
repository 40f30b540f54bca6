/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plugins that are wrong on purpose, one symbol each: lags (time() by 25 ms), ahead (time() by a second), steps (every
 * function two seconds back for good from its 20,000th call on), fails (signals and forks never come back), and fine,
 * which is right;
 * hiccups (all three, 300 ms back at every 41st call).
 */
#include "../../doc/plugin/xtime_plugin.h"

#include <stdatomic.h>
#include <unistd.h>

#define S  1000000000ll
#define MS 1000000ll

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * S + t.tv_nsec;
}

static time_t give(time_t *out, long long ns)
{
	if (out)
		*out = ns / S;
	return ns / S;
}

static int give_timeval(struct timeval *tv, void *tz, long long ns)
{
	if (tz)
		*(struct timezone *)tz = (struct timezone){0, 0};
	if (!tv)
		return 0;
	tv->tv_sec = ns / S;
	tv->tv_usec = ns % S / 1000;
	return 0;
}

static int give_timespec(struct timespec *t, long long ns)
{
	t->tv_sec = ns / S;
	t->tv_nsec = ns % S;
	return 0;
}

time_t lags(time_t *out)
{
	return give(out, now() - 25 * MS);
}

time_t ahead(time_t *out)
{
	return give(out, now() + S);
}

static atomic_uint calls;

static long long stepping(void)
{
	return now() - (atomic_fetch_add(&calls, 1) >= 20000 ? 2 * S : 0);
}

time_t steps(time_t *out)
{
	return give(out, stepping());
}

int steps_gettimeofday(struct timeval *tv, void *tz)
{
	return give_timeval(tv, tz, stepping());
}

int steps_clock_gettime(clockid_t id, struct timespec *t)
{
	return id == CLOCK_REALTIME ? give_timespec(t, stepping()) : clock_gettime(id, t);
}

static long long hiccuping(void)
{
	return now() - (atomic_fetch_add(&calls, 1) % 41 == 40 ? 300 * MS : 0);
}

time_t hiccups(time_t *out)
{
	return give(out, hiccuping());
}

int hiccups_gettimeofday(struct timeval *tv, void *tz)
{
	return give_timeval(tv, tz, hiccuping());
}

int hiccups_clock_gettime(clockid_t id, struct timespec *t)
{
	return id == CLOCK_REALTIME ? give_timespec(t, hiccuping()) : clock_gettime(id, t);
}

static pid_t first_user;

/* Right, but for ever silent in a forked child. */
time_t fails(time_t *out)
{
	if (!first_user)
		first_user = getpid();
	while (getpid() != first_user)
		;
	return give(out, now());
}

long fails_resolution_ns(void)
{
	return 1;
}

time_t fine(time_t *out)
{
	return give(out, now());
}

int fine_gettimeofday(struct timeval *tv, void *tz)
{
	return give_timeval(tv, tz, now());
}

int fine_clock_gettime(clockid_t id, struct timespec *t)
{
	return clock_gettime(id, t);
}

long fine_resolution_ns(void)
{
	return 1;
}
