/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * xtime-clocks32: the rows of lab/wordsize from a program of its own, which the build makes for i686, statically, where
 * there is a compiler for it. Prints and nothing else.
 */
#include "base/mono.h"
#include "lab/wordsize.h"

#include <math.h>
#include <stdio.h>

int main(void)
{
	struct xt_wordsize rows;

	xt_mono_init();
	if (xt_wordsize_measure(500000000, &rows, NULL))
		return 1;
	printf("bits %u\n", rows.bits);
	for (int i = 0; i < XT_WORDSIZE_ROWS; i++) {
		const struct xt_wordsize_row *row = &rows.row[i];

		if (isnan(row->ns))
			printf("%s %s n/t\n", row->call, xt_path_name(row->path));
		else
			printf("%s %s %.3f\n", row->call, xt_path_name(row->path), row->ns);
	}
	return 0;
}
