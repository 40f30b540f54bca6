/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the command line to a compiled workload and an opened database.
 */
#include "cli/session.h"

#include "base/log.h"
#include "base/mono.h"
#include "cli/commands.h"
#include "cli/config_file.h"
#include "cli/only_print.h"
#include "cli/scale.h"
#include "cli/self.h"
#include "cli/workloads.h"
#include "record/record.h"
#include "report/report.h"
#include "shim/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A name that a table of the load commands has: a workload's \option may not take it. */
static bool is_builtin(const char *name)
{
	for (const struct xt_cli_command *c = xt_cli_commands; c->name; c++) {
		size_t n = 0;

		if (!c->workload)
			continue;
		while (c->tables && c->tables[n])
			n++;
		if (xt_args_find(c->tables, n, name, strlen(name)))
			return true;
	}
	return !strcmp(name, "help") || !strcmp(name, "version");
}

bool xt_session_given(const struct xt_session *session, const char *name)
{
	return xt_args_given(session->sets, session->set_count, name);
}

unsigned xt_session_max_threads(const struct xt_session *session)
{
	unsigned max = 1;

	for (size_t i = 0; i < session->o.threads.n; i++)
		if (session->o.threads.v[i] > max)
			max = session->o.threads.v[i];
	return max;
}

/* FILE[@WEIGHT] */
static int add_file(struct xt_session *session, const char *text, struct xt_err *err)
{
	char path[PATH_MAX], found[PATH_MAX], shown[PATH_MAX + 8];
	const char *at = strrchr(text, '@');
	size_t index = xt_program_scripts(session->program);
	int64_t weight = 1;

	if (index == sizeof(session->weights) / sizeof(*session->weights))
		return xt_err_usage(err, "--file: at most %zu scripts can be mixed", index);
	if (at && xt_num_count(at + 1, 0, 1000000, &weight, err))
		return xt_err_context(err, "--file=%s: weight", text);
	snprintf(path, sizeof(path), "%.*s", at ? (int)(at - text) : (int)strlen(text), text);
	session->weights[index] = (double)weight;
	if (!session->workload)
		session->workload = text;
	/* A built-in may be mixed in by its name; a file of that name comes first. */
	if (!xt_workload_is_path(path) && strcmp(path, "-") && access(path, R_OK) &&
	    !xt_workload_find(path, found, sizeof(found), NULL)) {
		snprintf(shown, sizeof(shown), "%s.sql", path);
		return xt_program_add_file(session->program, shown, found, err);
	}
	return xt_program_add_file(session->program, path, path, err);
}

static int add_workload(struct xt_session *session, const char *name, struct xt_err *err)
{
	char path[PATH_MAX], shown[PATH_MAX];

	if (xt_workload_find(name, path, sizeof(path), err))
		return -1;
	session->workload = name;
	session->weights[0] = 1;
	snprintf(shown, sizeof(shown), "%s%s", name, xt_workload_is_path(name) ? "" : ".sql");
	return xt_program_add_file(session->program, shown, path, err);
}

/* An option of another command, so that one list of options serves for all of a workload's commands. */
static bool is_idle(const struct xt_session_spec *spec, const struct xt_arg_other *other)
{
	size_t n = 0;

	while (spec->idle && spec->idle[n])
		n++;
	return n && xt_args_find(spec->idle, n, other->name, other->len);
}

/* One that no table has: the workload's own, another command's, or nobody's. */
static int set_option(struct xt_session *session, const struct xt_session_spec *spec, const struct xt_arg_other *other,
                      struct xt_err *err)
{
	const struct xt_script_option *options;
	size_t n = xt_program_options(session->program, &options);
	char name[64];
	bool known = false;

	snprintf(name, sizeof(name), "%.*s", (int)other->len, other->name);
	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	for (size_t k = 0; k < n; k++)
		known |= !strcmp(options[k].name, name);
	if (!known && is_idle(spec, other)) {
		xt_log_note("--%.*s does nothing in %s", (int)other->len, other->name, session->command);
		return 0;
	}
	if (!known)
		return xt_args_unknown(spec->tables, session->set_count - (spec->extra != NULL), other,
		                       session->command, err);
	return xt_program_set_option(session->program, name, other->value, err);
}

