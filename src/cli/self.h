/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running under our own shim: where the shim is, starting this program again below it (same pid, page inherited), and
 * keeping it away from children that are not under test. For the main thread, before others exist.
 */
#ifndef XT_CLI_SELF_H
#define XT_CLI_SELF_H

#include "base/err.h"
#include "shim/page.h"

#include <stddef.h>

/* The absolute path of libxtime.so: $XTIME_SHIM, else beside the binary, else the package's folder. USAGE error, naming
 * path and character, when it cannot be preloaded. */
int xt_self_find_shim(char *path, size_t cap, struct xt_err *err);

/* The value of LD_PRELOAD with the shim in front of what is there; malloc, NULL when out of memory. */
char *xt_self_preload(const char *shim);

/* Makes a page and starts this program again under the shim; returns only on failure. argv: the command's arguments,
 * its name first. plugins: "FILE.so[:SYMBOL]" texts that the shim shall open at its start, NULL-terminated; NULL: none.
 */
int xt_self_restart(char **argv, struct xt_err *err);
int xt_self_restart_with(char **argv, const char *const *plugins, struct xt_err *err);

/* After the restart: the page that this process owns, mapped anew at each call. NULL without an error (kind NONE) when
 * it has not been restarted yet; FAILED when the shim did not load. */
struct xt_page *xt_self_page(struct xt_err *err);

/* The page's descriptor (for a server of ours), or -1. Valid until the environment is cleaned. */
int xt_self_page_fd(void);

/* Takes the shim out of LD_PRELOAD and unsets the variables that it reads, for children not under test. This
 * process stays under the shim. */
void xt_self_clean_environment(void);

#endif
