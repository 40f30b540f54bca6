/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The harness's own ruler: CLOCK_MONOTONIC through our own vDSO lookup, so that no symbol the shim replaces is ever
 * in the path. All intervals of xtime are differences of xt_mono_ns(). Safe from any thread once initialised; before
 * xt_mono_init() (or without a vDSO) the kernel entry is used.
 */
#ifndef XT_BASE_MONO_H
#define XT_BASE_MONO_H

#include <stdint.h>

/* Once, at the start of main, before threads. */
void xt_mono_init(void);

uint64_t xt_mono_ns(void);

/* CLOCK_REALTIME from one reading, for stamps that people read; never for intervals. */
uint64_t xt_wall_ns(void);

/* CPU time of the calling thread and of the process, ns (kernel entry). */
uint64_t xt_thread_cpu_ns(void);
uint64_t xt_process_cpu_ns(void);

/* Sleeps until the monotonic time, through the kernel entry; returns early (1) when a signal came, else 0. */
int xt_mono_sleep_until(uint64_t deadline_ns);

#endif
