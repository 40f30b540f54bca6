/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The readings, their judgement: names, units, tolerances, the verdict on one pair. The engine is in
 * coherence_run.c.
 */
#include "lab/coherence.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const struct {
	const char *name;
	uint64_t unit_ns;
} readings[XT_READINGS] = {
	[XT_READ_TIME] = {"time", 1000000000u},
	[XT_READ_GETTIMEOFDAY] = {"gettimeofday", 1000},
	[XT_READ_REALTIME] = {"clock-gettime-realtime", 1},
	[XT_READ_COARSE] = {"clock-gettime-realtime-coarse", 1},
};

static const char *const scopes[XT_SCOPES] = {"thread", "threads", "processes"};

const char *xt_reading_name(enum xt_reading reading)
{
	return readings[reading].name;
}

const char *xt_scope_name(enum xt_scope scope)
{
	return scopes[scope];
}

uint64_t xt_reading_unit_ns(enum xt_reading reading)
{
	return readings[reading].unit_ns;
}

enum xt_pair xt_pair_judge(uint64_t first_ns, uint64_t second_ns, uint64_t unit_ns, uint64_t tolerance_ns,
                           uint64_t *lag_ns)
{
	if (second_ns + unit_ns > first_ns)
		return XT_PAIR_OK;
	*lag_ns = first_ns - (second_ns + unit_ns);
	return *lag_ns <= tolerance_ns ? XT_PAIR_LAG : XT_PAIR_BACKWARD;
}

uint64_t xt_coarse_tick_ns(void)
{
	struct timespec t = {0, 0};

	/* A seccomp filter may refuse the system call; libc then asks the vDSO. */
	if (syscall(SYS_clock_getres, CLOCK_REALTIME_COARSE, &t) && clock_getres(CLOCK_REALTIME_COARSE, &t))
		return 0;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void xt_coherence_tolerances(uint64_t tick_ns, uint64_t resolution_ns, uint64_t out[XT_READINGS])
{
	for (int i = 0; i < XT_READINGS; i++) {
		uint64_t own = i == XT_READ_TIME || i == XT_READ_COARSE ? 2 * tick_ns : 0;
		uint64_t stated = i == XT_READ_COARSE ? 0 : 2 * resolution_ns;

		out[i] = own > stated ? own : stated;
	}
}