static int set_options(struct xt_session *session, const struct xt_session_spec *spec, struct xt_err *err)
{
	for (size_t i = 0; i < session->rest.others; i++)
		if (set_option(session, spec, &session->rest.other[i], err))
			return xt_config_file_blame(session->config_file, session->rest.other[i].name, err);
	for (size_t i = 0; i < session->o.defines.n; i++) {
		const char *text = session->o.defines.v[i], *equal = strchr(text, '=');
		char name[256];

		if (!equal || equal == text)
			return xt_err_usage(err, "--define: '%s' is not NAME=VALUE", text);
		snprintf(name, sizeof(name), "%.*s", (int)(equal - text), text);
		if (xt_program_define(session->program, name, equal + 1, err))
			return xt_err_context(err, "--define");
	}
	return 0;
}

static int find_driver(struct xt_session *session, struct xt_err *err)
{
	char names[128] = "";
	size_t used = 0;

	session->engine.driver = xt_driver_find(session->o.driver);
	if (session->engine.driver)
		return 0;
	for (size_t i = 0; xt_drivers[i]; i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
		                         xt_drivers[i]->name);
	return xt_err_usage(err, "--db-driver: '%s' is not a driver: %s are built in", session->o.driver, names);
}

static int compile(struct xt_session *session, const struct xt_session_spec *spec, struct xt_err *err)
{
	const struct xt_compile_options options = {.allow_shell = session->o.allow_shell,
	                                           .is_builtin_option = is_builtin};
	const char *name = session->rest.words ? session->rest.word[0] : NULL;
	double weights = 0;

	if (session->rest.words > 1)
		return xt_err_usage(err, "'%s' is one word too many: one workload is allowed (mix scripts with --file)",
		                    session->rest.word[1]);
	if (name && session->o.files.n)
		return xt_err_usage(err, "a workload and --file exclude each other: give all scripts with --file");
	if (!name && !session->o.files.n) {
		name = session->engine.driver->is_pgsql && spec->default_workload_pgsql ? spec->default_workload_pgsql
		                                                                        : spec->default_workload;
		if (!name)
			return xt_err_usage(err, "no workload: xtime %s WORKLOAD (xtime list workloads shows them)",
			                    session->command);
	}
	session->program = xt_program_new(&options);
	if (!session->program)
		return xt_err_failed(err, "out of memory");
	if (name)
		return add_workload(session, name, err);
	for (size_t i = 0; i < session->o.files.n; i++) {
		if (add_file(session, session->o.files.v[i], err))
			return -1;
		weights += session->weights[i];
	}
	if (weights <= 0)
		return xt_err_usage(err, "--file: no script has a weight above 0");
	return 0;
}

/* Connection options or variables that point to a server of the user's. */
static bool names_a_server(const struct xt_session_options *o)
{
	static const char *const variables[] = {"PGHOST", "PGHOSTADDR", "PGPORT", "PGSERVICE", "PGDATABASE"};

	if (o->pgsql_conninfo || o->pgsql_host || o->pgsql_port || o->pgsql_user || o->pgsql_password || o->pgsql_db ||
	    o->pgsql_sslmode)
		return true;
	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++)
		if (getenv(variables[i]))
			return true;
	return false;
}

