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

/* One writer, the worker. */
struct xt_tally {
	_Atomic uint64_t transactions;
	_Atomic uint64_t failed;
	_Atomic uint64_t unfinished;
	_Atomic uint64_t statements;
	_Atomic uint64_t credited;
	_Atomic uint64_t queries[3];
	_Atomic uint64_t errors[XT_CLASSES];
	_Atomic uint64_t failures[XT_CLASSES];
	_Atomic uint64_t retries;
	_Atomic uint64_t retried;
	_Atomic uint64_t clock_calls;
	_Atomic uint64_t reconnects;
	_Atomic uint64_t skipped;
	_Atomic uint64_t late;
	_Atomic uint64_t started;
	_Atomic uint64_t lag_ns;
};

/* Shared by the workers of one visit or section run; read-mostly. */
struct xt_shared {
	const struct xt_engine *engine;
	const _Atomic uint64_t *word; /* slice << 8 | arm; slice 0 is warm-up; the page's or own_word */
	uint64_t slices;              /* credits per worker; slices 1 .. slices-1 are measured */
	unsigned threads;
	enum xt_error_policy policy;
	enum xt_section section;          /* XT_RUN: a visit */
	struct xt_validation *validation; /* XT_VALIDATE */
	struct xt_gate gate;              /* all workers and the coordinator */
	struct xt_gate barrier;           /* \barrier: all workers */
	const struct xt_pace *pace;
	const struct xt_measure *measure;
	bool paced;                     /* workers take the loop of pace.c */
	bool warm_up_watched;           /* the warm-up is counted too, apart */
	uint64_t wall_offset_ns;        /* from the ruler to the wall clock, for logs */
	_Atomic uint64_t measure_at_ns; /* when the measured time begins; 0: when the gate opens */
	XT_ALIGNED _Atomic uint64_t own_word;
	XT_ALIGNED atomic_int stop;
	XT_ALIGNED atomic_int cancelled; /* running statements were told to end */
	atomic_uint left;                /* workers still running */
	unsigned ran;                    /* workers that ran at the end of the measured time; the coordinator's */
	_Atomic uint64_t opened_at_ns;   /* when the first worker was through the gate */
	_Atomic uint64_t stopped_at_ns;  /* end of the measured time; 0: not yet */
};

/* Readings of the ruler around commands (times.c). */
struct xt_times {
	uint64_t moment_ns;         /* the last one */
	bool ahead;                 /* something ran since */
	struct xt_command_sum *ran; /* what, if it was one command */
	bool measured;              /* the pass began in the measured time */
	bool each;                  /* this pass times every command */
	bool counted;               /* the last one was taken in the measured time */
	uint64_t readings;          /* already accounted for */
	uint64_t statements;        /* of this pass */
	int64_t in_hand, reserve; /* readings left by all passes; that a pass with every command takes beyond its own */
};

struct xt_txlog;

