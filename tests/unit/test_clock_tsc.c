/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * clock/tsc: near the kernel's clock, never backwards between threads, slewed or stepped after the kernel's.
 */
#include "clock/cycles.h"
#include "clock/env.h"
#include "clock/tsc.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { THREADS = 4, RUN_NS = 600000000 };

struct shared {
	struct xt_tsc_state tsc;
	_Atomic int64_t latest;
	_Atomic long backwards, reads;
	_Atomic int64_t widest; /* furthest from the kernel's clock */
	_Atomic int stop;
};

static int64_t kernel_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int64_t outside(int64_t before, int64_t value, int64_t after)
{
	return value < before ? before - value : value > after ? value - after : 0;
}

static void *reader(void *arg)
{
	struct shared *shared = arg;

	while (!atomic_load(&shared->stop)) {
		int64_t latest = atomic_load(&shared->latest), before = kernel_ns(CLOCK_MONOTONIC);
		int64_t now = xt_tsc_ns(&shared->tsc, CLOCK_MONOTONIC), off, widest = atomic_load(&shared->widest);

		off = outside(before, now, kernel_ns(CLOCK_MONOTONIC));
		if (now < latest)
			atomic_fetch_add(&shared->backwards, 1);
		while (now > latest && !atomic_compare_exchange_weak(&shared->latest, &latest, now))
			;
		while (off > widest && !atomic_compare_exchange_weak(&shared->widest, &widest, off))
			;
		atomic_fetch_add(&shared->reads, 1);
	}
	return NULL;
}

static void test_threads_agree(void **state)
{
	struct shared *shared = aligned_alloc(128, (sizeof(*shared) + 127) / 128 * 128);
	pthread_t threads[THREADS];
	int64_t end = kernel_ns(CLOCK_MONOTONIC) + RUN_NS;

	(void)state;
	assert_non_null(shared);
	*shared = (struct shared){0};
	if (xt_tsc_refusal()) {
		print_message("tsc %s\n", xt_tsc_refusal());
		free(shared);
		skip();
	}
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, reader, shared), 0);
	while (kernel_ns(CLOCK_MONOTONIC) < end) {
		struct timespec pause = {0, 10000000};

		nanosleep(&pause, NULL);
	}
	atomic_store(&shared->stop, 1);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	print_message("%ld readings, %ld backwards, at most %ld ns off\n", (long)shared->reads, (long)shared->backwards,
	              (long)shared->widest);
	assert_int_equal(shared->backwards, 0);
	assert_true(shared->widest < 1000000);
	assert_true(shared->tsc.gen > 3);
	free(shared);
}

static int64_t fake_shift;

static int shifted_clock(clockid_t id, struct timespec *t)
{
	int64_t ns = kernel_ns(id) + fake_shift;

	t->tv_sec = (time_t)(ns / 1000000000);
	t->tv_nsec = (long)(ns % 1000000000);
	return 0;
}

/* Reads until the anchor has changed a few times. */
static int64_t settle(struct xt_tsc_state *tsc)
{
	uint64_t until = atomic_load(&tsc->gen) + 3;
	int64_t now = 0;

	while (atomic_load(&tsc->gen) < until)
		now = xt_tsc_ns(tsc, CLOCK_REALTIME);
	return now;
}

/* A clock that is set is followed, forth and back; one that is a little behind is slewed to, without a step back. */
static void test_steps_and_slews(void **state)
{
	struct xt_clock_env kept = xt_clock;
	static struct xt_tsc_state tsc;
	int64_t before, now;

	(void)state;
	if (xt_tsc_refusal())
		skip();
	xt_clock.clock_gettime = shifted_clock;
	before = settle(&tsc);
	assert_true(llabs(before - kernel_ns(CLOCK_REALTIME)) < 2000000);
	fake_shift = INT64_C(3600000000000);
	now = settle(&tsc);
	assert_true(llabs(now - kernel_ns(CLOCK_REALTIME) - fake_shift) < 2000000);
	fake_shift = -INT64_C(3600000000000);
	now = settle(&tsc);
	assert_true(llabs(now - kernel_ns(CLOCK_REALTIME) - fake_shift) < 2000000);
	fake_shift -= 300000;
	for (int64_t end = kernel_ns(CLOCK_MONOTONIC) + 100000000; kernel_ns(CLOCK_MONOTONIC) < end;) {
		int64_t next = xt_tsc_ns(&tsc, CLOCK_REALTIME);

		assert_true(next >= now);
		now = next;
	}
	xt_clock = kept;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads_agree),
		cmocka_unit_test(test_steps_and_slews),
	};

	xt_clock_init(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
