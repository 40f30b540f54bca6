/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A few clock calls, measured alike in this program and in a 32-bit one that is started for it: what the kernel gives
 * to either. This part is compiled into both, so it knows neither libc's loader nor JSON.
 */
#ifndef XT_LAB_WORDSIZE_H
#define XT_LAB_WORDSIZE_H

#include "base/err.h"
#include "lab/call.h"

#include <stdint.h>

struct xt_wordsize_row {
	char call[XT_CALL_NAME_MAX]; /* time, gettimeofday, clock-gettime-realtime, clock-gettime-realtime-coarse */
	enum xt_path path;           /* vdso or syscall */
	double ns;                   /* gross; NAN: no such entry */
};

enum { XT_WORDSIZE_ROWS = 8 };

struct xt_wordsize {
	unsigned bits; /* of a pointer */
	struct xt_wordsize_row row[XT_WORDSIZE_ROWS];
};

/* In this process. */
int xt_wordsize_measure(uint64_t duration_ns, struct xt_wordsize *out, struct xt_err *err);

/* By starting a program that prints "bits N" and then "CALL PATH NS" lines, as xtime-clocks32 does. FAILED with the
 * reason when it cannot be run or prints anything else. */
int xt_wordsize_run(const char *program, struct xt_wordsize *out, struct xt_err *err);

/* The ns of a call by a path; NAN when there is none. */
double xt_wordsize_ns(const struct xt_wordsize *rows, const char *call, enum xt_path path);

#endif
