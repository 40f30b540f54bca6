/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clock ids that no source knows go to the real call; bad ones fail as the kernel has it, and errno is kept otherwise.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int failures;

static long long ns(const struct timespec *t)
{
	return t->tv_sec * 1000000000LL + t->tv_nsec;
}

/* Between two readings of the kernel's own, give or take a tick of the coarse clocks; not at all where the kernel says
 * so. */
static void check(clockid_t id, const char *what)
{
	struct timespec before, t = {0, 0}, after;
	long kernel = syscall(SYS_clock_gettime, id, &before);
	int ret;

	errno = 77;
	ret = clock_gettime(id, &t);
	syscall(SYS_clock_gettime, id, &after);
	if (ret != kernel) {
		printf("%s: %d, the kernel says %ld\n", what, ret, kernel);
		failures++;
	} else if (!ret && (ns(&t) < ns(&before) - 20000000 || ns(&t) > ns(&after) + 20000000)) {
		printf("%s: value out of range\n", what);
		failures++;
	} else if (!ret && errno != 77) {
		printf("%s: errno was changed to %d\n", what, errno);
		failures++;
	} else if (ret && errno != EINVAL) {
		printf("%s: errno %d\n", what, errno);
		failures++;
	}
}

int main(void)
{
	char name[32];
	clockid_t id;
	int fd;

	for (int i = 0; i <= 11; i++) {
		snprintf(name, sizeof(name), "id %d", i);
		check(i, name);
	}
	check(9999, "id 9999");
	if (!pthread_getcpuclockid(pthread_self(), &id))
		check(id, "a thread's CPU time");
	if (!clock_getcpuclockid(getpid(), &id))
		check(id, "a process's CPU time");
	fd = open("/dev/ptp0", O_RDONLY);
	if (fd >= 0)
		check((clockid_t)((~(unsigned)fd << 3) | 3), "/dev/ptp0");
	return failures != 0;
}