static void fill_config(struct xt_session *session)
{
	static const char *const protocols[] = {"prepared", "extended", "simple"};
	const struct xt_session_options *o = &session->o;
	struct xt_driver_config *c = &session->config;

	c->connect_timeout_ns = o->connect_timeout_ns;
	c->sqlite = (struct xt_sqlite_options){
		.path = o->sqlite_db,
		.private_files = o->sqlite_private,
		.journal_mode = o->sqlite_journal_mode,
		.synchronous = o->sqlite_synchronous,
		.temp_store = o->sqlite_temp_store,
		.locking_mode = o->sqlite_locking_mode,
		.cache_size = o->sqlite_cache_size,
		.mmap_size = o->sqlite_mmap_size,
		.page_size = o->sqlite_page_size,
		.wal_autocheckpoint = o->sqlite_wal_autocheckpoint,
		.busy_timeout_ms = (int64_t)(o->sqlite_busy_timeout_ns / 1000000),
	};
	c->pgsql = (struct xt_pgsql_options){
		.conninfo = o->pgsql_conninfo,
		.host = o->pgsql_host,
		.port = o->pgsql_port,
		.user = o->pgsql_user,
		.password = o->pgsql_password,
		.dbname = o->pgsql_db,
		.sslmode = o->pgsql_sslmode,
		.protocol = o->db_ps_mode ? "simple" : protocols[o->pgsql_protocol],
		.isolation = o->pgsql_isolation,
		.on_connect = o->pgsql_on_connect,
		.want_private = session->engine.driver->is_pgsql && !names_a_server(o),
		.bindir = o->pgsql_bindir ? o->pgsql_bindir : getenv("XTIME_PG_BINDIR"),
		.server_options = o->pgsql_options.v,
		.shm_fd = -1,
	};
	c->null = (struct xt_null_options){.latency_ns = o->null_latency_ns, .fail = o->null_fail};
}

static void fill_engine(struct xt_session *session)
{
	const struct xt_session_options *o = &session->o;
	struct xt_engine *e = &session->engine;
	int64_t seed = xt_session_given(session, "seed") ? o->seed_alias : o->seed;

	e->program = session->program;
	e->weights = session->weights;
	e->seed = seed ? (uint64_t)seed : xt_wall_ns() & INT64_MAX;
	e->rand = (struct xt_rand_options){
		.spec_iter = (unsigned)o->spec_iter,
		.spec_pct = (unsigned)o->spec_pct,
		.spec_res = (unsigned)o->spec_res,
		.pareto_h = o->pareto_h,
		.zipfian_exp = o->zipfian_exp,
	};
	e->rand.type = (enum xt_distribution[]){XT_DIST_UNIFORM, XT_DIST_GAUSSIAN, XT_DIST_SPECIAL, XT_DIST_PARETO,
	                                        XT_DIST_ZIPFIAN}[o->rand_type];
	if (o->compat == 1 && !xt_session_given(session, "rand-type"))
		e->rand.type = XT_DIST_UNIFORM;
	e->scale_known = true;
	e->scale = o->scale;
	e->max_tries = (unsigned)o->max_tries;
	e->connect_timeout_ns = o->connect_timeout_ns;
	e->grace_ns = o->grace_ns;
	e->pipeline = o->pipeline;
}

/* Options of another database than the one in use are accepted, so that command lines can be kept, and said. */
static void note_idle_options(const struct xt_session *session)
{
	const struct xt_driver *driver = session->engine.driver;

	for (size_t s = 0; s < session->set_count; s++)
		for (size_t i = 0; i < session->sets[s].table->count; i++) {
			const char *name = session->sets[s].table->args[i].name;
			bool pgsql = session->sets[s].table == &xt_pgsql_table, sqlite = !strncmp(name, "sqlite-", 7);
			bool idle = session->sets[s].table == &xt_compat_table;

			if (!(session->sets[s].given >> i & 1))
				continue;
			if (idle)
				xt_log_note("--%s is accepted for sysbench's sake and does nothing here", name);
			else if ((pgsql && !driver->is_pgsql) || (sqlite && !driver->is_sqlite))
				xt_log_note("--%s does nothing with --db-driver=%s", name, driver->name);
		}
}

