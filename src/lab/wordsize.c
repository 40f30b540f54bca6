/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows that both word sizes have.
 */
#include "lab/wordsize.h"

#include "base/vdso.h"
#include "lab/bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void name(struct xt_call *call, const char *text, enum xt_path path)
{
	snprintf(call->name, sizeof(call->name), "%s", text);
	call->path = path;
	call->fd = -1;
}

/* The two rows of clock_gettime for one id. */
static void clock_rows(struct xt_call *at, const char *text, clockid_t id, const struct xt_vdso *vdso)
{
	at[0] = (struct xt_call){.id = id, .batch = xt_batch_clock, .available = vdso->clock_gettime};
	at[0].fn.clock = vdso->clock_gettime;
	name(&at[0], text, XT_PATH_VDSO);
	at[1] = (struct xt_call){.id = id, .batch = xt_batch_sys_gettime, .available = true};
	name(&at[1], text, XT_PATH_SYSCALL);
}

static void make_calls(struct xt_call calls[XT_WORDSIZE_ROWS])
{
	struct xt_vdso vdso;

	xt_vdso_lookup(&vdso);
	calls[0] = (struct xt_call){.batch = xt_batch_time, .available = vdso.time};
	calls[0].fn.time = vdso.time;
	name(&calls[0], "time", XT_PATH_VDSO);
	calls[1] = (struct xt_call){.batch = xt_batch_sys_time};
#ifdef SYS_time
	calls[1].available = true;
#endif
	name(&calls[1], "time", XT_PATH_SYSCALL);
	calls[2] = (struct xt_call){.batch = xt_batch_gettimeofday, .available = vdso.gettimeofday};
	calls[2].fn.gettimeofday = vdso.gettimeofday;
	name(&calls[2], "gettimeofday", XT_PATH_VDSO);
	calls[3] = (struct xt_call){.batch = xt_batch_sys_gettimeofday, .available = true};
	name(&calls[3], "gettimeofday", XT_PATH_SYSCALL);
	clock_rows(&calls[4], "clock-gettime-realtime", CLOCK_REALTIME, &vdso);
	clock_rows(&calls[6], "clock-gettime-realtime-coarse", CLOCK_REALTIME_COARSE, &vdso);
}

int xt_wordsize_measure(uint64_t duration_ns, struct xt_wordsize *out, struct xt_err *err)
{
	struct xt_bench_setup setup = {.duration_ns = duration_ns, .threads = 1, .seed = 1};
	struct xt_timing timing[XT_WORDSIZE_ROWS];
	struct xt_call calls[XT_WORDSIZE_ROWS];

	make_calls(calls);
	if (xt_bench_run(calls, XT_WORDSIZE_ROWS, &setup, timing, err))
		return -1;
	*out = (struct xt_wordsize){.bits = 8 * sizeof(void *)};
	for (int i = 0; i < XT_WORDSIZE_ROWS; i++) {
		memcpy(out->row[i].call, calls[i].name, sizeof(out->row[i].call));
		out->row[i].path = calls[i].path;
		out->row[i].ns = timing[i].ns;
	}
	return 0;
}

double xt_wordsize_ns(const struct xt_wordsize *rows, const char *call, enum xt_path path)
{
	for (int i = 0; i < XT_WORDSIZE_ROWS; i++)
		if (rows->row[i].path == path && !strcmp(rows->row[i].call, call))
			return rows->row[i].ns;
	return NAN;
}
