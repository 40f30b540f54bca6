/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * References of clocks records. Absent figures are null.
 */
#include "reproduce/clockrefs.h"

#include "record/record.h"
#include "reproduce/claims2019.h"
#include "reproduce/clockrow.h"
#include "reproduce/figures.h"

#include <stdbool.h>
#include <string.h>

static int add_series(json_t *clocks, const char *name, bool compared, json_t *rows)
{
	if (!json_object_get(clocks, "references"))
		json_object_set_new(clocks, "references", json_array());
	return json_array_append_new(json_object_get(clocks, "references"),
	                             json_pack("{s:s, s:b, s:o}", "name", name, "compared", compared, "rows", rows));
}

int xt_references_2018(json_t *clocks)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < xt_figures_2018_count; i++) {
		const struct xt_figure_2018 *f = &xt_figures_2018[i];
		const char *call =
			strcmp(f->clock, "coarse") ? "clock-gettime-realtime" : "clock-gettime-realtime-coarse";

		json_array_append_new(rows, json_pack("{s:s, s:s, s:o, s:o}", "call", call, "path", f->path,
		                                      "published_ns", xt_json_number(f->ns), "ns",
		                                      xt_json_number(xt_row_ns(clocks, call, f->path))));
	}
	/* "about 400 ns", the mail says of a write of one byte. */
	json_array_append_new(rows, json_pack("{s:s, s:s, s:o, s:o}", "call", "pwrite-tmpfs", "path", "none",
	                                      "published_ns", xt_json_number(400), "ns",
	                                      xt_json_number(xt_row_ns(clocks, "pwrite-tmpfs", "none"))));
	return add_series(clocks, "2018-06", false, rows);
}

int xt_references_2019(json_t *clocks, const json_t *old)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < xt_figures_2019_count; i++) {
		const struct xt_figure_2019 *f = &xt_figures_2019[i];

		json_array_append_new(rows, json_pack("{s:s, s:o, s:o, s:o, s:o}", "call", f->call,
		                                      "published_before_ns", xt_json_number(f->before_ns),
		                                      "published_after_ns", xt_json_number(f->after_ns), "before_ns",
		                                      xt_json_number(xt_2019_before(clocks, old, f->call)), "after_ns",
		                                      xt_json_number(xt_2019_after(clocks, f->call))));
	}
	return add_series(clocks, "2019-06", old != NULL, rows);
}
