/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wakes at the kernel's tick rate and at each new second, and writes the second only when it has changed: readers'
 * cache lines stay valid in between. Reads the clock through the kernel, never through what the shim replaces.
 */
#include "config.h"

#include "shim/ticker.h"

#include "clock/raw.h"
#include "shim/page_layout.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { SECOND_NS = 1000000000, MIN_PERIOD_NS = 1000000, MAX_PERIOD_NS = 10000000 };

struct xt_ticker {
	struct xt_page *page;
	pthread_t thread;
	_Atomic int stop;
};

uint64_t xt_ticker_period_ns(void)
{
	struct timespec tick = {0, 0};

	if (xt_raw2(SYS_clock_getres, CLOCK_REALTIME_COARSE, (long)&tick) || tick.tv_sec ||
	    tick.tv_nsec > MAX_PERIOD_NS)
		return MAX_PERIOD_NS;
	return tick.tv_nsec < MIN_PERIOD_NS ? MIN_PERIOD_NS : (uint64_t)tick.tv_nsec;
}

uint64_t xt_ticker_staleness_ns(void)
{
	return 2 * xt_ticker_period_ns();
}

/* Writes the present second and returns the nanoseconds that have passed in it. */
static long tick(struct xt_page *page)
{
	struct timespec now = {0, 0};

	xt_raw2(SYS_clock_gettime, CLOCK_REALTIME, (long)&now);
	if (atomic_load_explicit(&page->state.cached, memory_order_relaxed) != now.tv_sec)
		atomic_store_explicit(&page->state.cached, now.tv_sec, memory_order_release);
	return now.tv_nsec;
}

/* A microsecond of work that may not wait behind a busy neighbour's slice: real time where that is allowed, else the
 * shortest slice of the fair scheduler (kernels before 6.12 take no notice of it). This thread alone; it never forks.
 */
static void hurry(void)
{
	const struct sched_param first = {.sched_priority = 1};
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
	} fair = {.size = sizeof(fair), .policy = SCHED_OTHER, .nice = getpriority(PRIO_PROCESS, 0), .runtime = 100000};

	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &first))
		syscall(SYS_sched_setattr, 0, &fair, 0u);
}

static void *run(void *arg)
{
	struct xt_ticker *ticker = arg;
	long period = (long)xt_ticker_period_ns();

	hurry();
	while (!atomic_load_explicit(&ticker->stop, memory_order_relaxed)) {
		long left = SECOND_NS - tick(ticker->page);
		struct timespec pause = {0, left < period ? left : period};

		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	}
	return NULL;
}

int xt_ticker_start(struct xt_ticker **out, struct xt_page *page)
{
	struct xt_ticker *ticker = calloc(1, sizeof(*ticker));
	sigset_t all, old;
	int failed;

	*out = NULL;
	if (!ticker)
		return -1;
	ticker->page = page;
	tick(page);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	failed = pthread_create(&ticker->thread, NULL, run, ticker);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (failed) {
		free(ticker);
		errno = failed;
		return -1;
	}
	*out = ticker;
	return 0;
}

void xt_ticker_stop(struct xt_ticker *ticker)
{
	if (!ticker)
		return;
	atomic_store(&ticker->stop, 1);
	pthread_join(ticker->thread, NULL);
	/* Without a ticker the value would only grow old. */
	atomic_store(&ticker->page->state.cached, 0);
	free(ticker);
}
