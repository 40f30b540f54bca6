/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Are the clocks right? What vdsotest calls verify (values and their order, by each path) and abi (what odd arguments
 * do), for time() too. The judgement of a reading is a pure function; arguments are tried in child processes.
 */
#ifndef XT_LAB_VERIFY_H
#define XT_LAB_VERIFY_H

#include "base/err.h"
#include "lab/call.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* How a reading stands between two others. */
enum xt_bracket {
	XT_BRACKET_OK,
	XT_BRACKET_OLD,   /* older than the reading before allows */
	XT_BRACKET_AHEAD, /* later than the reading after allows */
};

/* What a reading is held against, and what it may differ by. */
struct xt_bounds {
	clockid_t lower, upper; /* read by system call before and after */
	uint64_t unit_ns;       /* the smallest step that the call can show */
	uint64_t lag_ns;        /* how far it may be behind the one before, beyond its unit */
	uint64_t ahead_ns;      /* and ahead of the one after */
};

enum xt_bracket xt_bracket_judge(uint64_t before_ns, uint64_t value_ns, uint64_t after_ns,
                                 const struct xt_bounds *bounds);

/* Bounds of a call: a fine one between fine readings, to within clock_getres; one of ticks or whole seconds not behind
 * the coarse clock by more than a tick, and never ahead of the fine one. resolution_ns: what an implementation of
 * the shim says of itself, 0: nothing. */
void xt_bounds_of(const struct xt_call *call, uint64_t resolution_ns, struct xt_bounds *out);

/* One check of one row, as the record has it. */
struct xt_check {
	char call[XT_CALL_NAME_MAX];
	char source[XT_CALL_SOURCE_MAX];
	enum xt_path path;
	const char *
		check; /* "bracket", "bracket-migrating", "normalised", "monotonic", "monotonic-threads", "arguments" */
	uint64_t tried; /* 0: it could not be tried, detail says why */
	uint64_t failures;
	bool hung;        /* a try did not come back: no more were made */
	char detail[240]; /* the first failure; else "" */
};

/* A growing list. Start with {0}; v is released with free(). */
struct xt_checks {
	struct xt_check *v;
	size_t n, cap;
};

/* Appends an empty check of the call; NULL when out of memory. The pointer is good until the next. */
struct xt_check *xt_checks_add(struct xt_checks *checks, const struct xt_call *call, const char *name);

struct xt_verify_setup {
	uint64_t duration_ns;          /* of each of a row's loops */
	unsigned threads;              /* of monotonic-threads */
	uint64_t max_failures;         /* a loop ends there */
	uint64_t resolution_ns;        /* as for xt_bounds_of() */
	const atomic_int *interrupted; /* not 0: end early; may be NULL */
};

/* Values of one available call: bracketed between system calls, also while migrating; normalised; monotonic, also
 * across threads. */
int xt_verify_values(const struct xt_call *call, const struct xt_verify_setup *setup, struct xt_checks *out,
                     struct xt_err *err);

/* NULL, unaligned, unmapped, read-only pointers and bad clock ids: what the path does with them, against what it may
 * do. */
int xt_verify_arguments(const struct xt_call *call, struct xt_checks *out, struct xt_err *err);

#endif
