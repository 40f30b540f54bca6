/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nanoseconds per time() call as any program sees it: run bare and under the shim, the difference is the shim's cost.
 * Prints "ns N", the best of many short batches, which a busy machine disturbs least, and "median N". With a number of
 * threads: "reads_per_second N", of all of them together in 0.4 s.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BATCHES = 101, BATCH_NS = 1000000, TOGETHER_NS = 400000000, STEP = 64, THREADS_MAX = 64 };

static atomic_int go, stop;

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double batch_ns(long calls)
{
	volatile time_t sink = 0;
	double start = now_ns();

	for (long i = 0; i < calls; i++)
		sink = time(NULL);
	(void)sink;
	return now_ns() - start;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void alone(void)
{
	static double ns[BATCHES];
	long calls = 16;

	while (batch_ns(calls) < BATCH_NS)
		calls *= 2;
	for (int i = 0; i < BATCHES; i++)
		ns[i] = batch_ns(calls) / (double)calls;
	qsort(ns, BATCHES, sizeof(*ns), by_size);
	printf("ns %.2f\nmedian %.2f\n", ns[0], ns[BATCHES / 2]);
}

static void *reader(void *arg)
{
	long *reads = arg, done = 0;

	while (!atomic_load(&go))
		;
	for (; !atomic_load_explicit(&stop, memory_order_relaxed); done += STEP)
		batch_ns(STEP);
	*reads = done;
	return NULL;
}

static int together(int threads)
{
	static long reads[THREADS_MAX][8]; /* a cache line each */
	pthread_t thread[THREADS_MAX];
	double start, took, sum = 0;

	for (int i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, reader, reads[i]))
			return 1;
	atomic_store(&go, 1);
	start = now_ns();
	do
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	while (now_ns() - start < TOGETHER_NS);
	atomic_store(&stop, 1);
	took = now_ns() - start;
	for (int i = 0; i < threads; i++) {
		pthread_join(thread[i], NULL);
		sum += (double)reads[i][0];
	}
	printf("reads_per_second %.0f\n", sum / took * 1e9);
	return 0;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 0;

	if (threads < 0 || threads > THREADS_MAX)
		return 2;
	if (threads)
		return together(threads);
	alone();
	return 0;
}
