/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What clocks, verify and coherence share on the command line: output, seed, the arm that the process is put under.
 */
#ifndef XT_CLI_LAB_H
#define XT_CLI_LAB_H

#include "base/err.h"
#include "cli/options.h"
#include "clock/arm.h"
#include "shim/page.h"

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct xt_lab_options {
	const char *output;
	const char *impl; /* NULL: none was named */
	int64_t seed;     /* as given; 0: from the clock */
};

extern const struct xt_arg_table xt_lab_table; /* fills struct xt_lab_options */

struct xt_lab {
	struct xt_lab_options o;
	uint64_t seed;
	char path[PATH_MAX]; /* of the record; "" when nothing is saved */
	int argc;
	char **argv;
};

/* Parses the common table and the command's own (which fills base), and checks the output path. Returns 0; 1 when help
 * was asked for and printed; -1. */
int xt_lab_parse(struct xt_lab *lab, int argc, char **argv, const struct xt_arg_table *own, void *base,
                 struct xt_err *err);

/* An arm as the lab uses it: with every function (time, gettimeofday, clock_gettime) that it serves. */
struct xt_lab_arm {
	const char *text; /* as typed */
	struct xt_arm arm;
	char plugin[PATH_MAX]; /* "FILE.so[:SYMBOL]" with an absolute path; "" when it is none */
	unsigned swap;
	char wrong[512];        /* of a plugin that is no clock: why; else "" */
	uint64_t resolution_ns; /* of a plugin (what it says, or the coarse clock's) and of cached; 0: by its source */
};

/* Parses and checks text, which must live as long as *out. */
int xt_lab_arm(const char *text, struct xt_lab_arm *out, struct xt_err *err);

/* Starts the process again under the shim, for these arms, and returns only in the process that is under it, with its
 * page and with a ticker when one of them needs it. */
int xt_lab_enter(const struct xt_lab *lab, const struct xt_lab_arm *arms, size_t n, struct xt_page **page,
                 struct xt_err *err);

/* Puts an arm on the page. */
int xt_lab_use(struct xt_page *page, const struct xt_lab_arm *arm, struct xt_err *err);

/* All three for the arm that --impl names; a plugin goes through its conformance run first, and *out says how it fared.
 */
int xt_lab_enter_arm(const struct xt_lab *lab, struct xt_lab_arm *out, struct xt_err *err);

/* What spoils figures of the clock, said as warnings: a tracer (the record's host.traced), and a filter that refuses
 * the clock's system calls (`refused`, which this sets). */
void xt_lab_note_surroundings(json_t *record);

/* A new record with this invocation's head. */
json_t *xt_lab_record(const struct xt_lab *lab, const char *schema, struct xt_err *err);

/* Saves the record where --output says, if anywhere. */
int xt_lab_save(const struct xt_lab *lab, const json_t *record, struct xt_err *err);

/* Measures file stamps on tmpfs and, unless folder is NULL, there ("": /var/tmp), about a second each, into the
 * record's file_stamps; and watches the coarse clock for a second, into coarse. */
int xt_lab_add_stamps(json_t *record, const char *folder, uint64_t seed, struct xt_err *err);
int xt_lab_add_coarse(json_t *record, struct xt_err *err);

/* A saved xtime.clocks/1 record, for --compare. NULL with a USAGE error that names it. */
json_t *xt_lab_load_clocks(const char *path, struct xt_err *err);

/* How old a value of cached may be, into a record in which it was used: staleness.cached.bound_ms. */
void xt_lab_note_staleness(json_t *record);

#endif
