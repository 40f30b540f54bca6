/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims to JSON.
 */
#include "reproduce/claim.h"

static const char *const verdicts[] = {
	[XT_CLAIM_REPRODUCED] = "reproduced",
	[XT_CLAIM_PARTLY] = "partly",
	[XT_CLAIM_NOT] = "not",
	[XT_CLAIM_CANNOT_TELL] = "cannot_tell",
};

const char *xt_claim_verdict_name(enum xt_claim_verdict verdict)
{
	return verdicts[verdict];
}

static json_t *text(const char *s)
{
	return s && *s ? json_string(s) : json_null();
}

int xt_claim_add(json_t *claims, const struct xt_claim *claim)
{
	return json_array_append_new(
		claims, json_pack("{s:s, s:s, s:o, s:o, s:s, s:o}", "id", claim->id, "claim", claim->claim, "published",
	                          text(claim->published), "measured", text(claim->measured), "verdict",
	                          xt_claim_verdict_name(claim->verdict), "reason", text(claim->reason)));
}
