/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one table of implementations, and the routes that it gives.
 */
#include "clock/source.h"

#include "clock/env.h"
#include "clock/tsc.h"

#include <string.h>
#include <sys/syscall.h>

#define XT_ALL  (XT_SWAP_TIME | XT_SWAP_GETTIMEOFDAY | XT_SWAP_CLOCK_GETTIME | XT_SWAP_MONOTONIC)
#define XT_FINE (XT_SWAP_GETTIMEOFDAY | XT_SWAP_CLOCK_GETTIME | XT_SWAP_MONOTONIC)

static bool have_vdso_clock(void)
{
	return xt_clock.vdso.clock_gettime;
}

static bool have_vdso_gettimeofday(void)
{
	return xt_clock.vdso.gettimeofday;
}

static bool have_vdso_time(void)
{
	return xt_clock.vdso.time;
}

static bool have_sys_time(void)
{
#ifdef SYS_time
	return true;
#else
	return false;
#endif
}

const struct xt_source xt_sources[XT_SOURCES] = {
	[XT_SOURCE_LIBC] = {"libc", "whatever libc does: what programs get today", XT_ALL, XT_FINE, xt_libc_time,
                            xt_libc_gettimeofday, xt_libc_clock_gettime, NULL},
	[XT_SOURCE_GETTIMEOFDAY] = {"gettimeofday", "the vDSO's gettimeofday(), hi-res, seconds taken", XT_ALL, XT_ALL,
                                    xt_hires_time, xt_hires_gettimeofday, xt_hires_clock_gettime,
                                    have_vdso_gettimeofday},
	[XT_SOURCE_REALTIME] = {"realtime", "the vDSO's CLOCK_REALTIME, hi-res, seconds taken", XT_ALL, XT_ALL,
                                xt_realtime_time, xt_realtime_gettimeofday, xt_hires_clock_gettime, have_vdso_clock},
	[XT_SOURCE_COARSE] = {"coarse", "the vDSO's coarse clock: today's descendant of the 2007 patch", XT_ALL, 0,
                              xt_coarse_time, xt_coarse_gettimeofday, xt_coarse_clock_gettime, have_vdso_clock},
	[XT_SOURCE_VDSO_TIME] = {"vdso-time", "the vDSO's time(), coarse, as libc calls it", XT_SWAP_TIME, 0,
                                 xt_vdso_time, NULL, NULL, have_vdso_time},
	[XT_SOURCE_SYSCALL_GETTIMEOFDAY] = {"syscall-gettimeofday",
                                            "kernel entry, hi-res: sys_time() before the 2007 patch", XT_ALL, XT_ALL,
                                            xt_sys_gettimeofday_time, xt_sys_gettimeofday, xt_sys_clock_gettime, NULL},
	[XT_SOURCE_SYSCALL_REALTIME] = {"syscall-realtime", "kernel entry, CLOCK_REALTIME, hi-res", XT_ALL, XT_ALL,
                                        xt_sys_realtime_time, xt_sys_realtime_gettimeofday, xt_sys_clock_gettime, NULL},
	[XT_SOURCE_SYSCALL_TIME] = {"syscall-time", "kernel entry, time(): sys_time() after the 2007 patch",
                                    XT_SWAP_TIME, 0, xt_sys_time, NULL, NULL, have_sys_time},
	[XT_SOURCE_SYSCALL_COARSE] = {"syscall-coarse", "kernel entry, coarse clock", XT_ALL, 0, xt_sys_coarse_time,
                                      xt_sys_coarse_gettimeofday, xt_sys_coarse_clock_gettime, NULL},
	[XT_SOURCE_COHERENT] = {"coherent", "coarse seconds, never behind a gettimeofday() already seen", XT_ALL,
                                XT_FINE, xt_coherent_time, xt_coherent_gettimeofday, xt_coherent_clock_gettime, NULL},
	[XT_SOURCE_CACHED] = {"cached", "a second in memory that a ticker keeps up to date", XT_SWAP_TIME, 0,
                              xt_cached_time, NULL, NULL, NULL},
	[XT_SOURCE_TSC] = {"tsc", "the cycle counter, scaled to CLOCK_REALTIME", XT_ALL, XT_ALL, xt_tsc_time,
                           xt_tsc_gettimeofday, xt_tsc_clock_gettime, xt_tsc_invariant},
	[XT_SOURCE_CONSTANT] = {"constant", "frozen at the last flip: the ceiling, no clock",
                                XT_ALL & ~XT_SWAP_MONOTONIC, 0, xt_constant_time, xt_constant_gettimeofday,
                                xt_constant_clock_gettime, NULL},
	[XT_SOURCE_PLUGIN] = {"plugin", "plugin:FILE.so[:SYMBOL], a time() of your own", XT_ALL, XT_ALL, xt_plugin_time,
                              xt_plugin_gettimeofday, xt_plugin_clock_gettime, NULL},
};

