/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs gnuplot: script in, picture out, through files in memory, so that nothing is left behind. The shim must not ride
 * along, so the child's environment is cleaned of it.
 */
#include "config.h"

#include "report/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IN, OUT, ERR, STREAMS };

extern char **environ;

/* environ without what belongs to the shim; the strings are shared. NULL when out of memory. */
static char **clean_environment(void)
{
	size_t n = 0, kept = 0;
	char **clean;

	while (environ[n])
		n++;
	clean = calloc(n + 2, sizeof(*clean));
	if (!clean)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "LD_PRELOAD=", 11) && strncmp(environ[i], "XTIME_", 6) &&
		    strncmp(environ[i], "LC_", 3) && strncmp(environ[i], "LANG=", 5))
			clean[kept++] = environ[i];
	clean[kept] = (char *)"LC_ALL=C.UTF-8";
	return clean;
}

static int fill(int fd, const char *text)
{
	return xt_write_all(fd, text, strlen(text)) || lseek(fd, 0, SEEK_SET) < 0 ? -1 : 0;
}

static int drain(int fd, struct xt_buf *out)
{
	char chunk[8192];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, chunk, sizeof(chunk), at)) > 0) {
		xt_buf_add(out, chunk, (size_t)n);
		at += n;
	}
	xt_buf_add(out, "", 0);
	return n < 0 || out->failed ? -1 : 0;
}

/* 0 started, else the errno of posix_spawn. */
static int start(const int fd[STREAMS], char **environment, pid_t *pid)
{
	char *argv[] = {(char *)"gnuplot", (char *)"-d", (char *)"-", NULL};
	posix_spawn_file_actions_t actions;
	int bad = posix_spawn_file_actions_init(&actions);

	if (bad)
		return bad;
	for (int i = 0; i < STREAMS && !bad; i++)
		bad = posix_spawn_file_actions_adddup2(&actions, fd[i], i);
	if (!bad)
		bad = posix_spawnp(pid, argv[0], &actions, NULL, argv, environment);
	posix_spawn_file_actions_destroy(&actions);
	return bad;
}

static int run(const int fd[STREAMS], char **environment, struct xt_buf *out, struct xt_err *err)
{
	struct xt_buf said = {0};
	int status = 0;
	pid_t pid;
	int bad = start(fd, environment, &pid);

	if (bad == ENOENT || bad == EACCES)
		return 1;
	if (bad)
		return xt_err_failed(err, "gnuplot cannot be started: %s", strerror(bad));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return 1;
	if (drain(fd[OUT], out) || drain(fd[ERR], &said))
		bad = xt_err_failed(err, "gnuplot's output cannot be read: %s", strerror(errno));
	else if (status || !out->len)
		bad = xt_err_failed(err, "gnuplot failed (%s %d): %s", WIFSIGNALED(status) ? "signal" : "status",
		                    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), said.data);
	xt_buf_free(&said);
	return bad ? -1 : 0;
}

int xt_gnuplot_run(const char *script, struct xt_buf *out, struct xt_err *err)
{
	static const char *const name[STREAMS] = {"script", "picture", "messages"};
	char **environment = clean_environment();
	int fd[STREAMS] = {-1, -1, -1};
	int status = -1;

	for (int i = 0; i < STREAMS; i++) {
		int raw = memfd_create(name[i], MFD_CLOEXEC);

		/* Away from 0..2, where dup2 in the child would overwrite one before it is used. */
		fd[i] = raw < 0 ? -1 : fcntl(raw, F_DUPFD_CLOEXEC, 10);
		if (raw >= 0)
			close(raw);
	}
	if (!environment || fd[IN] < 0 || fd[OUT] < 0 || fd[ERR] < 0 || fill(fd[IN], script))
		xt_err_failed(err, "gnuplot cannot be prepared: %s", strerror(errno));
	else
		status = run(fd, environment, out, err);
	for (int i = 0; i < STREAMS; i++)
		if (fd[i] >= 0)
			close(fd[i]);
	free(environment);
	return status;
}
