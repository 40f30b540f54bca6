/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The formats in which a record can be had.
 */
#include "record/record.h"
#include "report/report.h"

#include <string.h>

const struct xt_report_format xt_report_formats[] = {
	{"table", "plain text", xt_report_table, XT_PICTURE_SVG, false},
	{"json", "the record itself", xt_record_print, XT_PICTURE_SVG, true},
	{"csv", "named columns, one table per kind of row", xt_report_csv, XT_PICTURE_SVG, false},
	{"svg", "a picture, scalable (gnuplot)", NULL, XT_PICTURE_SVG, true},
	{"png", "a picture, pixels (gnuplot)", NULL, XT_PICTURE_PNG, true},
	{"html", "one self-contained page", xt_report_html, XT_PICTURE_SVG, true},
	{"sysbench", "a run as sysbench 1.0.20 prints it", xt_report_sysbench, XT_PICTURE_SVG, false},
	{"pgbench", "a run as pgbench 15 prints it", xt_report_pgbench, XT_PICTURE_SVG, false},
	{NULL, NULL, NULL, XT_PICTURE_SVG, false},
};

const struct xt_report_format *xt_report_format_find(const char *name)
{
	for (const struct xt_report_format *format = xt_report_formats; format->name; format++)
		if (!strcmp(format->name, name))
			return format;
	return NULL;
}
