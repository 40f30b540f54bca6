/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The load generator: N workers, one connection each, run a program's transactions; in an A/B the calling thread flips
 * the control page's arm slice by slice meanwhile. Between the begin and the end of a transaction a worker takes no
 * lock, allocates nothing of ours, logs nothing and shares no read-modify-write.
 *
 * All functions are called from one thread (the coordinator).
 */
#ifndef XT_ENGINE_ENGINE_H
#define XT_ENGINE_ENGINE_H

#include "base/err.h"
#include "base/hist.h"
#include "base/rng.h"
#include "driver/driver.h"
#include "script/script.h"
#include "shim/page.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define XT_MAX_THREADS 4096

/* What a client would send, statement by statement with its values, as SQL text with comments. */
struct xt_print {
	void (*write)(void *ctx, const char *text, size_t len);
	void *ctx;
	bool is_sqlite, is_pgsql; /* whom it would be sent to */
};

/* What stays the same over all visits of a command. Pointers are borrowed. */
struct xt_engine {
	const struct xt_program *program;
	const double *weights; /* one per script of the program; NULL: all equal */
	const struct xt_driver *driver;
	struct xt_db *db;
	uint64_t seed;
	struct xt_rand_options rand;
	bool scale_known;
	int64_t scale;
	bool pipeline;               /* each transaction is sent as one pipeline; needs a driver that has them */
	unsigned max_tries;          /* pgbench's rules: 1 = no retry, 0 = no limit */
	uint64_t connect_timeout_ns; /* for all workers to stand at the gate */
	uint64_t grace_ns; /* after the end of a visit, before running statements are cancelled; UINT64_MAX: never */
	const struct xt_print *print;  /* print instead of sending; with the null driver. NULL: no */
	const atomic_int *interrupted; /* not 0: end soon; NULL: never */
};

/* One slice of an A/B, as it was. */
struct xt_slice {
	uint64_t begin_ns, end_ns; /* ruler */
	uint64_t statements;       /* credited, all workers */
	uint32_t arm;
	uint32_t late; /* 1: the stamps around the store were over 1 % of the slice apart */
};

/* Slices of one or more visits, in time order; `arms` consecutive ones form a block. */
struct xt_slices {
	struct xt_slice *v;
	size_t n, cap;
};

/* How a visit flips arms. NULL in a visit: no slices, one arm. */
struct xt_slicing {
	struct xt_page *page;
	unsigned arms; /* descriptors 0 .. arms-1, base first, control last */
	uint64_t
		slice_ns; /* 0: 100x the mean statement of the warm-up, within 2 ms to 200 ms; set by the first visit */
	struct xt_rng *schedule; /* orders the slices of each block */
	struct xt_slices slices; /* out: appended */
	/* Called right before the first measured slice and right after the last; may be NULL. */
	void (*edge)(void *ctx, bool end);
	void *ctx;
};

/* How load is offered. All zero: a closed loop, as fast as answers come. Not together with slicing. */
struct xt_pace {
	double rate_per_s;         /* open loop over all workers; 0: closed loop */
	bool regular;              /* equal gaps instead of a Poisson stream */
	uint64_t latency_limit_ns; /* above it: late; under a rate, what is this late before its start is skipped */
	uint64_t think_ns;         /* pause after each transaction */
	bool think_exponential;    /* think_ns is the mean */
	uint64_t ramp_ns;          /* workers begin spread over this time, before the warm-up */
	uint64_t reconnect;        /* a new connection after so many transactions; 0: never */
	uint64_t transactions;     /* per worker; 0: no limit */
	const unsigned *cpus;      /* worker i runs on cpus[i % cpu_count]; NULL: anywhere */
	size_t cpu_count;
	bool continue_on_error; /* pgbench's rules: any error of a statement is a failure, and the run goes on */
	bool leave_alone;       /* a worker that cannot go on ends alone; else it ends the run */
};

struct xt_thread_sum;

