/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program as a child: signals that were meant for it go on to it, and we end as it ended.
 */
#ifndef XT_CLI_EXEC_CHILD_H
#define XT_CLI_EXEC_CHILD_H

#include "base/err.h"

#include <sys/types.h>

struct xt_exec_end {
	pid_t pid;
	int status;     /* as waitpid() has it */
	int exec_errno; /* not 0: the program could not be started */
};

/* Starts path with argv in this environment and waits for its end. INT, TERM, HUP, QUIT, USR1 and USR2 are passed on
 * when a process sent them; those of a terminal have reached the child already. Leaves these signals blocked. */
int xt_exec_child(const char *path, char **argv, struct xt_exec_end *end, struct xt_err *err);

/* Dies of the signal that the program died of (without a core file of ours); else returns its exit status. */
int xt_exec_end_alike(const struct xt_exec_end *end);

#endif
