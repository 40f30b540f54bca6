/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ab --runs=K: the same A/B in K fresh processes, one after the other.
 */
#ifndef XT_CLI_AB_RUNS_H
#define XT_CLI_AB_RUNS_H

#include "ab/ab.h"
#include "cli/session.h"

/* Runs them, saves and prints the merged record; the exit status, or -1. An interrupt keeps the runs that ended. */
int xt_ab_runs(struct xt_session *session, const struct xt_ab *ab, int64_t runs, struct xt_err *err);

#endif
