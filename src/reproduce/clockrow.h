/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading figures out of a clocks record.
 */
#ifndef XT_REPRODUCE_CLOCKROW_H
#define XT_REPRODUCE_CLOCKROW_H

#include <jansson.h>

/* A member as a number; NAN for null, another type or nothing. */
double xt_row_number(const json_t *object, const char *key);

/* The row of a call by vdso, libc, syscall or none; NULL when the record has none. */
const json_t *xt_row_find(const json_t *clocks, const char *call, const char *path);
/* Its ns, gross; NAN when there is no such entry. */
double xt_row_ns(const json_t *clocks, const char *call, const char *path);

#endif
