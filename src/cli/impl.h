/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --impl: any command under the shim with one implementation of time().
 */
#ifndef XT_CLI_IMPL_H
#define XT_CLI_IMPL_H

#include "base/err.h"
#include "shim/page.h"

/* Checks arm and swap list (NULL: `time`), restarts the process under the shim unless it is there already, and sets
 * the arm. argv[0] is the command's name. Returns 0 in the process under the shim; -1 with err. *page may be NULL. */
int xt_impl_enter(const char *impl, const char *swap, char **argv, struct xt_page **page, struct xt_err *err);

/* Whether an arm that xt_impl_enter() has accepted reads that source. */
bool xt_impl_uses(const char *impl, enum xt_source_id source);

/* Restarts under the shim (returns only on failure) or, when there already, gives the page. plugins: those that arms
 * will name, NULL-terminated; NULL: none. */
int xt_impl_restart(char **argv, const char *const *plugins, struct xt_page **page, struct xt_err *err);

/* The conformance run of each plugin (before the restart; after it, nothing). USAGE error naming the one that fails. */
int xt_impl_check_plugins(const char *const *plugins, struct xt_err *err);

/* The thread that keeps `cached` up to date in this page, until the process ends. */
int xt_impl_start_ticker(struct xt_page *page, struct xt_err *err);

#endif
