/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The engine of the coherence test. Workers read in an order in which every ordered pair of functions occurs once a
 * round. What they compare with is published in shared memory: loaded before the reading under test, raised after
 * the reading that it holds, so a reading found behind was certainly made later.
 */
#include "base/align.h"
#include "base/mono.h"
#include "lab/coherence.h"
#include "lab/reap.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_NS UINT64_C(5000000000) /* until all processes must have seen that it is over */

enum { MAX_WORKERS = 64, MAX_ORDER = XT_READINGS * XT_READINGS };

/* The latest value of each function that any worker has published. */
struct latest {
	XT_ALIGNED _Atomic uint64_t max[XT_READINGS];
	XT_ALIGNED _Atomic uint64_t steps; /* backward steps seen: a new one starts the comparison afresh */
};

struct worker {
	XT_ALIGNED struct shared *shared;
	struct xt_coherence seen;
	pthread_t thread;
	pid_t pid;
};

struct shared {
	struct latest latest;
	XT_ALIGNED _Atomic uint32_t stop;
	struct xt_coherence_setup setup;
	unsigned order[MAX_ORDER];
	unsigned order_len;
	struct worker worker[MAX_WORKERS];
};

/* Every ordered pair of the set's members, once, as neighbours of one closed walk: for members a < b < c the words
 * a, then a b, a c, then b, b c, then c (the de Bruijn sequence of order two by Lyndon words). */
static unsigned make_order(unsigned set, unsigned *order)
{
	unsigned n = 0;

	for (unsigned a = 0; a < XT_READINGS; a++) {
		if (!(set & 1u << a))
			continue;
		order[n++] = a;
		for (unsigned b = a + 1; b < XT_READINGS; b++)
			if (set & 1u << b) {
				order[n++] = a;
				order[n++] = b;
			}
	}
	return n;
}

static uint64_t read_now(unsigned reading)
{
	struct timespec ts = {0, 0};
	struct timeval tv = {0, 0};

	switch (reading) {
	case XT_READ_TIME:
		return (uint64_t)time(NULL) * 1000000000u;
	case XT_READ_GETTIMEOFDAY:
		gettimeofday(&tv, NULL);
		return (uint64_t)tv.tv_sec * 1000000000u + (uint64_t)tv.tv_usec * 1000u;
	case XT_READ_REALTIME:
		clock_gettime(CLOCK_REALTIME, &ts);
		break;
	default:
		clock_gettime(CLOCK_REALTIME_COARSE, &ts);
		break;
	}
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* On a busy virtual machine a tick can come late, and then every coarse reading is older than two ticks. That is the
 * kernel's lag, not the function's: the kernel's own coarse clock, read afterwards, is no further. */
static bool tick_is_late(uint64_t value, uint64_t unit)
{
	struct timespec ts = {0, 0};

	syscall(SYS_clock_gettime, CLOCK_REALTIME_COARSE, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec < value + unit;
}

/* Judges and counts the pair (first, value of now); counting a step back is left to the caller. */
static enum xt_pair add_pair(const struct xt_coherence_setup *setup, struct xt_cell *cell, uint64_t first, unsigned now,
                             uint64_t value)
{
	uint64_t lag = 0, unit = xt_reading_unit_ns(now), tolerance = setup->tolerance_ns[now];
	enum xt_pair pair = xt_pair_judge(first, value, unit, tolerance, &lag);

	cell->reads++;
	if (pair == XT_PAIR_OK)
		return pair;
	cell->violations++;
	if (lag > cell->max_lag_ns)
		cell->max_lag_ns = lag;
	if (pair == XT_PAIR_BACKWARD && tolerance && tick_is_late(value, unit))
		pair = XT_PAIR_LAG;
	return pair;
}

static void run_alone(struct worker *w)
{
	const struct xt_coherence_setup *setup = &w->shared->setup;
	struct xt_coherence *seen = &w->seen;
	unsigned before = w->shared->order[w->shared->order_len - 1];
	uint64_t last = read_now(before);

	while (!atomic_load_explicit(&w->shared->stop, memory_order_relaxed))
		for (unsigned i = 0; i < w->shared->order_len; i++) {
			unsigned now = w->shared->order[i];
			uint64_t value = read_now(now);
			struct xt_cell *cell = &seen->cell[before][now];

			if (add_pair(setup, cell, last, now, value) == XT_PAIR_BACKWARD)
				cell->backward++;
			else if (before == now && value >= last)
				seen->differences[now][value == last ? 0 : 64 - __builtin_clzll(value - last)]++;
			before = now;
			last = value;
		}
}

/* One step back is one finding, not one per function and worker: whoever counts it first makes its value the new
 * ground, and what the others had loaded before that is not held against them. */
static void start_afresh(struct latest *latest, uint64_t steps, uint64_t value, struct xt_cell *cell)
{
	if (!atomic_compare_exchange_strong(&latest->steps, &steps, steps + 1))
		return;
	cell->backward++;
	for (unsigned f = 0; f < XT_READINGS; f++)
		atomic_store(&latest->max[f], value);
}

static void publish(_Atomic uint64_t *max, uint64_t value)
{
	uint64_t old = atomic_load_explicit(max, memory_order_relaxed);

	while (value > old &&
	       !atomic_compare_exchange_weak_explicit(max, &old, value, memory_order_acq_rel, memory_order_relaxed))
		;
}

static void read_shared(struct worker *w, unsigned now)
{
	const struct xt_coherence_setup *setup = &w->shared->setup;
	struct latest *latest = &w->shared->latest;
	uint64_t steps = atomic_load(&latest->steps);
	uint64_t first[XT_READINGS], value;
	struct xt_cell *worst = NULL;

	for (unsigned f = 0; f < XT_READINGS; f++)
		first[f] = atomic_load_explicit(&latest->max[f], memory_order_acquire);
	value = read_now(now);
	if (atomic_load(&latest->steps) != steps)
		return;
	for (unsigned f = 0; f < XT_READINGS; f++) {
		struct xt_cell *cell = &w->seen.cell[f][now];

		if (!first[f])
			continue;
		if (add_pair(setup, cell, first[f], now, value) == XT_PAIR_BACKWARD)
			worst = cell;
	}
	if (worst)
		start_afresh(latest, steps, value, worst);
	else
		publish(&latest->max[now], value);
}

static void *run_worker(void *arg)
{
	struct worker *w = arg;

	if (w->shared->setup.scope == XT_SCOPE_THREAD) {
		run_alone(w);
		return NULL;
	}
	while (!atomic_load_explicit(&w->shared->stop, memory_order_relaxed))
		for (unsigned i = 0; i < w->shared->order_len; i++)
			read_shared(w, w->shared->order[i]);
	return NULL;
}

static int start_process(struct worker *w)
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		return errno;
	if (pid) {
		w->pid = pid; /* by us alone: the child shares the struct */
		return 0;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent)
		run_worker(w);
	_exit(0);
}

/* Signals stay with the thread that waits, so that they end its sleep. */
static int start_thread(struct worker *w)
{
	sigset_t all, old;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&w->thread, NULL, run_worker, w);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return rc;
}

