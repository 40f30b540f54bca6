/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help, printed from the registry and the option tables.
 */
#include "cli/commands.h"

#include <string.h>

void xt_cli_usage(FILE *out)
{
	fputs("usage: xtime COMMAND [WORKLOAD] [options]\n"
	      "       xtime [options] WORKLOAD COMMAND\n"
	      "\n"
	      "What reading the clock costs a database, and what a cheaper time() would give back.\n"
	      "\n",
	      out);
	for (const struct xt_cli_command *c = xt_cli_commands; c->name; c++)
		fprintf(out, "  %-10s  %s\n", c->name, c->summary);
	fputs("\n"
	      "xtime help COMMAND shows a command's options, xtime help WORKLOAD a workload's own;\n"
	      "xtime list shows workloads, implementations of time(), drivers and clock sources.\n"
	      "Exit status: 0 done, 1 ran but failed, 2 usage (nothing was run or created), 130 interrupted.\n",
	      out);
}

void xt_cli_command_help(const struct xt_cli_command *command, FILE *out)
{
	fprintf(out, "usage: xtime %s%s%s\n\n%s\n", command->name, *command->words ? " " : "", command->words,
	        command->summary);
	for (size_t i = 0; command->tables && command->tables[i]; i++) {
		fputc('\n', out);
		xt_args_help(command->tables[i], out);
	}
}

int xt_cmd_help(int argc, char **argv, struct xt_err *err)
{
	const struct xt_cli_command *command;

	if (argc < 2) {
		xt_cli_usage(stdout);
		return 0;
	}
	command = xt_cli_find(argv[1]);
	if (!command)
		return xt_err_usage(
			err, "'%s' is neither a command nor a workload (see xtime help and xtime list workloads)",
			argv[1]);
	xt_cli_command_help(command, stdout);
	return 0;
}
