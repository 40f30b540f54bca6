/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * xtime verify: are the clocks right, by every path?
 */
#include "base/log.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/lab.h"
#include "lab/clocks.h"
#include "lab/record.h"
#include "lab/verify.h"
#include "record/record.h"
#include "report/checks.h"

#include <stdlib.h>
#include <string.h>

enum format { TABLE, JSON, VDSOTEST };

struct verify_options {
	uint64_t time_ns;
	int64_t threads, max_failures;
	int format;
	uint64_t resolution_ns; /* of the arm under test; no option */
};

#define FIELD(f) offsetof(struct verify_options, f)
static const struct xt_arg verify_args[] = {
	{"time", NULL, XT_ARG_SECONDS, FIELD(time_ns), 0.1, 3600, "3", "SECONDS",
         "time for all checks of values together"},
	{"threads", NULL, XT_ARG_INT, FIELD(threads), 2, 16, "4", "N", "threads of the check across threads"},
	{"max-failures", "maxfails", XT_ARG_INT, FIELD(max_failures), 1, 1e9, "10", "N", "a check ends after so many"},
	{"format", NULL, XT_ARG_CHOICE, FIELD(format), 0, 0, "table", "table|json|vdsotest",
         "vdsotest: nothing but failures, as it prints them"},
};
static const struct xt_arg_table verify_table = {"Verify", verify_args, sizeof(verify_args) / sizeof(verify_args[0])};

const struct xt_arg_table *const xt_verify_tables[] = {&verify_table, &xt_lab_table, NULL};

/* `constant` stands still on purpose and is no clock; whoever asks for it by name gets the answer. */
static bool is_clock(const struct xt_call *call)
{
	return call->available && call->path != XT_PATH_NONE && !(call->op && !strcmp(call->source, "constant"));
}

static int check_all(const struct xt_clocks *clocks, struct xt_verify_setup *setup, struct xt_checks *checks,
                     struct xt_err *err)
{
	enum { LOOPS = 3 }; /* per row: bracket, migrating, threads */
	uint64_t rows = 0;

	for (size_t i = 0; i < clocks->calls.n; i++)
		rows += is_clock(&clocks->calls.v[i]) && clocks->calls.v[i].value;
	setup->duration_ns /= LOOPS * (rows ? rows : 1);
	for (size_t i = 0; i < clocks->calls.n; i++) {
		const struct xt_call *call = &clocks->calls.v[i];

		if (atomic_load(setup->interrupted))
			break;
		if (!is_clock(call))
			continue;
		xt_log_progress("verify: %s by %s %s", call->name, xt_path_name(call->path), call->source);
		if (call->value && xt_verify_values(call, setup, checks, err))
			return -1;
		if (xt_verify_arguments(call, checks, err))
			return -1;
	}
	xt_log_progress_end();
	return 0;
}

static int print(const struct verify_options *o, const json_t *record, struct xt_err *err)
{
	if (o->format == JSON)
		return xt_record_print(record, stdout, err);
	if (o->format == VDSOTEST)
		xt_report_verify_vdsotest(record, stdout);
	else
		xt_report_verify_table(record, stdout);
	return 0;
}

static int finish(const struct xt_lab *lab, const struct verify_options *o, const struct xt_clocks_setup *rows,
                  const struct xt_checks *checks, struct xt_err *err)
{
	const atomic_int *interrupted = xt_interrupt_watch();
	json_t *record = xt_lab_record(lab, XT_SCHEMA_VERIFY, err);
	bool failed = false;
	int rc;

	if (!record)
		return -1;
	if (rows->sources || rows->arm->source == XT_SOURCE_CACHED)
		xt_lab_note_staleness(record);
	for (size_t i = 0; i < checks->n; i++)
		failed = failed || checks->v[i].failures;
	json_object_set_new(record, "interrupted", json_boolean(atomic_load(interrupted)));
	if (xt_checks_to_record(checks, record))
		rc = xt_err_failed(err, "out of memory");
	else
		rc = xt_lab_save(lab, record, err) || print(o, record, err) ? -1 : 0;
	json_decref(record);
	if (rc)
		return -1;
	return atomic_load(interrupted) ? XT_EXIT_INTERRUPTED : failed;
}

static int run(const struct xt_lab *lab, const struct verify_options *o, const struct xt_clocks_setup *rows,
               struct xt_err *err)
{
	struct xt_verify_setup setup = {
		.duration_ns = o->time_ns,
		.threads = (unsigned)o->threads,
		.max_failures = (uint64_t)o->max_failures,
		.resolution_ns = o->resolution_ns,
		.interrupted = xt_interrupt_watch(),
	};
	struct xt_checks checks = {0};
	struct xt_clocks clocks = {0};
	int rc;

	rc = xt_clocks_rows(rows, -1, &clocks, err);
	if (!rc)
		rc = check_all(&clocks, &setup, &checks, err);
	if (!rc)
		rc = finish(lab, o, rows, &checks, err);
	free(checks.v);
	xt_clocks_free(&clocks);
	return rc;
}

int xt_cmd_verify(int argc, char **argv, struct xt_err *err)
{
	struct verify_options o = {0};
	struct xt_clocks_setup rows = {.bench = {.threads = 1}};
	struct xt_lab_arm arm = {0};
	struct xt_lab lab;
	int rc = xt_lab_parse(&lab, argc, argv, &verify_table, &o, err);

	if (rc)
		return rc > 0 ? 0 : -1;
	rows.sources = !lab.o.impl;
	if (lab.o.impl) {
		if (xt_lab_enter_arm(&lab, &arm, err))
			return -1;
		rows.arm = &arm.arm;
		rows.arm_text = arm.text;
		rows.swap = arm.swap;
		o.resolution_ns = arm.resolution_ns;
	}
	return run(&lab, &o, &rows, err);
}
