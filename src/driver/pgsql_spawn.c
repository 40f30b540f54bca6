/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Child processes of the private server: initdb, pg_config, the server itself. Their environment is ours without the
 * shim, unless the child is to run under it. All is prepared before fork: between fork and exec only system calls.
 */
#include "config.h"

#include "driver/pgsql_db.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What LD_PRELOAD shall be: ours in front, without any other copy of the shim. */
static void add_preload(struct xt_buf *out, const char *preload)
{
	const char *at = getenv("LD_PRELOAD");
	bool any = preload != NULL;

	xt_buf_puts(out, "LD_PRELOAD=");
	if (preload)
		xt_buf_puts(out, preload);
	while (at && *at) {
		size_t skip = strspn(at, " :"), len = strcspn(at + skip, " :");
		const char *name = at + skip, *slash = memrchr(name, '/', len);
		const char *base = slash ? slash + 1 : name;
		size_t base_len = len - (size_t)(base - name);

		at = name + len;
		if (!len || (base_len == 11 && !memcmp(base, "libxtime.so", 11)))
			continue;
		if (any)
			xt_buf_puts(out, ":");
		xt_buf_add(out, name, len);
		any = true;
	}
	xt_buf_add(out, "", 1);
}

static size_t add_variable(struct xt_buf *out, const char *name, const char *value)
{
	if (!value)
		return 0;
	xt_buf_printf(out, "%s=%s", name, value);
	xt_buf_add(out, "", 1);
	return 1;
}

/* A copy of the environment in one block of strings. */
static char **make_environment(const struct xt_pg_child *child, struct xt_buf *strings)
{
	size_t count = 0, at = 0;
	char **envp;

	for (char **e = environ; *e; e++) {
		if (!strncmp(*e, "LD_PRELOAD=", 11) || !strncmp(*e, "XTIME_", 6))
			continue;
		xt_buf_add(strings, *e, strlen(*e) + 1);
		count++;
	}
	if (child->preload || getenv("LD_PRELOAD")) {
		add_preload(strings, child->preload);
		count++;
	}
	count += add_variable(strings, "XTIME_PAGE", child->page);
	count += add_variable(strings, "XTIME_PLUGINS", child->plugins);
	envp = calloc(count + 1, sizeof(*envp));
	if (!envp || strings->failed) {
		free(envp);
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		envp[i] = strings->data + at;
		at += strlen(envp[i]) + 1;
	}
	return envp;
}

static int become(const struct xt_pg_child *child, const gid_t *groups, int group_count)
{
	if (!child->change_user)
		return 0;
	return setgroups((size_t)group_count, groups) || setresgid(child->gid, child->gid, child->gid) ||
	       setresuid(child->uid, child->uid, child->uid);
}

/* In the child; returns only when something failed, with errno. */
static void start_program(const struct xt_pg_child *child, char **envp, const gid_t *groups, int group_count,
                          pid_t parent)
{
	sigset_t none;

	sigemptyset(&none);
	for (int s = 1; s < 32; s++)
		if (s != SIGKILL && s != SIGSTOP)
			signal(s, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (child->session)
		setsid();
	if (become(child, groups, group_count))
		return;
	/* after the change of user, which clears it; the parent may be gone already */
	if (child->death_signal && (prctl(PR_SET_PDEATHSIG, child->death_signal) || getppid() != parent)) {
		errno = ESRCH;
		return;
	}
	if (child->folder && chdir(child->folder))
		return;
	if (child->keep >= 0)
		fcntl(child->keep, F_SETFD, 0);
	if (dup2(child->output, STDOUT_FILENO) < 0 || dup2(child->output, STDERR_FILENO) < 0)
		return;
	close(STDIN_FILENO);
	open("/dev/null", O_RDONLY);
	execvpe(child->argv[0], (char *const *)child->argv, envp);
}

static pid_t fork_program(const struct xt_pg_child *child, char **envp, struct xt_err *err)
{
	gid_t groups[64];
	int group_count = 1, number = 0, report[2];
	pid_t pid, parent = getpid();

	groups[0] = child->gid;
	if (pipe2(report, O_CLOEXEC)) {
		xt_err_failed(err, "%s: %s", child->argv[0], strerror(errno));
		return -1;
	}
	pid = fork();
	if (!pid) {
		start_program(child, envp, groups, group_count, parent);
		number = errno;
		if (write(report[1], &number, sizeof(number)) < 0)
			_exit(126);
		_exit(127);
	}
	close(report[1]);
	if (pid < 0) {
		xt_err_failed(err, "%s: cannot fork: %s", child->argv[0], strerror(errno));
	} else {
		ssize_t n;

		do /* nothing arrives when exec has worked */
			n = read(report[0], &number, sizeof(number));
		while (n < 0 && errno == EINTR);
		if (n == sizeof(number)) {
			xt_err_failed(err, "cannot run %s: %s", child->argv[0], strerror(number));
			while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
				;
			pid = -1;
		}
	}
	close(report[0]);
	return pid;
}

pid_t xt_pg_spawn(const struct xt_pg_child *child, struct xt_err *err)
{
	struct xt_buf strings = {0};
	char **envp = make_environment(child, &strings);
	pid_t pid = -1;

	if (envp)
		pid = fork_program(child, envp, err);
	else
		xt_err_failed(err, "pgsql: out of memory");
	free(envp);
	xt_buf_free(&strings);
	return pid;
}
