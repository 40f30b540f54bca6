/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The slicer: flips arms block by block while the workers run. For engine/ only.
 */
#ifndef XT_ENGINE_SLICES_H
#define XT_ENGINE_SLICES_H

#include "engine/worker.h"

/* How many slices a visit can have, so how many credits each worker needs. */
int xt_slices_limit(const struct xt_visit *visit, uint64_t *out, struct xt_err *err);

/* Warm-up, then blocks until the time is over, the stop flag or an interrupt; returns with the stop flag set and the
 * word behind the last measured slice. The caller has let the workers through the gate. */
int xt_slices_run(struct xt_shared *shared, struct xt_worker *workers, const struct xt_visit *visit,
                  struct xt_totals *totals, struct xt_err *err);

/* After the workers are joined: credits of the slices that the last run appended, `first` on; an unfinished block is
 * dropped. */
void xt_slices_collect(const struct xt_shared *shared, const struct xt_worker *workers, struct xt_slicing *slicing,
                       size_t first);

/* Sleeps until the deadline or until the run is to end; false in the latter case. */
bool xt_slices_sleep(const struct xt_shared *shared, uint64_t deadline_ns);

#endif
