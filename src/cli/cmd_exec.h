/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * xtime exec -- PROGRAM: see cmd_exec.c.
 */
#ifndef XT_CLI_CMD_EXEC_H
#define XT_CLI_CMD_EXEC_H

#include "cli/options.h"

extern const struct xt_arg_table xt_exec_table;

/* Returns the program's exit status (126, 127 when it could not be run), or -1 with err filled. Without --count it does
 * not return: this process becomes the program. */
int xt_cmd_exec(int argc, char **argv, struct xt_err *err);

#endif
