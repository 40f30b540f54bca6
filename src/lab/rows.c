/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clock rows and the yardsticks.
 */
#include "lab/rows.h"

#include "base/vdso.h"
#include "lab/libc.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

const struct xt_clock_name xt_clock_names[] = {
	{"monotonic", CLOCK_MONOTONIC},
	{"monotonic-coarse", CLOCK_MONOTONIC_COARSE},
	{"monotonic-raw", CLOCK_MONOTONIC_RAW},
	{"tai", CLOCK_TAI},
	{"boottime", CLOCK_BOOTTIME},
	{"realtime", CLOCK_REALTIME},
	{"realtime-coarse", CLOCK_REALTIME_COARSE},
	{"process-cputime", CLOCK_PROCESS_CPUTIME_ID},
	{"thread-cputime", CLOCK_THREAD_CPUTIME_ID},
	{"realtime-alarm", CLOCK_REALTIME_ALARM},
	{"boottime-alarm", CLOCK_BOOTTIME_ALARM},
	{NULL, 0},
};

int xt_calls_add(struct xt_calls *calls, const struct xt_call *call, struct xt_err *err)
{
	if (calls->n == calls->cap) {
		size_t cap = calls->cap ? 2 * calls->cap : 64;
		struct xt_call *v = realloc(calls->v, cap * sizeof(*v));

		if (!v)
			return xt_err_failed(err, "out of memory");
		calls->v = v;
		calls->cap = cap;
	}
	calls->v[calls->n++] = *call;
	return 0;
}

/* libc's function, or the one that the program is linked with where libc cannot be asked. */
static void from_libc(const char *name, void *fallback, void *out)
{
	void *found = xt_libc_symbol(name);

	if (!found)
		found = fallback;
	memcpy(out, &found, sizeof(found));
}

/* One row of clock_gettime or clock_getres, there when a trial of that very path succeeds: a kernel may lack the clock,
 * an image the entry, and a seccomp filter may refuse the system call alone. */
static int add_clock(struct xt_calls *calls, struct xt_call *call, enum xt_path path, struct xt_err *err)
{
	struct timespec ts;

	call->path = path;
	if (path == XT_PATH_SYSCALL) {
		long number = call->batch == xt_batch_sys_gettime ? SYS_clock_gettime : SYS_clock_getres;

		call->available = !syscall(number, call->id, &ts);
	} else {
		call->available = call->fn.clock && !call->fn.clock(call->id, &ts);
	}
	return xt_calls_add(calls, call, err);
}

static int add_clock_gettime(struct xt_calls *calls, const struct xt_clock_name *clock, const struct xt_vdso *vdso,
                             struct xt_err *err)
{
	struct xt_call call = {.id = clock->id, .batch = xt_batch_clock, .value = xt_value_clock, .fd = -1};

	snprintf(call.name, sizeof(call.name), "clock-gettime-%s", clock->name);
	call.fn.clock = vdso->clock_gettime;
	if (add_clock(calls, &call, XT_PATH_VDSO, err))
		return -1;
	from_libc("clock_gettime", (void *)clock_gettime, &call.fn.clock);
	if (add_clock(calls, &call, XT_PATH_LIBC, err))
		return -1;
	call.batch = xt_batch_sys_gettime;
	call.value = xt_value_sys_gettime;
	return add_clock(calls, &call, XT_PATH_SYSCALL, err);
}

static int add_clock_getres(struct xt_calls *calls, const struct xt_clock_name *clock, const struct xt_vdso *vdso,
                            struct xt_err *err)
{
	struct xt_call call = {.id = clock->id, .batch = xt_batch_clock, .fd = -1};

	snprintf(call.name, sizeof(call.name), "clock-getres-%s", clock->name);
	call.fn.clock = vdso->clock_getres;
	if (add_clock(calls, &call, XT_PATH_VDSO, err))
		return -1;
	from_libc("clock_getres", (void *)clock_getres, &call.fn.clock);
	if (add_clock(calls, &call, XT_PATH_LIBC, err))
		return -1;
	call.batch = xt_batch_sys_getres;
	return add_clock(calls, &call, XT_PATH_SYSCALL, err);
}

static bool answers(long number, void *a, void *b)
{
	return syscall(number, a, b, NULL) >= 0;
}

/* What is read without a clock id: by vDSO (NULL: no entry), by libc, by system call (NULL: none on this machine). */
static int add_three(struct xt_calls *calls, const struct xt_call by_path[3], struct xt_err *err)
{
	static const enum xt_path order[3] = {XT_PATH_VDSO, XT_PATH_LIBC, XT_PATH_SYSCALL};

	for (int i = 0; i < 3; i++) {
		struct xt_call call = by_path[i];

		call.path = order[i];
		call.fd = -1;
		memcpy(call.name, by_path[1].name, sizeof(call.name));
		if (xt_calls_add(calls, &call, err))
			return -1;
	}
	return 0;
}

