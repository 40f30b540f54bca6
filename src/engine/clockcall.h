/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * \time: the generator's stand-in for a server that reads the clock. The one place of the engine that calls a function
 * which the shim replaces.
 */
#ifndef XT_ENGINE_CLOCKCALL_H
#define XT_ENGINE_CLOCKCALL_H

#include <stdint.h>

/* Calls libc's time() n times; returns the last answer. */
int64_t xt_clockcall_time(int64_t n);

#endif
