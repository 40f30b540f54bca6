/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One thing that the lab can time: a clock call by one path, or a yardstick beside it (an empty loop, a load, a write
 * of one byte). Each has a loop of its own that does nothing else, so that what is timed is what a program would pay.
 */
#ifndef XT_LAB_CALL_H
#define XT_LAB_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

struct xt_arm;
struct xt_clock_state;

/* One reading as the call gave it. */
struct xt_instant {
	int64_t sec, sub;
	int64_t per_second; /* of sub: 1000000000, 1000000, or 1 where there is none */
};

enum xt_path {
	XT_PATH_VDSO,
	XT_PATH_LIBC, /* libc's own function, whatever is preloaded */
	XT_PATH_SYSCALL,
	XT_PATH_SHIM, /* a source of the shim, through the shim's own code */
	XT_PATH_NONE, /* not a clock call */
	XT_PATHS,
};

const char *xt_path_name(enum xt_path path); /* "vdso", "libc", ... */

#define XT_CALL_NAME_MAX   40
#define XT_CALL_SOURCE_MAX 160

struct xt_call {
	char name[XT_CALL_NAME_MAX];     /* "clock-gettime-realtime-coarse", as vdsotest spells it */
	char source[XT_CALL_SOURCE_MAX]; /* of XT_PATH_SHIM: the arm; else "" */
	enum xt_path path;
	bool available; /* false: there is no such entry here; nothing else is valid then */
	/* Calls n times and returns. Safe from several threads at once. */
	void (*batch)(const struct xt_call *call, size_t n);
	/* One reading; NULL where there is nothing to read. 0, or -1 as the call failed. */
	int (*value)(const struct xt_call *call, struct xt_instant *out);
	clockid_t id;
	int fd;
	double counter_ns;        /* of one step of the cycle counter */
	const struct xt_arm *arm; /* of XT_PATH_SHIM */
	bool op;                  /* fn.op_* is meant: arm and state are passed through */
	struct xt_clock_state *state;
	union {
		int (*clock)(clockid_t, struct timespec *);
		int (*gettimeofday)(struct timeval *, void *);
		time_t (*time)(time_t *);
		int (*getcpu_vdso)(unsigned *, unsigned *, void *);
		int (*getcpu_libc)(unsigned *, unsigned *);
		int (*timespec_get)(struct timespec *, int);
		time_t (*op_time)(time_t *, const struct xt_arm *, struct xt_clock_state *);
		int (*op_gettimeofday)(struct timeval *, void *, const struct xt_arm *, struct xt_clock_state *);
		int (*op_clock)(clockid_t, struct timespec *, const struct xt_arm *, struct xt_clock_state *);
	} fn;
};

/* Loops and readings, to be put into a struct xt_call together with what they use. */
void xt_batch_clock(const struct xt_call *call, size_t n);        /* fn.clock, id */
void xt_batch_gettimeofday(const struct xt_call *call, size_t n); /* fn.gettimeofday */
void xt_batch_time(const struct xt_call *call, size_t n);         /* fn.time */
void xt_batch_getcpu_vdso(const struct xt_call *call, size_t n);
void xt_batch_getcpu_libc(const struct xt_call *call, size_t n);
void xt_batch_timespec_get(const struct xt_call *call, size_t n);
void xt_batch_sys_gettime(const struct xt_call *call, size_t n); /* id */
void xt_batch_sys_getres(const struct xt_call *call, size_t n);  /* id */
void xt_batch_sys_gettimeofday(const struct xt_call *call, size_t n);
void xt_batch_sys_time(const struct xt_call *call, size_t n);
void xt_batch_sys_getcpu(const struct xt_call *call, size_t n);
void xt_batch_op_time(const struct xt_call *call, size_t n); /* fn.op_time, arm, state */
void xt_batch_op_gettimeofday(const struct xt_call *call, size_t n);
void xt_batch_op_clock(const struct xt_call *call, size_t n);
void xt_batch_pwrite(const struct xt_call *call, size_t n);       /* fd: one byte at offset 0 */
void xt_batch_fstat(const struct xt_call *call, size_t n);        /* fd */
void xt_batch_pwrite_fstat(const struct xt_call *call, size_t n); /* fd: one of each */
void xt_batch_counter(const struct xt_call *call, size_t n);
void xt_batch_load(const struct xt_call *call, size_t n); /* each load waits for the one before */
void xt_batch_empty(const struct xt_call *call, size_t n);

/* ns since the clock's zero. */
static inline uint64_t xt_instant_ns(const struct xt_instant *t)
{
	return (uint64_t)t->sec * 1000000000u + (uint64_t)t->sub * (uint64_t)(1000000000 / t->per_second);
}

int xt_value_clock(const struct xt_call *call, struct xt_instant *out);
int xt_value_gettimeofday(const struct xt_call *call, struct xt_instant *out);
int xt_value_time(const struct xt_call *call, struct xt_instant *out);
int xt_value_timespec_get(const struct xt_call *call, struct xt_instant *out);
int xt_value_sys_gettime(const struct xt_call *call, struct xt_instant *out);
int xt_value_sys_gettimeofday(const struct xt_call *call, struct xt_instant *out);
int xt_value_sys_time(const struct xt_call *call, struct xt_instant *out);
int xt_value_op_time(const struct xt_call *call, struct xt_instant *out);
int xt_value_op_gettimeofday(const struct xt_call *call, struct xt_instant *out);
int xt_value_op_clock(const struct xt_call *call, struct xt_instant *out);
int xt_value_counter(const struct xt_call *call, struct xt_instant *out);

/* The cycle counter (rdtsc, cntvct_el0); 0 where there is none. */
uint64_t xt_counter_read(void);
/* Its frequency: what the machine states (aarch64), else measured against the ruler for about 20 ms; NAN: none. */
double xt_counter_hz(void);

#endif
