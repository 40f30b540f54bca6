/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plugin that calls what it stands in for, and malloc: it must get the real clock. Readings are shifted by an hour,
 * so that a test sees who answered. partial is one that has time() alone; deep counts how deep calls nest.
 */
#include "../../doc/plugin/xtime_plugin.h"

#include <stdlib.h>

enum { HOUR = 3600 };

static __thread int depth;
int plugin_deepest;

static void enter(void)
{
	if (++depth > plugin_deepest)
		plugin_deepest = depth;
}

time_t xtime_plugin(time_t *out)
{
	void *volatile memory = malloc(100);
	struct timespec t;
	time_t sec;

	enter();
	sec = time(NULL);
	clock_gettime(CLOCK_REALTIME, &t);
	free(memory);
	/* Nested calls that came back here would shift twice. */
	if (sec - t.tv_sec > 5 || t.tv_sec - sec > 5)
		sec = 0;
	sec += HOUR;
	if (depth > 1)
		sec = 0;
	depth--;
	if (out)
		*out = sec;
	return sec;
}

int xtime_plugin_gettimeofday(struct timeval *tv, void *tz)
{
	int ret;

	enter();
	ret = gettimeofday(tv, tz);
	if (!ret && tv)
		tv->tv_sec += HOUR;
	depth--;
	return ret;
}

int xtime_plugin_clock_gettime(clockid_t id, struct timespec *t)
{
	int ret;

	enter();
	ret = clock_gettime(id, t);
	if (!ret && id == CLOCK_REALTIME)
		t->tv_sec += HOUR;
	depth--;
	return ret;
}

long xtime_plugin_resolution_ns(void)
{
	return 1000;
}

time_t partial(time_t *out);

time_t partial(time_t *out)
{
	return xtime_plugin(out);
}
