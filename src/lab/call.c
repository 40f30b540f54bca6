/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loops. Each keeps its function in a local, so that the loop body is the call and nothing else; none may be
 * inlined into its caller, or another compiler would time another loop.
 */
#include "lab/call.h"

#include "base/mono.h"

#include <math.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

#define LOOP    __attribute__((noinline, aligned(64)))
#define BARRIER __asm__ volatile("" ::: "memory")

static const char *const paths[XT_PATHS] = {"vdso", "libc", "syscall", "shim", "none"};

const char *xt_path_name(enum xt_path path)
{
	return paths[path];
}

LOOP void xt_batch_clock(const struct xt_call *call, size_t n)
{
	int (*fn)(clockid_t, struct timespec *) = call->fn.clock;
	clockid_t id = call->id;
	struct timespec ts;

	for (size_t i = 0; i < n; i++) {
		fn(id, &ts);
		BARRIER;
	}
}

LOOP void xt_batch_gettimeofday(const struct xt_call *call, size_t n)
{
	int (*fn)(struct timeval *, void *) = call->fn.gettimeofday;
	struct timeval tv;

	for (size_t i = 0; i < n; i++) {
		fn(&tv, NULL);
		BARRIER;
	}
}

LOOP void xt_batch_time(const struct xt_call *call, size_t n)
{
	time_t (*fn)(time_t *) = call->fn.time;

	for (size_t i = 0; i < n; i++) {
		fn(NULL);
		BARRIER;
	}
}

LOOP void xt_batch_getcpu_vdso(const struct xt_call *call, size_t n)
{
	int (*fn)(unsigned *, unsigned *, void *) = call->fn.getcpu_vdso;
	unsigned cpu, node;

	for (size_t i = 0; i < n; i++) {
		fn(&cpu, &node, NULL);
		BARRIER;
	}
}

LOOP void xt_batch_getcpu_libc(const struct xt_call *call, size_t n)
{
	int (*fn)(unsigned *, unsigned *) = call->fn.getcpu_libc;
	unsigned cpu, node;

	for (size_t i = 0; i < n; i++) {
		fn(&cpu, &node);
		BARRIER;
	}
}

LOOP void xt_batch_timespec_get(const struct xt_call *call, size_t n)
{
	int (*fn)(struct timespec *, int) = call->fn.timespec_get;
	struct timespec ts;

	for (size_t i = 0; i < n; i++) {
		fn(&ts, TIME_UTC);
		BARRIER;
	}
}

LOOP void xt_batch_sys_gettime(const struct xt_call *call, size_t n)
{
	clockid_t id = call->id;
	struct timespec ts;

	for (size_t i = 0; i < n; i++)
		syscall(SYS_clock_gettime, id, &ts);
}

LOOP void xt_batch_sys_getres(const struct xt_call *call, size_t n)
{
	clockid_t id = call->id;
	struct timespec ts;

	for (size_t i = 0; i < n; i++)
		syscall(SYS_clock_getres, id, &ts);
}

LOOP void xt_batch_sys_gettimeofday(const struct xt_call *call, size_t n)
{
	struct timeval tv;

	(void)call;
	for (size_t i = 0; i < n; i++)
		syscall(SYS_gettimeofday, &tv, NULL);
}

LOOP void xt_batch_sys_time(const struct xt_call *call, size_t n)
{
	(void)call;
#ifdef SYS_time
	for (size_t i = 0; i < n; i++)
		syscall(SYS_time, NULL);
#else
	(void)n;
#endif
}

LOOP void xt_batch_sys_getcpu(const struct xt_call *call, size_t n)
{
	unsigned cpu, node;

	(void)call;
	for (size_t i = 0; i < n; i++)
		syscall(SYS_getcpu, &cpu, &node, NULL);
}

LOOP void xt_batch_op_time(const struct xt_call *call, size_t n)
{
	time_t (*fn)(time_t *, const struct xt_arm *, struct xt_clock_state *) = call->fn.op_time;
	const struct xt_arm *arm = call->arm;
	struct xt_clock_state *state = call->state;

	for (size_t i = 0; i < n; i++) {
		fn(NULL, arm, state);
		BARRIER;
	}
}

LOOP void xt_batch_op_gettimeofday(const struct xt_call *call, size_t n)
{
	int (*fn)(struct timeval *, void *, const struct xt_arm *, struct xt_clock_state *) = call->fn.op_gettimeofday;
	const struct xt_arm *arm = call->arm;
	struct xt_clock_state *state = call->state;
	struct timeval tv;

	for (size_t i = 0; i < n; i++) {
		fn(&tv, NULL, arm, state);
		BARRIER;
	}
}

LOOP void xt_batch_op_clock(const struct xt_call *call, size_t n)
{
	int (*fn)(clockid_t, struct timespec *, const struct xt_arm *, struct xt_clock_state *) = call->fn.op_clock;
	const struct xt_arm *arm = call->arm;
	struct xt_clock_state *state = call->state;
	clockid_t id = call->id;
	struct timespec ts;

	for (size_t i = 0; i < n; i++) {
		fn(id, &ts, arm, state);
		BARRIER;
	}
}

/* A failed write (a full disk) costs less than one that succeeds; the caller has tried one before. */
static void write_byte(int fd)
{
	ssize_t done = pwrite(fd, "x", 1, 0);

	(void)done;
}

LOOP void xt_batch_pwrite(const struct xt_call *call, size_t n)
{
	int fd = call->fd;

	for (size_t i = 0; i < n; i++)
		write_byte(fd);
}

LOOP void xt_batch_fstat(const struct xt_call *call, size_t n)
{
	int fd = call->fd;
	struct stat st;

	for (size_t i = 0; i < n; i++)
		fstat(fd, &st);
}

LOOP void xt_batch_pwrite_fstat(const struct xt_call *call, size_t n)
{
	int fd = call->fd;
	struct stat st;

	for (size_t i = 0; i < n; i++) {
		write_byte(fd);
		fstat(fd, &st);
	}
}

uint64_t xt_counter_read(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __rdtsc();
#elif defined(__aarch64__)
	uint64_t v;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(v));
	return v;
#else
	return 0;
#endif
}

double xt_counter_hz(void)
{
#if defined(__aarch64__)
	uint64_t hz;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
	return (double)hz;
#else
	enum { SPAN_NS = 20000000 };
	uint64_t from = xt_counter_read(), start = xt_mono_ns(), now;

	if (!from)
		return NAN;
	do
		now = xt_mono_ns();
	while (now - start < SPAN_NS);
	return (double)(xt_counter_read() - from) * 1e9 / (double)(now - start);
#endif
}

LOOP void xt_batch_counter(const struct xt_call *call, size_t n)
{
	(void)call;
	for (size_t i = 0; i < n; i++) {
		uint64_t v = xt_counter_read();

		__asm__ volatile("" ::"r"((uint32_t)v));
	}
}

LOOP void xt_batch_load(const struct xt_call *call, size_t n)
{
	void *self = &self;
	void *p = &self;

	(void)call;
	for (size_t i = 0; i < n; i++) {
		p = *(void *volatile *)p;
		__asm__ volatile("" : "+r"(p));
	}
}

LOOP void xt_batch_empty(const struct xt_call *call, size_t n)
{
	(void)call;
	for (size_t i = 0; i < n; i++)
		BARRIER;
}
