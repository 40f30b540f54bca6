/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files that are whole or not there: written beside their place under a temporary name, synced, renamed. A full disk or
 * a kill leaves the old file as it was.
 */
#include "config.h"

#include "record/record.h"

#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder of a path ("." without one) into buf. */
static int folder_of(const char *path, char *buf, size_t cap)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) : 1;

	if (slash == path)
		len = 1;
	if (len >= cap) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(buf, slash ? path : ".", len);
	buf[len] = '\0';
	return 0;
}

static int write_directly(const char *path, const char *text, size_t len)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int bad = fd < 0 || xt_write_all(fd, text, len);
	int saved = errno;

	if (fd >= 0 && close(fd) && !bad)
		return -1;
	errno = saved;
	return bad ? -1 : 0;
}

/* EINVAL: a file system that cannot sync a folder. */
static int sync_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int bad = fd < 0 || (fsync(fd) && errno != EINVAL);
	int saved = errno;

	if (fd >= 0)
		close(fd);
	errno = saved;
	return bad ? -1 : 0;
}

/* mode: of the file that is replaced, or 0 for a new one. */
static int replace(const char *target, mode_t mode, const char *text, size_t len)
{
	char folder[PATH_MAX];
	char temporary[PATH_MAX];
	int fd, bad, saved;

	if (folder_of(target, folder, sizeof(folder)))
		return -1;
	if (snprintf(temporary, sizeof(temporary), "%s/.xtime-%ld.tmp", folder, (long)getpid()) >=
	    (int)sizeof(temporary)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (access(folder, F_OK) && errno == ENOENT && mkdir(folder, 0777) && errno != EEXIST)
		return -1;
	/* The name holds our pid: what is there was left by a process that is gone. */
	unlink(temporary);
	fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0)
		return -1;
	bad = (mode && fchmod(fd, mode & 07777)) || xt_write_all(fd, text, len) || fsync(fd);
	saved = errno;
	if (close(fd) && !bad) {
		bad = 1;
		saved = errno;
	}
	if (!bad && rename(temporary, target)) {
		bad = 1;
		saved = errno;
	}
	if (bad) {
		unlink(temporary);
		errno = saved;
		return -1;
	}
	return sync_folder(folder);
}

int xt_record_save_text(const char *text, size_t len, const char *path, struct xt_err *err)
{
	struct stat st;
	int there = !stat(path, &st);
	char *real = there && S_ISREG(st.st_mode) ? realpath(path, NULL) : NULL;
	int bad;

	if (there && S_ISDIR(st.st_mode))
		return xt_err_failed(err, "%s: is a folder", path);
	if (there && !S_ISREG(st.st_mode))
		bad = write_directly(path, text, len);
	else
		bad = replace(real ? real : path, there ? st.st_mode : 0, text, len);
	if (bad)
		xt_err_failed(err, "%s: cannot be written: %s", path, strerror(errno));
	free(real);
	return bad ? -1 : 0;
}

int xt_record_check_path(const char *path, struct xt_err *err)
{
	char folder[PATH_MAX];
	char parent[PATH_MAX];
	struct stat st;

	if (!*path)
		return xt_err_usage(err, "the output file has no name");
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return xt_err_usage(err, "%s: is a folder", path);
	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return access(path, W_OK) ? xt_err_usage(err, "%s: cannot be written: %s", path, strerror(errno)) : 0;
	if (folder_of(path, folder, sizeof(folder)) || folder_of(folder, parent, sizeof(parent)))
		return xt_err_usage(err, "%s: the name is too long", path);
	if (!access(folder, W_OK | X_OK))
		return 0;
	if (errno == ENOENT && !access(parent, W_OK | X_OK))
		return 0;
	return xt_err_usage(err, "%s: cannot be written: folder %s: %s", path, folder, strerror(errno));
}
