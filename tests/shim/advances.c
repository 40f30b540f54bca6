/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How late time() is at a change of the second: advances [CHILD] waits for two of them (in a child, with an argument)
 * and prints the latest in microseconds.
 */
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long kernel_us(void)
{
	struct timespec t;

	syscall(SYS_clock_gettime, CLOCK_REALTIME, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static int watch(void)
{
	long long late = 0, end = kernel_us() + 2100000;
	time_t before = time(NULL);

	while (kernel_us() < end) {
		struct timespec pause = {0, 50000};
		time_t now = time(NULL);

		if (now != before) {
			long long since = kernel_us() - now * 1000000LL;

			if (since > late)
				late = since;
			before = now;
		}
		/* Late by more than two seconds: it does not move at all. */
		if (kernel_us() - before * 1000000LL > 3000000)
			return 1;
		nanosleep(&pause, NULL);
	}
	printf("%lld\n", late);
	fflush(stdout);
	return 0;
}

int main(int argc, char **argv)
{
	int status;
	pid_t pid;

	(void)argv;
	if (argc < 2)
		return watch();
	time(NULL);
	pid = fork();
	if (pid == 0)
		_exit(watch());
	return waitpid(pid, &status, 0) != pid || status;
}
