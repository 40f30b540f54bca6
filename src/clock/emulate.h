/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Emulated clock sources: a read is stretched to N ns in total by a spin on the cycle counter, and +ADDEDns is spun on
 * top. Serialised sources (one device for all CPUs) hand out turns by reservation, never by a lock, so that a reader
 * that is stopped or killed holds up nobody.
 */
#ifndef XT_CLOCK_EMULATE_H
#define XT_CLOCK_EMULATE_H

#include "clock/source.h"

/* Remembers when the counter and the clock were first seen together; cheap, called by xt_clock_init(). */
void xt_emulate_mark(void);

/* Cycles that ns nanoseconds take. The first call may spin up to 0.2 ms to get a base line, and it and one
 * more some time later spin another 0.1 ms, once per process, to know the spin's own cost. */
uint64_t xt_emulate_cycles(uint64_t ns);

/* Spins until the read that began at cycle count start has taken what the arm says. hi_res: it consulted the clock
 * source, so that arm->ns applies; arm->added_ns always does. */
void xt_emulate_finish(uint64_t start, const struct xt_arm *arm, struct xt_clock_state *state, bool hi_res);

#endif
