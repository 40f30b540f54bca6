/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where PostgreSQL's server programs are: the folder asked for, what pg_config says, the usual folders with the newest
 * version first, PATH.
 */
#include "config.h"

#include "driver/pgsql_db.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool has_program(const char *folder, const char *name)
{
	char path[PATH_MAX];
	struct stat st;

	return snprintf(path, sizeof(path), "%s/%s", folder, name) < (int)sizeof(path) && !stat(path, &st) &&
	       S_ISREG(st.st_mode) && !faccessat(AT_FDCWD, path, X_OK, AT_EACCESS);
}

static bool holds_server(const char *folder)
{
	return has_program(folder, "postgres") && has_program(folder, "initdb");
}

static int check_wanted(const char *folder, struct xt_err *err)
{
	struct stat st;

	if (stat(folder, &st))
		return xt_err_usage(err, "--pgsql-bindir=%s: %s", folder, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return xt_err_usage(err, "--pgsql-bindir=%s: not a folder", folder);
	if (faccessat(AT_FDCWD, folder, X_OK, AT_EACCESS))
		return xt_err_usage(err, "--pgsql-bindir=%s: cannot look into this folder: %s", folder,
		                    strerror(errno));
	for (const char *const *name = (const char *const[]){"postgres", "initdb", NULL}; *name; name++)
		if (!has_program(folder, *name))
			return xt_err_usage(err,
			                    "--pgsql-bindir=%s: there is no program %s in it (a private server needs "
			                    "postgres and initdb)",
			                    folder, *name);
	return 0;
}

static bool ask_pg_config(char *out)
{
	static const char *const argv[] = {"pg_config", "--bindir", NULL};
	struct xt_pg_child child = {.argv = argv, .keep = -1};
	size_t len = 0;
	ssize_t n;
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return false;
	child.output = ends[1];
	pid = xt_pg_spawn(&child, NULL);
	close(ends[1]);
	while (pid > 0 && len < PATH_MAX - 1 && (n = read(ends[0], out + len, PATH_MAX - 1 - len)) != 0) {
		if (n > 0)
			len += (size_t)n;
		else if (errno != EINTR)
			break;
	}
	close(ends[0]);
	if (pid <= 0)
		return false;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	out[len] = '\0';
	out[strcspn(out, "\n")] = '\0';
	return holds_server(out);
}

static double version_of(const char *path)
{
	const char *at = path + strcspn(path, "0123456789");

	return *at ? strtod(at, NULL) : 0;
}

static bool search_usual(char *out)
{
	static const char *const patterns[] = {
		"/usr/lib/postgresql/*/bin",  "/usr/pgsql-*/bin",         "/usr/lib64/pgsql/bin",
		"/usr/libexec/postgresql*",   "/usr/lib/postgresql*/bin", "/usr/local/pgsql/bin",
		"/usr/local/postgresql*/bin", "/opt/postgresql*/bin",     "/usr/local/lib/postgresql/bin"};
	double best = -1;

	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		glob_t found;

		if (glob(patterns[i], 0, NULL, &found))
			continue;
		for (size_t k = 0; k < found.gl_pathc; k++) {
			const char *path = found.gl_pathv[k];

			if (version_of(path) > best && strlen(path) < PATH_MAX && holds_server(path)) {
				best = version_of(path);
				strcpy(out, path);
			}
		}
		globfree(&found);
	}
	return best >= 0;
}

static bool search_path(char *out)
{
	const char *at = getenv("PATH");

	while (at && *at) {
		size_t len = strcspn(at, ":");

		if (len && len < PATH_MAX) {
			memcpy(out, at, len);
			out[len] = '\0';
			if (holds_server(out))
				return true;
		}
		at += len;
		at += *at == ':';
	}
	return false;
}

int xt_pg_find_bindir(const char *wanted, char *out, struct xt_err *err)
{
	if (wanted && *wanted) {
		if (check_wanted(wanted, err))
			return -1;
		if (!realpath(wanted, out))
			return xt_err_usage(err, "--pgsql-bindir=%s: %s", wanted, strerror(errno));
		return 0;
	}
	if (ask_pg_config(out) || search_usual(out) || search_path(out))
		return 0;
	return xt_err_usage(err, "found no PostgreSQL server programs (postgres and initdb) through pg_config, in the "
	                         "usual folders or in PATH: install the PostgreSQL server, name their folder with "
	                         "--pgsql-bindir or XTIME_PG_BINDIR, or name a running server with --pgsql-host or "
	                         "--pgsql-conninfo");
}
