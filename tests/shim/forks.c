/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A process with 8 threads that read clocks forks: forks [COUNT]. Every child reads all clocks and leaves. Exit status
 * 0 when every child did. Prints how many calls of time() the children made.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 8, CALLS = 10 };

static atomic_int stop;

static void read_all(void)
{
	struct timeval tv;
	struct timespec t;

	time(NULL);
	gettimeofday(&tv, NULL);
	clock_gettime(CLOCK_REALTIME, &t);
	clock_gettime(CLOCK_MONOTONIC, &t);
}

static void *reader(void *arg)
{
	(void)arg;
	while (!stop)
		for (int i = 0; i < 100; i++)
			read_all();
	return NULL;
}

/* A thread of the child comes to the clock before the thread that forked. */
static void *grandchild(void *arg)
{
	(void)arg;
	for (int i = 0; i < CALLS / 2; i++)
		read_all();
	return NULL;
}

static void child(int number)
{
	pthread_t thread;

	alarm(20);
	if (number % 10 == 0) {
		if (pthread_create(&thread, NULL, grandchild, NULL))
			_exit(1);
		pthread_join(thread, NULL);
		for (int i = 0; i < CALLS / 2; i++)
			read_all();
	} else {
		for (int i = 0; i < CALLS; i++)
			read_all();
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1000, bad = 0;
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, reader, NULL);
	for (int i = 0; i < count; i++) {
		int status = 0;
		pid_t pid = fork();

		if (pid == 0)
			child(i);
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			bad++;
	}
	stop = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", count * CALLS);
	return bad != 0;
}
