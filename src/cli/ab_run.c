/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An A/B from its options to its record.
 */
#include "cli/ab_run.h"

#include "base/log.h"
#include "cli/impl.h"
#include "cli/interrupt.h"
#include "cli/lab.h"
#include "engine/awake.h"
#include "record/record.h"

#include <string.h>
#include <unistd.h>

#define FIELD(f) offsetof(struct xt_ab_options, f)

static const struct xt_arg ab_args[] = {
	{"a", NULL, XT_ARG_TEXT, FIELD(a), 0, 0, NULL, "ARM", "the base arm (xtime list implementations)"},
	{"b", NULL, XT_ARG_TEXT, FIELD(b), 0, 0, NULL, "ARM", "the other arm"},
	{"arms", NULL, XT_ARG_TEXT, FIELD(arms), 0, 0, NULL, "A,B,C...", "two to 15 arms, the first is the base"},
	{"add-ns", NULL, XT_ARG_TEXT, FIELD(add_ns), 0, 0, NULL, "N,N,...",
         "arms that are --a with so many ns added per read: fits the loss per ns and the break-even"},
	{"swap", NULL, XT_ARG_TEXT, FIELD(swap), 0, 0, NULL, "LIST",
         "functions that are replaced: time, gettimeofday, clock_gettime, monotonic"},
	{"slice", NULL, XT_ARG_TEXT, FIELD(slice), 0, 0, "auto", "auto|DURATION",
         "length of a slice; auto: 100 mean statements, within 2 ms to 200 ms"},
	{"cost-time", NULL, XT_ARG_SECONDS, FIELD(cost_ns), 0.01, 60, "0.5", "SECONDS",
         "how long the cost of the arms' calls is measured at start"},
	{"client-only", NULL, XT_ARG_FLAG, FIELD(client_only), 0, 0, NULL, NULL,
         "only calls of the generator's own threads are swapped and counted"},
	{"runs", NULL, XT_ARG_INT, FIELD(runs), 1, 1000, "1", "K",
         "fresh processes; from 3 on the interval is Student's t on their log ratios"},
	{"slices", NULL, XT_ARG_TEXT, FIELD(slices), 0, 0, NULL, "FILE", "write every slice there, as CSV"},
	{"keep-awake", NULL, XT_ARG_CHOICE, FIELD(keep_awake), 0, 0, "auto", "auto|yes|no",
         "keep CPUs from falling asleep between a client's and a server's turns; auto: with --add-ns on pgsql"},
	{"page", NULL, XT_ARG_TEXT, FIELD(page), 0, 0, NULL, "FILE",
         "the control page of a server started with xtime exec --page=FILE"},
};
const struct xt_arg_table xt_ab_table = {"A/B", ab_args, sizeof(ab_args) / sizeof(*ab_args)};

static int parse_slice(const char *text, uint64_t *out, struct xt_err *err)
{
	*out = 0;
	if (!strcmp(text, "auto"))
		return 0;
	if (xt_num_duration(text, 1000000000, 100000, 10000000000u, out, err))
		return xt_err_context(err, "--slice");
	return 0;
}

/* A visit has at least one block: a slice of each arm and of the control. */
static int check_blocks(const struct xt_ab *ab, const struct xt_session *session, const struct xt_ab_options *o,
                        struct xt_err *err)
{
	uint64_t block_ns = ab->slice_ns * (ab->plan.arms + 1);
	uint64_t visit_ns = session->o.time_ns / (session->o.rounds ? (uint64_t)session->o.rounds : 1);

	if (block_ns <= visit_ns || !session->o.time_ns)
		return 0;
	return xt_err_usage(err,
	                    "--slice=%s: a slice of each arm and of the control takes %.3g s, and a visit to a thread "
	                    "count %.3g s (--time by --rounds)",
	                    o->slice, (double)block_ns / 1e9, (double)visit_ns / 1e9);
}

/* A server of the user's is not under our shim: what would be swapped is the client's alone. */
static int check_server(const struct xt_session *session, const struct xt_ab_options *o, struct xt_err *err)
{
	if (!session->engine.driver->is_pgsql || session->config.pgsql.want_private || o->client_only || o->page)
		return 0;
	return xt_err_usage(
		err, "the server that the --pgsql-* options or the PG* variables name is not under the shim: only the "
		     "client's calls would change. Leave them out to have a private server started, start the server "
		     "with xtime exec --page=FILE -- postgres ... and give --page=FILE here, or say --client-only");
}

int xt_ab_setup(struct xt_ab *ab, struct xt_session *session, const struct xt_ab_options *o, struct xt_err *err)
{
	bool pgsql = session->engine.driver->is_pgsql && !o->client_only;
	const struct xt_ab_words words = {o->arms, o->a, o->b, o->swap, o->add_ns};
	const char *a = xt_program_ab(session->program, "a"), *b = xt_program_ab(session->program, "b"),
		   *swap = xt_program_ab(session->program, "swap");
	const struct xt_ab_words defaults = {
		NULL,
		a ? a : "syscall-gettimeofday",
		b       ? b
		: pgsql ? "syscall-coarse"
			: "syscall-time",
		swap    ? swap
		: pgsql ? "time,gettimeofday,clock_gettime"
			: "time",
		NULL,
	};

	memset(ab, 0, sizeof(*ab));
	if (xt_ab_plan_parse(&words, &defaults, &ab->plan, err) || parse_slice(o->slice, &ab->slice_ns, err))
		return -1;
	if (check_server(session, o, err) || check_blocks(ab, session, o, err))
		return -1;
	if (!session->o.time_ns)
		return xt_err_usage(err, "--time=0: an A/B needs a limit of time");
	if (session->o.events)
		return xt_err_usage(err, "--events: an A/B ends by --time; a limit of events is for run");
	ab->engine = &session->engine;
	ab->threads = session->o.threads;
	ab->rounds = (unsigned)session->o.rounds;
	ab->time_ns = session->o.time_ns;
	ab->warmup_ns = session->o.warmup_ns;
	ab->cost_ns = o->cost_ns;
	ab->client_only = o->client_only;
	ab->awake = (enum xt_awake)o->keep_awake;
	return 0;
}

