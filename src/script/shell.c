/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * \shell and \setshell. The command is the arguments with blanks between them, read by the shell; it does not inherit
 * the preloaded module, whose calls are counted for the system under test alone. It has a process group of its own, so
 * that whatever it starts can be ended with it.
 */
#include "script/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTPUT_MAX 256

static int join(const struct xt_command *command, const struct xt_env *env, struct xt_buf *line, struct xt_err *err)
{
	for (size_t i = 0; i < command->argc; i++) {
		const struct xt_sql_part *part = command->argv[i];
		const struct xt_value *value;
		char text[512];

		if (i)
			xt_buf_puts(line, " ");
		if (part->kind == XT_PART_TEXT) {
			xt_buf_add(line, part->text, part->len);
			continue;
		}
		value = xt_env_get(env, part->slot);
		if (!value)
			return xt_err_failed(err, "undefined variable \"%s\"", xt_env_slot_name(env, part->slot));
		if (value->type == XT_TEXT) {
			xt_buf_add(line, value->u.s, value->len);
		} else {
			xt_value_print(value, text, sizeof(text));
			xt_buf_puts(line, text);
		}
	}
	return line->failed ? xt_err_failed(err, "out of memory") : 0;
}

/* The environment without what makes a program run under the shim. The array is the caller's to free. */
static char **outside_the_shim(void)
{
	size_t n = 0, kept = 0;
	char **copy;

	while (environ && environ[n])
		n++;
	copy = malloc((n + 1) * sizeof(char *));
	if (!copy)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "LD_PRELOAD=", 11) && strncmp(environ[i], "XTIME_", 6))
			copy[kept++] = environ[i];
	copy[kept] = NULL;
	return copy;
}

static int spawn(char **argv, char **env, const posix_spawn_file_actions_t *actions, pid_t *pid)
{
	posix_spawnattr_t attributes;
	sigset_t defaults;
	int rc = posix_spawnattr_init(&attributes);

	if (rc)
		return rc;
	/* What we take as errors of a write ends programs that do not. */
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGXFSZ);
	rc = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
	if (!rc)
		rc = posix_spawnattr_setsigdefault(&attributes, &defaults);
	if (!rc)
		rc = posix_spawn(pid, "/bin/sh", actions, &attributes, argv, env);
	posix_spawnattr_destroy(&attributes);
	return rc;
}

/* Starts the shell; its output goes to the descriptor, or to stderr when that is < 0: stdout is for results. */
static int start(const char *line, int output, pid_t *pid)
{
	char sh[] = "sh", c[] = "-c";
	char *argv[] = {sh, c, (char *)line, NULL};
	posix_spawn_file_actions_t actions;
	char **env = outside_the_shim();
	int rc;

	if (!env)
		return ENOMEM;
	rc = posix_spawn_file_actions_init(&actions);
	if (!rc) {
		rc = posix_spawn_file_actions_adddup2(&actions, output >= 0 ? output : STDERR_FILENO, STDOUT_FILENO);
		if (!rc)
			rc = spawn(argv, env, &actions, pid);
		posix_spawn_file_actions_destroy(&actions);
	}
	free(env);
	return rc;
}

static void set_group(struct xt_shell *shell, pid_t group)
{
	pthread_mutex_lock(shell->lock);
	shell->group = group;
	pthread_mutex_unlock(shell->lock);
}

void xt_shell_kill(const struct xt_shell *shell)
{
	if (shell->group)
		kill(-shell->group, SIGKILL);
}

/* Nobody signals the group any more when its number becomes free. */
static int wait_for(pid_t pid, struct xt_shell *shell, int *status)
{
	siginfo_t ended;

	while (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT) && errno == EINTR)
		;
	set_group(shell, 0);
	while (waitpid(pid, status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return 0;
}

/* Reads to the end, keeping the beginning. */
static void read_output(int fd, char *out, size_t cap)
{
	char rest[512];
	size_t used = 0;
	ssize_t n;

	while ((n = read(fd, rest, sizeof(rest))) > 0 || (n < 0 && errno == EINTR)) {
		size_t take = n > 0 ? (size_t)n : 0;

		if (take > cap - 1 - used)
			take = cap - 1 - used;
		memcpy(out + used, rest, take);
		used += take;
	}
	out[used] = '\0';
}

static int run(const char *line, char *output, struct xt_shell *shell, struct xt_err *err)
{
	int fds[2] = {-1, -1}, status, rc;
	pid_t pid;

	if (output && pipe2(fds, O_CLOEXEC))
		return xt_err_failed(err, "could not launch shell command: %s", strerror(errno));
	rc = start(line, fds[1], &pid);
	if (output)
		close(fds[1]);
	if (rc) {
		if (output)
			close(fds[0]);
		return xt_err_failed(err, "could not launch shell command: %s", strerror(rc));
	}
	set_group(shell, pid);
	if (output) {
		read_output(fds[0], output, OUTPUT_MAX);
		close(fds[0]);
	}
	if (wait_for(pid, shell, &status))
		return xt_err_failed(err, "could not wait for shell command: %s", strerror(errno));
	if (output) /* what it printed counts, not how it ended */
		return 0;
	if (WIFSIGNALED(status))
		return xt_err_failed(err, "shell command was ended by signal %d", WTERMSIG(status));
	if (WEXITSTATUS(status))
		return xt_err_failed(err, "shell command ended with status %d", WEXITSTATUS(status));
	return 0;
}

static int take_integer(const struct xt_command *command, struct xt_env *env, char *output, struct xt_err *err)
{
	struct xt_value value;
	char *end;

	if (!*output)
		return xt_err_failed(err, "could not read result of shell command");
	output[strcspn(output, "\n")] = '\0';
	errno = 0;
	value = xt_int(strtoll(output, &end, 10));
	end += strspn(end, " \t\r\f\v");
	if (end == output || *end || errno)
		return xt_err_failed(err, "shell command must return an integer (not \"%s\")", output);
	return xt_env_set(env, command->slot, &value) ? xt_err_failed(err, "out of memory") : 0;
}

int xt_command_shell(const struct xt_command *command, struct xt_env *env, struct xt_shell *shell, struct xt_err *err)
{
	bool wanted = command->op == XT_OP_SETSHELL;
	char output[OUTPUT_MAX] = "";
	struct xt_buf line = {0};
	int rc = join(command, env, &line, err);

	if (!rc)
		rc = run(line.data, wanted ? output : NULL, shell, err);
	xt_buf_free(&line);
	return rc || !wanted ? rc : take_integer(command, env, output, err);
}
