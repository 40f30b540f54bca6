/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A record's schema to its table.
 */
#include "report/checks.h"
#include "report/clocks.h"
#include "report/report.h"
#include "report/tables.h"
#include "report/view.h"

#include <errno.h>
#include <string.h>

int xt_report_table(const json_t *record, FILE *out, struct xt_err *err)
{
	static const struct {
		const char *schema;
		void (*print)(const json_t *record, FILE *out);
	} table[] = {
		{"xtime.ab/", xt_table_ab},
		{"xtime.run/", xt_table_run},
		{"xtime.reproduce/", xt_table_reproduce},
		{"xtime.clocks/", xt_report_clocks_table},
		{"xtime.verify/", xt_report_verify_table},
		{"xtime.coherence/", xt_report_coherence_table},
	};
	const char *schema = xt_view_text(record, "schema", "");
	size_t i, n = sizeof(table) / sizeof(*table);

	for (i = 0; i < n && strncmp(schema, table[i].schema, strlen(table[i].schema)) != 0; i++)
		;
	if (i == n)
		return xt_err_usage(err, "there is no table for schema '%.100s'", schema);
	table[i].print(record, out);
	if (fflush(out) || ferror(out))
		return xt_err_failed(err, "cannot write the table: %s", strerror(errno));
	return 0;
}
