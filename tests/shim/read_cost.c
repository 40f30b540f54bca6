/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a read of the clock costs this thread in CPU time, in ns, the median of many batches: read_cost FUNCTION. (Not
 * the least: interrupts are not charged to the thread, but a stretched read goes on meanwhile.) With a second argument:
 * that many threads read together 20,000 times each, and what one read took in all is printed.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES = 101, CALLS = 400, TOGETHER = 20000 };

static int which;

static long long kernel_ns(clockid_t id)
{
	struct timespec t;

	syscall(SYS_clock_gettime, id, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void read_many(int calls)
{
	struct timeval tv;
	struct timespec t;

	for (int i = 0; i < calls; i++) {
		if (which == 0)
			time(NULL);
		else if (which == 1)
			gettimeofday(&tv, NULL);
		else
			clock_gettime(which == 2 ? CLOCK_REALTIME : CLOCK_MONOTONIC, &t);
	}
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void *reader(void *arg)
{
	read_many(TOGETHER);
	return arg;
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"time", "gettimeofday", "clock_gettime", "monotonic"};
	int threads = argc > 2 ? atoi(argv[2]) : 0;
	pthread_t thread[64];
	static double cost[BATCHES];
	double result;
	long long start;

	while (which < 3 && argc > 1 && strcmp(argv[1], names[which]))
		which++;
	read_many(10);
	for (int i = 0; i < BATCHES && !threads; i++) {
		start = kernel_ns(CLOCK_THREAD_CPUTIME_ID);
		read_many(CALLS);
		cost[i] = (double)(kernel_ns(CLOCK_THREAD_CPUTIME_ID) - start) / CALLS;
	}
	start = kernel_ns(CLOCK_MONOTONIC);
	for (int i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, reader, NULL);
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	qsort(cost, BATCHES, sizeof(*cost), by_size);
	result = cost[BATCHES / 2];
	if (threads)
		result = (double)(kernel_ns(CLOCK_MONOTONIC) - start) / TOGETHER / threads;
	printf("%.0f\n", result);
	return 0;
}
