/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a plugin for xtime exports: a time() of your own, to be timed and compared like any other.
 *
 *     cc -O2 -fPIC -shared -I. example.c -o example.so
 *     xtime exec --impl=plugin:./example.so -- date
 *     xtime ab oltp_time --a=libc --b=plugin:./example.so
 *
 * The arm is plugin:FILE.so[:SYMBOL]; without a symbol it is xtime_plugin. The names below follow from the symbol:
 * with plugin:clock.so:fast they are fast, fast_gettimeofday, fast_clock_gettime and fast_resolution_ns.
 *
 * Rules. The functions are called in place of libc's, from any thread, from signal handlers, before main() and after
 * fork(): no locks, no allocation, and errno stays as it was unless they fail. What they call themselves - time(),
 * clock_gettime(), malloc() - is the real thing: xtime does not lead a plugin back into itself. They must keep the
 * contracts of the functions that they stand in for: store through a pointer that is not NULL, never step back while
 * the clock does not, be within their resolution of CLOCK_REALTIME.
 */
#ifndef XTIME_PLUGIN_H
#define XTIME_PLUGIN_H

#include <sys/time.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Required. As time(2): seconds, stored through out where it is not NULL. */
time_t xtime_plugin(time_t *out);

/* Optional; needed where gettimeofday is in --swap. tz may be NULL, else it is zeroed. 0, or -1 with errno set. */
int xtime_plugin_gettimeofday(struct timeval *tv, void *tz);

/* Optional; needed where clock_gettime or monotonic is in --swap. The id is CLOCK_REALTIME or CLOCK_MONOTONIC, nothing
 * else. 0, or -1 with errno set. */
int xtime_plugin_clock_gettime(clockid_t id, struct timespec *t);

/* Optional. How far a reading may be behind the clock, in nanoseconds; checks use it as their tolerance. Without it,
 * that of the kernel's coarse clock. */
long xtime_plugin_resolution_ns(void);

#ifdef __cplusplus
}
#endif

#endif
