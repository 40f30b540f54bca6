/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A PostgreSQL server of our own: made in a folder under /var/tmp, reached through a socket there, gone when we are.
 * It runs as an ordinary user, with production defaults, under the shim when the caller says so. It must never touch
 * a server or a cluster that somebody else made.
 */
#include "driver/pgsql_db.h"

#include "base/mono.h"
#include "base/num.h"
#include "driver/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define BASE   "/var/tmp"
#define PREFIX "xtime-pg-"

enum { START_TIMEOUT_S = 60, STOP_TIMEOUT_S = 10, SOCKET_PATH_MAX = 107, SPARE_CONNECTIONS = 20 };

struct xt_pg_server {
	struct xt_folder folder;
	char bindir[PATH_MAX];
	char preload[PATH_MAX]; /* what the server preloads; "" = nothing */
	bool change_user;
	uid_t uid;
	gid_t gid;
	char port[8]; /* in the socket's name, and for TCP where an option asks for that */
	pid_t pid;    /* 0: not running */
};

/* Removes the SysV segment of a data folder when nobody is attached. 1: somebody is, leave the folder alone. The file
 * is another user's: only a segment of the folder's owner is touched. */
static int remove_segment(int folder)
{
	char text[4096];
	struct shmid_ds segment;
	struct stat st;
	unsigned long key;
	const char *line = text;
	int id, fd = openat(folder, "data/postmaster.pid", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	for (int i = 1; line && i < 7; i++) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	if (!line || sscanf(line, "%lu %d", &key, &id) != 2 || fstat(folder, &st) || shmctl(id, IPC_STAT, &segment) ||
	    segment.shm_perm.cuid != st.st_uid)
		return 0;
	if (segment.shm_nattch)
		return 1;
	shmctl(id, IPC_RMID, NULL);
	return 0;
}

static int choose_user(struct xt_pg_server *server, struct xt_err *err)
{
	const struct passwd *user;

	server->uid = geteuid();
	server->gid = getegid();
	if (server->uid)
		return 0;
	user = getpwnam("postgres");
	if (!user)
		user = getpwnam("nobody");
	if (!user || !user->pw_uid)
		return xt_err_usage(err, "PostgreSQL refuses to run as root, and there is neither a user postgres nor "
		                         "a user nobody to run a private server as");
	server->change_user = true;
	server->uid = user->pw_uid;
	server->gid = user->pw_gid;
	return 0;
}

static int give_away(const struct xt_pg_server *server, const char *path, struct xt_err *err)
{
	if (server->change_user && lchown(path, server->uid, server->gid))
		return xt_err_failed(err, "%s: %s", path, strerror(errno));
	return 0;
}

/* A library where the server's user can read it: its path there goes to out (PATH_MAX bytes). */
static int copy_library(const struct xt_pg_server *server, const char *from, const char *name, char *out,
                        struct xt_err *err)
{
	struct xt_buf bytes = {0};
	int fd, rc;

	if (snprintf(out, PATH_MAX, "%s/%s", server->folder.path, name) >= PATH_MAX)
		return xt_err_failed(err, "%s: the path is too long", server->folder.path);
	if (xt_buf_read_file(&bytes, from, 64 << 20))
		return xt_err_failed(err, "%s: %s", from, strerror(errno));
	fd = openat(server->folder.fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0755);
	rc = fd < 0 || fchmod(fd, 0755) || xt_write_all(fd, bytes.data, bytes.len) ? -1 : 0;
	if (rc)
		xt_err_failed(err, "%s: %s", out, strerror(errno));
	if (fd >= 0 && close(fd) && !rc)
		rc = xt_err_failed(err, "%s: %s", out, strerror(errno));
	xt_buf_free(&bytes);
	return rc;
}

static void plugin_name(unsigned slot, char out[16])
{
	snprintf(out, 16, "%u.so", slot);
}

/* The shim, and what it opens at its start. A copied plugin is named by its slot: two may have one name. */
static int copy_preload(struct xt_pg_server *server, const struct xt_pgsql_options *o, struct xt_err *err)
{
	char name[16], path[PATH_MAX];

	if (!server->change_user) {
		snprintf(server->preload, sizeof(server->preload), "%s", o->preload);
		return 0;
	}
	if (copy_library(server, o->preload, "libxtime.so", server->preload, err))
		return -1;
	for (unsigned i = 0; o->plugins && o->plugins[i]; i++) {
		plugin_name(i, name);
		if (copy_library(server, o->plugins[i], name, path, err))
			return xt_err_context(err, "plugin for the private server");
	}
	return 0;
}

static int open_log(const struct xt_pg_server *server, const char *name, struct xt_err *err)
{
	char path[PATH_MAX];
	int fd;

	if (snprintf(path, sizeof(path), "%s/%s", server->folder.path, name) >= (int)sizeof(path))
		return xt_err_failed(err, "%s: the path is too long", server->folder.path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0)
		return xt_err_failed(err, "%s: %s", path, strerror(errno));
	if (give_away(server, path, err)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* "<what>", and the last lines of a log below it. */
static int quote_log(const struct xt_pg_server *server, const char *name, const char *what, struct xt_err *err)
{
	struct xt_buf text = {0};
	char path[PATH_MAX];
	const char *from = "";
	int lines = 0;

	if (snprintf(path, sizeof(path), "%s/%s", server->folder.path, name) < (int)sizeof(path) &&
	    !xt_buf_read_file(&text, path, 1 << 20)) {
		while (text.len && text.data[text.len - 1] == '\n')
			text.data[--text.len] = '\0';
		from = text.data + text.len;
		while (from > text.data && text.data + text.len - from < 1500) {
			if (from[-1] == '\n' && ++lines == 6)
				break;
			from--;
		}
	}
	xt_err_failed(err, "%s%s%s", what, *from ? ":\n" : "", from);
	xt_buf_free(&text);
	return -1;
}

static int run_initdb(const struct xt_pg_server *server, struct xt_err *err)
{
	char program[PATH_MAX + 16], data[PATH_MAX + 16];
	const char *const argv[] = {program, "-D", data,    "--no-sync", "--no-locale", "-E",
	                            "UTF8",  "-A", "trust", "-U",        "xtime",       NULL};
	struct xt_pg_child child = {.argv = argv,
	                            .folder = server->folder.path,
	                            .keep = -1,
	                            .change_user = server->change_user,
	                            .uid = server->uid,
	                            .gid = server->gid,
	                            .session = true, /* a terminal's Ctrl-C is ours to answer */
	                            .death_signal = SIGTERM};
	int status = 0;
	pid_t pid;

	snprintf(program, sizeof(program), "%s/initdb", server->bindir);
	snprintf(data, sizeof(data), "%s/data", server->folder.path);
	child.output = open_log(server, "initdb.log", err);
	if (child.output < 0)
		return -1;
	pid = xt_pg_spawn(&child, err);
	close(child.output);
	if (pid < 0)
		return -1;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status)
		return quote_log(server, "initdb.log", "initdb failed", err);
	return 0;
}

enum { MAX_ARGS = 256 };

/* What we build on may not be changed under us; a port may, and is noted. */
static int check_options(struct xt_pg_server *server, const char *const *options, struct xt_err *err)
{
	static const char *const ours[] = {"unix_socket_directories", "data_directory"};
	int64_t port = 5432;

	for (; options && *options; options++) {
		size_t len = strcspn(*options, "=");

		if (!len || !(*options)[len])
			return xt_err_usage(err, "--pgsql-option=%s: its form is NAME=VALUE", *options);
		for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
			if (len == strlen(ours[i]) && !strncmp(*options, ours[i], len))
				return xt_err_usage(err, "--pgsql-option: %s of a private server is fixed", ours[i]);
		if (len == 4 && !strncmp(*options, "port", 4) && xt_num_count(*options + 5, 1, 65535, &port, err))
			return xt_err_context(err, "--pgsql-option=%s", *options);
	}
	snprintf(server->port, sizeof(server->port), "%d", (int)port);
	return 0;
}

/* Ours first: what the user says later wins. */
static int server_arguments(const struct xt_pg_server *server, const struct xt_driver_config *config,
                            struct xt_buf *strings, const char **argv)
{
	const char *const *more = config->pgsql.server_options;
	size_t count = 0, at = 0;

	xt_buf_printf(strings, "%s/postgres%c-D%c%s/data%c", server->bindir, 0, 0, server->folder.path, 0);
	xt_buf_printf(strings, "-k%c%s%c-c%clisten_addresses=%c", 0, server->folder.path, 0, 0, 0);
	xt_buf_printf(strings, "-c%cport=%s%c-c%cunix_socket_permissions=0700%c", 0, server->port, 0, 0, 0);
	xt_buf_printf(strings, "-c%cdynamic_shared_memory_type=mmap%c", 0, 0);
	xt_buf_printf(strings, "-c%cmax_connections=%u%c", 0, config->threads + SPARE_CONNECTIONS, 0);
	for (; more && *more; more++)
		xt_buf_printf(strings, "-c%c%s%c", 0, *more, 0);
	if (strings->failed)
		return -1;
	while (at < strings->len && count < MAX_ARGS - 1) {
		argv[count++] = strings->data + at;
		at += strlen(strings->data + at) + 1;
	}
	argv[count] = NULL;
	return at < strings->len ? -1 : 0;
}

static int launch(struct xt_pg_server *server, const struct xt_driver_config *config, struct xt_err *err)
{
	const char *argv[MAX_ARGS];
	struct xt_buf strings = {0};
	struct xt_pg_child child = {.argv = argv,
	                            .folder = server->folder.path,
	                            .keep = config->pgsql.shm_fd,
	                            .page = config->pgsql.page_env,
	                            .plugins = server->change_user ? server->folder.path : NULL,
	                            .change_user = server->change_user,
	                            .uid = server->uid,
	                            .gid = server->gid,
	                            .session = true,
	                            .death_signal = SIGQUIT};
	pid_t pid = -1;

	if (*server->preload)
		child.preload = server->preload;
	else
		child.keep = -1;
	if (server_arguments(server, config, &strings, argv))
		xt_err_usage(err, "--pgsql-option: too many");
	else if ((child.output = open_log(server, "server.log", err)) >= 0) {
		pid = xt_pg_spawn(&child, err);
		close(child.output);
	}
	xt_buf_free(&strings);
	if (pid < 0)
		return -1;
	server->pid = pid;
	return 0;
}

void xt_pg_server_params(const struct xt_pg_server *server, const char **keywords, const char **values)
{
	/* each one that the environment could bend is stated */
	static const char *const fixed[][2] = {
		{"user", "xtime"},         {"dbname", "postgres"},          {"sslmode", "disable"},
		{"gssencmode", "disable"}, {"target_session_attrs", "any"}, {"channel_binding", "prefer"},
	};
	size_t n = 0;

	keywords[n] = "host";
	values[n++] = server->folder.path;
	keywords[n] = "port";
	values[n++] = server->port;
	for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++) {
		keywords[n] = fixed[i][0];
		values[n++] = fixed[i][1];
	}
	keywords[n] = values[n] = NULL;
}

static int wait_until_ready(struct xt_pg_server *server, struct xt_err *err)
{
	uint64_t deadline = xt_mono_ns() + (uint64_t)START_TIMEOUT_S * 1000000000u;
	const char *keywords[16], *values[16];

	xt_pg_server_params(server, keywords, values);
	while (xt_mono_ns() < deadline) {
		if (waitpid(server->pid, NULL, WNOHANG) == server->pid) {
			server->pid = 0;
			return quote_log(server, "server.log", "the private PostgreSQL server did not start", err);
		}
		if (PQpingParams(keywords, values, 0) == PQPING_OK)
			return 0;
		xt_mono_sleep_until(xt_mono_ns() + 10000000);
	}
	return quote_log(server, "server.log", "the private PostgreSQL server does not answer after 60 s", err);
}

static bool read_maps(struct xt_buf *maps, pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/maps", (long)pid);
	return !xt_buf_read_file(maps, path, 16 << 20);
}

/* A line of maps ends with the file's real path. */
static bool maps_file(const struct xt_buf *maps, const char *path)
{
	size_t len = strlen(path);

	for (const char *at = maps->data; (at = strstr(at, path)) != NULL; at += len)
		if (at > maps->data && at[-1] == ' ' && (at[len] == '\n' || !at[len]))
			return true;
	return false;
}

/* What a process of the server has not loaded: the shim, a plugin (from its own place or copied), or NULL. */
static const char *not_loaded(const struct xt_pg_server *server, const struct xt_pgsql_options *o, pid_t pid)
{
	const char *missing = NULL;
	char name[16], copy[PATH_MAX + 16], real[PATH_MAX];
	struct xt_buf maps = {0};

	if (!read_maps(&maps, pid) || !realpath(server->preload, real) || !maps_file(&maps, real))
		missing = server->preload;
	for (unsigned i = 0; !missing && o->plugins && o->plugins[i]; i++) {
		plugin_name(i, name);
		snprintf(copy, sizeof(copy), "%s/%s", server->folder.path, name);
		if (!(realpath(copy, real) && maps_file(&maps, real)) && !maps_file(&maps, o->plugins[i]))
			missing = o->plugins[i];
	}
	xt_buf_free(&maps);
	return missing;
}

/* A preload or a plugin that did not bite must not pass for one that changes nothing. */
static int check_preload(const struct xt_pg_server *server, const struct xt_pgsql_options *o, struct xt_err *err)
{
	const char *keywords[16], *values[16], *postmaster, *backend, *missing;
	const struct passwd *user;
	PGconn *pg;

	if (!*server->preload)
		return 0;
	xt_pg_server_params(server, keywords, values);
	pg = PQconnectdbParams(keywords, values, 0);
	if (PQstatus(pg) != CONNECTION_OK) {
		xt_err_failed(err, "the private server: %s", PQerrorMessage(pg));
		PQfinish(pg);
		return -1;
	}
	postmaster = not_loaded(server, o, server->pid);
	backend = not_loaded(server, o, PQbackendPID(pg));
	PQfinish(pg);
	missing = postmaster ? postmaster : backend;
	if (!missing)
		return 0;
	user = getpwuid(server->uid);
	return xt_err_failed(err, "the %s did not load in the private server's %s, which runs as %s (%s)",
	                     missing == server->preload ? "shim" : "plugin", postmaster ? "postmaster" : "backends",
	                     user ? user->pw_name : "another user", missing);
}

static int check_socket_path(const struct xt_pg_server *server, struct xt_err *err)
{
	size_t len = strlen(server->folder.path) + strlen("/.s.PGSQL.") + strlen(server->port);

	if (len <= SOCKET_PATH_MAX)
		return 0;
	return xt_err_usage(err, "%s/.s.PGSQL.%s: a socket's path has at most %d bytes, this one %zu",
	                    server->folder.path, server->port, SOCKET_PATH_MAX, len);
}

int xt_pg_server_start(struct xt_pg_server **out, const struct xt_driver_config *config, struct xt_err *err)
{
	struct xt_pg_server *server = calloc(1, sizeof(*server));

	*out = NULL;
	if (!server)
		return xt_err_failed(err, "pgsql: out of memory");
	server->folder.fd = -1;
	if (check_options(server, config->pgsql.server_options, err) ||
	    xt_pg_find_bindir(config->pgsql.bindir, server->bindir, err) || choose_user(server, err))
		goto fail;
	xt_folder_sweep(BASE, PREFIX, server->uid, remove_segment);
	/* Given away last: root writes into no folder whose owner may have put something else in its place. */
	if (xt_folder_create(&server->folder, BASE, PREFIX, true, err) || check_socket_path(server, err) ||
	    (config->pgsql.preload && copy_preload(server, &config->pgsql, err)) ||
	    give_away(server, server->folder.path, err))
		goto fail;
	if (run_initdb(server, err) || launch(server, config, err) || wait_until_ready(server, err) ||
	    check_preload(server, &config->pgsql, err))
		goto fail;
	*out = server;
	return 0;
fail:
	xt_pg_server_stop(server);
	return -1;
}

static bool wait_for_end(struct xt_pg_server *server, unsigned seconds)
{
	uint64_t deadline = xt_mono_ns() + (uint64_t)seconds * 1000000000u;

	for (;;) {
		pid_t pid = waitpid(server->pid, NULL, WNOHANG);

		if (pid == server->pid || (pid < 0 && errno == ECHILD))
			return true;
		if (xt_mono_ns() >= deadline)
			return false;
		xt_mono_sleep_until(xt_mono_ns() + 2000000);
	}
}

void xt_pg_server_stop(struct xt_pg_server *server)
{
	if (!server)
		return;
	if (server->pid > 0) {
		kill(server->pid, SIGQUIT); /* immediate shutdown: there is nothing to keep */
		if (!wait_for_end(server, STOP_TIMEOUT_S)) {
			kill(server->pid, SIGKILL);
			wait_for_end(server, STOP_TIMEOUT_S);
		}
	}
	if (server->folder.fd >= 0) {
		uint64_t deadline = xt_mono_ns() + (uint64_t)STOP_TIMEOUT_S * 1000000000u;

		/* after a kill, backends go by themselves */
		while (remove_segment(server->folder.fd) && xt_mono_ns() < deadline)
			xt_mono_sleep_until(xt_mono_ns() + 5000000);
		xt_folder_remove(&server->folder);
	}
	free(server);
}
