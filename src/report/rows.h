/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of records that are lists of rows.
 */
#ifndef XT_REPORT_ROWS_H
#define XT_REPORT_ROWS_H

#include <jansson.h>
#include <stddef.h>

/* Field names in their order, ending with NULL; NULL for another schema. */
const char *const *xt_rows_columns(const char *schema);

/* A value of any kind for people, as short as it is exact enough to read; '-' for null. */
void xt_rows_value(const json_t *value, char *buf, size_t cap);

#endif
