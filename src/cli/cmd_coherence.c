/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * xtime coherence: can one reading of the wall clock be behind an earlier one?
 */
#include "base/log.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/lab.h"
#include "clock/ready.h"
#include "clock/source.h"
#include "lab/coherence.h"
#include "lab/record.h"
#include "record/record.h"
#include "report/checks.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

enum format { TABLE, JSON, CSV };

struct coherence_options {
	uint64_t time_ns;
	int64_t threads;
	int format;
	bool histogram;
	const char *file_stamps;
};

#define FIELD(f) offsetof(struct coherence_options, f)
static const struct xt_arg coherence_args[] = {
	{"time", NULL, XT_ARG_SECONDS, FIELD(time_ns), 0.3, 3600, "3", "SECONDS",
         "reading time per implementation, a third in each scope"},
	{"threads", NULL, XT_ARG_INT, FIELD(threads), 2, 64, "4", "N", "threads, and processes, that read at once"},
	{"format", NULL, XT_ARG_CHOICE, FIELD(format), 0, 0, "table", "table|json|csv",
         "what is printed on standard output"},
	{"histogram", NULL, XT_ARG_FLAG, FIELD(histogram), 0, 0, NULL, NULL,
         "also print how far consecutive readings are apart, by powers of two"},
	{"file-stamps", "file", XT_ARG_OPTIONAL_TEXT, FIELD(file_stamps), 0, 0, NULL, "FOLDER",
         "also how far file stamps lag behind the clock, on tmpfs and there (default: /var/tmp)"},
};
static const struct xt_arg_table coherence_table = {"Coherence", coherence_args,
                                                    sizeof(coherence_args) / sizeof(coherence_args[0])};

const struct xt_arg_table *const xt_coherence_tables[] = {&coherence_table, &xt_lab_table, NULL};

struct arms {
	size_t n;
	char *text; /* what the arms' texts point into; NULL for `all` */
	struct xt_lab_arm v[XT_MAX_ARMS];
};

static int add_arm(struct arms *arms, const char *text, struct xt_err *err)
{
	if (arms->n == XT_MAX_ARMS)
		return xt_err_usage(err, "--impl: at most %d implementations are allowed", XT_MAX_ARMS);
	for (size_t i = 0; i < arms->n; i++)
		if (!strcmp(arms->v[i].text, text))
			return xt_err_usage(err, "--impl: '%s' is given twice: each implementation may stand once",
			                    text);
	return xt_lab_arm(text, &arms->v[arms->n++], err);
}

/* Every source that this machine has, but the one that stands still on purpose. */
static int add_all(struct arms *arms, struct xt_err *err)
{
	for (unsigned id = 0; id < XT_SOURCES; id++) {
		const char *name = xt_sources[id].name;
		struct xt_arm arm = {.source = id};

		if (!name || id == XT_SOURCE_CONSTANT || id == XT_SOURCE_PLUGIN ||
		    xt_arm_ready(&(struct xt_ready){.arm = &arm, .swap = XT_SWAP_TIME}))
			continue;
		if (add_arm(arms, name, err))
			return -1;
	}
	return 0;
}

static int list_arms(struct arms *arms, const char *impl, struct xt_err *err)
{
	char *word, *save = NULL;

	if (!impl || !strcmp(impl, "all"))
		return add_all(arms, err);
	arms->text = strdup(impl);
	if (!arms->text)
		return xt_err_failed(err, "out of memory");
	for (word = strtok_r(arms->text, ",", &save); word; word = strtok_r(NULL, ",", &save))
		if (add_arm(arms, word, err))
			return -1;
	return arms->n ? 0 : xt_err_usage(err, "--impl: '%s' names no implementation", impl);
}

