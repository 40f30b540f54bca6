/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The coordinator of a visit without slices. For engine/ only.
 */
#ifndef XT_ENGINE_PLAIN_H
#define XT_ENGINE_PLAIN_H

#include "engine/worker.h"

#define XT_FIRST_SLICE (UINT64_C(1) << 8)

/* Intervals and checkpoints: what was seen at the last look. */
struct xt_watch;

/* NULL without an error when neither is asked for; NULL and err when out of memory. */
struct xt_watch *xt_watch_new(const struct xt_visit *visit, struct xt_err *err);
void xt_watch_free(struct xt_watch *watch);
/* A phase (warm-up, measured time) begins at begin_ns and lasts length_ns, 0: nobody knows. */
void xt_watch_begin(struct xt_watch *watch, uint64_t begin_ns, uint64_t length_ns, bool warm_up);
/* The moment of the next look, UINT64_MAX when there is none. watch may be NULL here and below. */
uint64_t xt_watch_next(const struct xt_watch *watch);
/* The moment of the last look (or of the phase's begin). */
uint64_t xt_watch_last(const struct xt_watch *watch);
/* Looks when it is time. */
void xt_watch_tick(struct xt_watch *watch, struct xt_shared *shared, struct xt_worker *workers, uint64_t now_ns);
/* The phase is over: its last interval. Of the measured time: call it when the workers are joined. */
void xt_watch_end(struct xt_watch *watch, struct xt_shared *shared, struct xt_worker *workers, uint64_t end_ns);

/* Warm-up and one long slice; ends by time, events or interrupt, with the stop flag set. */
void xt_plain_run(struct xt_shared *shared, struct xt_worker *workers, const struct xt_visit *visit,
                  struct xt_watch *watch, struct xt_totals *totals);

#endif
