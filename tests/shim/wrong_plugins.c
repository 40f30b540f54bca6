/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library of clocks that are wrong, each in its own way, and two that are right.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t kernel_sec(long shift_ns)
{
	struct timespec t;
	long long ns;

	syscall(SYS_clock_gettime, CLOCK_REALTIME, &t);
	ns = t.tv_sec * 1000000000LL + t.tv_nsec + shift_ns;
	return (time_t)(ns / 1000000000);
}

static time_t give(time_t *out, time_t sec)
{
	if (out)
		*out = sec;
	return sec;
}

#define CLOCK(name)                                                                                                    \
	time_t name(time_t *out);                                                                                      \
	time_t name(time_t *out)

CLOCK(right)
{
	return give(out, kernel_sec(0));
}

/* Behind by less than two of its own resolutions. */
CLOCK(slow)
{
	return give(out, kernel_sec(-18000000));
}

long slow_resolution_ns(void);

long slow_resolution_ns(void)
{
	return 10000000;
}

CLOCK(lagging)
{
	return give(out, kernel_sec(-100000000));
}

long lagging_resolution_ns(void);

long lagging_resolution_ns(void)
{
	return 10000000;
}

CLOCK(ahead)
{
	return give(out, kernel_sec(1000000000));
}

CLOCK(frozen)
{
	static _Atomic long first;
	long none = 0;

	atomic_compare_exchange_strong(&first, &none, (long)kernel_sec(0));
	return give(out, first);
}

CLOCK(forgetful)
{
	(void)out;
	return kernel_sec(0);
}

CLOCK(noisy)
{
	errno = EBUSY;
	return give(out, kernel_sec(0));
}

CLOCK(crashing)
{
	static __thread int calls;

	if (++calls == 1000)
		raise(SIGTERM);
	return give(out, kernel_sec(0));
}

/* A lock: a handler that interrupts its holder waits for ever. */
CLOCK(locking)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	time_t sec;

	pthread_mutex_lock(&mutex);
	sec = kernel_sec(0);
	for (volatile int i = 0; i < 20000; i++)
		;
	pthread_mutex_unlock(&mutex);
	return give(out, sec);
}

/* Right after a second has begun it says the last one again, after it has said the new one. */
CLOCK(wavering)
{
	static __thread unsigned calls;

	return give(out, kernel_sec(++calls % 2 ? 0 : -150000000));
}

long wavering_resolution_ns(void);

long wavering_resolution_ns(void)
{
	return 100000000;
}

CLOCK(crooked)
{
	return give(out, kernel_sec(0));
}

int crooked_gettimeofday(struct timeval *tv, void *tz);

int crooked_gettimeofday(struct timeval *tv, void *tz)
{
	(void)tz;
	tv->tv_sec = kernel_sec(0);
	tv->tv_usec = 1000000;
	return 0;
}
