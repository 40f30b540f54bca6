/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arguments as libc has them: what is stored where, NULL, time zones, ranges, errno; and what bad pointers do. With the
 * word "kernel": the source enters the kernel, which answers EFAULT where others may fault.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct ancient_timeb { /* as <sys/timeb.h> had it */
	time_t time;
	unsigned short millitm;
	short timezone, dstflag;
};

static int failures;

static void check(int good, const char *what)
{
	if (good)
		return;
	printf("%s\n", what);
	failures++;
}

static void check_values(void)
{
	struct timeval tv = {0, 0};
	struct timezone tz;
	struct timespec t = {0, 0};
	time_t stored = 0, given = time(&stored);

	check(given == stored && given > 1500000000, "time(&t) returns and stores the same");
	check(time(NULL) >= given, "time(NULL)");
	memset(&tz, 0x55, sizeof(tz));
	check(!gettimeofday(&tv, &tz), "gettimeofday with a time zone");
	check(tz.tz_minuteswest == 0 && tz.tz_dsttime == 0, "the time zone is zeroed");
	check(!gettimeofday(NULL, NULL), "gettimeofday(NULL, NULL)");
	check(!gettimeofday(NULL, &tz), "gettimeofday(NULL, &tz)");
	for (int i = 0; i < 100000; i++) {
		gettimeofday(&tv, NULL);
		clock_gettime(CLOCK_REALTIME, &t);
		if (tv.tv_usec < 0 || tv.tv_usec > 999999 || t.tv_nsec < 0 || t.tv_nsec > 999999999)
			failures++;
		timespec_get(&t, TIME_UTC);
		if (t.tv_nsec < 0 || t.tv_nsec > 999999999)
			failures++;
	}
	check(timespec_get(&t, 77) == 0, "timespec_get of an unknown base");
	check(timespec_get(&t, TIME_UTC) == TIME_UTC, "timespec_get");
}

static void check_ftime(void)
{
	int (*ftime_entry)(struct ancient_timeb *);
	void *found = dlsym(RTLD_DEFAULT, "ftime");
	struct ancient_timeb b = {0, 9999, 9, 9};

	check(found != NULL, "ftime is there");
	if (!found)
		return;
	memcpy(&ftime_entry, &found, sizeof(found));
	check(!ftime_entry(&b), "ftime");
	check(b.millitm < 1000 && b.timezone == 0 && b.dstflag == 0, "ftime's fields");
	check(b.time >= time(NULL) - 2 && b.time <= time(NULL) + 1, "ftime's time");
}

/* In a child: 0 it worked, 1 failed with EFAULT, 2 otherwise, or the signal that it died of, plus 100. */
static int in_child(void (*call)(void))
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		alarm(10);
		call();
		_exit(2);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? 100 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void end(int ret)
{
	_exit(ret == -1 ? (errno == EFAULT ? 1 : 2) : 0);
}

static void *const bad = (void *)8;

static void bad_time(void)
{
	end((int)time(bad));
}

static void bad_gettimeofday(void)
{
	end(gettimeofday(bad, NULL));
}

static void bad_clock_gettime(void)
{
	end(clock_gettime(CLOCK_REALTIME, bad));
}

static void null_clock_gettime(void)
{
	struct timespec *volatile null = NULL;

	end(clock_gettime(CLOCK_REALTIME, null));
}

static void check_bad_pointers(int kernel)
{
	void (*const calls[])(void) = {bad_time, bad_gettimeofday, bad_clock_gettime, null_clock_gettime};

	for (int i = 0; i < 4; i++) {
		int got = in_child(calls[i]);

		/* A fault as user space has it, or EFAULT as the kernel has it; never success, never a hang. */
		check(got == 1 || got == 100 + 11 || got == 100 + 7, "a bad pointer");
		if (kernel && i >= 2)
			check(got == 1, "the kernel answers EFAULT");
	}
	check(time(NULL) > 1500000000, "the clock goes on after bad pointers");
}

int main(int argc, char **argv)
{
	errno = 77;
	check_values();
	check(errno == 77, "errno is kept");
	check_ftime();
	check_bad_pointers(argc > 1 && !strcmp(argv[1], "kernel"));
	return failures != 0;
}