struct xt_worker {
	XT_ALIGNED struct xt_tally tally;
	struct xt_scratch scratch;
	struct xt_tally warm; /* of the warm-up, for its interval lines */
	atomic_int busy;      /* a transaction runs; kept under a rate only */
	struct xt_shared *shared;
	unsigned index;
	bool limited;   /* by quota */
	uint64_t quota; /* transactions to run */
	struct xt_env *env;
	_Atomic(struct xt_conn *) conn; /* the coordinator cancels through it, holding conn_lock */
	pthread_mutex_t conn_lock;      /* taken to replace the connection and to cancel */
	struct xt_shell shell;          /* under conn_lock */
	atomic_bool shell_killed;       /* by the coordinator */
	struct xt_stmts *stmts;
	struct xt_buf text;
	struct xt_rng choice; /* which script */
	double *weight_end;   /* cumulative weights, shared, or NULL */
	_Atomic uint32_t *credit;
	struct xt_hist *latency[XT_MAX_ARMS];
	struct xt_hist *warm_latency;    /* of the warm-up, when watched */
	struct xt_hist *service, *lag;   /* under a rate */
	struct xt_command_sum *commands; /* all scripts; NULL: not asked for */
	struct xt_command_sum *row;      /* of the script that runs; NULL: commands are not timed now */
	struct xt_times times;           /* where commands are timed */
	struct xt_script_sum *scripts;   /* NULL: one script */
	double *figures;                 /* NaN: none counted; NULL: the program has none */
	uint64_t checks;                 /* that held */
	uint64_t begun;                  /* transactions, the warm-up's too */
	size_t script;                   /* that runs */
	enum xt_section section;         /* that runs */
	struct xt_txlog *log;
	enum xt_class failed_class; /* of the transaction that was given up */
	uint64_t ruler_reads;       /* beyond one a transaction */
	uint64_t backlog;
	uint64_t ended_ns; /* when its last transaction of a run did */
	uint64_t connects, connect_ns, connect_max_ns;
	bool hashing;
	uint64_t hash;
	uint64_t lock_wait_ns;
	pid_t tid;
	_Atomic pid_t server;
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

/* One pass of a script, from its (intended) begin on. */
struct xt_pass {
	size_t script;
	uint64_t intended; /* under a rate; else equal to begin */
	uint64_t begin, end;
	uint64_t word; /* of the page when it began */
	unsigned retries;
	enum xt_outcome outcome;
};

/* Which script comes next, by weight; sets w->row for it. */
size_t xt_worker_choose(struct xt_worker *worker);
/* The end of a pass: counted when it lies in the measured slices. True when it was. */
bool xt_worker_settle(struct xt_worker *worker, const struct xt_pass *pass);
/* Whether the worker has run all that it shall. */
bool xt_worker_done(const struct xt_worker *worker);
/* The loop when nothing but speed is asked for. */
void xt_worker_drive(struct xt_worker *worker);
/* The loop under a rate, with pauses, reconnects or a log. */
void xt_worker_drive_paced(struct xt_worker *worker);

/* Puts before w->err which client, transaction and script it is about. */
void xt_worker_name(struct xt_worker *worker);
/* Connects (again); what the old connection knew is kept. False with err filled. */
bool xt_worker_connect(struct xt_worker *worker);
/* Runs every script's connect section, or its disconnect section, which a stop does not end. */
bool xt_worker_run_connect(struct xt_worker *worker);
bool xt_worker_run_disconnect(struct xt_worker *worker);
/* Both, and a new connection between them. False: broken, err says why. */
bool xt_worker_reconnect(struct xt_worker *worker);
/* The worker's last act: takes from the connection what is asked of it afterwards. */
void xt_worker_leave(struct xt_worker *worker);

/* Adds one value to a histogram that the coordinator may read meanwhile (xt_live_read). */
void xt_live_add(struct xt_hist *hist, uint64_t value);
void xt_live_read(struct xt_hist *into, const struct xt_hist *live);

/* The log of one worker; NULL and err when its file cannot be made. */
struct xt_txlog *xt_txlog_open(const struct xt_worker *worker, struct xt_err *err);
/* One transaction that ended at pass->end, or was skipped. -1: cannot write, err filled. */
int xt_txlog_add(struct xt_txlog *log, struct xt_worker *worker, const struct xt_pass *pass, bool skipped);
/* Writes what is left and closes. NULL is allowed. */
int xt_txlog_close(struct xt_txlog *log, struct xt_err *err);

/* With engine.print: a line that says what comes, and one command. 1: printed, 0: to be executed as ever, -1: error. */
void xt_print_head(struct xt_worker *worker);
int xt_print_command(struct xt_worker *worker, const struct xt_command *command);

/* Runs the code once, with retries by the program's policy; begin_ns is when the pass began, by the ruler. */
enum xt_outcome xt_exec_transaction(struct xt_worker *worker, const struct xt_code *code, uint64_t begin_ns);

/* Runs the code once as it is: no retries, any error breaks. */
enum xt_outcome xt_exec_once(struct xt_worker *worker, const struct xt_code *code);

/* One \load; XT_DONE or XT_BROKEN, XT_STOPPED. */
enum xt_outcome xt_exec_load(struct xt_worker *worker, const struct xt_command *command);

/* Around the commands of a pass that began at begin_ns, by the ruler; w->row is the first command's. */
void xt_times_begin(struct xt_worker *worker, uint64_t begin_ns);
void xt_times_before(struct xt_worker *worker, const struct xt_command *command);
void xt_times_after(struct xt_worker *worker, const struct xt_command *command, struct xt_command_sum *row);
/* Time went by that belongs to no command. */
void xt_times_pass_over(struct xt_worker *worker);
/* The end of the pass, by the ruler; done: nothing but its commands was run. */
uint64_t xt_times_end(struct xt_worker *worker, bool done);

/* Whether what happens now counts. */
static inline bool xt_worker_measures(const struct xt_worker *worker)
{
	uint64_t slice = xt_word_slice(atomic_load_explicit(worker->shared->word, memory_order_relaxed));

	return slice && slice < worker->shared->slices;
}

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
