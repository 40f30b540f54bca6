/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A script's text and where in it something stands: line and column for messages, the line itself with a caret.
 */
#ifndef XT_SCRIPT_ORIGIN_H
#define XT_SCRIPT_ORIGIN_H

#include "base/err.h"

#include <stddef.h>

struct xt_origin {
	const char *name; /* what messages call it */
	const char *text;
	size_t len;
	struct xt_origin *parent; /* the file that includes this one, and where; NULL for none */
	size_t parent_offset;

	/* The place asked for last: scripts are read forward, so that counting goes on from here. */
	size_t cursor;
	int line, column;
};

void xt_origin_init(struct xt_origin *origin, const char *name, const char *text, size_t len);
/* Line and column, both from 1; a column is a code point (a tab is one). */
void xt_origin_position(struct xt_origin *origin, size_t offset, int *line, int *column);
/* USAGE error "name:line:column: what", the line, a caret below the offset; says which file included this one. */
int xt_origin_error(struct xt_origin *origin, size_t offset, struct xt_err *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
