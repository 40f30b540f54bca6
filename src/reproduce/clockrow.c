/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Look-ups in a clocks record.
 */
#include "reproduce/clockrow.h"

#include <math.h>
#include <string.h>

double xt_row_number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static int is(const json_t *row, const char *key, const char *text)
{
	const char *have = json_string_value(json_object_get(row, key));

	return have && !strcmp(have, text);
}

const json_t *xt_row_find(const json_t *clocks, const char *call, const char *path)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(clocks, "rows"), i,
	                   row) if (is(row, "call", call) && is(row, "path", path)) return row;
	return NULL;
}

double xt_row_ns(const json_t *clocks, const char *call, const char *path)
{
	return xt_row_number(xt_row_find(clocks, call, path), "ns");
}
