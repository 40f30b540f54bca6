/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parent that `xtime exec --count` stays as. Signals are blocked and taken one by one, so no handler is installed
 * and what the caller ignores stays ignored in the program.
 */
#include "config.h"

#include "cli/exec_child.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

static void wait_for_end(pid_t pid, const sigset_t *set, int *status)
{
	for (;;) {
		siginfo_t info;
		int sig = sigwaitinfo(set, &info);

		/* Asked after every signal: one SIGCHLD may stand for several changes. */
		if (waitpid(pid, status, WNOHANG) == pid)
			return;
		if (sig > 0 && sig != SIGCHLD && info.si_code <= 0)
			kill(pid, sig);
	}
}

int xt_exec_child(const char *path, char **argv, struct xt_exec_end *end, struct xt_err *err)
{
	struct sigaction old_child, plain = {.sa_handler = SIG_DFL};
	sigset_t set, old_mask;
	int *failed = mmap(NULL, sizeof(*failed), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (failed == MAP_FAILED)
		return xt_err_failed(err, "out of memory");
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++)
		sigaddset(&set, passed_on[i]);
	sigprocmask(SIG_BLOCK, &set, &old_mask);
	/* Where the caller ignores SIGCHLD, children vanish without a status. */
	sigaction(SIGCHLD, &plain, &old_child);
	end->pid = fork();
	if (end->pid == 0) {
		sigaction(SIGCHLD, &old_child, NULL);
		sigprocmask(SIG_SETMASK, &old_mask, NULL);
		execvp(path, argv);
		*failed = errno;
		_exit(127);
	}
	if (end->pid < 0) {
		xt_err_failed(err, "cannot start a process: %s", strerror(errno));
		munmap(failed, sizeof(*failed));
		return -1;
	}
	wait_for_end(end->pid, &set, &end->status);
	end->exec_errno = *failed;
	munmap(failed, sizeof(*failed));
	return 0;
}

int xt_exec_end_alike(const struct xt_exec_end *end)
{
	const struct rlimit no_core = {0, 0};
	int sig;
	sigset_t set;

	if (WIFEXITED(end->status))
		return WEXITSTATUS(end->status);
	sig = WTERMSIG(end->status);
	setrlimit(RLIMIT_CORE, &no_core);
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	return 128 + sig;
}
