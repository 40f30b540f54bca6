/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private folders of one run: BASE/xtime-PID-START..., START being the process's start time, so that a pid used again
 * is not taken for its former owner. A folder is locked (flock) while its run lives; what a killed run left is
 * recognised by that and removed at a later start. Symbolic links are never followed.
 */
#ifndef XT_DRIVER_FOLDER_H
#define XT_DRIVER_FOLDER_H

#include "base/err.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct xt_folder {
	char path[PATH_MAX];
	int fd; /* holds the lock; -1 when there is no folder */
};

/* Start time of a process in clock ticks since boot (field 22 of /proc/PID/stat); 0 when there is none. */
uint64_t xt_folder_start_time(pid_t pid);

/* Makes base/<prefix>PID-START, or with random the same with a random tail; mode 0700, locked. USAGE errors name base.
 */
int xt_folder_create(struct xt_folder *folder, const char *base, const char *prefix, bool random, struct xt_err *err);

/* Removes base/<prefix>PID-START... of runs that are gone, where the folder belongs to owner (or to us). before, which
 * may be NULL, is called with the folder's descriptor first and may veto (non-zero) the removal. Never fails. */
void xt_folder_sweep(const char *base, const char *prefix, uid_t owner, int (*before)(int fd));

/* Removes the folder and all in it, and gives up the lock. Also for fd == -1 (nothing is done). */
void xt_folder_remove(struct xt_folder *folder);

#endif
