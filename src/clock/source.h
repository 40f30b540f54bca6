/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of time() implementations: one const row per source. An op reads a clock as that source does; it gets the
 * arm's descriptor and the state that lies in the control page (or in private memory, without a page). Ops are
 * async-signal-safe, take no locks, allocate nothing and leave errno alone unless they fail.
 */
#ifndef XT_CLOCK_SOURCE_H
#define XT_CLOCK_SOURCE_H

#include "clock/arm.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

/* tsc: where the counter and the clock met last. Two slots, so that the current one is never written to. */
struct xt_tsc_anchor {
	_Alignas(8) _Atomic uint64_t cycles;
	_Alignas(8) _Atomic uint64_t rate;   /* ns per cycle << 32 */
	_Alignas(8) _Atomic uint64_t lasts;  /* cycles until the next anchor is due */
	_Alignas(8) _Atomic int64_t ns;      /* what readers are told at cycles */
	_Alignas(8) _Atomic int64_t true_ns; /* what the kernel said there */
};

struct xt_tsc_state {
	_Alignas(128) _Atomic uint64_t gen; /* the current slot is gen % 2; 0: none yet */
	struct xt_tsc_anchor slot[2];
	_Alignas(8) _Atomic uint64_t claim; /* cycle count at which somebody began to make the next anchor */
};

/* What readers of one page share. Each writable word has a cache line pair of its own. */
struct xt_clock_state {
	_Alignas(128) _Atomic int64_t sec;         /* coherent: the latest second that anyone was given */
	_Alignas(128) _Atomic uint64_t busy_until; /* serialised emulation: cycle count at which the device is free */
	_Alignas(128) _Atomic uint64_t constant;   /* constant: xt_stamp_pack() of the moment of the flip */
	_Alignas(128) _Atomic int64_t cached; /* cached: seconds as the ticker wrote them; 0 before its first tick */
	_Alignas(128) _Atomic uint64_t fallbacks; /* raw system calls refused (EPERM, ENOSYS), answered by libc */
	struct xt_tsc_state tsc[2];               /* CLOCK_REALTIME, CLOCK_MONOTONIC */
};

/* Seconds and nanoseconds in one word, so that both change together. Good until the year 2514. */
static inline uint64_t xt_stamp_pack(int64_t sec, long nsec)
{
	return (uint64_t)sec << 30 | (uint64_t)nsec;
}

typedef time_t xt_time_op(time_t *, const struct xt_arm *, struct xt_clock_state *);
typedef int xt_gettimeofday_op(struct timeval *, void *, const struct xt_arm *, struct xt_clock_state *);
/* The id is CLOCK_REALTIME or CLOCK_MONOTONIC, nothing else. */
typedef int xt_clock_gettime_op(clockid_t, struct timespec *, const struct xt_arm *, struct xt_clock_state *);

struct xt_source {
	const char *name;
	const char *summary;
	unsigned serves; /* XT_SWAP_* bits of the functions that it can stand in for */
	unsigned hi_res; /* XT_SWAP_* bits of those that consult the clock source (@CLOCKSOURCE stretches them) */
	xt_time_op *time;
	xt_gettimeofday_op *gettimeofday;   /* NULL: whole seconds only */
	xt_clock_gettime_op *clock_gettime; /* NULL: whole seconds only */
	bool (*available)(void);            /* NULL: always; false: the ops fall back to what comes nearest */
};

/* Indexed by enum xt_source_id. */
extern const struct xt_source xt_sources[XT_SOURCES];

/* By name of len bytes: the id, or -1. */
int xt_source_find(const char *name, size_t len);

/* Whether this machine has the entry that the source is named after. Valid after xt_clock_init(). */
bool xt_source_available(unsigned id);

/* Routes: what a function does under an arm, as a small number that travels in the page. The shim has its own tables of
 * XT_ROUTES entries; the upper half is the emulated twin of the lower. */
enum { XT_ROUTE_EMULATED = 16, XT_ROUTES = 32 };

/* The XT_SWAP_* bit that governs a function (timespec_get follows clock_gettime, ftime gettimeofday). */
unsigned xt_function_swap(enum xt_function function);

unsigned xt_route_of(const struct xt_arm *arm, unsigned swap, enum xt_function function);

/* The op behind a route; never NULL: what a source cannot serve is libc's. */
xt_time_op *xt_route_time(unsigned route);
xt_gettimeofday_op *xt_route_gettimeofday(unsigned route);
xt_clock_gettime_op *xt_route_clock_gettime(unsigned route);

/* The rows' ops, one file per family (src/clock/source_*.c). */
xt_time_op xt_libc_time, xt_hires_time, xt_realtime_time, xt_coarse_time, xt_vdso_time, xt_sys_gettimeofday_time;
xt_time_op xt_sys_realtime_time, xt_sys_time, xt_sys_coarse_time, xt_coherent_time, xt_constant_time;
xt_gettimeofday_op xt_libc_gettimeofday, xt_hires_gettimeofday, xt_realtime_gettimeofday, xt_coarse_gettimeofday;
xt_gettimeofday_op xt_sys_gettimeofday, xt_sys_realtime_gettimeofday, xt_sys_coarse_gettimeofday;
xt_gettimeofday_op xt_coherent_gettimeofday, xt_constant_gettimeofday;
xt_clock_gettime_op xt_libc_clock_gettime, xt_hires_clock_gettime, xt_coarse_clock_gettime, xt_sys_clock_gettime;
xt_clock_gettime_op xt_sys_coarse_clock_gettime, xt_coherent_clock_gettime, xt_constant_clock_gettime;
xt_time_op xt_cached_time, xt_tsc_time, xt_plugin_time;
xt_gettimeofday_op xt_tsc_gettimeofday, xt_plugin_gettimeofday;
xt_clock_gettime_op xt_tsc_clock_gettime, xt_plugin_clock_gettime;
xt_time_op xt_emulated_time;
xt_gettimeofday_op xt_emulated_gettimeofday;
xt_clock_gettime_op xt_emulated_clock_gettime;

#endif
