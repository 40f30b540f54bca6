/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The patient wait. Short sleeps instead of a signal: what SIGCHLD does belongs to the program.
 */
#include "lab/reap.h"

#include "base/mono.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

bool xt_reap(pid_t pid, uint64_t patience_ns, int *status)
{
	enum { AT_ONCE_NS = 2000000, PAUSE_NS = 1000000 };
	uint64_t start = xt_mono_ns();

	for (;;) {
		pid_t ended = waitpid(pid, status, WNOHANG);
		uint64_t waited = xt_mono_ns() - start;

		if (ended == pid)
			return true;
		if (ended < 0 && errno != EINTR)
			return false;
		if (waited > patience_ns)
			break;
		if (waited < AT_ONCE_NS)
			sched_yield();
		else
			xt_mono_sleep_until(xt_mono_ns() + PAUSE_NS);
	}
	kill(pid, SIGKILL);
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		;
	return false;
}
