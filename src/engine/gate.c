/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The gate. Deadlines are CLOCK_MONOTONIC's, which the shim's `monotonic` swap cannot bend: the wait is the kernel's.
 */
#include "engine/gate.h"

#include "base/mono.h"

#include <errno.h>
#include <time.h>

int xt_gate_init(struct xt_gate *gate, unsigned expected)
{
	pthread_condattr_t attr;
	int rc;

	*gate = (struct xt_gate){.expected = expected};
	if (pthread_mutex_init(&gate->mutex, NULL))
		return -1;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	rc = pthread_cond_init(&gate->cond, &attr);
	pthread_condattr_destroy(&attr);
	return rc ? -1 : 0;
}

void xt_gate_destroy(struct xt_gate *gate)
{
	pthread_cond_destroy(&gate->cond);
	pthread_mutex_destroy(&gate->mutex);
}

static void let_go(struct xt_gate *gate)
{
	gate->arrived = 0;
	gate->round++;
	pthread_cond_broadcast(&gate->cond);
}

static bool wait_for(struct xt_gate *gate, const struct timespec *deadline)
{
	unsigned round;
	bool ok;

	pthread_mutex_lock(&gate->mutex);
	round = gate->round;
	if (++gate->arrived == gate->expected)
		let_go(gate);
	while (!gate->failed && gate->round == round) {
		if (!deadline) {
			pthread_cond_wait(&gate->cond, &gate->mutex);
		} else if (pthread_cond_timedwait(&gate->cond, &gate->mutex, deadline) == ETIMEDOUT) {
			gate->failed = true;
			pthread_cond_broadcast(&gate->cond);
		}
	}
	ok = gate->round != round || !gate->failed;
	pthread_mutex_unlock(&gate->mutex);
	return ok;
}

bool xt_gate_wait(struct xt_gate *gate)
{
	return wait_for(gate, NULL);
}

bool xt_gate_wait_until(struct xt_gate *gate, uint64_t deadline_ns)
{
	struct timespec t = {(time_t)(deadline_ns / 1000000000u), (long)(deadline_ns % 1000000000u)};

	return wait_for(gate, &t);
}

void xt_gate_leave(struct xt_gate *gate)
{
	pthread_mutex_lock(&gate->mutex);
	gate->expected--;
	if (gate->arrived && gate->arrived == gate->expected)
		let_go(gate);
	pthread_mutex_unlock(&gate->mutex);
}

void xt_gate_fail(struct xt_gate *gate)
{
	pthread_mutex_lock(&gate->mutex);
	gate->failed = true;
	pthread_cond_broadcast(&gate->cond);
	pthread_mutex_unlock(&gate->mutex);
}
