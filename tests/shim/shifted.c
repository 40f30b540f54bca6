/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prints by how many hours each function is ahead of the kernel's clock: shifted CALLS. Every one of the calls must
 * agree.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long hours(long sec)
{
	struct timespec t;

	syscall(SYS_clock_gettime, CLOCK_REALTIME, &t);
	return (sec - t.tv_sec + 1800) / 3600;
}

int main(int argc, char **argv)
{
	int calls = argc > 1 ? atoi(argv[1]) : 10, bad = 0;
	struct timeval tv = {0, 0};
	struct timespec t = {0, 0};
	long by_time = hours(time(NULL)), by_tv, by_clock;

	gettimeofday(&tv, NULL);
	by_tv = hours(tv.tv_sec);
	clock_gettime(CLOCK_REALTIME, &t);
	by_clock = hours(t.tv_sec);
	for (int i = 1; i < calls; i++) {
		bad |= hours(time(NULL)) != by_time;
		bad |= gettimeofday(&tv, NULL) || hours(tv.tv_sec) != by_tv;
		bad |= clock_gettime(CLOCK_REALTIME, &t) || hours(t.tv_sec) != by_clock;
	}
	printf("%ld %ld %ld\n", by_time, by_tv, by_clock);
	return bad;
}
