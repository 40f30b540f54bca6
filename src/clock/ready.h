/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether an arm can be used on this machine, beyond what its text says: plugins are opened, the cycle counter is
 * looked at. For the harness, before anything runs.
 */
#ifndef XT_CLOCK_READY_H
#define XT_CLOCK_READY_H

#include "clock/arm.h"

#include <stddef.h>

struct xt_ready {
	const struct xt_arm *arm;
	unsigned swap; /* XT_SWAP_* bits that it has to serve */
	char *plugin;  /* in: "FILE.so[:SYMBOL]" as typed, out: with an absolute path; not used for other sources */
	size_t plugin_cap;
	char reason[512]; /* out: a fragment that follows the arm's name */
};

/* 0, or -1 with reason filled. One thread. */
int xt_arm_ready(struct xt_ready *ready);

#endif
