/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waits against CLOCK_MONOTONIC deadlines that the program computed itself, as programs do.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_NS = 200000000 };

static int failures;

static long long kernel_ns(void)
{
	struct timespec t;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static struct timespec deadline(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += WAIT_NS;
	if (t.tv_nsec >= 1000000000) {
		t.tv_nsec -= 1000000000;
		t.tv_sec++;
	}
	return t;
}

/* Not before its time (a coarse reading may be a tick old), and at some time. */
static void check(const char *what, long long start)
{
	long long waited = kernel_ns() - start;

	if (waited < WAIT_NS - 25000000 || waited > 20LL * WAIT_NS) {
		printf("%s: waited %lld ns\n", what, waited);
		failures++;
	}
}

int main(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	struct timespec now, until;
	long long start, diff;
	sem_t sem;

	clock_gettime(CLOCK_MONOTONIC, &now);
	diff = now.tv_sec * 1000000000LL + now.tv_nsec - kernel_ns();
	if (diff > 0 || diff < -100000000) {
		printf("MONOTONIC is off by %lld ns\n", diff);
		failures++;
	}
	sem_init(&sem, 0, 0);
	start = kernel_ns();
	until = deadline();
	while (sem_clockwait(&sem, CLOCK_MONOTONIC, &until) && errno == EINTR)
		;
	check("sem_clockwait", start);
	start = kernel_ns();
	until = deadline();
	pthread_mutex_lock(&mutex);
	while (pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &until) != ETIMEDOUT)
		;
	check("pthread_cond_clockwait", start);
	start = kernel_ns();
	until = deadline();
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
	check("clock_nanosleep", start);
	return failures != 0;
}
