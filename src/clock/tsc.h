/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cycle counter as a clock: its reading, and whether this machine's counter can be one.
 */
#ifndef XT_CLOCK_TSC_H
#define XT_CLOCK_TSC_H

#include "clock/source.h"

/* Nanoseconds of clock id (REALTIME or MONOTONIC) by the counter. */
int64_t xt_tsc_ns(struct xt_tsc_state *tsc, clockid_t id);

/* Why the counter cannot serve as a clock here (a fragment that follows "tsc"), or NULL. Looks at the processor and at
 * what the kernel thinks of it, and reads the counter on every CPU that this thread may use, in turns; the thread's
 * affinity is put back. For the harness, not for the shim: it takes milliseconds. */
const char *xt_tsc_refusal(void);

/* The part that is cheap: the processor says that its counter runs at one rate, always. */
bool xt_tsc_invariant(void);

#endif
