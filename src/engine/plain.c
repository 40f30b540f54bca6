/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run without slices: one long slice, looked at now and then.
 */
#include "engine/plain.h"

#include "base/mono.h"
#include "engine/slices.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static void set_word(struct xt_shared *shared, uint64_t value)
{
	atomic_store(&shared->own_word, value);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Sleeps until the moment, looking at intervals meanwhile; false when the run is to end. */
static bool sleep_watching(struct xt_shared *shared, struct xt_worker *workers, struct xt_watch *watch,
                           uint64_t deadline)
{
	for (;;) {
		uint64_t next = xt_watch_next(watch);

		if (!xt_slices_sleep(shared, earlier(deadline, next)))
			return false;
		if (next > deadline)
			return true;
		xt_watch_tick(watch, shared, workers, xt_mono_ns());
	}
}

static bool warm_up(struct xt_shared *shared, struct xt_worker *workers, const struct xt_visit *visit,
                    struct xt_watch *watch)
{
	uint64_t length = visit->warmup_ns + visit->pace.ramp_ns, begin = xt_mono_ns();

	if (!length)
		return true;
	atomic_store(&shared->measure_at_ns, begin + length);
	xt_watch_begin(watch, begin, length, true);
	if (!sleep_watching(shared, workers, watch, begin + length))
		return false;
	xt_watch_end(watch, shared, workers, xt_mono_ns());
	return true;
}

/* CPU time of the workers' backends, where all are on this machine and stay the same; else below 0. */
static double servers_cpu_ns(const struct xt_shared *shared, struct xt_worker *workers)
{
	double sum = 0;

	if (!shared->engine->driver->server_pid || shared->pace->reconnect)
		return -1;
	for (unsigned i = 0; i < shared->threads; i++) {
		pid_t pid = atomic_load(&workers[i].server);
		char path[64];
		unsigned long long ns;
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
		f = pid ? fopen(path, "r") : NULL;
		if (!f)
			return -1;
		if (fscanf(f, "%llu", &ns) != 1)
			ns = 0;
		fclose(f);
		sum += (double)ns;
	}
	return sum;
}

static void count_switches(const struct rusage *before, struct xt_totals *totals)
{
	struct rusage now;

	getrusage(RUSAGE_SELF, &now);
	totals->switches[0] += (uint64_t)(now.ru_nvcsw - before->ru_nvcsw);
	totals->switches[1] += (uint64_t)(now.ru_nivcsw - before->ru_nivcsw);
}

/* Looks until an end is reached. */
static void measured_time(struct xt_shared *shared, struct xt_worker *workers, const struct xt_visit *visit,
                          struct xt_watch *watch, uint64_t begin)
{
	uint64_t end = visit->time_ns ? begin + visit->time_ns : UINT64_MAX, shown = begin;
	bool limited = visit->events || visit->pace.transactions;

	while (atomic_load(&shared->left)) {
		uint64_t now = xt_mono_ns(), done = 0;

		if (now >= end)
			break;
		/* With a limit the end is looked for often, without one there is nothing to see. */
		if (!sleep_watching(shared, workers, watch, earlier(end, now + (limited ? 1000000 : 50000000))))
			break;
		if (!visit->progress || now < shown)
			continue;
		now = xt_mono_ns();
		shown = now + 500000000;
		for (unsigned i = 0; i < shared->threads; i++)
			done += XT_PEEK(workers[i].tally.transactions);
		visit->progress(visit->progress_ctx, (double)(now - begin) / 1e9, done);
	}
}

/* Without a warm-up workers count from the gate on, and a short run may be over before the coordinator gets here. */
static uint64_t measured_from(struct xt_shared *shared)
{
	uint64_t now = xt_mono_ns(), opened = atomic_load(&shared->opened_at_ns);

	return atomic_load(&shared->own_word) == XT_FIRST_SLICE && opened ? earlier(opened, now) : now;
}

/* Where a limit of transactions has ended the run, that was when the last one ended, not when it was seen. */
static uint64_t end_of_limited(const struct xt_shared *shared, const struct xt_worker *workers,
                               const struct xt_watch *watch, uint64_t now_ns)
{
	uint64_t end = 0, looked = xt_watch_last(watch);

	for (unsigned i = 0; i < shared->threads; i++)
		if (workers[i].ended_ns > end)
			end = workers[i].ended_ns;
	if (end < looked)
		end = looked;
	return end && end < now_ns ? end : now_ns;
}

void xt_plain_run(struct xt_shared *shared, struct xt_worker *workers, const struct xt_visit *visit,
                  struct xt_watch *watch, struct xt_totals *totals)
{
	struct rusage usage;
	uint64_t begin, end, cpu;
	double servers, servers_end;

	if (!warm_up(shared, workers, visit, watch)) {
		set_word(shared, shared->slices << 8);
		atomic_store(&shared->stop, 1);
		return;
	}
	servers = servers_cpu_ns(shared, workers);
	cpu = xt_process_cpu_ns();
	getrusage(RUSAGE_SELF, &usage);
	begin = measured_from(shared);
	atomic_store(&shared->measure_at_ns, begin);
	set_word(shared, XT_FIRST_SLICE);
	xt_watch_begin(watch, begin, visit->time_ns, false);
	measured_time(shared, workers, visit, watch, begin);
	if (!atomic_load(&shared->left)) {
		totals->transactions_done = visit->pace.transactions != 0;
		totals->events_done = visit->events && !visit->pace.transactions;
	}
	set_word(shared, shared->slices << 8);
	shared->ran = atomic_load(&shared->left) ? atomic_load(&shared->left) : shared->threads;
	end = xt_mono_ns();
	if (totals->transactions_done || totals->events_done)
		end = end_of_limited(shared, workers, watch, end);
	atomic_store(&shared->stopped_at_ns, end);
	atomic_store(&shared->stop, 1);
	totals->cpu_ns += (double)(xt_process_cpu_ns() - cpu);
	count_switches(&usage, totals);
	servers_end = servers_cpu_ns(shared, workers);
	totals->server_cpu_ns = servers < 0 || servers_end < servers || totals->server_cpu_ns < 0
	                                ? -1
	                                : totals->server_cpu_ns + servers_end - servers;
	totals->seconds += (double)(end - begin) / 1e9;
}
