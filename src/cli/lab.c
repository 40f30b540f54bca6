/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The common part of the lab's commands.
 */
#include "cli/lab.h"

#include "base/log.h"
#include "base/mono.h"
#include "cli/commands.h"
#include "cli/impl.h"
#include "clock/plugin.h"
#include "clock/ready.h"
#include "lab/clocks.h"
#include "lab/coherence.h"
#include "lab/conform.h"
#include "lab/record.h"
#include "lab/stamps.h"
#include "record/host.h"
#include "record/record.h"
#include "shim/ticker.h"

#include <string.h>

enum { ONE_SECOND_NS = 1000000000 };

#define FIELD(f) offsetof(struct xt_lab_options, f)

static const struct xt_arg lab_args[] = {
	{"output", NULL, XT_ARG_TEXT, FIELD(output), 0, 0, NULL, "FILE|DIR/", "save the record there"},
	{"rand-seed", "random-seed", XT_ARG_INT, FIELD(seed), 0, 9.2e18, "0", "N",
         "seed of the order of measurement, 0: from the clock"},
	{"impl", NULL, XT_ARG_TEXT, FIELD(impl), 0, 0, NULL, "ARM",
         "run under the shim with this implementation (coherence: a list, or all)"},
};
const struct xt_arg_table xt_lab_table = {"Common", lab_args, sizeof(lab_args) / sizeof(lab_args[0])};

int xt_lab_parse(struct xt_lab *lab, int argc, char **argv, const struct xt_arg_table *own, void *base,
                 struct xt_err *err)
{
	struct xt_arg_set sets[2] = {{.table = own, .base = base}, {.table = &xt_lab_table, .base = &lab->o}};
	struct xt_arg_rest rest = {0};

	*lab = (struct xt_lab){.argc = argc, .argv = argv};
	if (xt_args_parse(argc, argv, sets, 2, &rest, err))
		return -1;
	if (rest.help) {
		xt_cli_command_help(xt_cli_find(argv[0]), stdout);
		return 1;
	}
	if (rest.words)
		return xt_err_usage(err, "%s takes no word '%s': options alone (see xtime help %s)", argv[0],
		                    rest.word[0], argv[0]);
	lab->seed = lab->o.seed ? (uint64_t)lab->o.seed : xt_wall_ns();
	if (!lab->o.output)
		return 0;
	if (xt_record_path(lab->path, sizeof(lab->path), lab->o.output, argv[0], NULL))
		return xt_err_usage(err, "--output: the path is too long");
	return xt_record_check_path(lab->path, err);
}

/* What a plugin says of itself; without a word of it, the coarse clock's, as its header promises. */
static uint64_t plugin_resolution(const char *text)
{
	struct xt_plugin plugin;
	char why[64];

	if (xt_plugin_open(text, &plugin, why, sizeof(why)) || !plugin.resolution_ns)
		return xt_coarse_tick_ns();
	return (uint64_t)plugin.resolution_ns();
}

int xt_lab_arm(const char *text, struct xt_lab_arm *out, struct xt_err *err)
{
	static const unsigned bits[] = {XT_SWAP_TIME, XT_SWAP_GETTIMEOFDAY, XT_SWAP_CLOCK_GETTIME};
	enum xt_arm_bad bad;

	*out = (struct xt_lab_arm){.text = text};
	bad = xt_arm_parse(text, strlen(text), &out->arm, out->plugin, sizeof(out->plugin));
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		struct xt_ready ready = {&out->arm, bits[i], out->plugin, sizeof(out->plugin), ""};

		if (bad == XT_ARM_OK && !xt_arm_ready(&ready))
			out->swap |= bits[i];
		else if (!i)
			return xt_err_usage(err, "--impl: arm '%s': %s (see xtime list implementations)", text,
			                    bad != XT_ARM_OK ? xt_arm_bad_text(bad) : ready.reason);
	}
	if (out->arm.source == XT_SOURCE_PLUGIN)
		out->resolution_ns = plugin_resolution(out->plugin);
	else if (out->arm.source == XT_SOURCE_CACHED)
		out->resolution_ns = xt_ticker_period_ns();
	return 0;
}