int xt_session_parse(struct xt_session *session, int argc, char **argv, const struct xt_session_spec *spec,
                     struct xt_err *err)
{
	memset(session, 0, sizeof(*session));
	if (xt_config_file_read(&session->config_file, &argc, &argv, err))
		return -1;
	session->argc = argc;
	session->argv = argv;
	session->command = argv[0];
	for (size_t i = 0; spec->tables[i]; i++)
		session->sets[session->set_count++] = (struct xt_arg_set){
			spec->tables[i], spec->tables[i] == spec->extra ? spec->extra_base : (void *)&session->o, 0};
	session->rest.others_allowed = true;
	if (xt_args_parse(argc, argv, session->sets, session->set_count, &session->rest, err))
		return session->rest.failed
		               ? xt_config_file_blame(session->config_file, argv[session->rest.failed], err)
		               : -1;
	if (session->rest.help) {
		xt_cli_command_help(xt_cli_find(session->command), stdout);
		return 1;
	}
	if (session->o.show_script)
		return xt_show_script(session->o.show_script, err) ? -1 : 1;
	if (session->rest.dashdash)
		return xt_err_usage(err, "'--' is not allowed here");
	if (!xt_session_given(session, "warmup-time"))
		session->o.warmup_ns = spec->default_warmup_ns;
	if (spec->default_threads && !xt_session_given(session, "threads") &&
	    xt_num_counts(spec->default_threads, XT_MAX_THREADS, &session->o.threads, err))
		return -1;
	if (spec->topic && session->rest.words) {
		*spec->topic = session->rest.word[0];
		memmove(session->rest.word, session->rest.word + 1,
		        --session->rest.words * sizeof(session->rest.word[0]));
	}
	if (!session->o.rounds)
		session->o.rounds = session->o.threads.n > 1 ? 4 : 1;
	if (find_driver(session, err) || compile(session, spec, err) || set_options(session, spec, err))
		return -1;
	if (session->o.pipeline && !session->engine.driver->pipeline_start)
		return xt_err_usage(err, "--pipeline needs PostgreSQL: %s has no pipelines",
		                    session->engine.driver->name);
	if (session->o.pipeline && (session->o.pgsql_protocol == 2 || session->o.db_ps_mode))
		return xt_err_usage(err, "--pipeline needs --protocol=prepared or --protocol=extended, not simple");
	fill_config(session);
	fill_engine(session);
	note_idle_options(session);
	return 0;
}

/* The files that the page's slots name. */
static int list_plugins(struct xt_session *session, struct xt_err *err)
{
	struct xt_page *page = xt_self_page(NULL);
	const char *text;

	for (unsigned i = 0; page && i < XT_PLUGINS && (text = xt_page_plugin(page, i)); i++) {
		session->plugins[i] = strndup(text, xt_plugin_path_len(text));
		if (!session->plugins[i]) {
			xt_page_unmap(page);
			return xt_err_failed(err, "out of memory");
		}
	}
	xt_page_unmap(page);
	session->config.pgsql.plugins = (const char *const *)session->plugins;
	return 0;
}

/* A private server comes under the same shim and page as this process. */
static int share_page(struct xt_session *session, struct xt_err *err)
{
	struct xt_pgsql_options *o = &session->config.pgsql;

	if (!session->under_shim || !o->want_private)
		return 0;
	if (xt_self_find_shim(session->shim, sizeof(session->shim), err))
		return -1;
	o->shm_fd = xt_self_page_fd();
	xt_page_env_format(o->shm_fd, session->page_env, sizeof(session->page_env));
	o->page_env = session->page_env;
	o->preload = session->shim;
	return list_plugins(session, err);
}

int xt_session_open(struct xt_session *session, unsigned threads, bool need_existing, bool temporary_ok,
                    struct xt_err *err)
{
	struct xt_engine *e = &session->engine;

