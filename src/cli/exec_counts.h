/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the shim counted, per process: a table for people, or JSON (xtime.counts/1).
 */
#ifndef XT_CLI_EXEC_COUNTS_H
#define XT_CLI_EXEC_COUNTS_H

#include "base/err.h"
#include "shim/page.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct xt_exec_process {
	pid_t pid;
	char comm[16];
	uint64_t calls[XT_FUNCTIONS];
};

struct xt_exec_counts {
	struct xt_exec_process *processes; /* in the order in which they came under the shim */
	size_t count;
	uint64_t total[XT_FUNCTIONS]; /* those of blocks without an owner included */
	uint64_t fallbacks;
	int known; /* 0: the shim loaded nowhere, nothing is known of any call */
};

/* Reads the page. program and pid stand for the process when the shim loaded nowhere. */
int xt_exec_counts_read(const struct xt_page *page, const char *program, pid_t pid, struct xt_exec_counts *out,
                        struct xt_err *err);
void xt_exec_counts_free(struct xt_exec_counts *counts);

/* arm: how to call what ran ("gettimeofday@hpet"). */
void xt_exec_counts_print(const struct xt_exec_counts *counts, const char *arm, FILE *out);
/* cached: the arm was, and how old its values may have been is to be said. */
int xt_exec_counts_save(const struct xt_exec_counts *counts, bool cached, const char *path, struct xt_err *err);

#endif
