/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `ab` and `reproduce` share: options of an A/B, and running one into a record.
 */
#ifndef XT_CLI_AB_RUN_H
#define XT_CLI_AB_RUN_H

#include "ab/ab.h"
#include "cli/session.h"

struct xt_ab_options {
	const char *a, *b, *arms, *swap, *slice, *page, *slices, *add_ns;
	uint64_t cost_ns;
	int64_t runs;
	int keep_awake; /* enum xt_awake */
	bool client_only;
};

extern const struct xt_arg_table xt_ab_table;

/* Fills ab from the options, the workload's \ab line and the driver's defaults; checks all. No side effects. */
int xt_ab_setup(struct xt_ab *ab, struct xt_session *session, const struct xt_ab_options *options, struct xt_err *err);

/* Enters the shim (restarting the process when it is not there yet) and finds the page to flip. */
int xt_ab_enter(struct xt_ab *ab, struct xt_session *session, const char *page_file, struct xt_err *err);

/* A save for ab that writes the record to ctx, a path; nothing when that is "". */
int xt_ab_save(void *ctx, const json_t *record, struct xt_err *err);

/* Opens the database, runs the sweep into *record (a new one of schema xtime.ab/1, to be released also on failure; NULL
 * when it came to nothing). ab->save and ab->ctx are the caller's. */
int xt_ab_measure(struct xt_ab *ab, struct xt_session *session, struct xt_ab_outcome *outcome, json_t **record,
                  struct xt_err *err);

#endif
