/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The limit of open files. It is raised for the whole process and never lowered again.
 */
#include "driver/files.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

enum { OWN_FILES = 64 };

int xt_files_reserve(unsigned threads, unsigned each, struct xt_err *err)
{
	rlim_t need = (rlim_t)threads * each + OWN_FILES;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= need)
		return 0;
	if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < need)
		return xt_err_usage(
			err,
			"%u threads need about %llu open files, but this process may open at most %llu: raise "
			"the limit (as root: ulimit -n %llu; for a user: nofile in /etc/security/limits.conf) or "
			"use fewer threads",
			threads, (unsigned long long)need, (unsigned long long)limit.rlim_max,
			(unsigned long long)need);
	limit.rlim_cur = need;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		return xt_err_usage(err, "%u threads need about %llu open files: %s", threads, (unsigned long long)need,
		                    strerror(errno));
	return 0;
}
