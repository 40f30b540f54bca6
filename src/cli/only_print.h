/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --only-print and --show-script: what a workload is and what it would send, without a database.
 */
#ifndef XT_CLI_ONLY_PRINT_H
#define XT_CLI_ONLY_PRINT_H

#include "cli/session.h"

/* Prints one section's statements as the first client would send them, of XT_RUN as many transactions as --events or
 * --transactions say, else one. */
int xt_only_print(struct xt_session *session, enum xt_section section, struct xt_err *err);

/* Prints the text of a shipped workload and of what it includes. */
int xt_show_script(const char *name, struct xt_err *err);

#endif
