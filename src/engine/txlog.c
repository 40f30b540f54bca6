/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The transaction log in pgbench's format, one file per worker, written between transactions. Stamps are of the wall
 * clock as it stood at the start of the visit, carried on by the ruler: a step of the wall clock does not bend them.
 */
#include "engine/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 65536, LINE_MAX_LEN = 512 };

struct sums {
	uint64_t start_us; /* of the interval, wall clock */
	uint64_t count, skipped, retried, retries, serialization, deadlock;
	double sum, squares, min, max; /* of latencies, us */
	double lag, lag_squares, lag_min, lag_max;
};

struct xt_txlog {
	int fd;
	size_t used;
	uint64_t number; /* of the client's transactions */
	struct xt_rng sample;
	struct sums sums;
	bool begun; /* sums has a start */
	char path[PATH_MAX];
	char buffer[BUFFER];
};

struct xt_txlog *xt_txlog_open(const struct xt_worker *w, struct xt_err *err)
{
	const struct xt_measure *m = w->shared->measure;
	struct xt_txlog *log = calloc(1, sizeof(*log));
	int n;

	if (!log) {
		xt_err_failed(err, "out of memory");
		return NULL;
	}
	if (w->index)
		n = snprintf(log->path, sizeof(log->path), "%s.%d.%u", m->log, (int)getpid(), w->index);
	else
		n = snprintf(log->path, sizeof(log->path), "%s.%d", m->log, (int)getpid());
	if (n >= (int)sizeof(log->path)) {
		xt_err_failed(err, "--log-prefix is too long");
		free(log);
		return NULL;
	}
	/* A later visit of the same run adds to the file. */
	log->fd = open(log->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (log->fd < 0) {
		xt_err_failed(err, "cannot write the log %s: %s", log->path, strerror(errno));
		free(log);
		return NULL;
	}
	xt_rng_init(&log->sample, w->shared->engine->seed, w->index, XT_RNG_SAMPLE);
	return log;
}

static int flush(struct xt_txlog *log, struct xt_err *err)
{
	size_t done = 0;

	while (done < log->used) {
		ssize_t n = write(log->fd, log->buffer + done, log->used - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			log->used = 0;
			return xt_err_failed(err, "cannot write the log %s: %s", log->path, strerror(errno));
		}
		done += (size_t)n;
	}
	log->used = 0;
	return 0;
}

static const char *failure_name(const struct xt_worker *w)
{
	if (!w->shared->measure->failures_detailed)
		return "failed";
	return w->failed_class == XT_DEADLOCK ? "deadlock" : w->failed_class == XT_OTHER ? "other" : "serialization";
}

static void add_line(struct xt_txlog *log, struct xt_worker *w, const struct xt_pass *pass, bool skipped)
{
	const struct xt_shared *shared = w->shared;
	uint64_t now_us = (pass->end + shared->wall_offset_ns) / 1000;
	char *at = log->buffer + log->used;
	size_t left = BUFFER - log->used, n;

	n = (size_t)snprintf(at, left, "%u %llu ", w->index, (unsigned long long)log->number);
	if (skipped || pass->outcome != XT_DONE)
		n += (size_t)snprintf(at + n, left - n, "%s", skipped ? "skipped" : failure_name(w));
	else
		n += (size_t)snprintf(at + n, left - n, "%llu",
		                      (unsigned long long)(pass->end - pass->intended) / 1000);
	n += (size_t)snprintf(at + n, left - n, " %zu %llu %llu", pass->script, (unsigned long long)(now_us / 1000000),
	                      (unsigned long long)(now_us % 1000000));
	if (shared->pace->rate_per_s > 0)
		n += (size_t)snprintf(at + n, left - n, " %llu",
		                      (unsigned long long)(pass->begin - pass->intended) / 1000);
	if (shared->engine->max_tries != 1)
		n += (size_t)snprintf(at + n, left - n, " %u", skipped ? 0 : pass->retries);
	at[n] = '\n';
	log->used += n + 1;
}

static void add_sums_line(struct xt_txlog *log)
{
	const struct sums *s = &log->sums;
	char *at = log->buffer + log->used;
	int n;

	n = snprintf(at, LINE_MAX_LEN, "%llu %llu %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f %llu %llu %llu %llu %llu\n",
	             (unsigned long long)(s->start_us / 1000000), (unsigned long long)s->count, s->sum, s->squares,
	             s->min, s->max, s->lag, s->lag_squares, s->lag_min, s->lag_max, (unsigned long long)s->skipped,
	             (unsigned long long)s->retried, (unsigned long long)s->retries,
	             (unsigned long long)s->serialization, (unsigned long long)s->deadlock);
	log->used += (size_t)n < LINE_MAX_LEN ? (size_t)n : LINE_MAX_LEN - 1;
}

static void add_value(double *sum, double *squares, double *min, double *max, double value)
{
	if (*sum == 0 && *squares == 0 && *max == 0)
		*min = value;
	*sum += value;
	*squares += value * value;
	*min = value < *min ? value : *min;
	*max = value > *max ? value : *max;
}

static void add_sums(struct xt_txlog *log, struct xt_worker *w, const struct xt_pass *pass, bool skipped)
{
	struct sums *s = &log->sums;

	s->count++;
	if (skipped) {
		s->skipped++;
		return;
	}
	if (w->shared->engine->max_tries != 1) {
		s->retries += pass->retries;
		s->retried += pass->retries != 0;
	}
	if (pass->outcome != XT_DONE) {
		if (w->shared->measure->failures_detailed && w->failed_class == XT_DEADLOCK)
			s->deadlock++;
		else if (w->shared->measure->failures_detailed)
			s->serialization++;
		return;
	}
	add_value(&s->sum, &s->squares, &s->min, &s->max, (double)(pass->end - pass->intended) / 1e3);
	if (w->shared->pace->rate_per_s > 0)
		add_value(&s->lag, &s->lag_squares, &s->lag_min, &s->lag_max,
		          (double)(pass->begin - pass->intended) / 1e3);
}

int xt_txlog_add(struct xt_txlog *log, struct xt_worker *w, const struct xt_pass *pass, bool skipped)
{
	const struct xt_measure *m = w->shared->measure;
	uint64_t now_us = (pass->end + w->shared->wall_offset_ns) / 1000, step_us = m->aggregate_ns / 1000;

	log->number++;
	if (m->sampling_rate > 0 && xt_rng_unit(&log->sample) > m->sampling_rate)
		return 0;
	if (!m->aggregate_ns) {
		if (log->used + LINE_MAX_LEN > BUFFER && flush(log, &w->err))
			return -1;
		add_line(log, w, pass, skipped);
		return 0;
	}
	if (!log->begun)
		log->sums.start_us = (pass->intended + w->shared->wall_offset_ns) / 1000000000 * 1000000;
	log->begun = true;
	while (log->sums.start_us + step_us <= now_us) {
		if (log->used + LINE_MAX_LEN > BUFFER && flush(log, &w->err))
			return -1;
		add_sums_line(log);
		log->sums = (struct sums){.start_us = log->sums.start_us + step_us};
	}
	add_sums(log, w, pass, skipped);
	return 0;
}

int xt_txlog_close(struct xt_txlog *log, struct xt_err *err)
{
	int rc;

	if (!log)
		return 0;
	if (log->begun && log->used + LINE_MAX_LEN > BUFFER)
		flush(log, NULL);
	if (log->begun)
		add_sums_line(log);
	rc = flush(log, err);
	if (close(log->fd) && !rc)
		rc = xt_err_failed(err, "cannot write the log %s: %s", log->path, strerror(errno));
	free(log);
	return rc;
}
