/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of `xtime clocks`: which clocks there are, by which paths, and the yardsticks beside them. Data; timing is
 * the microbench's business.
 */
#ifndef XT_LAB_ROWS_H
#define XT_LAB_ROWS_H

#include "base/err.h"
#include "lab/call.h"

/* A growing list of calls. Start with {0}; v is released with free(). */
struct xt_calls {
	struct xt_call *v;
	size_t n, cap;
};

/* A copy of call at the end. -1: out of memory. */
int xt_calls_add(struct xt_calls *calls, const struct xt_call *call, struct xt_err *err);

/* clock_gettime and clock_getres of every clock id, gettimeofday, time, timespec_get and getcpu, each by vDSO, libc and
 * system call. An entry that does not exist, and a clock that answers an error, is there as not available. */
int xt_rows_clocks(struct xt_calls *calls, struct xt_err *err);

/* One arm (a source of the shim, emulated clock source and added time included), through the shim's own code: time,
 * gettimeofday and clock_gettime as far as it serves them. arm and state must outlive calls. */
int xt_rows_arm(struct xt_calls *calls, const char *text, const struct xt_arm *arm, struct xt_clock_state *state,
                struct xt_err *err);

/* The same functions as this program is linked with: under the shim, the shim's own entry points with this arm on the
 * page. swap: which of them are swapped. */
int xt_rows_linked(struct xt_calls *calls, const char *text, const struct xt_arm *arm, unsigned swap,
                   struct xt_err *err);

/* pwrite of one byte to tmpfs (fd; not available when fd < 0), cycle counter, one load, an empty loop. */
int xt_rows_yardsticks(struct xt_calls *calls, int tmpfs_fd, double counter_hz, struct xt_err *err);

/* An empty unnamed file on tmpfs, read and write, closed on exec; -1 with errno when there is no tmpfs. */
int xt_tmpfs_file(void);

/* The clock ids, as vdsotest names them; ends with a NULL name. */
struct xt_clock_name {
	const char *name; /* "realtime-coarse" */
	clockid_t id;
};
extern const struct xt_clock_name xt_clock_names[];

#endif
