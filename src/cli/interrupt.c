/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signal handlers. The flag is the one piece of state that a handler can reach.
 */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int interrupts;

static void on_signal(int sig)
{
	(void)sig;
	if (atomic_fetch_add(&interrupts, 1))
		_exit(XT_EXIT_INTERRUPTED);
}

const atomic_int *xt_interrupt_watch(void)
{
	static const int watched[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = on_signal}, old;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(watched) / sizeof(*watched); i++)
		if (!sigaction(watched[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(watched[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return &interrupts;
}