int xt_source_find(const char *name, size_t len)
{
	for (int id = 0; id < XT_SOURCES; id++)
		if (xt_sources[id].name && strlen(xt_sources[id].name) == len &&
		    !memcmp(xt_sources[id].name, name, len))
			return id;
	return -1;
}

bool xt_source_available(unsigned id)
{
	if (id >= XT_SOURCES || !xt_sources[id].name)
		return false;
	return !xt_sources[id].available || xt_sources[id].available();
}

unsigned xt_function_swap(enum xt_function function)
{
	switch (function) {
	case XT_FN_TIME:
		return XT_SWAP_TIME;
	case XT_FN_GETTIMEOFDAY:
	case XT_FN_FTIME:
		return XT_SWAP_GETTIMEOFDAY;
	case XT_FN_CLOCK_GETTIME:
	case XT_FN_TIMESPEC_GET:
		return XT_SWAP_CLOCK_GETTIME;
	case XT_FN_MONOTONIC:
		return XT_SWAP_MONOTONIC;
	case XT_FUNCTIONS:
		break;
	}
	return 0;
}

unsigned xt_route_of(const struct xt_arm *arm, unsigned swap, enum xt_function function)
{
	unsigned bit = xt_function_swap(function);
	bool stretched;

	if (arm->source >= XT_SOURCES || !(xt_sources[arm->source].serves & bit))
		return XT_SOURCE_LIBC;
	if (!(swap & bit)) {
		/* coherent's promise needs its hi-res readers even where they are not swapped. */
		if (arm->source == XT_SOURCE_COHERENT && (bit & (XT_SWAP_GETTIMEOFDAY | XT_SWAP_CLOCK_GETTIME)))
			return XT_SOURCE_COHERENT;
		return XT_SOURCE_LIBC;
	}
	stretched = arm->added_ns || (arm->ns && (xt_sources[arm->source].hi_res & bit));
	return arm->source | (stretched ? XT_ROUTE_EMULATED : 0);
}

xt_time_op *xt_route_time(unsigned route)
{
	if (route >= XT_ROUTE_EMULATED)
		return xt_emulated_time;
	if (route >= XT_SOURCES || !xt_sources[route].time)
		return xt_libc_time;
	return xt_sources[route].time;
}

xt_gettimeofday_op *xt_route_gettimeofday(unsigned route)
{
	if (route >= XT_ROUTE_EMULATED)
		return xt_emulated_gettimeofday;
	if (route >= XT_SOURCES || !xt_sources[route].gettimeofday)
		return xt_libc_gettimeofday;
	return xt_sources[route].gettimeofday;
}

xt_clock_gettime_op *xt_route_clock_gettime(unsigned route)
{
	if (route >= XT_ROUTE_EMULATED)
		return xt_emulated_clock_gettime;
	if (route >= XT_SOURCES || !xt_sources[route].clock_gettime)
		return xt_libc_clock_gettime;
	return xt_sources[route].clock_gettime;
}

_Static_assert((int)XT_SOURCES <= (int)XT_ROUTE_EMULATED, "routes hold a source id in their lower half");
