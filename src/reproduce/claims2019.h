/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The claims of the 2019 mail on the unified vDSO, judged on one clocks record (system call against vDSO, since one
 * machine has one kernel) or on two of two kernels. Pure.
 */
#ifndef XT_REPRODUCE_CLAIMS2019_H
#define XT_REPRODUCE_CLAIMS2019_H

#include <jansson.h>

/* The figure that stands for "before" of a call: the old record's vDSO, or without one this record's system call; and
 * for "after": this record's vDSO. NAN: n/t. */
double xt_2019_before(const json_t *clocks, const json_t *old, const char *call);
double xt_2019_after(const json_t *clocks, const char *call);

/* old: NULL, or the clocks record of another kernel on the same machine. New reference to the array of claims; NULL
 * when out of memory. */
json_t *xt_claims_2019(const json_t *clocks, const json_t *old);

#endif
