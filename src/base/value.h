/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The values that scripts compute and drivers bind. Plain data; copying a value copies the pointer of a text,
 * whose bytes belong to whoever made it (a script variable, a literal, a driver's last result).
 */
#ifndef XT_BASE_VALUE_H
#define XT_BASE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum xt_type {
	XT_NULL,
	XT_BOOL,
	XT_INT,
	XT_DOUBLE,
	XT_TEXT, /* bytes, not NUL-terminated by contract */
};

struct xt_value {
	enum xt_type type;
	size_t len; /* XT_TEXT only: bytes at u.s */
	union {
		bool b;
		int64_t i;
		double d;
		const char *s;
	} u;
};

static inline struct xt_value xt_null(void)
{
	return (struct xt_value){.type = XT_NULL};
}

static inline struct xt_value xt_int(int64_t i)
{
	return (struct xt_value){.type = XT_INT, .u = {.i = i}};
}

static inline struct xt_value xt_text(const char *s, size_t len)
{
	return (struct xt_value){.type = XT_TEXT, .len = len, .u = {.s = s}};
}

/* Writes the value as pgbench prints it (integers as %ld, doubles as %.*g with DBL_DIG digits, true/false, NULL) into
 * buf of cap bytes, always terminated; returns the length that it has or would have, like snprintf. Locale-free. */
int xt_value_print(const struct xt_value *value, char *buf, size_t cap);

#endif
