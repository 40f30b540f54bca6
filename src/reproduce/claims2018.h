/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The claims of the 2018 mail on accurate file stamps, judged on a clocks record. Pure.
 */
#ifndef XT_REPRODUCE_CLAIMS2018_H
#define XT_REPRODUCE_CLAIMS2018_H

#include <jansson.h>

/* clocks: an xtime.clocks/1 record, with file_stamps and coarse where they were measured. New reference to the array
 * of claims; NULL when out of memory. */
json_t *xt_claims_2018(const json_t *clocks);

#endif