static int add_others(struct xt_calls *calls, const struct xt_vdso *vdso, struct xt_err *err)
{
	struct timeval tv;
	unsigned cpu, node;
	struct xt_call gettimeofday_rows[3] = {
		{.batch = xt_batch_gettimeofday, .value = xt_value_gettimeofday, .available = vdso->gettimeofday},
		{.name = "gettimeofday",
	         .batch = xt_batch_gettimeofday,
	         .value = xt_value_gettimeofday,
	         .available = true},
		{.batch = xt_batch_sys_gettimeofday,
	         .value = xt_value_sys_gettimeofday,
	         .available = answers(SYS_gettimeofday, &tv, NULL)},
	};
	struct xt_call time_rows[3] = {
		{.batch = xt_batch_time, .value = xt_value_time, .available = vdso->time},
		{.name = "time", .batch = xt_batch_time, .value = xt_value_time, .available = true},
		{.batch = xt_batch_sys_time, .value = xt_value_sys_time},
	};
	struct xt_call timespec_rows[3] = {
		{.available = false},
		{.name = "timespec-get",
	         .batch = xt_batch_timespec_get,
	         .value = xt_value_timespec_get,
	         .available = true},
		{.available = false},
	};
	struct xt_call getcpu_rows[3] = {
		{.batch = xt_batch_getcpu_vdso, .available = vdso->getcpu},
		{.name = "getcpu", .batch = xt_batch_getcpu_libc},
		{.batch = xt_batch_sys_getcpu, .available = answers(SYS_getcpu, &cpu, &node)},
	};

	gettimeofday_rows[0].fn.gettimeofday = vdso->gettimeofday;
	from_libc("gettimeofday", (void *)gettimeofday, &gettimeofday_rows[1].fn.gettimeofday);
	time_rows[0].fn.time = vdso->time;
	from_libc("time", (void *)time, &time_rows[1].fn.time);
#ifdef SYS_time
	time_rows[2].available = answers(SYS_time, NULL, NULL);
#endif
	from_libc("timespec_get", (void *)timespec_get, &timespec_rows[1].fn.timespec_get);
	getcpu_rows[0].fn.getcpu_vdso = vdso->getcpu;
	from_libc("getcpu", NULL, &getcpu_rows[1].fn.getcpu_libc);
	getcpu_rows[1].available = getcpu_rows[1].fn.getcpu_libc;
	return add_three(calls, getcpu_rows, err) || add_three(calls, gettimeofday_rows, err) ||
	                       add_three(calls, time_rows, err) || add_three(calls, timespec_rows, err)
	               ? -1
	               : 0;
}

int xt_rows_clocks(struct xt_calls *calls, struct xt_err *err)
{
	struct xt_vdso vdso;

	xt_vdso_lookup(&vdso);
	for (const struct xt_clock_name *clock = xt_clock_names; clock->name; clock++)
		if (add_clock_gettime(calls, clock, &vdso, err) || add_clock_getres(calls, clock, &vdso, err))
			return -1;
	return add_others(calls, &vdso, err);
}

int xt_tmpfs_file(void)
{
	struct statfs fs;
	int fd = open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0 && !fstatfs(fd, &fs) && fs.f_type == TMPFS_MAGIC)
		return fd;
	if (fd >= 0)
		close(fd);
	return memfd_create("xtime-stamps", MFD_CLOEXEC); /* the kernel's own tmpfs */
}

int xt_rows_yardsticks(struct xt_calls *calls, int tmpfs_fd, double counter_hz, struct xt_err *err)
{
	const struct xt_call rows[] = {
		{.name = "pwrite-tmpfs", .batch = xt_batch_pwrite, .fd = tmpfs_fd, .available = tmpfs_fd >= 0},
		{.name = "counter",
	         .batch = xt_batch_counter,
	         .value = xt_value_counter,
	         .fd = -1,
	         .counter_ns = 1e9 / counter_hz,
	         .available = isfinite(counter_hz)},
		{.name = "load", .batch = xt_batch_load, .fd = -1, .available = true},
		{.name = "empty", .batch = xt_batch_empty, .fd = -1, .available = true},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct xt_call call = rows[i];

		call.path = XT_PATH_NONE;
		if (xt_calls_add(calls, &call, err))
			return -1;
	}
	return 0;
}
