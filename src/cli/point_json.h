/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A point of `run` as the record has it.
 */
#ifndef XT_CLI_POINT_JSON_H
#define XT_CLI_POINT_JSON_H

#include "cli/run_plan.h"

struct xt_run_point {
	const struct xt_session *session;
	const struct xt_run_plan *plan;
	const json_t *record, *load; /* the record, and its load object */
	unsigned threads;
	unsigned visits;                 /* whole ones */
	double ruler_ns;                 /* what a reading of the ruler costs */
	json_t *intervals, *checkpoints; /* NULL: not asked for */
	bool failed;                     /* the last visit ended with an error */
	int write_errno;                 /* standard output could not be written */
	struct xt_totals totals;
};

/* New references. */
json_t *xt_run_point_json(const struct xt_run_point *point);
json_t *xt_run_checkpoint_json(const struct xt_run_point *point, const struct xt_interval *interval);
json_t *xt_run_interval_json(const struct xt_run_point *point, const struct xt_interval *interval);

#endif
