/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A meeting point of threads that carries failure: when one fails, all leave.
 */
#ifndef XT_ENGINE_GATE_H
#define XT_ENGINE_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct xt_gate {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	unsigned expected; /* parties of one meeting */
	unsigned arrived;
	unsigned round;
	bool failed;
};

int xt_gate_init(struct xt_gate *gate, unsigned expected);
void xt_gate_destroy(struct xt_gate *gate);

/* Waits until all have arrived: true; or until somebody failed: false. Reusable: the next call is the next meeting. */
bool xt_gate_wait(struct xt_gate *gate);

/* As xt_gate_wait, with a deadline of the ruler after which the gate fails for all. */
bool xt_gate_wait_until(struct xt_gate *gate, uint64_t deadline_ns);

/* One party less from now on: those that wait need not wait for it. */
void xt_gate_leave(struct xt_gate *gate);

/* Lets everybody go with false, now and later. */
void xt_gate_fail(struct xt_gate *gate);

#endif
