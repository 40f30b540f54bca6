/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * xtime pgbench: the command line of pgbench 15, said again as one of `prepare` or `run`. What it does not know is
 * passed on: every long option of those commands works here, too.
 */
#include "base/log.h"
#include "base/num.h"
#include "cli/commands.h"
#include "cli/workloads.h"
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The meaning of an option that is no plain renaming. */
enum special {
	RENAMED, /* `to` and the value */
	INITIALIZE,
	NO_VACUUM,
	FOREIGN_KEYS,
	INIT_STEPS,
	BUILTIN,
	JOBS,
	DATABASE,
	SEED,
	SHOW_SCRIPT,
	TRANSACTIONS,
	DURATION,
	SILENT,  /* nothing to do */
	REFUSED, /* `to` says why */
	PRINTED, /* `to`, and nothing is run */
};

enum when { BOTH, INIT, RUN };

struct option {
	char letter; /* 0: none */
	const char *name;
	bool valued;
	enum when when;
	enum special special;
	const char *to; /* "--threads=": the value follows; without '=': as it is */
};

static const struct option options[] = {
	{'i', "initialize", false, BOTH, INITIALIZE, NULL},
	{'I', "init-steps", true, INIT, INIT_STEPS, NULL},
	{'F', "fillfactor", true, INIT, RENAMED, "--fillfactor="},
	{'n', "no-vacuum", false, BOTH, NO_VACUUM, NULL},
	{'q', "quiet", false, INIT, SILENT, NULL},
	{'s', "scale", true, BOTH, RENAMED, "--scale="},
	{0, "foreign-keys", false, INIT, FOREIGN_KEYS, NULL},
	{0, "unlogged-tables", false, INIT, RENAMED, "--unlogged-tables=on"},
	{0, "index-tablespace", true, INIT, REFUSED, "tablespaces are not set; use default_tablespace in PGOPTIONS"},
	{0, "tablespace", true, INIT, REFUSED, "tablespaces are not set; use default_tablespace in PGOPTIONS"},
	{0, "partition-method", true, INIT, REFUSED, "partitions are not made"},
	{0, "partitions", true, INIT, REFUSED, "partitions are not made"},
	{'b', "builtin", true, RUN, BUILTIN, NULL},
	{'N', "skip-some-updates", false, RUN, RENAMED, "--file=simple-update"},
	{'S', "select-only", false, RUN, RENAMED, "--file=select-only"},
	{'f', "file", true, RUN, RENAMED, "--file="},
	{'c', "client", true, RUN, RENAMED, "--threads="},
	{'C', "connect", false, RUN, RENAMED, "--reconnect=1"},
	{'D', "define", true, RUN, RENAMED, "--define="},
	{'j', "jobs", true, RUN, JOBS, NULL},
	{'l', "log", false, RUN, RENAMED, "--log"},
	{'L', "latency-limit", true, RUN, RENAMED, "--latency-limit="},
	{'M', "protocol", true, RUN, RENAMED, "--protocol="},
	{'P', "progress", true, RUN, RENAMED, "--report-interval="},
	{'r', "report-per-command", false, RUN, RENAMED, "--report-per-command"},
	{'r', "report-latencies", false, RUN, RENAMED, "--report-per-command"},
	{'R', "rate", true, RUN, RENAMED, "--rate="},
	{'t', "transactions", true, RUN, TRANSACTIONS, "--transactions="},
	{'T', "time", true, RUN, DURATION, "--time="},
	{'v', "vacuum-all", false, RUN, REFUSED, "tables are not vacuumed before a run; do it with psql"},
	{0, "aggregate-interval", true, RUN, RENAMED, "--aggregate-interval="},
	{0, "log-prefix", true, RUN, RENAMED, "--log-prefix="},
	{0, "sampling-rate", true, RUN, RENAMED, "--sampling-rate="},
	{0, "random-seed", true, RUN, SEED, NULL},
	{0, "show-script", true, BOTH, SHOW_SCRIPT, NULL},
	{0, "verbose-errors", false, RUN, SILENT, NULL},
	{'d', "dbname", true, BOTH, DATABASE, NULL},
	{'h', "host", true, BOTH, RENAMED, "--pgsql-host="},
	{'p', "port", true, BOTH, RENAMED, "--pgsql-port="},
	{'U', "username", true, BOTH, RENAMED, "--pgsql-user="},
	{'?', "help", false, BOTH, PRINTED,
         "xtime pgbench takes the options of pgbench 15 (-i -I -F -n -q -s; -b -f -N -S; -c -C -D -j -l -L -M -P -r\n"
         "-R -t -T; -d -h -p -U -V) and every long option of xtime prepare (with -i) or xtime run.\n"
         "Without a server it starts a private one; --db-driver=sqlite drives SQLite."},
	{'V', "version", false, BOTH, PRINTED, "xtime " PACKAGE_VERSION ", with the options of pgbench 15"},
};

static const char *const builtins[][2] = {
	{"tpcb-like", "<builtin: TPC-B (sort of)>"},
	{"simple-update", "<builtin: simple update>"},
	{"select-only", "<builtin: select only>"},
};

