/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waiting for a child that runs somebody else's code, which may never come back.
 */
#ifndef XT_LAB_REAP_H
#define XT_LAB_REAP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Waits until the child ends, its wait status in *status; one that has not ended after patience_ns is killed, and false
 * returned. Polls at first without sleeping, for children that end at once. */
bool xt_reap(pid_t pid, uint64_t patience_ns, int *status);

#endif
