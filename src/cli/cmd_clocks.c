/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * xtime clocks: what every clock read costs.
 */
#include "base/log.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/lab.h"
#include "lab/clocks.h"
#include "lab/record.h"
#include "record/record.h"
#include "report/clocks.h"
#include "report/report.h"

enum format { TABLE, JSON, CSV, LKML2018, VDSOTEST };

struct clocks_options {
	uint64_t time_ns;
	int64_t threads;
	int format;
	const char *compare;
	const char *file_stamps; /* NULL: not wanted; "": the default folder */
};

#define FIELD(f) offsetof(struct clocks_options, f)
static const struct xt_arg clocks_args[] = {
	{"time", NULL, XT_ARG_SECONDS, FIELD(time_ns), 0.1, 3600, "3", "SECONDS",
         "measured time for all rows together"},
	{"threads", NULL, XT_ARG_INT, FIELD(threads), 1, 256, "1", "N", "threads that make the same call at once"},
	{"format", NULL, XT_ARG_CHOICE, FIELD(format), 0, 0, "table", "table|json|csv|lkml2018|vdsotest",
         "lkml2018: the four lines of the 2018 mail; vdsotest: its layout"},
	{"compare", NULL, XT_ARG_TEXT, FIELD(compare), 0, 0, NULL, "OLD.json",
         "two columns and the ratio, old against new"},
	{"file-stamps", NULL, XT_ARG_OPTIONAL_TEXT, FIELD(file_stamps), 0, 0, NULL, "FOLDER",
         "also what fine file stamps add to a write, on tmpfs and there (default: /var/tmp)"},
};
static const struct xt_arg_table clocks_table = {"Clocks", clocks_args, sizeof(clocks_args) / sizeof(clocks_args[0])};

const struct xt_arg_table *const xt_clocks_tables[] = {&clocks_table, &xt_lab_table, NULL};

static int measure(const struct xt_lab *lab, const struct clocks_options *o, struct xt_clocks_setup *setup,
                   json_t *record, struct xt_err *err)
{
	struct xt_clocks clocks = {0};
	int rc;

	setup->bench.duration_ns = o->time_ns;
	setup->bench.threads = (unsigned)o->threads;
	setup->bench.seed = lab->seed;
	xt_log_progress("clocks: %g s", (double)o->time_ns / 1e9);
	rc = xt_clocks_measure(setup, &clocks, err);
	if (!rc && xt_clocks_to_record(&clocks, record))
		rc = xt_err_failed(err, "out of memory");
	xt_clocks_free(&clocks);
	if (!rc && o->file_stamps)
		rc = xt_lab_add_stamps(record, o->file_stamps, lab->seed, err) || xt_lab_add_coarse(record, err) ? -1
		                                                                                                 : 0;
	xt_log_progress_end();
	return rc;
}

static int print(const struct clocks_options *o, const json_t *old, const json_t *record, struct xt_err *err)
{
	if (old && (o->format == TABLE)) {
		xt_report_clocks_compare(old, record, stdout);
		return 0;
	}
	switch (o->format) {
	case JSON:
		return xt_record_print(record, stdout, err);
	case CSV:
		return xt_report_csv(record, stdout, err);
	case LKML2018:
		xt_report_clocks_lkml2018(record, stdout);
		break;
	case VDSOTEST:
		xt_report_clocks_vdsotest(record, stdout);
		break;
	default:
		xt_report_clocks_table(record, stdout);
		break;
	}
	return 0;
}

static bool is_wrong(const json_t *record)
{
	const json_t *rows = json_object_get(record, "rows"), *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		if (json_integer_value(json_object_get(row, "backward_steps")) > 0 ||
		    json_is_string(json_object_get(row, "wrong")))
			return true;
	}
	return false;
}

static int run(const struct xt_lab *lab, const struct clocks_options *o, struct xt_clocks_setup *setup,
               const json_t *old, struct xt_err *err)
{
	json_t *record = xt_lab_record(lab, XT_SCHEMA_CLOCKS, err);
	const atomic_int *interrupted = xt_interrupt_watch();
	int rc = -1;

	if (!record)
		return -1;
	setup->bench.interrupted = interrupted;
	if (setup->sources || setup->arm->source == XT_SOURCE_CACHED)
		xt_lab_note_staleness(record);
	if (!measure(lab, o, setup, record, err)) {
		json_object_set_new(record, "interrupted", json_boolean(atomic_load(interrupted)));
		rc = xt_lab_save(lab, record, err) || print(o, old, record, err) ? -1 : 0;
	}
	if (!rc)
		rc = atomic_load(interrupted) ? XT_EXIT_INTERRUPTED : is_wrong(record);
	json_decref(record);
	return rc;
}

int xt_cmd_clocks(int argc, char **argv, struct xt_err *err)
{
	struct clocks_options o = {0};
	struct xt_clocks_setup setup = {0};
	struct xt_lab_arm arm;
	struct xt_lab lab;
	json_t *old = NULL;
	int rc = xt_lab_parse(&lab, argc, argv, &clocks_table, &o, err);

	if (rc)
		return rc > 0 ? 0 : -1;
	if (o.compare) {
		old = xt_lab_load_clocks(o.compare, err);
		if (!old)
			return -1;
	}
	setup.sources = !lab.o.impl;
	if (lab.o.impl) {
		rc = xt_lab_enter_arm(&lab, &arm, err);
		setup.arm = &arm.arm;
		setup.arm_text = arm.text;
		setup.swap = arm.swap;
		setup.wrong = *arm.wrong ? arm.wrong : NULL;
	}
	if (!rc)
		rc = run(&lab, &o, &setup, old, err);
	json_decref(old);
	return rc;
}