/* What happened between two looks at the workers' counters. */
struct xt_interval {
	double begin_s, end_s; /* since the measured time began; of a warm-up: since that began */
	bool warmup;
	bool partial;     /* shorter than asked for: the last one */
	unsigned threads; /* workers that run at its end */
	uint64_t transactions;
	uint64_t queries[3];
	uint64_t errors, failed, retried, retries, reconnects, skipped, late;
	uint64_t queue, busy; /* under a rate, at its end: starts that wait (estimated), transactions that run */
	double lag_ns;        /* under a rate: sum over its transactions */
	const struct xt_hist *latency; /* of this interval alone; minimum and maximum to a bucket's edge */
	bool last;                     /* of the measured time */
	const struct xt_thread_sum
		*rows; /* of a checkpoint: each worker in this interval, without its hash; else NULL */
	size_t row_count;
};

/* What is watched beside the totals; each costs something, nothing is on by itself. */
struct xt_measure {
	uint64_t interval_ns;
	/* Called by the coordinator at each interval's end, the last time after the workers are joined. */
	void (*interval)(void *ctx, const struct xt_interval *interval);
	/* Moments of the measured time, rising; at each, and at its end, what happened since the one before. */
	const uint64_t *checkpoints_ns;
	size_t checkpoint_count;
	void (*checkpoint)(void *ctx, const struct xt_interval *interval);
	void *ctx;
	bool commands;          /* time each statement, and other commands as readings are left (times.c) */
	bool hash;              /* hash the statements of each worker */
	const char *log;        /* pgbench's transaction log: PREFIX.PID and PREFIX.PID.N */
	double sampling_rate;   /* of logged transactions; 0: all */
	uint64_t aggregate_ns;  /* log sums over so long; 0: single transactions */
	bool failures_detailed; /* the log names a failure's class */
};

/* Whether workers do more between transactions than to begin the next: wait, connect anew, write a log. */
bool xt_paced(const struct xt_pace *pace, const struct xt_measure *measure);

struct xt_visit {
	unsigned threads;
	uint64_t warmup_ns;
	uint64_t time_ns; /* 0: no limit of time */
	uint64_t events;  /* in all; 0: no limit. Failed and skipped ones count too. */
	struct xt_slicing *slicing;
	struct xt_pace pace;
	struct xt_measure measure;
	/* Called about twice a second by the coordinator; may be NULL. */
	void (*progress)(void *ctx, double seconds, uint64_t transactions);
	void *progress_ctx;
};

/* One command of the program, all workers. */
struct xt_command_sum {
	uint64_t count;         /* runs */
	uint64_t failures;      /* led to a failed transaction */
	uint64_t retries;       /* led to another try */
	struct xt_hist latency; /* of the runs that were timed, ns; in memory that is zeroed lazily, so that only the
	                           pages in use exist */
};

/* Zeroed rows, their histograms ready to be filled; of malloc. NULL: out of memory. */
struct xt_command_sum *xt_command_sums_new(size_t n);

/* One script of a mix, all workers. */
struct xt_script_sum {
	uint64_t transactions, failed, skipped;
	double sum_ns, sum_squares;
};

/* One worker, summed over visits with so many workers. */
struct xt_thread_sum {
	uint64_t transactions;
	double busy_ns; /* sum of latencies */
	uint64_t hash;  /* of its statements in the last visit */
};

