/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts from templates: # becomes a digit, @ a small letter, the rest stands.
 */
#ifndef XT_SCRIPT_RANDOM_TEXT_H
#define XT_SCRIPT_RANDOM_TEXT_H

#include "base/buf.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/value.h"

/* The text is made in buf, which keeps its memory from call to call; out points into it. */
int xt_random_text(struct xt_rng *rng, const struct xt_value *pattern, struct xt_buf *buf, struct xt_value *out,
                   struct xt_err *err);

#endif
