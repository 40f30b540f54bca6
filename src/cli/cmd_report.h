/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `xtime report`: its option tables, for the registry.
 */
#ifndef XT_CLI_CMD_REPORT_H
#define XT_CLI_CMD_REPORT_H

#include "cli/options.h"

extern const struct xt_arg_table *const xt_cmd_report_tables[];

int xt_cmd_report(int argc, char **argv, struct xt_err *err);

#endif
