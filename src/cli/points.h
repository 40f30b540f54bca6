/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `run`: visits without slices, and what the record says of them.
 */
#ifndef XT_CLI_POINTS_H
#define XT_CLI_POINTS_H

#include "cli/run_plan.h"

/* Adds threads.n points to the record (visits in rounds), saving after each visit. *interrupted: the user ended it. */
int xt_points_run(struct xt_session *session, const struct xt_run_plan *plan, json_t *record, bool *interrupted,
                  struct xt_err *err);

#endif
