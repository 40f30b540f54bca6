/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the lab measured, as the fields of records that DESIGN section 8 names. The only files of the lab that know
 * JSON.
 */
#ifndef XT_LAB_RECORD_H
#define XT_LAB_RECORD_H

#include "lab/clocks.h"
#include "lab/coherence.h"
#include "lab/stamps.h"
#include "lab/verify.h"

#include <jansson.h>

/* Adds threads, counter_hz, refused and rows to a record. -1: out of memory. */
int xt_clocks_to_record(const struct xt_clocks *clocks, json_t *record);

/* Adds one element to the record's file_stamps; folder is NULL for tmpfs. */
int xt_stamps_to_record(const struct xt_stamps *stamps, const char *folder, json_t *record);

/* Adds coarse {hz, per_second, steps, min_zeros, max_lag_ns}. */
int xt_coarse_to_record(const struct xt_coarse_steps *steps, json_t *record);

/* Adds rows of a verify record. */
int xt_checks_to_record(const struct xt_checks *checks, json_t *record);

/* Appends the rows of one implementation in one scope to a coherence record, and in scope thread its differences
 * [{implementation, call, log2_ns: [how many differences have so many bits]}]. */
int xt_coherence_to_record(const struct xt_coherence *seen, const char *implementation, enum xt_scope scope,
                           json_t *record);

#endif
