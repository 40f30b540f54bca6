/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private folders: making, recognising and removing them. Everything below a folder is reached by descriptor, so that
 * nobody can swap a component for a link while we (perhaps as root) delete.
 */
#include "driver/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_DEPTH = 16 };

uint64_t xt_folder_start_time(pid_t pid)
{
	char path[64], text[1024];
	uint64_t start = 0;
	ssize_t n;
	char *at;
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	at = strrchr(text, ')'); /* the command's name may hold blanks and parentheses */
	if (!at)
		return 0;
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	if (at)
		start = strtoull(at + 1, NULL, 10);
	return start;
}

static int try_create(struct xt_folder *folder, const char *base, const char *name, bool random)
{
	for (int n = 0; n < 100; n++) {
		int len;

		if (random)
			len = snprintf(folder->path, sizeof(folder->path), "%s/%s-XXXXXX", base, name);
		else if (n)
			len = snprintf(folder->path, sizeof(folder->path), "%s/%s.%d", base, name, n);
		else
			len = snprintf(folder->path, sizeof(folder->path), "%s/%s", base, name);
		if (len >= (int)sizeof(folder->path)) {
			errno = ENAMETOOLONG;
			return -1;
		}
		if (random ? mkdtemp(folder->path) != NULL : !mkdir(folder->path, 0700))
			return 0;
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

int xt_folder_create(struct xt_folder *folder, const char *base, const char *prefix, bool random, struct xt_err *err)
{
	char name[128];

	folder->fd = -1;
	snprintf(name, sizeof(name), "%s%ld-%" PRIu64, prefix, (long)getpid(), xt_folder_start_time(getpid()));
	if (try_create(folder, base, name, random)) {
		folder->path[0] = '\0';
		return xt_err_usage(err, "cannot make a temporary folder in %s: %s", base, strerror(errno));
	}
	folder->fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder->fd < 0 || flock(folder->fd, LOCK_EX | LOCK_NB)) {
		xt_err_failed(err, "cannot lock %s: %s", folder->path, strerror(errno));
		rmdir(folder->path);
		if (folder->fd >= 0)
			close(folder->fd);
		folder->fd = -1;
		folder->path[0] = '\0';
		return -1;
	}
	return 0;
}

/* Empties the folder behind fd, which stays open. */
static void empty(int fd, dev_t device, int depth)
{
	int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;
	struct stat st;

	if (!dir) {
		if (copy >= 0)
			close(copy);
		return;
	}
	while ((entry = readdir(dir))) {
		const char *name = entry->d_name;
		int sub;

		if (!strcmp(name, ".") || !strcmp(name, ".."))
			continue;
		if (!unlinkat(fd, name, 0) || (errno != EISDIR && errno != EPERM))
			continue;
		sub = depth < MAX_DEPTH ? openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
		if (sub < 0)
			continue;
		if (!fstat(sub, &st) && st.st_dev == device)
			empty(sub, device, depth + 1);
		close(sub);
		unlinkat(fd, name, AT_REMOVEDIR);
	}
	closedir(dir);
}

/* "PREFIXPID-START", perhaps with a tail: is the process that made it gone? */
static bool owner_gone(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);
	unsigned long long start;
	long pid;
	int used = 0;

	if (strncmp(name, prefix, n) || name[n] < '0' || name[n] > '9')
		return false;
	if (sscanf(name + n, "%ld-%llu%n", &pid, &start, &used) != 2 || pid <= 0)
		return false;
	if (name[n + (size_t)used] && name[n + (size_t)used] != '.' && name[n + (size_t)used] != '-')
		return false;
	return xt_folder_start_time((pid_t)pid) != start;
}

void xt_folder_sweep(const char *base, const char *prefix, uid_t owner, int (*before)(int fd))
{
	DIR *dir = opendir(base);
	struct dirent *entry;
	struct stat st;

	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		int fd;

		if (!owner_gone(entry->d_name, prefix))
			continue;
		fd = openat(dirfd(dir), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			continue;
		/* The lock speaks for runs whose pid we cannot see: another pid namespace on the same folder. */
		if (!fstat(fd, &st) && (st.st_uid == owner || st.st_uid == geteuid()) &&
		    !flock(fd, LOCK_EX | LOCK_NB) && !(before && before(fd))) {
			empty(fd, st.st_dev, 0);
			unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
		}
		close(fd);
	}
	closedir(dir);
}

void xt_folder_remove(struct xt_folder *folder)
{
	struct stat st;

	if (folder->fd < 0)
		return;
	if (!fstat(folder->fd, &st))
		empty(folder->fd, st.st_dev, 0);
	rmdir(folder->path);
	close(folder->fd);
	folder->fd = -1;
	folder->path[0] = '\0';
}