/* Processes open plugins when they start: one that their page has not named is not in them. */
static int check_page_plugins(const struct xt_ab *ab, const char *const *plugins, struct xt_err *err)
{
	for (; *plugins; plugins++) {
		unsigned slot = 0;
		const char *text;

		while ((text = xt_page_plugin(ab->page, slot)) && strcmp(text, *plugins) != 0)
			slot++;
		if (!text)
			return xt_err_usage(
				err,
				"arm 'plugin:%s': the processes on --page have not opened it; start them with "
				"xtime exec --page=FILE --impl=plugin:%s -- ...",
				*plugins, *plugins);
	}
	return 0;
}

int xt_ab_enter(struct xt_ab *ab, struct xt_session *session, const char *page_file, struct xt_err *err)
{
	const char *plugins[XT_AB_MAX_ARMS + 1];
	int fd;

	if (xt_ab_plan_plugins(&ab->plan, plugins) && xt_impl_check_plugins(plugins, err))
		return -1;
	if (xt_impl_restart(session->argv, plugins, &ab->own_page, err))
		return -1;
	session->under_shim = true;
	ab->page = ab->own_page;
	if (xt_ab_plan_uses(&ab->plan, XT_SOURCE_CACHED) && xt_impl_start_ticker(ab->own_page, err))
		return -1;
	if (!page_file)
		return 0;
	if (xt_page_map_file(&ab->page, &fd, page_file))
		return xt_err_usage(err, "--page: cannot use '%s' as a control page: %m", page_file);
	close(fd);
	if (!xt_page_attached(ab->page))
		return xt_err_failed(
			err, "--page: no process has attached to %s: start the server with xtime exec --page=%s -- ...",
			page_file, page_file);
	xt_ab_plan_plugins(&ab->plan, plugins);
	if (check_page_plugins(ab, plugins, err))
		return -1;
	if (xt_ab_plan_uses(&ab->plan, XT_SOURCE_CACHED))
		return xt_impl_start_ticker(ab->page, err);
	return 0;
}

int xt_ab_save(void *ctx, const json_t *record, struct xt_err *err)
{
	const char *path = ctx;

	return *path ? xt_record_save(record, path, err) : 0;
}

static void show_progress(void *ctx, const char *text)
{
	(void)ctx;
	xt_log_progress("%s", text);
}

/* *fd: what keeps CPUs awake while it is open; -1 where that is not wanted, or cannot be had and was not asked for. */
static int keep_awake(const struct xt_ab *ab, int *fd, struct xt_err *err)
{
	struct xt_err why;

	*fd = -1;
	if (ab->awake == XT_AWAKE_NO ||
	    (ab->awake == XT_AWAKE_AUTO && !(ab->plan.dose && ab->engine->driver->is_pgsql)))
		return 0;
	*fd = xt_awake_hold(&why);
	if (*fd >= 0)
		return 0;
	if (ab->awake == XT_AWAKE_YES)
		return xt_err_failed(err, "--keep-awake=yes: %s", why.text);
	xt_log_note("%s; what is measured holds the time that they take to wake up", why.text);
	return 0;
}

/* Opens the database and fills a new record up to where the sweep begins. */
static int begin(const struct xt_ab *ab, struct xt_session *session, json_t **record, struct xt_err *err)
{
	if (xt_session_open(session, xt_session_max_threads(session), false, true, err))
		return -1;
	*record = xt_record_new(XT_SCHEMA_AB, session->argc, session->argv, session->engine.seed);
	if (!*record)
		return xt_err_failed(err, "out of memory");
	xt_lab_note_surroundings(*record);
	if (xt_ab_plan_uses(&ab->plan, XT_SOURCE_CACHED))
		xt_lab_note_staleness(*record);
	return xt_session_describe(session, *record, err);
}

int xt_ab_measure(struct xt_ab *ab, struct xt_session *session, struct xt_ab_outcome *outcome, json_t **record,
                  struct xt_err *err)
{
	int awake, rc;

	*record = NULL;
	session->engine.interrupted = xt_interrupt_watch();
	if (keep_awake(ab, &awake, err))
		return -1;
	rc = begin(ab, session, record, err);
	if (!rc) {
		json_object_set_new(json_object_get(*record, "host"), "kept_awake", json_boolean(awake >= 0));
		ab->progress = show_progress;
		rc = xt_ab_run(ab, *record, outcome, err);
	}
	if (!rc)
		xt_log_progress_end();
	if (awake >= 0)
		close(awake);
	return rc;
}
