/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asking the program of the other word size.
 */
#include "lab/wordsize.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int parse(FILE *in, struct xt_wordsize *out)
{
	char line[128], path[16], number[32];
	int n = 0;

	if (!fgets(line, sizeof(line), in) || sscanf(line, "bits %u", &out->bits) != 1)
		return -1;
	while (n < XT_WORDSIZE_ROWS && fgets(line, sizeof(line), in)) {
		struct xt_wordsize_row *row = &out->row[n++];

		if (sscanf(line, "%39s %15s %31s", row->call, path, number) != 3)
			return -1;
		row->path = strcmp(path, "vdso") ? XT_PATH_SYSCALL : XT_PATH_VDSO;
		if (!strcmp(number, "n/t"))
			row->ns = NAN;
		else if (sscanf(number, "%lf", &row->ns) != 1)
			return -1;
	}
	return n == XT_WORDSIZE_ROWS ? 0 : -1;
}

static int spawn(const char *program, int out, pid_t *pid)
{
	char *argv[] = {(char *)program, NULL};
	posix_spawn_file_actions_t actions;
	int rc = posix_spawn_file_actions_init(&actions);

	if (rc)
		return rc;
	rc = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (!rc)
		rc = posix_spawn(pid, program, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return rc;
}

int xt_wordsize_run(const char *program, struct xt_wordsize *out, struct xt_err *err)
{
	int ends[2], rc, status = 0, bad = -1;
	pid_t pid;
	FILE *in;

	*out = (struct xt_wordsize){0};
	if (pipe2(ends, O_CLOEXEC))
		return xt_err_failed(err, "%s: %s", program, strerror(errno));
	rc = spawn(program, ends[1], &pid);
	close(ends[1]);
	in = fdopen(ends[0], "r");
	if (!rc && in)
		bad = parse(in, out);
	if (in)
		fclose(in);
	else
		close(ends[0]);
	if (rc)
		return xt_err_failed(err, "%s: %s", program, strerror(rc));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (bad || !WIFEXITED(status) || WEXITSTATUS(status))
		return xt_err_failed(err, "%s: cannot be run here, or printed something else", program);
	return 0;
}
