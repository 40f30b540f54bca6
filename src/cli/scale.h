/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scale of pgbench's tables, as the data have it.
 */
#ifndef XT_CLI_SCALE_H
#define XT_CLI_SCALE_H

#include "cli/session.h"

/* Where a built-in of pgbench runs on tables that were loaded before: their number of branches becomes the scale, as in
 * pgbench, whatever --scale says (with a warning where that differs). Needs an open database. */
int xt_scale_read(struct xt_session *session, struct xt_err *err);

#endif
