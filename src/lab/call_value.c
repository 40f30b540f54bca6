/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One reading of each kind of call, as the call gave it: nothing is put right here, since verify looks at it.
 */
#include "lab/call.h"

#include <sys/syscall.h>
#include <unistd.h>

static int from_timespec(int rc, const struct timespec *ts, struct xt_instant *out)
{
	*out = (struct xt_instant){ts->tv_sec, ts->tv_nsec, 1000000000};
	return rc ? -1 : 0;
}

static int from_timeval(int rc, const struct timeval *tv, struct xt_instant *out)
{
	*out = (struct xt_instant){tv->tv_sec, tv->tv_usec, 1000000};
	return rc ? -1 : 0;
}

static int from_time(time_t t, struct xt_instant *out)
{
	*out = (struct xt_instant){t, 0, 1};
	return t == (time_t)-1 ? -1 : 0;
}

int xt_value_clock(const struct xt_call *call, struct xt_instant *out)
{
	struct timespec ts = {0, 0};
	int rc = call->fn.clock(call->id, &ts);

	return from_timespec(rc, &ts, out);
}

int xt_value_gettimeofday(const struct xt_call *call, struct xt_instant *out)
{
	struct timeval tv = {0, 0};
	int rc = call->fn.gettimeofday(&tv, NULL);

	return from_timeval(rc, &tv, out);
}

int xt_value_time(const struct xt_call *call, struct xt_instant *out)
{
	return from_time(call->fn.time(NULL), out);
}

int xt_value_timespec_get(const struct xt_call *call, struct xt_instant *out)
{
	struct timespec ts = {0, 0};
	int rc = call->fn.timespec_get(&ts, TIME_UTC) == TIME_UTC ? 0 : -1;

	return from_timespec(rc, &ts, out);
}

int xt_value_sys_gettime(const struct xt_call *call, struct xt_instant *out)
{
	struct timespec ts = {0, 0};
	long rc = syscall(SYS_clock_gettime, call->id, &ts);

	return from_timespec((int)rc, &ts, out);
}

int xt_value_sys_gettimeofday(const struct xt_call *call, struct xt_instant *out)
{
	struct timeval tv = {0, 0};
	long rc = syscall(SYS_gettimeofday, &tv, NULL);

	(void)call;
	return from_timeval((int)rc, &tv, out);
}

int xt_value_sys_time(const struct xt_call *call, struct xt_instant *out)
{
	(void)call;
#ifdef SYS_time
	return from_time((time_t)syscall(SYS_time, NULL), out);
#else
	return from_time(-1, out);
#endif
}

int xt_value_op_time(const struct xt_call *call, struct xt_instant *out)
{
	return from_time(call->fn.op_time(NULL, call->arm, call->state), out);
}

int xt_value_op_gettimeofday(const struct xt_call *call, struct xt_instant *out)
{
	struct timeval tv = {0, 0};
	int rc = call->fn.op_gettimeofday(&tv, NULL, call->arm, call->state);

	return from_timeval(rc, &tv, out);
}

int xt_value_op_clock(const struct xt_call *call, struct xt_instant *out)
{
	struct timespec ts = {0, 0};
	int rc = call->fn.op_clock(call->id, &ts, call->arm, call->state);

	return from_timespec(rc, &ts, out);
}

int xt_value_counter(const struct xt_call *call, struct xt_instant *out)
{
	double ns = (double)xt_counter_read() * call->counter_ns;

	*out = (struct xt_instant){(int64_t)(ns / 1e9), 0, 1000000000};
	out->sub = (int64_t)(ns - (double)out->sec * 1e9);
	return 0;
}
