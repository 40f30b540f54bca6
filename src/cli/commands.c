/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The registry, and finding a command in either word order.
 */
#include "cli/commands.h"

#include "cli/cmd_exec.h"
#include "cli/cmd_report.h"
#include "cli/workloads.h"

#include <limits.h>
#include <string.h>

static const struct xt_arg_table *const exec_tables[] = {&xt_exec_table, NULL};

const struct xt_cli_command xt_cli_commands[] = {
	{"exec", "[options] -- PROGRAM [ARGUMENT ...]", "run any program under the shim; counts on request", false,
         xt_cmd_exec, exec_tables},
	{"prepare", "WORKLOAD [options]", "create and load a workload's tables", true, xt_cmd_prepare,
         xt_prepare_tables},
	{"warmup", "WORKLOAD [options]", "read a workload's tables once", true, xt_cmd_warmup, xt_data_tables},
	{"run", "WORKLOAD [options]", "drive load: throughput and latency per thread count", true, xt_cmd_run,
         xt_run_tables},
	{"cleanup", "WORKLOAD [options]", "drop a workload's tables", true, xt_cmd_cleanup, xt_data_tables},
	{"ab", "[WORKLOAD] [options]", "A/B of time() implementations per thread count", true, xt_cmd_ab, xt_ab_tables},
	{"pgbench", "[options] [DBNAME]", "pgbench's command line: initialise (-i) or run, with its report", false,
         xt_cmd_pgbench, NULL},
	{"reproduce", "[2007|2018|2019|all] [options]", "redo a published result and judge its claims", false,
         xt_cmd_reproduce, xt_reproduce_tables},
	{"clocks", "[options]", "what every clock read costs, by vDSO, libc, system call and implementation", false,
         xt_cmd_clocks, xt_clocks_tables},
	{"verify", "[options]", "are the clocks right: values, order, odd arguments", false, xt_cmd_verify,
         xt_verify_tables},
	{"coherence", "[options]", "can time() be behind gettimeofday(), per implementation", false, xt_cmd_coherence,
         xt_coherence_tables},
	{"report", "RECORD|DIR ... [options]", "tables, CSV and pictures from saved records", false, xt_cmd_report,
         xt_cmd_report_tables},
	{"list", "[workloads|implementations|drivers|clocksources]", "what there is", false, xt_cmd_list, NULL},
	{"help", "[COMMAND|WORKLOAD]", "what xtime does, or one command or workload", false, xt_cmd_help, NULL},
	{NULL, NULL, NULL, false, NULL, NULL},
};

const struct xt_cli_command *xt_cli_find(const char *name)
{
	for (const struct xt_cli_command *c = xt_cli_commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

/* Whether the option at text, written without '=', is followed by its value: needed to tell words from values before
 * the command is known. */
static bool value_follows(const char *text)
{
	if (strncmp(text, "--", 2) || !text[2] || strchr(text, '='))
		return false;
	for (const struct xt_cli_command *c = xt_cli_commands; c->name; c++) {
		size_t n = 0;
		const struct xt_arg *arg;

		while (c->tables && c->tables[n])
			n++;
		arg = n ? xt_args_find(c->tables, n, text + 2, strlen(text + 2)) : NULL;
		if (arg)
			return xt_args_takes_value(arg);
	}
	return false;
}

/* Indexes of the first two words; returns how many there are. */
static int first_words(int argc, char **argv, int at[2])
{
	int found = 0;

	for (int i = 1; i < argc && found < 2; i++) {
		if (!strcmp(argv[i], "--"))
			break;
		if (argv[i][0] == '-' && argv[i][1]) {
			if (value_follows(argv[i]))
				i++;
			continue;
		}
		at[found++] = i;
	}
	return found;
}

int xt_cli_sort(int argc, char **argv, const struct xt_cli_command **command, int *new_argc, char **new_argv,
                struct xt_err *err)
{
	int at[2];
	int words = first_words(argc, argv, at);
	const struct xt_cli_command *c = words > 0 ? xt_cli_find(argv[at[0]]) : NULL;
	int where = words > 0 ? at[0] : 0;
	char path[PATH_MAX];

	if (!c && words > 1) {
		c = xt_cli_find(argv[at[1]]);
		where = at[1];
		if (c && !c->workload && c->run != xt_cmd_help)
			return xt_err_usage(err,
			                    "'%s' is not a command: %s takes no workload before it (see xtime help)",
			                    argv[at[0]], c->name);
	}
	if (!words)
		return xt_err_usage(err, "no command: xtime COMMAND [WORKLOAD] [options] (see xtime help)");
	if (!c && words == 1 && !xt_workload_find(argv[at[0]], path, sizeof(path), NULL))
		return xt_err_usage(err,
		                    "'%s' is a workload: say what to do with it, as in xtime run %s (see xtime help)",
		                    argv[at[0]], argv[at[0]]);
	if (!c)
		return xt_err_usage(err, "'%s' is not a command (see xtime help)", argv[at[words > 1 ? 1 : 0]]);
	*command = c;
	*new_argc = 1;
	new_argv[0] = argv[where];
	for (int i = 1; i < argc; i++)
		if (i != where)
			new_argv[(*new_argc)++] = argv[i];
	new_argv[*new_argc] = NULL;
	return 0;
}