/* What the workers counted, summed over visits. Start with xt_totals_init(). */
struct xt_totals {
	uint64_t transactions;         /* ended well inside the measured time */
	uint64_t statements;           /* of all kinds, inside the measured time, failed attempts included */
	uint64_t credited;             /* statements, or one for a transaction without any */
	uint64_t queries[3];           /* by enum xt_sql_kind */
	uint64_t errors[XT_CLASSES];   /* statements that failed, by class */
	uint64_t failed;               /* transactions given up (pgbench's rules) */
	uint64_t failures[XT_CLASSES]; /* the same, by the class of the last error */
	uint64_t retried;              /* transactions with more than one try */
	uint64_t skipped, late;        /* by the latency limit */
	uint64_t started;              /* under a rate: intended starts that were begun or skipped */
	uint64_t backlog;              /* under a rate: intended starts still waiting at the end (estimated) */
	uint64_t ruler_reads;          /* the engine's own readings of the clock */
	uint64_t connects;             /* connections made by workers, the first ones included */
	double connect_ns;             /* summed over them */
	double connect_max_ns;
	double startup_ns; /* from the first thread to the open gate, summed over visits */
	uint64_t retries;  /* attempts after the first */
	uint64_t reconnects;
	uint64_t unfinished;  /* transactions cancelled at the end */
	uint64_t clock_calls; /* time() calls by \time */
	uint64_t lock_wait_ns;
	double seconds;       /* measured time, summed over visits */
	double cpu_ns;        /* CPU time of the process in it */
	double server_cpu_ns; /* of the workers' backends on this machine in it; below 0: not known */
	uint64_t switches[2]; /* context switches in it: voluntary, involuntary */
	bool interrupted;
	bool events_done;                     /* the event limit ended the visit */
	bool transactions_done;               /* the limit per client did */
	unsigned aborted;                     /* workers that could not go on, with pace.leave_alone */
	struct xt_hist *latency[XT_MAX_ARMS]; /* ns; by arm in which the transaction began; NULL where unused */
	/* Under a rate; else NULL. Latency counts from the intended start, service from the true one. */
	struct xt_hist *service, *lag;
	struct xt_command_sum *commands; /* XT_RUN sections of all scripts one after the other; NULL: not asked for */
	size_t command_count;
	double *figures; /* of the program (\figure), NaN: none counted; NULL: it has none */
	size_t figure_count;
	struct xt_script_sum *scripts; /* NULL: one script only */
	size_t script_count;
	struct xt_thread_sum *threads;
	size_t thread_count;
	pid_t *tids; /* of the workers of all visits: whose calls are ours */
	size_t tid_count;
	pid_t *servers; /* backends of the workers, where the driver knows them */
	size_t server_count;
};

/* Adds a value, or another worker's sum, to figure number i, which is NaN while nothing was counted. */
void xt_figure_add(const struct xt_program *program, int i, double *into, double value);

int xt_totals_init(struct xt_totals *totals, unsigned arms, struct xt_err *err);
void xt_totals_free(struct xt_totals *totals);

/* Whether the user asked to end. */
static inline bool xt_engine_ended(const struct xt_engine *engine)
{
	return engine->interrupted && atomic_load_explicit(engine->interrupted, memory_order_relaxed);
}

/* Runs one section once on each of `workers` workers (prepare, warmup, cleanup); \barrier waits for all. */
int xt_engine_section(const struct xt_engine *engine, enum xt_section section, unsigned workers, struct xt_err *err);

/* Runs the validate section on `workers` workers after a run of so many. transactions[i * scripts + s] is what
 * :transactions is for worker i in script s. checks: out, how many were made. The first \check that does not hold is
 * the error. */
struct xt_validation {
	unsigned workers;
	const uint64_t *transactions;
	uint64_t checks;
};
int xt_engine_validate(const struct xt_engine *engine, struct xt_validation *validation, struct xt_err *err);

/* Prepares the data where the driver says so: prepare section, replicate. */
int xt_engine_prepare(const struct xt_engine *engine, unsigned threads, struct xt_err *err);

/* Connects, warms up, runs, joins; adds to totals. On failure totals keep what was measured. */
int xt_engine_visit(const struct xt_engine *engine, const struct xt_visit *visit, struct xt_totals *totals,
                    struct xt_err *err);

/* Facts of the driver (version, settings as read back), from a connection of its own. */
int xt_engine_describe(const struct xt_engine *engine, void (*add)(void *ctx, const char *name, const char *value),
                       void *ctx, struct xt_err *err);

#endif
