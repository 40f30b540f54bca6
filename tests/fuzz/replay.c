/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs the fuzz target on files, one after another: the kept corpus as a test, without a fuzzer.
 */
#include "base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct xt_buf buf = {0};

		if (xt_buf_read_file(&buf, argv[i], (size_t)1 << 20)) {
			fprintf(stderr, "cannot read %s\n", argv[i]);
			return 1;
		}
		printf("%s\n", argv[i]);
		fflush(stdout);
		LLVMFuzzerTestOneInput((const uint8_t *)buf.data, buf.len);
		xt_buf_free(&buf);
	}
	printf("%d inputs replayed\n", argc - 1);
	return 0;
}
