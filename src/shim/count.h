/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shim's side of counting: which block of the page a thread owns. Async-signal-safe, no locks: a signal handler
 * that interrupts a claim claims a block of its own, and both keep their counts.
 */
#ifndef XT_SHIM_COUNT_H
#define XT_SHIM_COUNT_H

#include "shim/page_layout.h"

/* A block for the calling thread, or NULL when all have living owners (then the overflow block is what is left). */
struct xt_block *xt_count_claim(struct xt_page *page);

#endif
