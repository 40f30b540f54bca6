/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The registry of commands. A command's function returns the exit status (0, 1, or 130 when interrupted), or -1 with
 * err filled; main turns the error's kind into 2 or 1. argv[0] is the command's name.
 */
#ifndef XT_CLI_COMMANDS_H
#define XT_CLI_COMMANDS_H

#include "base/err.h"
#include "cli/options.h"

#include <stdbool.h>

struct xt_cli_command {
	const char *name;
	const char *words; /* what follows the name in usage: "[WORKLOAD] [options]" */
	const char *summary;
	bool workload; /* may also stand behind its workload, as sysbench has it */
	int (*run)(int argc, char **argv, struct xt_err *err);
	const struct xt_arg_table *const *tables; /* NULL-terminated; NULL: no options */
};

/* Ends with a NULL name. */
extern const struct xt_cli_command xt_cli_commands[];

const struct xt_cli_command *xt_cli_find(const char *name);

/* Sorts the command line into a command and its arguments: the command may be the first word or the second. new_argv
 * has room for argc + 1 pointers; *new_argc arguments are put there, the command's name first. */
int xt_cli_sort(int argc, char **argv, const struct xt_cli_command **command, int *new_argc, char **new_argv,
                struct xt_err *err);

/* `xtime help` and `xtime help COMMAND`, on stdout. */
void xt_cli_usage(FILE *out);
void xt_cli_command_help(const struct xt_cli_command *command, FILE *out);

int xt_cmd_help(int argc, char **argv, struct xt_err *err);
int xt_cmd_list(int argc, char **argv, struct xt_err *err);
int xt_cmd_prepare(int argc, char **argv, struct xt_err *err);
int xt_cmd_warmup(int argc, char **argv, struct xt_err *err);
int xt_cmd_cleanup(int argc, char **argv, struct xt_err *err);
int xt_cmd_pgbench(int argc, char **argv, struct xt_err *err);
int xt_cmd_run(int argc, char **argv, struct xt_err *err);
int xt_cmd_reproduce(int argc, char **argv, struct xt_err *err);
int xt_cmd_ab(int argc, char **argv, struct xt_err *err);
int xt_cmd_clocks(int argc, char **argv, struct xt_err *err);
int xt_cmd_verify(int argc, char **argv, struct xt_err *err);
int xt_cmd_coherence(int argc, char **argv, struct xt_err *err);

extern const struct xt_arg_table *const xt_prepare_tables[];
extern const struct xt_arg_table *const xt_data_tables[]; /* warmup, cleanup */
extern const struct xt_arg_table *const xt_run_tables[];
extern const struct xt_arg_table *const xt_ab_tables[];
extern const struct xt_arg_table *const xt_reproduce_tables[];
extern const struct xt_arg_table *const xt_clocks_tables[];
extern const struct xt_arg_table *const xt_verify_tables[];
extern const struct xt_arg_table *const xt_coherence_tables[];

#endif
