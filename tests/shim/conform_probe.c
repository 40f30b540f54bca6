/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Says what the conformance run has to say of each plugin on its command line.
 */
#include "base/mono.h"
#include "lab/conform.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	xt_mono_init();
	for (int i = 1; i < argc; i++) {
		struct xt_err err = {0};

		printf("%s\n", xt_lab_conform(argv[i], &err) ? err.text : "passes");
		fflush(stdout);
	}
	return 0;
}