/* Whether cached was as young as it says: time() after any other reading, in what has been read under arm. */
static void judge_staleness(json_t *record, const char *arm)
{
	const json_t *row;
	double lag = 0, boundaries = 0, back = 0;
	json_t *cached;
	size_t i;

	xt_lab_note_staleness(record);
	cached = json_object_get(json_object_get(record, "staleness"), "cached");
	json_array_foreach(json_object_get(record, "rows"), i, row)
	{
		const char *implementation = json_string_value(json_object_get(row, "implementation"));
		double seen = json_number_value(json_object_get(row, "max_lag_ms"));

		if (strcmp(implementation, arm) || strcmp(json_string_value(json_object_get(row, "second")), "time"))
			continue;
		lag = seen > lag ? seen : lag;
		boundaries += json_number_value(json_object_get(row, "boundaries"));
		back += json_number_value(json_object_get(row, "backward_steps"));
	}
	json_object_set_new(cached, "seen_ms", boundaries > 0 ? json_real(lag) : json_null());
	json_object_set_new(cached, "kept", boundaries > 0 ? json_boolean(back <= 0) : json_null());
}

static int read_arm(const struct coherence_options *o, struct xt_page *page, const struct xt_lab_arm *arm,
                    json_t *record, struct xt_err *err)
{
	struct xt_coherence_setup setup = {
		.readings = (1u << XT_READINGS) - 1,
		.duration_ns = o->time_ns / XT_SCOPES,
	};

	if (xt_lab_use(page, arm, err))
		return -1;
	xt_coherence_tolerances(xt_coarse_tick_ns(), arm->resolution_ns, setup.tolerance_ns);
	for (int scope = 0; scope < XT_SCOPES; scope++) {
		struct xt_coherence seen;

		setup.scope = (enum xt_scope)scope;
		setup.workers = scope == XT_SCOPE_THREAD ? 1 : (unsigned)o->threads;
		xt_log_progress("coherence: %s, %s", arm->text, xt_scope_name(setup.scope));
		if (xt_coherence_run(&setup, &seen, err))
			return -1;
		if (xt_coherence_to_record(&seen, arm->text, setup.scope, record))
			return xt_err_failed(err, "out of memory");
	}
	if (arm->arm.source == XT_SOURCE_CACHED)
		judge_staleness(record, arm->text);
	return 0;
}

static int print(const struct coherence_options *o, const json_t *record, struct xt_err *err)
{
	if (o->format == JSON)
		return xt_record_print(record, stdout, err);
	if (o->format == CSV)
		return xt_report_csv(record, stdout, err);
	xt_report_coherence_table(record, stdout);
	if (o->histogram)
		xt_report_coherence_histogram(record, stdout);
	return 0;
}

static int run(const struct xt_lab *lab, const struct coherence_options *o, const struct arms *arms,
               struct xt_page *page, struct xt_err *err)
{
	json_t *record = xt_lab_record(lab, XT_SCHEMA_COHERENCE, err);
	const atomic_int *interrupted = xt_interrupt_watch();
	int rc = 0;

	if (!record)
		return -1;
	for (size_t i = 0; i < arms->n && !rc && !atomic_load(interrupted); i++)
		rc = read_arm(o, page, &arms->v[i], record, err);
	if (!rc && o->file_stamps && !atomic_load(interrupted))
		rc = xt_lab_add_stamps(record, o->file_stamps, lab->seed, err);
	xt_log_progress_end();
	json_object_set_new(record, "interrupted", json_boolean(atomic_load(interrupted)));
	if (!rc)
		rc = xt_lab_save(lab, record, err) || print(o, record, err) ? -1 : 0;
	if (!rc)
		rc = atomic_load(interrupted) ? XT_EXIT_INTERRUPTED : xt_coherence_is_wrong(record);
	json_decref(record);
	return rc;
}

int xt_cmd_coherence(int argc, char **argv, struct xt_err *err)
{
	struct coherence_options o = {0};
	struct arms arms = {0};
	struct xt_page *page;
	struct xt_lab lab;
	int rc = xt_lab_parse(&lab, argc, argv, &coherence_table, &o, err);

	if (rc)
		return rc > 0 ? 0 : -1;
	rc = list_arms(&arms, lab.o.impl, err);
	if (!rc)
		rc = xt_lab_enter(&lab, arms.v, arms.n, &page, err);
	if (!rc)
		rc = run(&lab, &o, &arms, page, err);
	free(arms.text);
	return rc;
}
