/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * xtime reproduce: redo a published result, set the figures side by side, judge each claim.
 */
#include "base/log.h"
#include "cli/ab_run.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/reproduce_clocks.h"
#include "record/record.h"
#include "reproduce/claims2007.h"
#include "reproduce/figures.h"

#include <string.h>

struct reproduce_options {
	bool quick;
	const char *compare;
	struct xt_ab_options ab;
};

static const struct xt_arg reproduce_args[] = {
	{"quick", NULL, XT_ARG_FLAG, offsetof(struct reproduce_options, quick), 0, 0, NULL, NULL,
         "4 s a thread count, warm-up 0.5 s"},
	{"compare", NULL, XT_ARG_TEXT, offsetof(struct reproduce_options, compare), 0, 0, NULL, "OLD.json",
         "2019: the clocks record of another kernel, to stand for \"before\""},
	{"slice", NULL, XT_ARG_TEXT, offsetof(struct reproduce_options, ab.slice), 0, 0, "auto", "auto|DURATION",
         "length of a slice; auto: 100 mean statements, within 2 ms to 200 ms"},
	{"cost-time", NULL, XT_ARG_SECONDS, offsetof(struct reproduce_options, ab.cost_ns), 0.01, 60, "0.5", "SECONDS",
         "how long the cost of the arms' calls is measured at start"},
};
static const struct xt_arg_table reproduce_table = {"Reproduction", reproduce_args,
                                                    sizeof(reproduce_args) / sizeof(*reproduce_args)};

const struct xt_arg_table *const xt_reproduce_tables[] = {
	&reproduce_table, &xt_load_table, &xt_random_table, &xt_driver_table, &xt_pgsql_table, &xt_output_table, NULL};

struct reproduction {
	json_t *record; /* the whole */
	const char *path;
};

/* The published figures beside each point. */
static void add_references(json_t *ab)
{
	json_t *point;
	size_t i;

	json_array_foreach(json_object_get(ab, "points"), i, point)
	{
		unsigned threads = (unsigned)json_integer_value(json_object_get(point, "threads"));

		json_object_set_new(point, "references", xt_figures_2007_references(threads));
	}
}

/* After each visit: the A/B so far inside the whole record. */
static int save_so_far(void *ctx, const json_t *ab, struct xt_err *err)
{
	struct reproduction *r = ctx;
	json_t *records = json_object_get(r->record, "records");

	add_references((json_t *)ab);
	if (json_array_size(records))
		json_array_set(records, 0, (json_t *)ab);
	else
		json_array_append(records, (json_t *)ab);
	json_object_set(r->record, "interrupted", json_object_get(ab, "interrupted"));
	return *r->path ? xt_record_save(r->record, r->path, err) : 0;
}

static const struct xt_mix *mix(struct xt_page *page, enum xt_source_id source, uint64_t duration_ns,
                                struct xt_mix *out)
{
	struct xt_arm arm = {.source = source};
	struct xt_err err;

	if (!xt_lab_coherence_mix(page, &arm, 4, duration_ns, out, &err))
		return out;
	xt_log_warning("coherence: %s", err.text);
	return NULL;
}

static void probe(struct xt_page *page, bool quick, json_t *record)
{
	uint64_t duration = quick ? 2500000000u : 5000000000u;
	struct xt_mix libc, after, coherent;
	struct xt_vvar vvar;
	struct xt_libc_time libc_time;
	struct xt_wordsize sizes[2];
	struct xt_probes_2007 probes = {0};
	struct xt_err err;

	xt_log_progress("coherence of time() and gettimeofday()");
	probes.libc = mix(page, XT_SOURCE_LIBC, duration, &libc);
	probes.syscall_time = mix(page, XT_SOURCE_SYSCALL_TIME, duration, &after);
	probes.coherent = mix(page, XT_SOURCE_COHERENT, duration, &coherent);
	if (!xt_lab_vvar(&vvar, &err))
		probes.vvar = &vvar;
	else
		xt_log_warning("vvar: %s", err.text);
	if (!xt_lab_libc_time(3, &libc_time, &err))
		probes.libc_time = &libc_time;
	else
		xt_log_warning("libc's time(): %s", err.text);
	xt_log_progress_end();
	xt_reproduce_word_sizes(sizes, &probes.native, &probes.narrow);
	json_object_set_new(record, "word_sizes", xt_word_sizes_json(&probes));
	xt_claims_2007_append_probes(json_object_get(record, "claims"), &probes);
}

/* What 2018 and 2019 need; with `which` NULL nothing is measured. */
static struct xt_reproduce_clocks clocks_setup(const struct xt_session *session,
                                               const struct reproduce_options *options, const char *which)
{
	bool all = which && !strcmp(which, "all");

	return (struct xt_reproduce_clocks){
		.mail_2018 = which && (all || !strcmp(which, "2018")),
		.mail_2019 = which && (all || !strcmp(which, "2019")),
		.duration_ns = xt_session_given(session, "time") ? session->o.time_ns
	                       : options->quick                  ? 2000000000u
	                                                         : 6000000000u,
		.seed = session->engine.seed,
		.compare = options->compare,
		.interrupted = xt_interrupt_watch(),
		.argc = session->argc,
		.argv = session->argv,
	};
}

