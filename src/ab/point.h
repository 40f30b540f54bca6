/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One thread count of a sweep: what its visits gave so far, and what follows from it. For ab/ only.
 */
#ifndef XT_AB_POINT_H
#define XT_AB_POINT_H

#include "ab/ab.h"
#include "stats/compare.h"

/* Calls by function and arm. */
struct xt_calls {
	uint64_t of[XT_FUNCTIONS][XT_MAX_ARMS];
};

struct xt_point {
	unsigned threads;
	unsigned visits, visits_wanted;
	double slice_ms; /* of the first visit */
	struct xt_slicing slicing;
	struct xt_totals totals;
	struct xt_cost_pool cost; /* of a call, with as many CPUs busy as this point keeps busy */
	struct xt_calls client;   /* our workers */
	struct xt_calls server;   /* our own backends */
	struct xt_calls others;   /* parallel workers, background processes, this process's other threads */
};

int xt_point_init(struct xt_point *point, const struct xt_ab *ab, unsigned threads, struct xt_err *err);
void xt_point_free(struct xt_point *point);

/* Blocks whose slices were all flipped in time: per block the rate (statements / s) of each arm. Returns how many were
 * kept; rates has room for blocks * arms. */
size_t xt_point_rates(const struct xt_point *point, unsigned arms, double *rates, size_t *dropped);

struct xt_point_arm {
	double seconds, tps, tps_lo, tps_hi;
	double typical; /* median over blocks of the slice rate, as tps */
	uint64_t statements;
};

struct xt_point_comparison {
	struct xt_estimate estimate;
	enum xt_verdict verdict;
	double predicted;
	double ratio_of_totals;
};

/* All that the record says of a point. */
struct xt_point_result {
	size_t blocks, dropped;
	double statements_per_transaction;
	double calls[XT_FUNCTIONS];        /* per transaction: client and our backends */
	double calls_client[XT_FUNCTIONS]; /* per transaction */
	struct xt_cost cost[XT_MAX_ARMS];  /* under this point's load */
	struct xt_point_arm arm[XT_MAX_ARMS];
	struct xt_point_comparison comparison[XT_MAX_ARMS]; /* [i]: arm i against arm 0; [arms]: the control */
};

int xt_point_evaluate(const struct xt_point *point, const struct xt_ab *ab, struct xt_point_result *out,
                      struct xt_err *err);

/* How much of the measured cooling a database feels. Measured: what 1 us spent in time() cost oltp_time on SQLite
 * beyond that time, in memory and on WAL files, one and two threads, over what a walk found: the
 * median of 68 points is 0.53, half of them lie between 0.35 and 0.91; one machine. */
#define XT_POINT_COOLING 0.6
/* That, or 0 where some arm enters the kernel: such a read takes its caller's lines whether it waits or not. */
double xt_point_coolings(const struct xt_ab *ab);

/* What a read costs its caller under an arm, so many times the measured cooling of its caches included. NAN: not
 * measured. */
double xt_point_cost(const struct xt_point_result *r, unsigned arm, unsigned fn, double coolings);

/* Whether the experiment swaps a function: the server's and the client's calls of it obey the arm. */
bool xt_point_swaps(const struct xt_ab *ab, unsigned fn);

/* How many CPUs the point keeps busy: W of the prediction. */
unsigned xt_point_busy(const struct xt_point *point, const struct xt_ab *ab);

/* Whether an arm was called at all: the swapped functions' calls under it. */
uint64_t xt_point_calls_under(const struct xt_point *point, const struct xt_ab *ab, unsigned arm);

/* The record's object for the point. New reference; NULL when out of memory. */
json_t *xt_point_json(const struct xt_point *point, const struct xt_ab *ab, const struct xt_point_result *result);
/* The record's `arms`. */
json_t *xt_ab_arms_json(const struct xt_ab *ab, const struct xt_cost *cost);

#endif
