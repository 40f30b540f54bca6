/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls each clock function a number of times and ends in the way asked for: calls [COUNT [return|_exit|kill|abort]].
 * Exit status 3 when a value is far from the kernel's clock.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int wrong(long sec)
{
	struct timespec now;

	syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
	return labs((long)now.tv_sec - sec) > 2;
}

int main(int argc, char **argv)
{
	int calls = argc > 1 ? atoi(argv[1]) : 1000, bad = 0;
	const char *end = argc > 2 ? argv[2] : "return";
	struct timeval tv = {0, 0};
	struct timespec t = {0, 0};

	for (int i = 0; i < calls; i++)
		bad |= wrong(time(NULL));
	for (int i = 0; i < calls; i++)
		bad |= gettimeofday(&tv, NULL) || wrong(tv.tv_sec);
	for (int i = 0; i < calls; i++)
		bad |= clock_gettime(CLOCK_REALTIME, &t) || wrong(t.tv_sec);
	for (int i = 0; i < calls; i++)
		bad |= timespec_get(&t, TIME_UTC) != TIME_UTC || wrong(t.tv_sec);
	for (int i = 0; i < calls; i++)
		bad |= clock_gettime(CLOCK_MONOTONIC, &t);
	if (bad)
		return 3;
	if (!strcmp(end, "_exit"))
		_exit(0);
	if (!strcmp(end, "kill"))
		raise(SIGKILL);
	if (!strcmp(end, "abort"))
		abort();
	return 0;
}
