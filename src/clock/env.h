/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the sources read from: the vDSO's entries and libc's functions, resolved once per process. Before
 * xt_clock_init() every entry is a kernel call, so that an earlier constructor's reads are right.
 */
#ifndef XT_CLOCK_ENV_H
#define XT_CLOCK_ENV_H

#include "base/vdso.h"

#include <stdbool.h>
#include <stdint.h>

/* The next definitions in line (another preload's, or libc's). NULL members keep the kernel call. */
struct xt_clock_libc {
	time_t (*time)(time_t *);
	int (*gettimeofday)(struct timeval *, void *);
	int (*clock_gettime)(clockid_t, struct timespec *);
};

struct xt_clock_env {
	/* Never NULL; what the kernel's image lacks is a kernel call with the vDSO's convention: 0 or -errno. */
	int (*clock_gettime)(clockid_t, struct timespec *);
	int (*gettimeofday)(struct timeval *, void *);
	time_t (*coarse_time)(time_t *); /* the vDSO's time(), else the coarse clock's second */
	struct xt_clock_libc libc;       /* never NULL either; libc's convention: -1 and errno */
	struct xt_vdso vdso;             /* as found: NULL where there is no such entry */
};

/* Written once, by xt_clock_init(), before other threads read the clock through a source. */
extern struct xt_clock_env xt_clock;

/* Resolves the vDSO and takes libc's functions (NULL: keep kernel calls). Async-signal-safe. */
void xt_clock_init(const struct xt_clock_libc *libc);

/* The vDSO's convention to libc's: -1 with errno for a negative one. Half a nanosecond matters here. */
int xt_clock_failed(long ret);
static inline int xt_clock_result(long ret)
{
	return __builtin_expect(!ret, 1) ? 0 : xt_clock_failed(ret);
}

#endif
