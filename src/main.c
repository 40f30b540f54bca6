/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names to commands, errors to exit codes; nothing else.
 */
#include "base/log.h"
#include "base/mono.h"
#include "cli/commands.h"
#include "cli/secret.h"
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int status_of(const struct xt_err *err)
{
	switch (err->kind) {
	case XT_ERR_USAGE:
		return 2;
	case XT_ERR_INTERRUPTED:
		return 130;
	default:
		return 1;
	}
}

static int fail(const struct xt_err *err)
{
	xt_log_progress_end();
	xt_log_error("%s", err->text);
	return status_of(err);
}

/* Output that could not be written is a failure, whatever the command returned. */
static int close_stdout(int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		xt_log_error("cannot write standard output: %m");
		return status ? status : 1;
	}
	return status;
}

int main(int argc, char **argv)
{
	struct xt_err err = {0};
	const struct xt_cli_command *command;
	char **args;
	int count, status;

	xt_mono_init();
	xt_secret_hide(argc, argv);
	if (argc > 1 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))) {
		puts("xtime " PACKAGE_VERSION);
		return close_stdout(0);
	}
	if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		xt_cli_usage(argc < 2 ? stderr : stdout);
		return argc < 2 ? 2 : close_stdout(0);
	}
	args = calloc((size_t)argc + 1, sizeof(*args));
	if (!args)
		return fail(&(struct xt_err){XT_ERR_FAILED, "out of memory"});
	if (xt_cli_sort(argc, argv, &command, &count, args, &err)) {
		free(args);
		return fail(&err);
	}
	status = command->run(count, args, &err);
	free(args);
	if (status < 0)
		return close_stdout(fail(&err));
	return close_stdout(status);
}
