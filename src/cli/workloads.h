/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where workloads are: a path (with '/' or ending in .sql), or the name of a shipped one.
 */
#ifndef XT_CLI_WORKLOADS_H
#define XT_CLI_WORKLOADS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* The file of a workload, into path. USAGE error naming what was searched. */
int xt_workload_find(const char *name, char *path, size_t cap, struct xt_err *err);

/* Whether the text is a path rather than a name. */
bool xt_workload_is_path(const char *name);

/* Calls each(ctx, name, first comment line of its file) for every shipped workload, sorted by name; files whose name
 * ends in _common.sql are parts of others and left out. */
int xt_workload_each(void (*each)(void *ctx, const char *name, const char *summary), void *ctx, struct xt_err *err);

#endif
