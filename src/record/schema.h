/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fields that a record must have, so that readers of records can rely on their types.
 */
#ifndef XT_RECORD_SCHEMA_H
#define XT_RECORD_SCHEMA_H

#include "base/err.h"

#include <jansson.h>

/* Checks a whole record, for xtime.reproduce/1 the embedded ones too. USAGE naming the field, as points[2].threads. */
int xt_schema_check(const json_t *record, struct xt_err *err);

#endif
