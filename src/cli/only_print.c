/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --only-print and --show-script.
 */
#include "cli/only_print.h"

#include "base/buf.h"
#include "cli/workloads.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct xt_arg script_args[] = {
	{"only-print", NULL, XT_ARG_FLAG, offsetof(struct xt_session_options, only_print), 0, 0, NULL, NULL,
         "connect to nothing and print the statements that the first thread would send; of run so many "
         "transactions as --events says, 1"},
	{"show-script", NULL, XT_ARG_TEXT, offsetof(struct xt_session_options, show_script), 0, 0, NULL, "NAME",
         "print the text of a shipped workload and what it includes"},
};
const struct xt_arg_table xt_script_table = {"Scripts", script_args, sizeof(script_args) / sizeof(*script_args)};

static void write_out(void *ctx, const char *text, size_t len)
{
	(void)ctx;
	fwrite(text, 1, len, stdout);
}

static int finish(struct xt_err *err)
{
	return fflush(stdout) || ferror(stdout)
	               ? xt_err_failed(err, "cannot write standard output: %s", strerror(errno))
	               : 0;
}

static int print_run(const struct xt_engine *engine, const struct xt_session_options *o, struct xt_err *err)
{
	struct xt_visit visit = {.threads = 1};
	struct xt_totals totals;
	int rc;

	visit.events = o->events ? (uint64_t)o->events : o->transactions ? (uint64_t)o->transactions : 1;
	if (xt_totals_init(&totals, 1, err))
		return -1;
	rc = xt_engine_visit(engine, &visit, &totals, err);
	xt_totals_free(&totals);
	return rc;
}

int xt_only_print(struct xt_session *session, enum xt_section section, struct xt_err *err)
{
	struct xt_engine *engine = &session->engine;
	const struct xt_print print = {
		.write = write_out, .is_sqlite = engine->driver->is_sqlite, .is_pgsql = engine->driver->is_pgsql};
	int rc;

	engine->driver = xt_driver_find("null");
	engine->print = &print;
	session->config.threads = 1;
	session->config.temporary_ok = true;
	rc = engine->driver->open(&engine->db, &session->config, err);
	if (!rc)
		rc = section == XT_RUN ? print_run(engine, &session->o, err)
		                       : xt_engine_section(engine, section, 1, err);
	engine->print = NULL;
	return rc ? rc : finish(err);
}

/* The folder of path, and name in it. */
static int beside(char *out, size_t cap, const char *path, const char *name, size_t len)
{
	const char *slash = strrchr(path, '/');

	return snprintf(out, cap, "%.*s%.*s", slash ? (int)(slash - path) + 1 : 0, path, (int)len, name) < (int)cap
	               ? 0
	               : -1;
}

/* What the text includes, in its order, each file behind the one that names it. */
static int show_file(const char *path, const char *title, unsigned level, struct xt_err *err)
{
	static const char include[] = "\\include ";
	struct xt_buf text = {0};
	char other[PATH_MAX];
	int rc = 0;

	if (xt_buf_read_file(&text, path, 64u << 20))
		return xt_err_failed(err, "cannot read %s: %s", path, strerror(errno));
	if (level)
		printf("\n-- %s\n", title);
	fwrite(text.data, 1, text.len, stdout);
	for (const char *p = text.data; !rc && level < 8 && p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
		const char *name = p + sizeof(include) - 1;

		if (strncmp(p, include, sizeof(include) - 1))
			continue;
		if (!beside(other, sizeof(other), path, name, strcspn(name, " \t\r\n")))
			rc = show_file(other, strrchr(other, '/') ? strrchr(other, '/') + 1 : other, level + 1, err);
	}
	xt_buf_free(&text);
	return rc;
}

int xt_show_script(const char *name, struct xt_err *err)
{
	char path[PATH_MAX];

	if (xt_workload_find(name, path, sizeof(path), err))
		return xt_err_context(err, "--show-script");
	return show_file(path, name, 0, err) ? -1 : finish(err);
}
