/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The conformance run. The plugin runs in a child, which may crash or hang; what is found out travels through shared
 * memory. The parent queues a signal every millisecond, so that the child's handler reads while its threads do.
 */
#include "config.h"

#include "lab/conform.h"

#include "base/mono.h"
#include "clock/plugin.h"
#include "clock/raw.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, FORKS = 20, DEADLINE_NS = 2000000000 };

#define SECOND   INT64_C(1000000000)
#define ALONE_NS (SECOND / 20)
#define RUN_NS   (SECOND + SECOND / 10) /* one change of the second is in it */

enum path { BY_TIME, BY_GETTIMEOFDAY, BY_REALTIME, BY_MONOTONIC, PATHS };
enum stage { ONE_THREAD, AFTER_FORK, THREADS_AND_SIGNALS, DONE };
enum fault { NONE, BEHIND, AHEAD, BACK, STORED, RANGE, ERRNO, FAILS };

static const char *const path_names[] = {"time()", "gettimeofday()", "clock_gettime(CLOCK_REALTIME)",
                                         "clock_gettime(CLOCK_MONOTONIC)"};
static const char *const stage_names[] = {"in one thread", "after fork()", "in threads and a signal handler", ""};

/* Shared with the child. */
struct run {
	struct xt_plugin plugin;
	int64_t allowed_ns; /* behind the clock */
	_Atomic int stage;
	_Atomic int fault; /* the first one; the fields below belong to it */
	int path, at_stage;
	int64_t by_ns;
};

/* One reading: a span of the clock that it stands for, and when it was taken. */
struct reading {
	int64_t from, to;
	int64_t before, after;
};

static void report(struct run *run, enum fault fault, enum path path, int64_t by_ns)
{
	int none = NONE;

	if (!atomic_compare_exchange_strong(&run->fault, &none, fault))
		return;
	run->path = path;
	run->at_stage = run->stage;
	run->by_ns = by_ns;
}

static int64_t kernel_ns(clockid_t id)
{
	struct timespec t = {0, 0};

	xt_raw2(SYS_clock_gettime, id, (long)&t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

static int read_time(struct run *run, struct reading *out)
{
	time_t stored = 0, given = run->plugin.time(&stored);

	if (given != stored)
		report(run, STORED, BY_TIME, 0);
	out->from = (int64_t)given * SECOND;
	out->to = out->from + SECOND - 1;
	return given == (time_t)-1 ? -1 : 0;
}

static int read_timeval(struct run *run, struct reading *out)
{
	struct timeval tv = {0, -1};
	int ret = run->plugin.gettimeofday(&tv, NULL);

	if (!ret && (tv.tv_usec < 0 || tv.tv_usec > 999999))
		report(run, RANGE, BY_GETTIMEOFDAY, 0);
	out->from = tv.tv_sec * SECOND + tv.tv_usec * 1000;
	out->to = out->from + 999;
	return ret;
}

static int read_timespec(struct run *run, enum path path, struct reading *out)
{
	struct timespec t = {0, -1};
	int ret = run->plugin.clock_gettime(path == BY_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME, &t);

	if (!ret && (t.tv_nsec < 0 || t.tv_nsec > 999999999))
		report(run, RANGE, path, 0);
	out->from = out->to = t.tv_sec * SECOND + t.tv_nsec;
	return ret;
}

/* last: what this reader read last by this path. */
static void check(struct run *run, enum path path, int64_t *last)
{
	clockid_t id = path == BY_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
	struct reading r = {.before = kernel_ns(id)};
	int failed, kept = errno;

	failed = path == BY_TIME           ? read_time(run, &r)
	         : path == BY_GETTIMEOFDAY ? read_timeval(run, &r)
	                                   : read_timespec(run, path, &r);
	if (failed)
		report(run, FAILS, path, 0);
	else if (errno != kept)
		report(run, ERRNO, path, 0);
	r.after = kernel_ns(id);
	if (r.to < r.before - run->allowed_ns)
		report(run, BEHIND, path, r.before - r.to);
	else if (r.from > r.after)
		report(run, AHEAD, path, r.from - r.after);
	else if (r.from < *last)
		report(run, BACK, path, *last - r.from);
	*last = r.from;
}

static void check_all(struct run *run, int64_t last[PATHS])
{
	check(run, BY_TIME, &last[BY_TIME]);
	if (run->plugin.gettimeofday)
		check(run, BY_GETTIMEOFDAY, &last[BY_GETTIMEOFDAY]);
	if (run->plugin.clock_gettime) {
		check(run, BY_REALTIME, &last[BY_REALTIME]);
		check(run, BY_MONOTONIC, &last[BY_MONOTONIC]);
	}
}

static void check_for(struct run *run, int64_t ns)
{
	int64_t last[PATHS] = {0}, end = kernel_ns(CLOCK_MONOTONIC) + ns;

	while (kernel_ns(CLOCK_MONOTONIC) < end && !run->fault)
		check_all(run, last);
}

static void *reader(void *arg)
{
	check_for(arg, RUN_NS);
	return NULL;
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
	int64_t last[PATHS] = {0};
	int kept = errno;

	(void)sig;
	(void)context;
	check_all(info->si_value.sival_ptr, last);
	errno = kept;
}

static void in_child(struct run *run)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
	pthread_t threads[THREADS];
	int started = 0;

	if (run->plugin.time(NULL) == (time_t)-1)
		report(run, FAILS, BY_TIME, 0);
	check_for(run, ALONE_NS);
	run->stage = AFTER_FORK;
	for (int i = 0; i < FORKS && !run->fault; i++) {
		int64_t last[PATHS] = {0};
		pid_t pid = fork();

		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL); /* one that hangs ends with us */
			check_all(run, last);
			_exit(0);
		}
		if (pid > 0)
			waitpid(pid, NULL, 0);
	}
	sigaction(SIGUSR1, &action, NULL);
	run->stage = THREADS_AND_SIGNALS;
	while (started < THREADS && !pthread_create(&threads[started], NULL, reader, run))
		started++;
	while (started)
		pthread_join(threads[--started], NULL);
	run->stage = DONE;
}

