/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a plugin is a clock at all: what it must pass before it is timed, so that a fast wrong clock is found to be
 * wrong and not to be fast.
 */
#ifndef XT_LAB_CONFORM_H
#define XT_LAB_CONFORM_H

#include "base/err.h"

/* Reads the plugin ("FILE.so[:SYMBOL]", absolute) in a process of its own for a little over a second: in one thread
 * and in several, after fork(), in a signal handler, each reading between two of the kernel's. Allowed to be behind:
 * two of its own resolutions, by default two ticks of the kernel's coarse clock; never ahead, never back. 0; or -1 with
 * err (USAGE) saying what is wrong with it, a fragment that follows its name. Call it before threads exist. */
int xt_lab_conform(const char *plugin, struct xt_err *err);

#endif