	session->config.threads = threads;
	session->config.need_existing =
		need_existing || (temporary_ok && session->o.sqlite_db && strcmp(session->o.sqlite_db, ":memory:"));
	session->config.temporary_ok = temporary_ok;
	if (share_page(session, err) || e->driver->open(&e->db, &session->config, err))
		return -1;
	if (!temporary_ok)
		return 0;
	if (!e->driver->needs_prepare(e->db))
		return xt_scale_read(session, err);
	xt_log_progress("preparing %s", session->workload);
	if (xt_engine_prepare(e, threads, err))
		return xt_err_context(err, "prepare");
	xt_log_progress_end();
	return xt_engine_ended(e) ? xt_err_interrupted(err) : 0;
}

void xt_session_close(struct xt_session *session)
{
	xt_log_progress_end();
	if (session->engine.db)
		session->engine.driver->close(session->engine.db);
	session->engine.db = NULL;
	if (session->program)
		xt_program_free(session->program);
	session->program = NULL;
	for (char **plugin = session->plugins; *plugin; plugin++) {
		free(*plugin);
		*plugin = NULL;
	}
	xt_config_file_free(session->config_file);
	session->config_file = NULL;
}

static void add_fact(void *ctx, const char *name, const char *value)
{
	json_object_set_new(ctx, name, json_string(value));
}

static json_t *value_json(const struct xt_value *v)
{
	switch (v->type) {
	case XT_BOOL:
		return json_boolean(v->u.b);
	case XT_INT:
		return json_integer(v->u.i);
	case XT_DOUBLE:
		return xt_json_number(v->u.d);
	case XT_TEXT:
		return json_stringn(v->u.s, v->len);
	case XT_NULL:
		break;
	}
	return json_null();
}

int xt_session_describe(struct xt_session *session, json_t *record, struct xt_err *err)
{
	static const char *const distribution[] = {
		[XT_DIST_UNIFORM] = "uniform", [XT_DIST_GAUSSIAN] = "gaussian", [XT_DIST_SPECIAL] = "special",
		[XT_DIST_PARETO] = "pareto",   [XT_DIST_ZIPFIAN] = "zipfian",
	};
	json_t *workload = json_object(), *driver = json_object(), *options = json_object(), *scripts = json_array();
	const struct xt_script_option *list;
	size_t n = xt_program_options(session->program, &list);

	for (size_t i = 0; i < n; i++) {
		struct xt_value value;

		if (!xt_program_value(session->program, list[i].name, &value))
			json_object_set_new(options, list[i].name, value_json(&value));
	}
	for (size_t i = 0; i < xt_program_scripts(session->program); i++)
		json_array_append_new(scripts, json_string(xt_program_name(session->program, i)));
	json_object_set_new(workload, "name", json_string(session->workload));
	json_object_set_new(workload, "scripts", scripts);
	json_object_set_new(workload, "options", options);
	json_object_set_new(workload, "rand_type", json_string(distribution[session->engine.rand.type]));
	json_object_set_new(record, "workload", workload);
	json_object_set_new(driver, "name", json_string(session->engine.driver->name));
	json_object_set_new(driver, "version", json_null());
	json_object_set_new(driver, "server", json_null());
	json_object_set_new(record, "driver", driver);
	return xt_engine_describe(&session->engine, add_fact, driver, err);
}

int xt_session_check_output(struct xt_session *session, struct xt_err *err)
{
	if (!session->o.output)
		return 0;
	if (xt_record_path(session->output_path, sizeof(session->output_path), session->o.output, session->command,
	                   session->workload))
		return xt_err_usage(err, "--output: '%s' is too long", session->o.output);
	if (xt_record_check_path(session->output_path, err))
		return xt_err_context(err, "--output");
	return 0;
}

int xt_session_print(const struct xt_session *session, const json_t *record, struct xt_err *err)
{
	switch (session->o.format) {
	case XT_FORMAT_JSON:
		return xt_record_print(record, stdout, err);
	case XT_FORMAT_CSV:
		return xt_report_csv(record, stdout, err);
	case XT_FORMAT_SYSBENCH:
		return 0; /* printed while it ran */
	case XT_FORMAT_PGBENCH:
		return xt_report_pgbench(record, stdout, err);
	default:
		return xt_report_table(record, stdout, err);
	}
}
