/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dose and response: arms that differ only in the time that is added to each clock read. What a transaction loses per
 * added nanosecond, how many reads that makes, and how dear a read may be before throughput drops 1 %. For ab/ only.
 */
#ifndef XT_AB_DOSE_H
#define XT_AB_DOSE_H

#include "ab/point.h"

/* A figure with its 95 % interval; NAN where there is none. */
struct xt_range {
	double value, lo, hi;
};

struct xt_dose {
	struct xt_range loss;       /* of throughput per added ns, as a share (1e-4: 0.01 % per ns) */
	struct xt_range calls;      /* reads per transaction that this makes */
	double counted;             /* reads per transaction as counted, of the swapped functions */
	struct xt_range break_even; /* ns per read that cost 1 % of the base's throughput */
};

/* Per block, least squares through the base: t_i = t_0 + calls x added_i, with t = W / rate; located over the blocks as
 * ratios are. What an arm adds is its measured cost less the base's, under the point's load. `calls` takes the cooling
 * of caches for what a prediction takes it for; its interval reaches from reads that cost their own time alone to such
 * as cost a fifth of it beyond. loss and break_even are per ns of the read itself. -1: out of memory. */
int xt_dose_fit(const struct xt_point *point, const struct xt_ab *ab, const struct xt_point_result *result,
                struct xt_dose *out);

/* The record's `dose` of a point. */
json_t *xt_dose_json(const struct xt_dose *dose, const struct xt_ab *ab);

#endif
