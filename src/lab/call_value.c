/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One reading of each kind of call, in ns since that clock's zero.
 */
#define _GNU_SOURCE /* syscall numbers */
#include "lab/call.h"

#include <sys/syscall.h>
#include <unistd.h>

static uint64_t timespec_ns(const struct timespec *ts)
{
	return (uint64_t)ts->tv_sec * 1000000000u + (uint64_t)ts->tv_nsec;
}

int xt_value_clock(const struct xt_call *call, uint64_t *ns)
{
	struct timespec ts;
	int rc = call->fn.clock(call->id, &ts);

	*ns = rc ? 0 : timespec_ns(&ts);
	return rc ? -1 : 0;
}

static int timeval_ns(int rc, const struct timeval *tv, uint64_t *ns)
{
	*ns = rc ? 0 : (uint64_t)tv->tv_sec * 1000000000u + (uint64_t)tv->tv_usec * 1000u;
	return rc ? -1 : 0;
}

int xt_value_gettimeofday(const struct xt_call *call, uint64_t *ns)
{
	struct timeval tv = {0, 0};

	return timeval_ns(call->fn.gettimeofday(&tv, NULL), &tv, ns);
}

int xt_value_time(const struct xt_call *call, uint64_t *ns)
{
	time_t t = call->fn.time(NULL);

	*ns = (uint64_t)t * 1000000000u;
	return t == (time_t)-1 ? -1 : 0;
}

int xt_value_timespec_get(const struct xt_call *call, uint64_t *ns)
{
	struct timespec ts = {0, 0};
	int rc = call->fn.timespec_get(&ts, TIME_UTC);

	*ns = timespec_ns(&ts);
	return rc == TIME_UTC ? 0 : -1;
}

int xt_value_sys_gettime(const struct xt_call *call, uint64_t *ns)
{
	struct timespec ts = {0, 0};
	long rc = syscall(SYS_clock_gettime, call->id, &ts);

	*ns = timespec_ns(&ts);
	return rc ? -1 : 0;
}

int xt_value_sys_gettimeofday(const struct xt_call *call, uint64_t *ns)
{
	struct timeval tv = {0, 0};

	(void)call;
	return timeval_ns((int)syscall(SYS_gettimeofday, &tv, NULL), &tv, ns);
}

int xt_value_sys_time(const struct xt_call *call, uint64_t *ns)
{
	(void)call;
	*ns = 0;
#ifdef SYS_time
	*ns = (uint64_t)syscall(SYS_time, NULL) * 1000000000u;
#endif
	return *ns ? 0 : -1;
}

int xt_value_op_time(const struct xt_call *call, uint64_t *ns)
{
	time_t t = call->fn.op_time(NULL, call->arm, call->state);

	*ns = (uint64_t)t * 1000000000u;
	return t == (time_t)-1 ? -1 : 0;
}

int xt_value_op_gettimeofday(const struct xt_call *call, uint64_t *ns)
{
	struct timeval tv = {0, 0};

	return timeval_ns(call->fn.op_gettimeofday(&tv, NULL, call->arm, call->state), &tv, ns);
}

int xt_value_op_clock(const struct xt_call *call, uint64_t *ns)
{
	struct timespec ts = {0, 0};
	int rc = call->fn.op_clock(call->id, &ts, call->arm, call->state);

	*ns = timespec_ns(&ts);
	return rc ? -1 : 0;
}

int xt_value_counter(const struct xt_call *call, uint64_t *ns)
{
	*ns = (uint64_t)((double)xt_counter_read() * call->counter_ns);
	return 0;
}