struct translation {
	int argc;
	char **argv; /* of the command to be run; texts are of malloc */
	bool failed; /* out of memory */
	bool initialize, no_vacuum, foreign_keys, log_prefix, limited, timed, script, protocol, exit_on_abort, driver;
	bool sqlite, log;
	const struct option *init_only, *run_only; /* the last one given */
	bool done;                                 /* something was printed; nothing is to be run */
	const char *steps, *database, *jobs, *clients;
};

static void add(struct translation *t, const char *a, const char *b)
{
	size_t size = strlen(a) + strlen(b) + 1;
	char *text = malloc(size);

	if (!text) {
		t->failed = true;
		return;
	}
	snprintf(text, size, "%s%s", a, b);
	t->argv[t->argc++] = text;
}

/* NAME[@WEIGHT] of a built-in; NAME may be cut short as long as it is clear. */
static int builtin(const char *text, const char **name, const char **weight, struct xt_err *err)
{
	size_t len = strcspn(text, "@");
	unsigned found = 0;

	*weight = text + len;
	for (size_t i = 0; i < 3; i++)
		if (len && !strncmp(builtins[i][0], text, len)) {
			*name = builtins[i][0];
			found++;
		}
	if (found == 1)
		return 0;
	return xt_err_usage(err, "-b: '%.*s' is %s of tpcb-like, simple-update, select-only", (int)len, text,
	                    found ? "more than one" : "none");
}

static int show_script(struct translation *t, const char *text, struct xt_err *err)
{
	char path[PATH_MAX], line[1024];
	const char *name, *weight;
	FILE *f;

	if (builtin(text, &name, &weight, err) || xt_workload_find(name, path, sizeof(path), err))
		return -1;
	f = fopen(path, "r");
	if (!f)
		return xt_err_failed(err, "cannot read %s: %m", path);
	while (fgets(line, sizeof(line), f))
		fputs(line, stdout);
	fclose(f);
	t->done = true;
	return 0;
}

static int add_builtin(struct translation *t, const char *text, struct xt_err *err)
{
	const char *name, *weight;
	char file[64];

	if (!strcmp(text, "list")) {
		for (size_t i = 0; i < 3; i++)
			printf("%14s: %s\n", builtins[i][0], builtins[i][1]);
		t->done = true;
		return 0;
	}
	if (builtin(text, &name, &weight, err))
		return -1;
	snprintf(file, sizeof(file), "--file=%s", name);
	add(t, file, weight);
	return 0;
}

static int check_steps(const char *steps, struct xt_err *err)
{
	if (strspn(steps, "dtgGvpf ") != strlen(steps))
		return xt_err_usage(err, "-I: '%s' has a step that is none of d, t, g, G, v, p, f", steps);
	return 0;
}

static void add_renamed(struct translation *t, const struct option *o, const char *value)
{
	t->script |= !strncmp(o->to, "--file=", 7);
	t->log |= o->letter == 'l';
	t->protocol |= o->letter == 'M';
	t->log_prefix |= !strcmp(o->to, "--log-prefix=");
	if (o->letter == 'c')
		t->clients = value;
	add(t, o->to, o->to[strlen(o->to) - 1] == '=' ? value : "");
}

static int apply(struct translation *t, const struct option *o, const char *value, struct xt_err *err)
{
	if (o->when == INIT)
		t->init_only = o;
	else if (o->when == RUN)
		t->run_only = o;
	switch (o->special) {
	case INITIALIZE:
		t->initialize = true;
		return 0;
	case NO_VACUUM:
		t->no_vacuum = true;
		return 0;
	case FOREIGN_KEYS:
		t->foreign_keys = true;
		return 0;
	case INIT_STEPS:
		t->steps = value;
		return check_steps(value, err);
	case BUILTIN:
		t->script = true;
		return add_builtin(t, value, err);
	case JOBS:
		t->jobs = value;
		return 0;
	case DATABASE:
		xt_log_note("-d names the database, as in pgbench 17; in 15 it asks for debugging output");
		t->database = value;
		return 0;
	case SEED:
		/* "time" and "rand" are what no seed means. */
		if (strcmp(value, "time") && strcmp(value, "rand"))
			add(t, "--rand-seed=", value);
		return 0;
	case SHOW_SCRIPT:
		return show_script(t, value, err);
	case REFUSED:
		return xt_err_usage(err, "--%s: %s", o->name, o->to);
	case PRINTED:
		t->done = true;
		puts(o->to);
		return 0;
	case TRANSACTIONS:
		t->limited = true;
		break;
	case DURATION:
		t->timed = true;
		break;
	case SILENT:
		return 0;
	case RENAMED:
		break;
	}
	add_renamed(t, o, value);
	return 0;
}

static const struct option *find(char letter, const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		const struct option *o = &options[i];

		if (letter ? o->letter == letter : strlen(o->name) == len && !strncmp(o->name, name, len))
			return o;
	}
	return NULL;
}

