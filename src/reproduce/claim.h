/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One claim of a published text, checked: the form that all three reproductions share.
 */
#ifndef XT_REPRODUCE_CLAIM_H
#define XT_REPRODUCE_CLAIM_H

#include <jansson.h>

enum xt_claim_verdict {
	XT_CLAIM_REPRODUCED,
	XT_CLAIM_PARTLY,
	XT_CLAIM_NOT,
	XT_CLAIM_CANNOT_TELL,
};

const char *xt_claim_verdict_name(enum xt_claim_verdict verdict); /* "reproduced", "partly", "not", "cannot_tell" */

struct xt_claim {
	const char *id;
	const char *claim;     /* in our words */
	const char *published; /* the figures of the source; NULL: none */
	char measured[512];    /* ours */
	enum xt_claim_verdict verdict;
	char reason[512];
};

/* Appends {id, claim, published, measured, verdict, reason}; an empty text is null. -1: out of memory. */
int xt_claim_add(json_t *claims, const struct xt_claim *claim);

#endif
