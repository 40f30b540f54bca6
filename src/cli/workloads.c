/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Search for shipped workloads: $XTIME_WORKLOADS, beside an uninstalled binary, beside an installed one that was
 * moved, the installation's data folder.
 */
#include "cli/workloads.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool xt_workload_is_path(const char *name)
{
	size_t len = strlen(name);

	return strchr(name, '/') || (len > 4 && !strcmp(name + len - 4, ".sql"));
}

static bool is_folder(const char *path)
{
	DIR *dir = opendir(path);

	if (dir)
		closedir(dir);
	return dir;
}

/* The folder of shipped workloads. */
static int folder(char *path, size_t cap, struct xt_err *err)
{
	static const char *const beside[] = {"workloads", "../workloads", "../share/xtime"};
	const char *set = getenv("XTIME_WORKLOADS");
	char exe[PATH_MAX];
	ssize_t n;

	if (set && *set) {
		if (!is_folder(set))
			return xt_err_usage(err, "XTIME_WORKLOADS: cannot open folder %s: %s", set, strerror(errno));
		snprintf(path, cap, "%s", set);
		return 0;
	}
	n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	exe[n > 0 ? n : 0] = '\0';
	if (strrchr(exe, '/'))
		*strrchr(exe, '/') = '\0';
	for (size_t i = 0; n > 0 && i < sizeof(beside) / sizeof(*beside); i++) {
		if (snprintf(path, cap, "%s/%s", exe, beside[i]) < (int)cap && is_folder(path))
			return 0;
	}
	snprintf(path, cap, "%s", XT_PKGDATADIR);
	return is_folder(path)
	               ? 0
	               : xt_err_usage(err,
	                              "the shipped workloads were not found (set XTIME_WORKLOADS to their folder)");
}

/* sysbench's scripts are Lua, which xtime does not run: better said than sent to a server as SQL. */
static int refuse_lua(const char *name, struct xt_err *err)
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;

	return xt_err_usage(
		err,
		"'%s' is a Lua script, and xtime runs none; sysbench's own OLTP tests are shipped workloads: "
		"'%.*s' if it is one of them (xtime list workloads)",
		name, (int)strlen(base) - 4, base);
}

int xt_workload_find(const char *name, char *path, size_t cap, struct xt_err *err)
{
	char dir[PATH_MAX];
	size_t len = strlen(name);

	if (len > 4 && !strcmp(name + len - 4, ".lua"))
		return refuse_lua(name, err);
	if (xt_workload_is_path(name)) {
		if (access(name, F_OK))
			return xt_err_usage(err, "workload file '%s': %s", name, strerror(errno));
		snprintf(path, cap, "%s", name);
		return 0;
	}
	if (folder(dir, sizeof(dir), err))
		return -1;
	if (snprintf(path, cap, "%s/%s.sql", dir, name) < (int)cap && *name != '.' && *name && !access(path, F_OK))
		return 0;
	return xt_err_usage(
		err,
		"unknown workload '%s': xtime list workloads shows the shipped ones; a path holds '/' or ends in .sql",
		name);
}

/* The text behind "--" of the file's first line. */
static void first_comment(const char *path, char *out, size_t cap)
{
	FILE *f = fopen(path, "re");
	char line[256] = "";
	char *p = line;

	*out = '\0';
	if (!f)
		return;
	while (fgets(line, sizeof(line), f) && strstr(line, "SPDX"))
		;
	fclose(f);
	while (*p == '-' || *p == ' ')
		p++;
	p[strcspn(p, "\r\n")] = '\0';
	snprintf(out, cap, "%s", p);
}

static int is_workload(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return entry->d_name[0] != '.' && len > 4 && !strcmp(entry->d_name + len - 4, ".sql") &&
	       (len < 11 || strcmp(entry->d_name + len - 11, "_common.sql"));
}

int xt_workload_each(void (*each)(void *ctx, const char *name, const char *summary), void *ctx, struct xt_err *err)
{
	char dir[PATH_MAX], path[2 * PATH_MAX], summary[256];
	struct dirent **list;
	int n;

	if (folder(dir, sizeof(dir), err))
		return -1;
	n = scandir(dir, &list, is_workload, alphasort);
	if (n < 0)
		return xt_err_failed(err, "cannot read folder %s: %s", dir, strerror(errno));
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, list[i]->d_name);
		first_comment(path, summary, sizeof(summary));
		list[i]->d_name[strlen(list[i]->d_name) - 4] = '\0';
		each(ctx, list[i]->d_name, summary);
		free(list[i]);
	}
	free(list);
	return 0;
}
