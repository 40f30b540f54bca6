/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `xtime exec` has to know of a program before it runs it: where it is, and whether the shim can act in it.
 */
#ifndef XT_CLI_EXEC_PROGRAM_H
#define XT_CLI_EXEC_PROGRAM_H

#include "base/err.h"

#include <stddef.h>

enum { XT_EXEC_CANNOT = 126, XT_EXEC_NOT_FOUND = 127 };

/* Finds name as a shell does. 0, or XT_EXEC_NOT_FOUND or XT_EXEC_CANNOT with err filled (kind FAILED). */
int xt_exec_find(const char *name, char *path, size_t cap, struct xt_err *err);

/* Why the loader will not preload the shim into this file (or into its #! interpreter): a fragment that follows the
 * program's name, "is statically linked"; NULL when nothing stands against it. */
const char *xt_exec_obstacle(const char *path);

#endif
