/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help, printed from the registry and the option tables.
 */
#include "cli/commands.h"
#include "cli/workloads.h"
#include "script/script.h"

#include <limits.h>
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

/* What may stand behind an option's "=". */
static void print_values(const struct xt_script_option *option)
{
	switch (option->type) {
	case XT_OPT_INT:
	case XT_OPT_DOUBLE:
		fputs("N", stdout);
		break;
	case XT_OPT_BOOL:
		fputs("on|off", stdout);
		break;
	case XT_OPT_TEXT:
		fputs("TEXT", stdout);
		break;
	case XT_OPT_CHOICE:
		for (size_t i = 0; option->choices[i]; i++)
			printf("%s%s", i ? "|" : "", option->choices[i]);
	}
}

static void print_option(const struct xt_script_option *option)
{
	char name[64], def[256];

	snprintf(name, sizeof(name), "%s", option->name);
	for (char *p = name; *p; p++)
		if (*p == '_')
			*p = '-';
	if (option->type == XT_OPT_BOOL)
		snprintf(def, sizeof(def), "%s", option->def.u.b ? "on" : "off");
	else
		xt_value_print(&option->def, def, sizeof(def));
	printf("  --%s=", name);
	print_values(option);
	printf("\n      %s%s(default: %s", option->help, *option->help ? " " : "", *def ? def : "none");
	if (option->type == XT_OPT_INT && option->min != INT64_MIN)
		printf(", at least %lld", (long long)option->min);
	puts(")");
}

static int workload_help(const char *name, struct xt_err *err)
{
	struct xt_program *program = xt_program_new(&(struct xt_compile_options){0});
	const struct xt_script_option *options;
	char path[PATH_MAX];
	size_t n;

	if (!program)
		return xt_err_failed(err, "out of memory");
	if (xt_workload_find(name, path, sizeof(path), err) || xt_program_add_file(program, name, path, err)) {
		xt_program_free(program);
		return -1;
	}
	printf("workload %s: sections", name);
	for (int i = 0; i < XT_SECTIONS; i++)
		if (xt_program_code(program, 0, (enum xt_section)i)->present)
			printf(" %s", xt_section_name((enum xt_section)i));
	puts("\n\nIts own options:");
	n = xt_program_options(program, &options);
	for (size_t i = 0; i < n; i++)
		print_option(&options[i]);
	if (!n)
		puts("  none");
	xt_program_free(program);
	return 0;
}

int xt_cmd_help(int argc, char **argv, struct xt_err *err)
{
	const struct xt_cli_command *command;

	if (argc < 2) {
		xt_cli_usage(stdout);
		return 0;
	}
	if (argc > 2)
		return xt_err_usage(err, "help takes one word: a command or a workload");
	command = xt_cli_find(argv[1]);
	if (command) {
		xt_cli_command_help(command, stdout);
		return 0;
	}
	if (!workload_help(argv[1], err))
		return 0;
	if (!xt_workload_is_path(argv[1]) && err->kind == XT_ERR_USAGE)
		return xt_err_usage(
			err, "'%s' is neither a command nor a workload (see xtime help and xtime list workloads)",
			argv[1]);
	return -1;
}
