/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the mails claim, and whether a measurement bears it out: pure functions from records and probe results to the
 * `claims` of a record. A claim that is not reproduced is a result, not a failure.
 */
#ifndef XT_REPRODUCE_CLAIMS_H
#define XT_REPRODUCE_CLAIMS_H

#include "lab/coherence.h"
#include "lab/probe.h"

#include <jansson.h>
#include <stdbool.h>

enum xt_claim_verdict {
	XT_REPRODUCED,
	XT_PARTLY,
	XT_NOT_REPRODUCED,
	XT_CANNOT_TELL,
};

const char *xt_claim_verdict_name(enum xt_claim_verdict verdict); /* "reproduced", "partly", "not", "cannot_tell" */

/* A claim in the making: fixed words, and what was found. */
struct xt_claim {
	const char *id;
	const char *claim;     /* in our words, with who says it */
	const char *published; /* the figures or the sentence that it rests on */
	enum xt_claim_verdict verdict;
	char measured[256];
	char reason[512];
};

/* Appends to the array `claims`. */
void xt_claim_append(json_t *claims, const struct xt_claim *claim);

/* gain, size, shape, merged: from a record of schema xtime.ab/1 (first arm against base; its points). */
void xt_claims_2007_append(json_t *claims, const json_t *ab);

/* coherent, vdso-write, glibc. NULL: could not be measured. */
struct xt_probes_2007 {
	const struct xt_mix *libc, *syscall_time, *coherent;
	const struct xt_vvar *vvar;
	const struct xt_libc_time *libc_time;
};
void xt_claims_2007_append_probes(json_t *claims, const struct xt_probes_2007 *probes);

#endif
