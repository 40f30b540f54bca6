/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The refreshing thread. It sleeps to the next millisecond or the next second, whichever comes first.
 */
#include "lab/refresher.h"

#include "base/mono.h"
#include "clock/source.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct xt_refresher {
	struct xt_clock_state *state;
	atomic_bool stop;
	pthread_t thread;
};

static void *run(void *arg)
{
	enum { SECOND_NS = 1000000000, PAUSE_NS = 1000000 };
	struct xt_refresher *r = arg;

	while (!atomic_load(&r->stop)) {
		uint64_t wall = xt_wall_ns(), left = SECOND_NS - wall % SECOND_NS;

		atomic_store(&r->state->cached, (int64_t)(wall / SECOND_NS));
		xt_mono_sleep_until(xt_mono_ns() + (left < PAUSE_NS ? left : PAUSE_NS));
	}
	return NULL;
}

struct xt_refresher *xt_refresher_start(struct xt_clock_state *state)
{
	struct xt_refresher *r = calloc(1, sizeof(*r));
	sigset_t all, old;
	int failed;

	if (!r)
		return NULL;
	r->state = state;
	atomic_store(&state->cached, (int64_t)(xt_wall_ns() / 1000000000u));
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	failed = pthread_create(&r->thread, NULL, run, r);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (failed) {
		free(r);
		return NULL;
	}
	return r;
}

void xt_refresher_stop(struct xt_refresher *refresher)
{
	if (!refresher)
		return;
	atomic_store(&refresher->stop, true);
	pthread_join(refresher->thread, NULL);
	free(refresher);
}
