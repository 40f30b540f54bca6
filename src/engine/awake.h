/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keeps CPUs from falling asleep while a measurement runs: where client and server take turns, what is measured is
 * otherwise how long a CPU takes to wake up.
 */
#ifndef XT_ENGINE_AWAKE_H
#define XT_ENGINE_AWAKE_H

#include "base/err.h"

/* Holds the kernel's /dev/cpu_dma_latency at 0 us, on all CPUs, as long as the descriptor that is returned stays open.
 * -1 with err: it cannot be written (root alone may, as it is delivered), or there is no cpuidle driver that would heed
 * it: CPUs halt then whatever is asked for. */
int xt_awake_hold(struct xt_err *err);

#endif
