/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the published series of a record.
 */
#include "report/references.h"

#include "report/view.h"

#include <string.h>

void xt_references_list(const json_t *record, struct xt_references *out)
{
	json_t *point, *row;
	size_t p, r, known;

	out->n = 0;
	json_array_foreach(json_object_get(record, "points"), p, point)
	{
		json_array_foreach(json_object_get(point, "references"), r, row)
		{
			const char *name = xt_view_text(row, "name", "");

			for (known = 0; known < out->n && strcmp(out->name[known], name) != 0; known++)
				;
			if (known == out->n && out->n < XT_REFERENCES)
				out->name[out->n++] = name;
		}
	}
}

const json_t *xt_references_find(const json_t *point, const char *name)
{
	json_t *row;
	size_t i;

	json_array_foreach(json_object_get(point, "references"), i, row)
	{
		if (!strcmp(xt_view_text(row, "name", ""), name))
			return row;
	}
	return NULL;
}

const char *xt_references_label(const char *name)
{
	static const char *const label[][2] = {
		{"2007-06", "June 2007"},
		{"2007-10-amd", "Oct 2007 amd"},
		{"2007-10-intel", "Oct 2007 intel"},
	};

	for (size_t i = 0; i < sizeof(label) / sizeof(*label); i++)
		if (!strcmp(label[i][0], name))
			return label[i][1];
	return name;
}
