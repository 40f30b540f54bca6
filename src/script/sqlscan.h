/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SQL as text: where a statement ends, what kind it is, which variables it mentions. Nothing here knows a table or a
 * column: statements are cut and filled in, never understood or changed.
 */
#ifndef XT_SCRIPT_SQLSCAN_H
#define XT_SCRIPT_SQLSCAN_H

#include "base/buf.h"
#include "script/origin.h"
#include "script/script.h"

#include <stdbool.h>
#include <stddef.h>

enum xt_sql_end {
	XT_SQL_END_SEMICOLON,
	XT_SQL_END_BACKSLASH, /* a meta-command follows; the position is on its backslash */
	XT_SQL_END_FILE,
};

struct xt_sql_scan {
	struct xt_buf text; /* blanks and comments before and blanks behind are off, \; is a plain ; */
	size_t start;       /* offset of its first byte */
	enum xt_sql_end end;
	struct xt_buf joints; /* size_t each: where in the text a \; stands */
};

/* Reads one statement from *pos on and steps behind it. The text is empty when nothing but blanks and comments came. */
int xt_sql_scan(struct xt_origin *origin, size_t *pos, struct xt_sql_scan *scan, struct xt_err *err);

/* A text that holds nothing to execute: blanks, comments, semicolons. */
bool xt_sql_blank(const char *text, size_t len);
enum xt_sql_kind xt_sql_classify(const char *text, size_t len);

/* What a text mentions from *pos on: the next :name or :{name}, or nothing. */
struct xt_sql_mention {
	size_t start, end; /* of the mention, colon and braces included */
	const char *name;
	size_t len;
	bool interpolate;
};
bool xt_sql_next_mention(const char *text, size_t len, size_t pos, struct xt_sql_mention *mention);

/* The offset behind the quoted text, comment or dollar quote that begins at pos, or pos when none does. An unclosed one
 * ends at len, and *open (may be NULL) says so. */
size_t xt_sql_skip(const char *text, size_t len, size_t pos, bool *open);

#endif
