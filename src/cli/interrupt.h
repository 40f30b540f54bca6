/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ctrl-C and friends: the first INT, TERM or HUP asks for an early end, the second ends the process at once.
 */
#ifndef XT_CLI_INTERRUPT_H
#define XT_CLI_INTERRUPT_H

#include <stdatomic.h>

enum { XT_EXIT_INTERRUPTED = 130 };

/* Installs the handlers (a signal that was ignored stays ignored, as under nohup) and returns the flag: 0, or how
 * often a signal came. Once per process. SIGPIPE and SIGXFSZ become errors of the write. */
const atomic_int *xt_interrupt_watch(void);

#endif
