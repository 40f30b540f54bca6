/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names to slots: every variable that a program mentions gets one number, and scripts run on numbers alone. Also what
 * each variable holds before any script runs.
 */
#ifndef XT_SCRIPT_VARS_H
#define XT_SCRIPT_VARS_H

#include "base/value.h"
#include "script/arena.h"

#include <stdbool.h>
#include <stddef.h>

#define XT_NAME_MAX 255

struct xt_var {
	const char *name;
	size_t len;
	bool defined; /* -D: beats options and automatic variables */
	bool option;  /* declared by \option */
	bool set;     /* value holds something */
	bool wire;    /* a text as it came from outside: numbers in it count as numbers */
	struct xt_value value;
};

struct xt_vars {
	struct xt_var *items;
	size_t count, cap;
	int *buckets; /* slot + 1, 0 = free; a power of two */
	size_t bucket_count;
};

/* Letters (any byte beyond ASCII), digits and underscores, not beginning with a digit, at most XT_NAME_MAX bytes. */
bool xt_vars_valid_name(const char *name, size_t len);
bool xt_vars_name_start(char c);
bool xt_vars_name_char(char c);

/* The slot of a name, or -1. */
int xt_vars_find(const struct xt_vars *vars, const char *name, size_t len);
/* The slot of a name, new when need be; -1 when out of memory. */
int xt_vars_intern(struct xt_vars *vars, struct xt_arena *arena, const char *name, size_t len);

#endif
