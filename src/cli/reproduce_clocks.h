/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reproductions that are about the clock alone: 2018 (the mail's four lines, and the cost of file stamps) and 2019
 * (vdsotest's table). One clocks record serves both.
 */
#ifndef XT_CLI_REPRODUCE_CLOCKS_H
#define XT_CLI_REPRODUCE_CLOCKS_H

#include "base/err.h"
#include "lab/wordsize.h"

#include <jansson.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct xt_reproduce_clocks {
	bool mail_2018, mail_2019;
	uint64_t duration_ns; /* of the clock rows; file stamps take two seconds more */
	uint64_t seed;
	const char *compare; /* a clocks record of another kernel, for 2019; NULL: none */
	const atomic_int *interrupted;
	int argc;
	char **argv;
};

/* Checks what can be known before anything is run: the old record. */
int xt_reproduce_clocks_check(const struct xt_reproduce_clocks *setup, struct xt_err *err);

/* Measures, and appends a clocks record with its references to records, and the claims to claims. */
int xt_reproduce_clocks_add(const struct xt_reproduce_clocks *setup, json_t *records, json_t *claims,
                            struct xt_err *err);

/* The rows of this program, and of the 32-bit one where the build has made it (beside the binary, else in the package's
 * folder). sizes is where they are kept; NULL for what could not be had. */
void xt_reproduce_word_sizes(struct xt_wordsize sizes[2], const struct xt_wordsize **native,
                             const struct xt_wordsize **narrow);

#endif
