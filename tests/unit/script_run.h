/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small executor for tests of scripts: runs a section's commands without a database and hands out each statement as
 * the simple protocol would send it.
 */
#ifndef XT_TESTS_SCRIPT_RUN_H
#define XT_TESTS_SCRIPT_RUN_H

#include "script/script.h"

struct script_run {
	void (*statement)(void *ctx, const struct xt_command *command, const char *text, size_t len);
	void *ctx;
	int64_t time_calls; /* counted */
	int64_t rows;       /* of \load */
	uint64_t steps;     /* commands executed; stops with an error beyond the limit */
	uint64_t limit;
};

/* 0, or -1 with the error, the place in front. */
int script_run(const struct xt_code *code, struct xt_env *env, struct script_run *run, struct xt_err *err);

/* The usual environment: seed 1, client 0 of 1, sysbench's distribution parameters, uniform by default. */
struct xt_env_options script_env_options(void);

#endif