/* The child's end, with signals for its handler meanwhile. Returns its wait status; -1 when it had to be killed. */
static int attend(struct run *run, pid_t pid)
{
	uint64_t deadline = xt_mono_ns() + RUN_NS + DEADLINE_NS;
	int status;

	while (waitpid(pid, &status, WNOHANG) != pid) {
		if (xt_mono_ns() > deadline) {
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
			return -1;
		}
		if (run->stage == THREADS_AND_SIGNALS)
			sigqueue(pid, SIGUSR1, (union sigval){.sival_ptr = run});
		xt_mono_sleep_until(xt_mono_ns() + 1000000);
	}
	return status;
}

static int describe(const struct run *run, int status, struct xt_err *err)
{
	const char *path = path_names[run->path], *stage = stage_names[run->at_stage];
	double ms = (double)run->by_ns / 1e6;
	int fault = run->fault;

	switch (fault) {
	case BEHIND:
		return xt_err_usage(err, "is wrong: %s is %.3f ms behind the clock %s (allowed: %.3f ms)", path, ms,
		                    stage, (double)run->allowed_ns / 1e6);
	case AHEAD:
		return xt_err_usage(err, "is wrong: %s is %.3f ms ahead of the clock %s", path, ms, stage);
	case BACK:
		return xt_err_usage(err, "is wrong: %s steps back by %.3f ms %s", path, ms, stage);
	case STORED:
		return xt_err_usage(err, "is wrong: %s does not store what it returns", path);
	case RANGE:
		return xt_err_usage(err, "is wrong: %s gives a fraction of a second that is out of range", path);
	case ERRNO:
		return xt_err_usage(err, "is wrong: %s changes errno though it succeeds", path);
	case FAILS:
		return xt_err_usage(err, "is wrong: %s fails %s", path, stage);
	default:
		break;
	}
	if (status == -1)
		return xt_err_usage(err, "is wrong: it hangs %s", stage_names[run->stage]);
	if (WIFSIGNALED(status))
		return xt_err_usage(err, "is wrong: it dies of signal %d %s", WTERMSIG(status),
		                    stage_names[run->stage]);
	if (run->stage != DONE)
		return xt_err_usage(err, "is wrong: it ends its process %s", stage_names[run->stage]);
	return 0;
}

static int64_t allowed_ns(const struct xt_plugin *plugin)
{
	struct timespec tick = {0, 10000000};

	if (plugin->resolution_ns && plugin->resolution_ns() > 0)
		return 2 * (int64_t)plugin->resolution_ns();
	xt_raw2(SYS_clock_getres, CLOCK_REALTIME_COARSE, (long)&tick);
	return 2 * (tick.tv_sec * SECOND + tick.tv_nsec);
}

int xt_lab_conform(const char *plugin, struct xt_err *err)
{
	struct run *run = mmap(NULL, sizeof(*run), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char why[256];
	pid_t pid;
	int bad;

	if (run == MAP_FAILED)
		return xt_err_failed(err, "cannot be checked: out of memory");
	bad = xt_plugin_open(plugin, &run->plugin, why, sizeof(why));
	if (bad) {
		xt_err_usage(err, "cannot be used: %s", why);
	} else {
		run->allowed_ns = allowed_ns(&run->plugin);
		fflush(NULL);
		pid = fork();
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			in_child(run);
			_exit(0);
		}
		bad = pid < 0 ? xt_err_failed(err, "cannot be checked: %s", strerror(errno))
		              : describe(run, attend(run, pid), err);
	}
	munmap(run, sizeof(*run));
	return bad;
}