int xt_lab_enter(const struct xt_lab *lab, const struct xt_lab_arm *arms, size_t n, struct xt_page **page,
                 struct xt_err *err)
{
	const char *plugins[XT_MAX_ARMS + 1] = {NULL};
	size_t count = 0;
	bool cached = false;

	for (size_t i = 0; i < n; i++) {
		if (arms[i].arm.source == XT_SOURCE_PLUGIN)
			plugins[count++] = arms[i].plugin;
		cached = cached || arms[i].arm.source == XT_SOURCE_CACHED;
	}
	if (xt_impl_restart(lab->argv, plugins, page, err))
		return -1;
	return cached ? xt_impl_start_ticker(*page, err) : 0;
}

int xt_lab_use(struct xt_page *page, const struct xt_lab_arm *arm, struct xt_err *err)
{
	return xt_lab_use_arm(page, &arm->arm, *arm->plugin ? arm->plugin : NULL, arm->swap, err);
}

int xt_lab_enter_arm(const struct xt_lab *lab, struct xt_lab_arm *out, struct xt_err *err)
{
	struct xt_page *page;
	struct xt_err wrong;

	if (xt_lab_arm(lab->o.impl, out, err) || xt_lab_enter(lab, out, 1, &page, err))
		return -1;
	if (*out->plugin && xt_lab_conform(out->plugin, &wrong))
		snprintf(out->wrong, sizeof(out->wrong), "%.500s", wrong.text);
	return xt_lab_use(page, out, err);
}

void xt_lab_note_surroundings(json_t *record)
{
	bool refused = xt_clocks_refused();

	json_object_set_new(record, "refused", json_boolean(refused));
	if (refused)
		xt_log_warning("system calls for the clock are refused (a seccomp filter): they are not measured, and "
		               "libc answers for sources that make them");
	if (xt_host_traced())
		xt_log_warning("a tracer is attached to this process: system calls cost what the tracer makes of them");
}

json_t *xt_lab_record(const struct xt_lab *lab, const char *schema, struct xt_err *err)
{
	json_t *record = xt_record_new(schema, lab->argc, lab->argv, lab->seed);

	if (!record)
		xt_err_failed(err, "out of memory");
	else
		xt_lab_note_surroundings(record);
	return record;
}

int xt_lab_save(const struct xt_lab *lab, const json_t *record, struct xt_err *err)
{
	return *lab->path ? xt_record_save(record, lab->path, err) : 0;
}

int xt_lab_add_stamps(json_t *record, const char *folder, uint64_t seed, struct xt_err *err)
{
	const char *const folders[2] = {NULL, folder && !*folder ? "/var/tmp" : folder};

	for (int i = 0; i < (folder ? 2 : 1); i++) {
		struct xt_stamps stamps;

		xt_log_progress("file stamps: %s", folders[i] ? folders[i] : "tmpfs");
		if (xt_stamps_measure(folders[i], ONE_SECOND_NS, seed, &stamps, err))
			return -1;
		if (xt_stamps_to_record(&stamps, folders[i], record))
			return xt_err_failed(err, "out of memory");
	}
	return 0;
}

int xt_lab_add_coarse(json_t *record, struct xt_err *err)
{
	struct xt_coarse_steps steps;

	xt_coarse_watch(ONE_SECOND_NS, &steps);
	return xt_coarse_to_record(&steps, record) ? xt_err_failed(err, "out of memory") : 0;
}

json_t *xt_lab_load_clocks(const char *path, struct xt_err *err)
{
	json_t *record = xt_record_load(path, err);
	const char *schema = json_string_value(json_object_get(record, "schema"));

	if (record && (!schema || strcmp(schema, XT_SCHEMA_CLOCKS))) {
		xt_err_usage(err, "--compare: %s is a record of %s, not of %s", path, schema ? schema : "nothing",
		             XT_SCHEMA_CLOCKS);
		json_decref(record);
		return NULL;
	}
	if (!record)
		xt_err_context(err, "--compare");
	return record;
}

void xt_lab_note_staleness(json_t *record)
{
	json_object_set_new(record, "staleness",
	                    json_pack("{s:{s:f}}", "cached", "bound_ms", (double)xt_ticker_staleness_ns() / 1e6));
}
