/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library whose constructor reads every clock before the preload's own constructor has run.
 */
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int early_errors;
int early_calls;

static void check(long sec)
{
	struct timespec now;

	syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
	if (sec < now.tv_sec - 1 || sec > now.tv_sec + 1)
		early_errors++;
	early_calls++;
}

static __attribute__((constructor(101))) void early(void)
{
	struct timeval tv = {0, 0};
	struct timespec t = {0, 0};
	time_t stored = 0;

	check(time(NULL));
	time(&stored);
	check(stored);
	gettimeofday(&tv, NULL);
	check(tv.tv_sec);
	clock_gettime(CLOCK_REALTIME, &t);
	check(t.tv_sec);
	t.tv_sec = 0;
	timespec_get(&t, TIME_UTC);
	check(t.tv_sec);
	if (clock_gettime(CLOCK_MONOTONIC, &t) || clock_gettime(CLOCK_BOOTTIME, &t))
		early_errors++;
}
