/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * reproduce 2018 and reproduce 2019: one measurement of the clocks, judged by the claims of each mail.
 */
#include "cli/reproduce_clocks.h"

#include "base/log.h"
#include "cli/lab.h"
#include "lab/clocks.h"
#include "lab/record.h"
#include "record/record.h"
#include "reproduce/claims2018.h"
#include "reproduce/claims2019.h"
#include "reproduce/clockrefs.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int xt_reproduce_clocks_check(const struct xt_reproduce_clocks *setup, struct xt_err *err)
{
	json_t *old = setup->compare ? xt_lab_load_clocks(setup->compare, err) : NULL;

	if (setup->compare && !old)
		return -1;
	json_decref(old);
	return 0;
}

static int measure(const struct xt_reproduce_clocks *setup, json_t *record, struct xt_err *err)
{
	struct xt_clocks_setup clocks_setup = {
		.bench = {.duration_ns = setup->duration_ns,
	                  .threads = 1,
	                  .seed = setup->seed,
	                  .interrupted = setup->interrupted},
	};
	struct xt_clocks clocks = {0};
	int rc;

	xt_log_progress("clocks: %g s", (double)setup->duration_ns / 1e9);
	rc = xt_clocks_measure(&clocks_setup, &clocks, err);
	if (!rc && xt_clocks_to_record(&clocks, record))
		rc = xt_err_failed(err, "out of memory");
	xt_clocks_free(&clocks);
	if (!rc && setup->mail_2018 && !atomic_load(setup->interrupted))
		rc = xt_lab_add_stamps(record, NULL, setup->seed, err) || xt_lab_add_coarse(record, err);
	json_object_set_new(record, "interrupted", json_boolean(atomic_load(setup->interrupted)));
	xt_log_progress_end();
	return rc ? -1 : 0;
}

static int judge(const struct xt_reproduce_clocks *setup, json_t *record, const json_t *old, json_t *claims)
{
	json_t *more;
	int rc = 0;

	if (setup->mail_2018) {
		more = xt_claims_2018(record);
		rc |= xt_references_2018(record) || json_array_extend(claims, more);
		json_decref(more);
	}
	if (setup->mail_2019) {
		more = xt_claims_2019(record, old);
		rc |= xt_references_2019(record, old) || json_array_extend(claims, more);
		json_decref(more);
	}
	return rc;
}

int xt_reproduce_clocks_add(const struct xt_reproduce_clocks *setup, json_t *records, json_t *claims,
                            struct xt_err *err)
{
	json_t *record = xt_record_new(XT_SCHEMA_CLOCKS, setup->argc, setup->argv, setup->seed);
	json_t *old = NULL;
	int rc = -1;

	if (!record)
		return xt_err_failed(err, "out of memory");
	if (setup->compare)
		old = xt_lab_load_clocks(setup->compare, err);
	if (!setup->compare || old)
		rc = measure(setup, record, err);
	if (!rc && (judge(setup, record, old, claims) || json_array_append(records, record)))
		rc = xt_err_failed(err, "out of memory");
	json_decref(old);
	json_decref(record);
	return rc;
}

/* Beside the binary, as after a build, else where it is installed; path is "" when it is in neither place. */
static void find_program(char path[PATH_MAX])
{
	static const char name[] = "xtime-clocks32";
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - sizeof(name) - 1);
	char *slash;

	path[len > 0 ? len : 0] = '\0';
	slash = strrchr(path, '/');
	if (slash) {
		memcpy(slash + 1, name, sizeof(name));
		if (!access(path, X_OK))
			return;
	}
	snprintf(path, PATH_MAX, "%s/%s", XT_PKGLIBEXECDIR, name);
	if (access(path, X_OK))
		path[0] = '\0';
}

void xt_reproduce_word_sizes(struct xt_wordsize sizes[2], const struct xt_wordsize **native,
                             const struct xt_wordsize **narrow)
{
	enum { FOR_NS = 500000000 };
	char path[PATH_MAX];
	struct xt_err err;

	*native = *narrow = NULL;
	xt_log_progress("32-bit and 64-bit programs");
	if (!xt_wordsize_measure(FOR_NS, &sizes[0], &err))
		*native = &sizes[0];
	find_program(path);
	if (*path && !xt_wordsize_run(path, &sizes[1], &err))
		*narrow = &sizes[1];
	else if (*path)
		xt_log_warning("%s", err.text);
	xt_log_progress_end();
}
