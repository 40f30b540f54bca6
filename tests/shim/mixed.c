/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Four threads mix gettimeofday() and time(); one of them is held up now and then. A reading of time() that is behind a
 * gettimeofday() which any thread had before is a violation. mixed SECONDS prints how many there were.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4 };

static _Atomic long seen;
static atomic_long violations, reads;
static atomic_int stop;

static void hold(int sig)
{
	struct timespec pause = {0, 30000000};

	(void)sig;
	nanosleep(&pause, NULL);
}

static void *mix(void *arg)
{
	unsigned turn = (unsigned)(size_t)arg;
	long count = 0;

	while (!stop) {
		if (turn++ % 2) {
			struct timeval tv;
			long old = seen;

			gettimeofday(&tv, NULL);
			while (old < tv.tv_sec && !atomic_compare_exchange_weak(&seen, &old, tv.tv_sec))
				;
		} else {
			long before = seen;

			if (time(NULL) < before)
				violations++;
		}
		count++;
	}
	reads += count;
	return NULL;
}

static long long kernel_ns(void)
{
	struct timespec t;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 5;
	struct sigaction action = {.sa_handler = hold};
	long long end = kernel_ns() + (long long)(seconds * 1e9);
	pthread_t threads[THREADS];

	sigaction(SIGUSR1, &action, NULL);
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, mix, (void *)i);
	while (kernel_ns() < end) {
		struct timespec pause = {0, 70000000};

		nanosleep(&pause, NULL);
		pthread_kill(threads[0], SIGUSR1);
	}
	stop = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%ld\n", (long)violations);
	return reads < 1000;
}
