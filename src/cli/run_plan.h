/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the options of `run` ask of the engine, checked against each other before anything is opened.
 */
#ifndef XT_CLI_RUN_PLAN_H
#define XT_CLI_RUN_PLAN_H

#include "cli/session.h"

#include <jansson.h>

enum { XT_PLAN_CPUS = 1024, XT_PLAN_PERCENTILES = 32, XT_PLAN_CHECKPOINTS = 256 };

struct xt_run_plan {
	struct xt_pace pace;
	struct xt_measure measure; /* without its callback */
	uint64_t time_ns;          /* per thread count, 0: no limit */
	unsigned cpus[XT_PLAN_CPUS];
	size_t percentile_count;
	double percentiles[XT_PLAN_PERCENTILES];      /* rising, each once */
	uint64_t checkpoints_ns[XT_PLAN_CHECKPOINTS]; /* rising, each once */
};

/* USAGE errors only. The plan is borrowed from the session's options and points into itself: it must not move. */
int xt_run_plan_make(struct xt_run_plan *plan, const struct xt_session *session, struct xt_err *err);

/* The record's `load` object: what was asked for. New reference. */
json_t *xt_run_plan_json(const struct xt_run_plan *plan, const struct xt_session *session);

/* CPUs that this process may use, as a fraction: its affinity mask, and the quota of its control group. */
double xt_run_plan_cpus_allowed(void);

#endif
