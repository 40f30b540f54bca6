/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Published series that a record's points carry beside what was measured.
 */
#ifndef XT_REPORT_REFERENCES_H
#define XT_REPORT_REFERENCES_H

#include <jansson.h>
#include <stddef.h>

enum { XT_REFERENCES = 8 };

struct xt_references {
	size_t n;
	const char *name[XT_REFERENCES];
};

/* The names in the order in which they first appear. */
void xt_references_list(const json_t *record, struct xt_references *out);
/* A point's row of that name, or NULL. */
const json_t *xt_references_find(const json_t *point, const char *name);
/* "June 2007", "Oct 2007 amd"; an unknown name as it is. */
const char *xt_references_label(const char *name);

#endif
