/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The whole of `xtime clocks` as one value: rows with their timings, how many of them enter the kernel, and the
 * yardsticks. Measuring only; records and words are made elsewhere.
 */
#ifndef XT_LAB_CLOCKS_H
#define XT_LAB_CLOCKS_H

#include "base/err.h"
#include "clock/arm.h"
#include "lab/bench.h"
#include "lab/refresher.h"
#include "lab/rows.h"

struct xt_clocks_setup {
	struct xt_bench_setup bench;
	bool sources;             /* with the sources of the shim, in a state of our own */
	const char *arm_text;     /* the arm that this process is under, as typed; NULL: none */
	const struct xt_arm *arm; /* must live as long as the result */
	unsigned swap;            /* the functions that it serves */
	const char *wrong;        /* how it failed to conform; NULL: it did not fail, or was not tried */
};

struct xt_clocks {
	struct xt_calls calls;
	struct xt_timing *timing; /* by call */
	double *entries;          /* system calls of the clock family per call, by call; NAN: not counted */
	const char *wrong;        /* of the arm's rows, as in the setup */
	double empty_ns;          /* one turn of the empty loop: what net figures are without */
	double counter_hz;        /* NAN: no cycle counter */
	bool refused;             /* a system call for the clock is answered by EPERM or ENOSYS (seccomp) */
	unsigned threads;
	struct xt_arm arms[XT_SOURCES]; /* that the calls point at */
	struct xt_clock_state *state;   /* that they read from; NULL: none */
	struct xt_refresher *refresher; /* of its cached second; NULL: none */
};

/* Whether a system call for the clock is answered by EPERM or ENOSYS, as a seccomp filter may. */
bool xt_clocks_refused(void);

/* Puts the rows together without measuring: out->calls. Released by xt_clocks_free(), also after a failure; *out must
 * not move. fd: a file on tmpfs, or -1. */
int xt_clocks_rows(const struct xt_clocks_setup *setup, int fd, struct xt_clocks *out, struct xt_err *err);

/* Measures all rows into *out, which must not move afterwards. Released by
 * xt_clocks_free(), also after a failure. */
int xt_clocks_measure(const struct xt_clocks_setup *setup, struct xt_clocks *out, struct xt_err *err);
void xt_clocks_free(struct xt_clocks *clocks);

/* The row of a call by a path (source "" unless the path is shim); NULL when there is none. */
const struct xt_call *xt_clocks_find(const struct xt_clocks *clocks, const char *name, enum xt_path path,
                                     const char *source);

#endif
