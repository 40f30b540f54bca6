/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cycle counter: what a spin watches. Not ordered against other instructions; where the processor has none that
 * user space may read, the counter is CLOCK_MONOTONIC in nanoseconds.
 */
#ifndef XT_CLOCK_CYCLES_H
#define XT_CLOCK_CYCLES_H

#include "clock/env.h"

static inline uint64_t xt_cycles(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t now;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
	return now;
#else
	struct timespec t = {0, 0};

	xt_clock.clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
#endif
}

#endif
