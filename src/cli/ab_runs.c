/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parent of several runs. Each child is this program with the same words, a seed of its own and JSON on its
 * standard output; the parent itself is never under the shim.
 */
#include "cli/ab_runs.h"

#include "ab/runs.h"
#include "base/buf.h"
#include "base/log.h"
#include "cli/interrupt.h"
#include "record/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the parent does itself; with a value in the next word where there is no '='. */
static bool is_parents(const char *word, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(word, "--", 2) && !strncmp(word + 2, name, len) && (word[2 + len] == '=' || !word[2 + len]);
}

static char **child_words(const struct xt_session *session, const char *seed)
{
	static const char *const mine[] = {"runs",      "output", "format",      "slices",     "rand-seed",
	                                   "rand_seed", "seed",   "random-seed", "random_seed"};
	char **words = calloc((size_t)session->argc + 5, sizeof(*words));
	int n = 0;

	if (!words)
		return NULL;
	words[n++] = "xtime";
	for (int i = 0; i < session->argc; i++) {
		bool skip = false;

		for (size_t k = 0; k < sizeof(mine) / sizeof(*mine); k++)
			if (is_parents(session->argv[i], mine[k])) {
				skip = true;
				i += !strchr(session->argv[i], '=');
				break;
			}
		if (!skip && i < session->argc)
			words[n++] = session->argv[i];
	}
	words[n++] = "--format=json";
	words[n++] = (char *)seed;
	return words;
}

/* One run: its record, or NULL with err. *interrupted: it said so. */
static json_t *one_run(const struct xt_session *session, uint64_t seed, struct xt_err *err)
{
	char seed_word[48], path[64];
	char **words;
	json_t *record;
	pid_t pid;
	int status, fd = memfd_create("xtime-run", MFD_CLOEXEC);

	snprintf(seed_word, sizeof(seed_word), "--rand-seed=%llu", (unsigned long long)seed);
	words = child_words(session, seed_word);
	if (fd < 0 || !words) {
		free(words);
		xt_err_failed(err, "cannot start a run: %s", strerror(errno));
		return NULL;
	}
	pid = fork();
	if (!pid) {
		dup2(fd, STDOUT_FILENO);
		execv("/proc/self/exe", words);
		_exit(127);
	}
	free(words);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		kill(pid, SIGINT); /* ours was asked to end: so is the run */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	record = pid > 0 && lseek(fd, 0, SEEK_END) > 0 ? xt_record_load(path, err) : NULL;
	close(fd);
	if (!record)
		xt_err_failed(err, "a run ended without a result (its own words stand above)");
	return record;
}

static int conclude(struct xt_session *session, const json_t *records, struct xt_err *err)
{
	json_t *merged = xt_runs_merge(records), *point, *comparison;
	bool is_void = false;
	size_t i, k;
	int rc;

	if (!merged)
		return xt_err_interrupted(err);
	json_array_foreach(json_object_get(merged, "points"), i, point)
		json_array_foreach(json_object_get(point, "comparisons"), k, comparison)
	{
		const char *verdict = json_string_value(json_object_get(comparison, "verdict"));

		is_void |= verdict && !strcmp(verdict, "void");
	}
	rc = *session->output_path ? xt_record_save(merged, session->output_path, err) : 0;
	if (!rc)
		rc = xt_session_print(session, merged, err);
	if (!rc && is_void)
		rc = xt_err_failed(err, "the comparison is void: an arm was never called");
	if (!rc && json_is_true(json_object_get(merged, "interrupted")))
		rc = XT_EXIT_INTERRUPTED;
	json_decref(merged);
	return rc;
}

int xt_ab_runs(struct xt_session *session, const struct xt_ab *ab, int64_t runs, struct xt_err *err)
{
	const atomic_int *interrupted = xt_interrupt_watch();
	double seconds = (double)runs * (double)ab->threads.n *
	                 ((double)ab->time_ns + (double)ab->rounds * (double)ab->warmup_ns) / 1e9;
	json_t *records = json_array();
	int rc = 0;

	xt_log_note("%lld runs, about %.0f s in all", (long long)runs, seconds);
	for (int64_t k = 0; !rc && k < runs && !atomic_load(interrupted); k++) {
		json_t *record = one_run(session, session->engine.seed + (uint64_t)k, err);

		if (!record) {
			rc = atomic_load(interrupted) ? 0 : -1;
			break;
		}
		/* A run that was cut short is not one of the K, unless it is all there is. */
		if (!json_is_true(json_object_get(record, "interrupted")) || !json_array_size(records))
			json_array_append(records, record);
		json_decref(record);
	}
	if (!rc) {
		rc = conclude(session, records, err);
		if (!rc && atomic_load(interrupted))
			rc = XT_EXIT_INTERRUPTED;
	}
	json_decref(records);
	return rc;
}
