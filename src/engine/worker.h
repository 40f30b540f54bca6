/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of the engine: one worker and what all workers of a visit share. For engine/ only.
 */
#ifndef XT_ENGINE_WORKER_H
#define XT_ENGINE_WORKER_H

#include "base/align.h"
#include "engine/engine.h"
#include "engine/gate.h"
#include "engine/stmts.h"

#include <pthread.h>

/* Counters of one writer: plain loads and stores, atomic only so that the coordinator may look. */
#define XT_BUMP(counter, n)                                                                                            \
	atomic_store_explicit(&(counter), atomic_load_explicit(&(counter), memory_order_relaxed) + (n),                \
	                      memory_order_relaxed)
#define XT_PEEK(counter) atomic_load_explicit(&(counter), memory_order_relaxed)

/* What one transaction has counted so far, errors and reconnects only together with retries or a failure; goes into the
 * tally at its end, if that lies in the measured time. */
struct xt_scratch {
	uint64_t statements;
	uint64_t credited;
	uint64_t queries[3];
	uint64_t errors[XT_CLASSES];
	uint64_t retries;
	uint64_t clock_calls;
	uint64_t reconnects;
};

struct xt_tally {
	_Atomic uint64_t transactions;
	_Atomic uint64_t failed;
	_Atomic uint64_t unfinished;
	struct xt_scratch sum; /* read after join only */
};

/* Shared by the workers of one visit or section run; read-mostly. */
struct xt_shared {
	const struct xt_engine *engine;
	const _Atomic uint64_t *word; /* slice << 8 | arm; slice 0 is warm-up */
	uint64_t slices;              /* credits per worker; slices 1 .. slices-1 are measured */
	unsigned threads;
	enum xt_error_policy policy;
	enum xt_section section; /* XT_RUN: a visit */
	struct xt_gate gate;     /* all workers and the coordinator */
	struct xt_gate barrier;  /* \barrier: all workers */
	XT_ALIGNED atomic_int stop;
	XT_ALIGNED atomic_int cancelled; /* running statements were told to end */
	atomic_uint left;                /* workers still running */
};

struct xt_worker {
	XT_ALIGNED struct xt_tally tally;
	struct xt_scratch scratch;
	struct xt_shared *shared;
	unsigned index;
	bool limited;   /* by quota */
	uint64_t quota; /* transactions to run */
	struct xt_env *env;
	_Atomic(struct xt_conn *) conn; /* the coordinator cancels through it */
	struct xt_stmts *stmts;
	struct xt_buf text;
	struct xt_rng choice; /* which script */
	double *weight_end;   /* cumulative weights, shared, or NULL */
	_Atomic uint32_t *credit;
	struct xt_hist *latency[XT_MAX_ARMS];
	uint64_t lock_wait_ns;
	pid_t tid, server;
	pthread_t thread;
	bool started;
	bool broken; /* err is filled */
	struct xt_err err;
};

enum xt_outcome {
	XT_DONE,
	XT_GIVEN_UP, /* failed under pgbench's rules: counted, the run goes on */
	XT_STOPPED,  /* the stop flag or a cancel ended it */
	XT_BROKEN,   /* worker->err says why */
};

/* Runs the code once, with retries by the program's policy. */
enum xt_outcome xt_exec_transaction(struct xt_worker *worker, const struct xt_code *code);

/* Runs the code once as it is: no retries, any error breaks. */
enum xt_outcome xt_exec_once(struct xt_worker *worker, const struct xt_code *code);

/* One \load; XT_DONE or XT_BROKEN, XT_STOPPED. */
enum xt_outcome xt_exec_load(struct xt_worker *worker, const struct xt_command *command);

/* A statement is over: credit it to the slice that the page shows now. */
static inline void xt_worker_credit(struct xt_worker *worker)
{
	uint64_t slice = xt_word_slice(atomic_load_explicit(worker->shared->word, memory_order_relaxed));

	worker->scratch.credited++;
	if (slice < worker->shared->slices)
		XT_BUMP(worker->credit[slice], 1);
}

/* Makes `threads` workers of a visit or section: environment, statement cache; starts the threads. */
int xt_workers_start(struct xt_shared *shared, struct xt_worker **out, const struct xt_visit *visit,
                     struct xt_err *err);
/* Waits for all, cancelling statements after the engine's grace; first error into err. */
int xt_workers_join(struct xt_shared *shared, struct xt_worker *workers, struct xt_err *err);
void xt_workers_free(struct xt_shared *shared, struct xt_worker *workers);

/* Shared state; 0, or -1. */
int xt_shared_init(struct xt_shared *shared, const struct xt_engine *engine, enum xt_section section, unsigned threads);
void xt_shared_destroy(struct xt_shared *shared);

#endif