/* "-cVALUE", "-c VALUE", "-nr". */
static int short_options(struct translation *t, int argc, char **argv, int *i, struct xt_err *err)
{
	for (const char *p = argv[*i] + 1; *p; p++) {
		const struct option *o = find(*p, NULL, 0);
		const char *value = "";

		if (!o)
			return xt_err_usage(err, "unknown option -%c (xtime pgbench --help)", *p);
		if (o->valued) {
			if (p[1])
				value = p + 1;
			else if (*i + 1 < argc)
				value = argv[++*i];
			else
				return xt_err_usage(err, "-%c needs a value", *p);
		}
		if (apply(t, o, value, err))
			return -1;
		if (o->valued)
			break;
	}
	return 0;
}

static int long_option(struct translation *t, int argc, char **argv, int *i, struct xt_err *err)
{
	const char *name = argv[*i] + 2, *value = strchr(name, '=');
	const struct option *o = find(0, name, value ? (size_t)(value - name) : strlen(name));

	if (!o) {
		t->exit_on_abort |= !strncmp(name, "exit-on-abort", 13);
		t->driver |= !strncmp(name, "db-driver", 9);
		t->sqlite |= !strcmp(name, "db-driver=sqlite");
		add(t, argv[*i], "");
		return 0;
	}
	if (o->valued && !value) {
		if (*i + 1 >= argc)
			return xt_err_usage(err, "--%s needs a value", o->name);
		return apply(t, o, argv[++*i], err);
	}
	return apply(t, o, value ? value + 1 : "", err);
}

/* Steps of pgbench in steps of the workload. */
static void add_steps(struct translation *t)
{
	const char *steps = t->steps ? t->steps : "dtgvp";
	char text[64] = "";
	size_t n = 0;

	for (const char *p = steps; *p && n < sizeof(text) - 2; p++) {
		if (*p == ' ' || (*p == 'v' && t->no_vacuum))
			continue;
		text[n++] = *p;
	}
	if (t->foreign_keys && !strchr(text, 'f'))
		text[n++] = 'f';
	add(t, "--init-steps=", text);
}

static void finish(struct translation *t)
{
	if (!t->driver)
		add(t, "--db-driver=", "pgsql");
	if (t->database)
		add(t, t->sqlite ? "--sqlite-db=" : "--pgsql-db=", t->database);
	if (t->initialize) {
		add_steps(t);
		add(t, "tpcb-like", "");
		return;
	}
	if (!t->limited && !t->timed)
		add(t, "--transactions=", "10");
	if (!t->script)
		add(t, "--file=", "tpcb-like");
	if (!t->protocol && !t->sqlite)
		add(t, "--protocol=", "simple");
	if (!t->exit_on_abort)
		add(t, "--exit-on-abort=", "off");
	if (t->log && !t->log_prefix)
		add(t, "--log-prefix=", "pgbench_log");
	add(t, "--format=", "pgbench");
	if (t->jobs && strcmp(t->jobs, t->clients ? t->clients : "1"))
		xt_log_note("-j %s: each client has a thread of its own", t->jobs);
}

static int translate(struct translation *t, int argc, char **argv, struct xt_err *err)
{
	for (int i = 1; i < argc; i++) {
		int rc = 0;

		if (!strncmp(argv[i], "--", 2) && argv[i][2])
			rc = long_option(t, argc, argv, &i, err);
		else if (argv[i][0] == '-' && argv[i][1])
			rc = short_options(t, argc, argv, &i, err);
		else if (t->database)
			rc = xt_err_usage(err, "'%s' is one word too many: one database is allowed", argv[i]);
		else
			t->database = argv[i];
		if (rc || t->done)
			return rc;
	}
	if (t->limited && t->timed)
		return xt_err_usage(err, "-t and -T exclude each other");
	if (t->initialize && t->run_only)
		return xt_err_usage(err, "--%s cannot be used in initialization mode (-i)", t->run_only->name);
	if (!t->initialize && t->init_only)
		return xt_err_usage(err, "--%s can only be used in initialization mode (-i)", t->init_only->name);
	finish(t);
	if (t->failed)
		return xt_err_failed(err, "out of memory");
	return 0;
}

int xt_cmd_pgbench(int argc, char **argv, struct xt_err *err)
{
	struct translation t = {0};
	char run[] = "run", prepare[] = "prepare";
	int rc;

	/* Besides what is given, finish() adds less than 16. */
	t.argv = calloc((size_t)argc + 18, sizeof(*t.argv));
	if (!t.argv)
		return xt_err_failed(err, "out of memory");
	t.argc = 1;
	rc = translate(&t, argc, argv, err);
	if (!rc && !t.done) {
		t.argv[0] = t.initialize ? prepare : run;
		rc = t.initialize ? xt_cmd_prepare(t.argc, t.argv, err) : xt_cmd_run(t.argc, t.argv, err);
	}
	for (int i = 1; i < t.argc; i++)
		free(t.argv[i]);
	free(t.argv);
	return rc;
}
