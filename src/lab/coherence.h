/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Can one reading of the wall clock be behind an earlier one? Ordered pairs of time(), gettimeofday(),
 * clock_gettime(CLOCK_REALTIME) and CLOCK_REALTIME_COARSE, read through libc's symbols and so through the shim where
 * the process is under it. The judgement of a pair is a pure function; the engine feeds it from one thread, from
 * several threads or from several processes. Nothing here prints, and nothing decides what a record says.
 */
#ifndef XT_LAB_COHERENCE_H
#define XT_LAB_COHERENCE_H

#include "base/err.h"
#include "shim/page.h"

#include <stdbool.h>
#include <stdint.h>

enum xt_reading {
	XT_READ_TIME,
	XT_READ_GETTIMEOFDAY,
	XT_READ_REALTIME,
	XT_READ_COARSE,
	XT_READINGS,
};

enum xt_scope {
	XT_SCOPE_THREAD,    /* one thread, each reading against the one before it */
	XT_SCOPE_THREADS,   /* each reading against the latest that any thread has published */
	XT_SCOPE_PROCESSES, /* the same over processes */
	XT_SCOPES,
};

const char *xt_reading_name(enum xt_reading reading); /* "time", "gettimeofday", ... */
const char *xt_scope_name(enum xt_scope scope);       /* "thread", ... */

/* How an ordered pair of readings stands. */
enum xt_pair {
	XT_PAIR_OK,
	XT_PAIR_LAG,      /* the second is behind, within what its clock may lag: two ticks for time() and coarse */
	XT_PAIR_BACKWARD, /* behind by more than that */
};

/* ns of the smallest step that a reading can show: 1 s for time(), 1 us for gettimeofday(), else 1. */
uint64_t xt_reading_unit_ns(enum xt_reading reading);

/* Judges "second was read after first" (both ns since the epoch). unit_ns belongs to the second's function: a reading
 * v stands for [v, v + unit_ns). *lag_ns (when behind): how far first is past that interval. */
enum xt_pair xt_pair_judge(uint64_t first_ns, uint64_t second_ns, uint64_t unit_ns, uint64_t tolerance_ns,
                           uint64_t *lag_ns);

/* clock_getres(CLOCK_REALTIME_COARSE) in ns; 0 when it is not known. */
uint64_t xt_coarse_tick_ns(void);

struct xt_cell {
	uint64_t reads;      /* pairs judged */
	uint64_t violations; /* second behind first, by however much */
	uint64_t backward;   /* of these, beyond the tolerance */
	uint64_t max_lag_ns;
};

struct xt_coherence {
	struct xt_cell cell[XT_READINGS][XT_READINGS]; /* [first][second] */
	uint64_t boundaries;                           /* of the second, passed while reading */
	/* Differences of two readings of one function without another between, by bit length; scope thread only. */
	uint64_t differences[XT_READINGS][65];
};

struct xt_coherence_setup {
	unsigned readings; /* set of 1 << enum xt_reading; 2 at least */
	enum xt_scope scope;
	unsigned workers; /* threads or processes; 1 in scope thread */
	uint64_t duration_ns;
	uint64_t tolerance_ns[XT_READINGS]; /* by second reading */
};

/* Fills the tolerances: two ticks for time() and coarse, or twice resolution_ns for all where that is longer (a
 * plugin's own statement; 0 for none). */
void xt_coherence_tolerances(uint64_t tick_ns, uint64_t resolution_ns, uint64_t out[XT_READINGS]);

/* Reads for setup->duration_ns without sleeping in between, and adds up what it saw in *out. Other threads
 * of the process may run on, but must hold no lock that a reading needs. A signal ends it early, with what was seen so
 * far. */
int xt_coherence_run(const struct xt_coherence_setup *setup, struct xt_coherence *out, struct xt_err *err);

/* The functions (time, gettimeofday, clock_gettime) that the arm's source can serve, as XT_SWAP_* bits. */
unsigned xt_lab_swap_of(const struct xt_arm *arm);

/* Puts one arm under the process: descriptor 0, the functions of swap replaced, the word flipped to it. */
int xt_lab_use_arm(struct xt_page *page, const struct xt_arm *arm, const char *plugin, unsigned swap,
                   struct xt_err *err);

/* gettimeofday(), then time(), over several threads under one arm: what the 2007 mails argue about. */
struct xt_mix {
	uint64_t pairs;          /* readings of time() held against the latest gettimeofday() of any thread */
	uint64_t violations;     /* time() gave an earlier second */
	uint64_t backward_steps; /* of any reading, beyond two ticks */
	uint64_t boundaries;
	double max_lag_ms; /* how far the fine clock was into the new second when time() still gave the old one */
	double tick_ms;
};
int xt_lab_coherence_mix(struct xt_page *page, const struct xt_arm *arm, unsigned threads, uint64_t duration_ns,
                         struct xt_mix *out, struct xt_err *err);

#endif
