/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the cycle counter is fit to be a clock: one rate, running in every idle state, and the same on all CPUs.
 */
#include "config.h"

#include "clock/cycles.h"
#include "clock/emulate.h"
#include "clock/tsc.h"

#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

bool xt_tsc_invariant(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
}

/* A kernel that has found the counter unstable takes it off this list. */
static bool kernel_trusts_it(void)
{
	char text[256];
	int fd = open("/sys/devices/system/clocksource/clocksource0/available_clocksource", O_RDONLY | O_CLOEXEC);
	ssize_t len;

	if (fd < 0)
		return true;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[len > 0 ? len : 0] = '\0';
	return len <= 0 || strstr(text, "tsc") || strstr(text, "kvm-clock") || strstr(text, "hyperv");
}
#elif defined(__aarch64__)
bool xt_tsc_invariant(void)
{
	return true; /* the architecture promises it of cntvct_el0 */
}

static bool kernel_trusts_it(void)
{
	return true;
}
#else
bool xt_tsc_invariant(void)
{
	return false;
}

static bool kernel_trusts_it(void)
{
	return false;
}
#endif

/* Reads on one CPU after the other: the counter must never be behind what an earlier CPU showed. */
static bool same_on_all_cpus(void)
{
	enum { ROUNDS = 20 };
	cpu_set_t allowed, one;
	uint64_t last = 0;
	bool good = true;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return true;
	for (int round = 0; round < ROUNDS && good; round++) {
		for (int cpu = 0; cpu < CPU_SETSIZE && good; cpu++) {
			uint64_t now;

			if (!CPU_ISSET(cpu, &allowed))
				continue;
			CPU_ZERO(&one);
			CPU_SET(cpu, &one);
			if (sched_setaffinity(0, sizeof(one), &one))
				continue;
			now = xt_cycles();
			good = now >= last;
			last = now;
		}
	}
	sched_setaffinity(0, sizeof(allowed), &allowed);
	return good;
}

const char *xt_tsc_refusal(void)
{
	if (!xt_tsc_invariant())
		return "is refused: this processor does not promise a cycle counter that runs at one rate";
	if (!kernel_trusts_it())
		return "is refused: the kernel has taken the cycle counter off its list of clock sources";
	if (!same_on_all_cpus())
		return "is refused: the cycle counters of this machine's CPUs differ";
	return NULL;
}