static void add_seen(struct xt_coherence *into, const struct xt_coherence *from)
{
	for (int f = 0; f < XT_READINGS; f++)
		for (int s = 0; s < XT_READINGS; s++) {
			struct xt_cell *a = &into->cell[f][s];
			const struct xt_cell *b = &from->cell[f][s];

			a->reads += b->reads;
			a->violations += b->violations;
			a->backward += b->backward;
			if (b->max_lag_ns > a->max_lag_ns)
				a->max_lag_ns = b->max_lag_ns;
		}
	for (int s = 0; s < XT_READINGS; s++)
		for (int i = 0; i < 65; i++)
			into->differences[s][i] += from->differences[s][i];
}

static int run_all(struct shared *shared, struct xt_coherence *out, struct xt_err *err)
{
	bool processes = shared->setup.scope == XT_SCOPE_PROCESSES;
	uint64_t wall = xt_wall_ns();
	uint64_t deadline = xt_mono_ns() + shared->setup.duration_ns, until;
	unsigned started;
	bool hung = false;
	int rc = 0, status;

	for (started = 0; started < shared->setup.workers && !rc; started++) {
		struct worker *w = &shared->worker[started];

		w->shared = shared;
		rc = processes ? start_process(w) : start_thread(w);
		if (rc)
			break;
	}
	if (!rc)
		xt_mono_sleep_until(deadline);
	atomic_store(&shared->stop, 1);
	until = xt_mono_ns() + PATIENCE_NS;
	for (unsigned i = 0; i < started; i++) {
		if (!processes)
			pthread_join(shared->worker[i].thread, NULL);
		else
			hung = !xt_reap(shared->worker[i].pid, until > xt_mono_ns() ? until - xt_mono_ns() : 0,
			                &status) ||
			       hung;
		add_seen(out, &shared->worker[i].seen);
	}
	out->boundaries = xt_wall_ns() / 1000000000u - wall / 1000000000u;
	if (rc)
		return xt_err_failed(err, "cannot start %s: %s", processes ? "a process" : "a thread", strerror(rc));
	if (hung)
		return xt_err_failed(err, "a reading does not come back in a forked process");
	return 0;
}

int xt_coherence_run(const struct xt_coherence_setup *setup, struct xt_coherence *out, struct xt_err *err)
{
	struct shared *shared;
	int rc;

	if (setup->workers < 1 || setup->workers > MAX_WORKERS)
		return xt_err_usage(err, "%u workers: 1 to %d are allowed", setup->workers, MAX_WORKERS);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return xt_err_failed(err, "cannot map shared memory: %s", strerror(errno));
	shared->setup = *setup;
	shared->order_len = make_order(setup->readings, shared->order);
	*out = (struct xt_coherence){0};
	rc = run_all(shared, out, err);
	munmap(shared, sizeof(*shared));
	return rc;
}
