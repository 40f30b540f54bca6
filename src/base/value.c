/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printing of values.
 */
#include "base/value.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int xt_value_print(const struct xt_value *value, char *buf, size_t cap)
{
	switch (value->type) {
	case XT_BOOL:
		return snprintf(buf, cap, "%s", value->u.b ? "true" : "false");
	case XT_INT:
		return snprintf(buf, cap, "%" PRId64, value->u.i);
	case XT_DOUBLE:
		if (isnan(value->u.d))
			return snprintf(buf, cap, "NaN");
		if (isinf(value->u.d))
			return snprintf(buf, cap, value->u.d < 0 ? "-Infinity" : "Infinity");
		return snprintf(buf, cap, "%.*g", DBL_DIG, value->u.d);
	case XT_TEXT:
		if (cap) {
			size_t n = value->len < cap - 1 ? value->len : cap - 1;

			memcpy(buf, value->u.s, n);
			buf[n] = '\0';
		}
		return (int)value->len;
	case XT_NULL:
		break;
	}
	return snprintf(buf, cap, "NULL");
}
