/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --validate: the workload's own checks of its data, after the load.
 */
#ifndef XT_CLI_VALIDATE_H
#define XT_CLI_VALIDATE_H

#include "cli/session.h"

extern const struct xt_arg_table xt_validate_table;

/* USAGE when --validate is asked for and nothing can be checked; before anything is run. */
int xt_validate_possible(const struct xt_session *session, struct xt_err *err);

/* Runs the checks that --validate asks for and adds `validation` to the record, whose points say how many transactions
 * there were: checks that held, and the words of the one that did not, which is also the error; saves it where --output
 * says. */
int xt_validate(struct xt_session *session, json_t *record, struct xt_err *err);

#endif
