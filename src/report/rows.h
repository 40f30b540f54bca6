/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of records that are lists of rows.
 */
#ifndef XT_REPORT_ROWS_H
#define XT_REPORT_ROWS_H

/* Field names in their order, ending with NULL; NULL for another schema. */
const char *const *xt_rows_columns(const char *schema);

#endif