/* A new reproduction record with empty lists. */
static json_t *new_record(const struct xt_session *session, const char *which)
{
	json_t *record = xt_record_new(XT_SCHEMA_REPRODUCE, session->argc, session->argv, session->engine.seed);

	json_object_set_new(record, "which", json_string(which));
	json_object_set_new(record, "records", json_array());
	json_object_set_new(record, "claims", json_array());
	return record;
}

/* 2018 and 2019: no database, no shim. */
static int reproduce_clocks(struct xt_session *session, const struct xt_reproduce_clocks *setup, const char *which,
                            struct xt_err *err)
{
	json_t *record = new_record(session, which);
	int rc = record ? 0 : xt_err_failed(err, "out of memory");

	if (!rc)
		rc = xt_reproduce_clocks_add(setup, json_object_get(record, "records"),
		                             json_object_get(record, "claims"), err);
	if (!rc) {
		json_object_set_new(record, "interrupted", json_boolean(atomic_load(setup->interrupted)));
		if (*session->output_path)
			rc = xt_record_save(record, session->output_path, err);
		if (xt_session_print(session, record, err))
			rc = -1;
	}
	json_decref(record);
	return rc ? rc : atomic_load(setup->interrupted) ? XT_EXIT_INTERRUPTED : 0;
}

/* 2007, and in `all` the other two behind it. */
static int measure(struct xt_session *session, struct xt_ab *ab, bool quick, const struct xt_reproduce_clocks *clocks,
                   struct xt_err *err)
{
	bool all = clocks->mail_2018 && clocks->mail_2019;
	struct reproduction r = {.path = session->output_path, .record = new_record(session, all ? "all" : "2007")};
	struct xt_ab_outcome outcome = {0};
	json_t *record = NULL, *claims = json_object_get(r.record, "claims");
	int rc;

	if (!r.record)
		return xt_err_failed(err, "out of memory");
	ab->save = save_so_far;
	ab->ctx = &r;
	rc = xt_ab_measure(ab, session, &outcome, &record, err);
	if (!rc && !outcome.interrupted) {
		xt_claims_2007_append(claims, record);
		probe(ab->page, quick, r.record);
		if (all && !atomic_load(session->engine.interrupted))
			rc = xt_reproduce_clocks_add(clocks, json_object_get(r.record, "records"), claims, err);
		outcome.interrupted = atomic_load(session->engine.interrupted);
	}
	if (record && json_array_size(json_object_get(record, "points"))) {
		struct xt_err later;
		int failed = save_so_far(&r, record, &later) || xt_session_print(session, r.record, &later);

		if (failed && !rc)
			*err = later;
		rc = failed ? -1 : rc;
	}
	json_decref(record);
	json_decref(r.record);
	if (!rc && outcome.voids)
		return xt_err_failed(err, "%s", outcome.void_text);
	return rc ? rc : outcome.interrupted ? XT_EXIT_INTERRUPTED : 0;
}

int xt_cmd_reproduce(int argc, char **argv, struct xt_err *err)
{
	struct reproduce_options options = {0};
	const char *which = NULL;
	const struct xt_session_spec spec = {
		.tables = xt_reproduce_tables,
		.extra = &reproduce_table,
		.extra_base = &options,
		.topic = &which,
		.default_workload = "oltp_time",
		.default_workload_pgsql = "oltp_read_write",
		.default_threads = "1-5",
		.default_warmup_ns = 1000000000,
	};
	struct xt_reproduce_clocks clocks = {0};
	struct xt_session session;
	struct xt_ab ab;
	int rc = xt_session_parse(&session, argc, argv, &spec, err);

	if (rc == 1) {
		xt_session_close(&session);
		return 0;
	}
	if (!rc && which && strcmp(which, "2007") && strcmp(which, "2018") && strcmp(which, "2019") &&
	    strcmp(which, "all"))
		rc = xt_err_usage(err, "'%s' cannot be reproduced: 2007, 2018, 2019 and all are allowed", which);
	if (!rc) {
		clocks = clocks_setup(&session, &options, which);
		rc = xt_reproduce_clocks_check(&clocks, err);
	}
	if (!rc && clocks.mail_2018 != clocks.mail_2019) {
		rc = xt_session_check_output(&session, err);
		if (!rc)
			rc = reproduce_clocks(&session, &clocks, which, err);
		xt_session_close(&session);
		return rc;
	}
	if (!rc && options.quick && !xt_session_given(&session, "time"))
		session.o.time_ns = 4000000000u;
	if (!rc && options.quick && !xt_session_given(&session, "warmup-time"))
		session.o.warmup_ns = 500000000;
	if (!rc)
		rc = xt_ab_setup(&ab, &session, &options.ab, err);
	if (!rc)
		rc = xt_session_check_output(&session, err);
	if (!rc)
		rc = xt_ab_enter(&ab, &session, NULL, err);
	if (!rc)
		rc = measure(&session, &ab, options.quick, &clocks, err);
	xt_session_close(&session);
	return rc;
}
