/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ruler. The one writable word here is set before threads start and only read afterwards.
 */
#include "base/mono.h"

#include "base/vdso.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int (*clock_entry)(clockid_t, struct timespec *);

static uint64_t read_clock(clockid_t id)
{
	struct timespec t = {0, 0};

	if (!clock_entry || clock_entry(id, &t))
		syscall(SYS_clock_gettime, id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void xt_mono_init(void)
{
	struct xt_vdso vdso;

	xt_vdso_lookup(&vdso);
	clock_entry = vdso.clock_gettime;
}

uint64_t xt_mono_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t xt_wall_ns(void)
{
	return read_clock(CLOCK_REALTIME);
}

uint64_t xt_thread_cpu_ns(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t xt_process_cpu_ns(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

int xt_mono_sleep_until(uint64_t deadline_ns)
{
	struct timespec t = {(time_t)(deadline_ns / 1000000000u), (long)(deadline_ns % 1000000000u)};

	/* The raw entry: clock_nanosleep(3) is a cancellation point and some preloads stretch it. */
	return syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) && errno == EINTR;
}
