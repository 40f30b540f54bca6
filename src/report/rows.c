/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of clocks, verify and coherence, as CSV has them.
 */
#include "report/rows.h"

#include <stdio.h>
#include <string.h>

static const char *const clocks[] = {"call",   "path",          "source",    "ns", "ci95",
                                     "ns_net", "resolution_ns", "available", NULL};
static const char *const verify[] = {"call", "path", "source", "check", "tried", "failures", "detail", NULL};
static const char *const coherence[] = {"implementation", "first",      "second",     "scope",
                                        "reads",          "boundaries", "violations", "max_lag_ms",
                                        "backward_steps", "info",       NULL};

const char *const *xt_rows_columns(const char *schema)
{
	if (!strncmp(schema, "xtime.clocks/", 13))
		return clocks;
	if (!strncmp(schema, "xtime.verify/", 13))
		return verify;
	return strncmp(schema, "xtime.coherence/", 16) ? NULL : coherence;
}

void xt_rows_value(const json_t *value, char *buf, size_t cap)
{
	if (json_is_string(value))
		snprintf(buf, cap, "%s", json_string_value(value));
	else if (json_is_boolean(value))
		snprintf(buf, cap, json_is_true(value) ? "yes" : "no");
	else if (json_is_integer(value))
		snprintf(buf, cap, "%lld", (long long)json_integer_value(value));
	else if (json_is_real(value))
		snprintf(buf, cap, "%.2f", json_real_value(value));
	else if (json_array_size(value) == 2)
		snprintf(buf, cap, "[%.2f, %.2f]", json_number_value(json_array_get(value, 0)),
		         json_number_value(json_array_get(value, 1)));
	else
		snprintf(buf, cap, "-");
}
