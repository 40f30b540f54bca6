/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The formats in which a record can be had.
 */
#include "record/record.h"
#include "report/report.h"

#include <string.h>

const struct xt_report_format xt_report_formats[] = {
	{"table", "plain text", xt_report_table, false, XT_PICTURE_SVG},
	{"json", "the record itself", xt_record_print, false, XT_PICTURE_SVG},
	{"csv", "named columns, one table per kind of row", xt_report_csv, false, XT_PICTURE_SVG},
	{"svg", "a picture, scalable (gnuplot)", NULL, true, XT_PICTURE_SVG},
	{"png", "a picture, pixels (gnuplot)", NULL, true, XT_PICTURE_PNG},
	{NULL, NULL, NULL, false, XT_PICTURE_SVG},
};

const struct xt_report_format *xt_report_format_find(const char *name)
{
	for (const struct xt_report_format *format = xt_report_formats; format->name; format++)
		if (!strcmp(format->name, name))
			return format;
	return NULL;
}
