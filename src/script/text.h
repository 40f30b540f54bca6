/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions on texts. A text that is made lives in a buffer of its caller, which keeps its memory from call to call.
 */
#ifndef XT_SCRIPT_TEXT_H
#define XT_SCRIPT_TEXT_H

#include "base/buf.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/value.h"

#define XT_TEXT_MAX (16u << 20) /* bytes that a script may build up */

/* From a template: # becomes a digit, @ a small letter, the rest stands. */
int xt_text_random(struct xt_rng *rng, const struct xt_value *pattern, struct xt_buf *buf, struct xt_value *out,
                   struct xt_err *err);
/* args[0] and args[1] one behind the other, numbers as they are printed. Neither may lie in buf, and neither is NULL.
 */
int xt_text_concat(const struct xt_value *args, struct xt_buf *buf, struct xt_value *out, struct xt_err *err);
/* Whether args[0] has args[1] in it; both must be texts. */
int xt_text_contains(const struct xt_value *args, struct xt_value *out, struct xt_err *err);
/* Of a text in UTF-8: its characters. */
int xt_text_length(const struct xt_value *text, struct xt_value *out, struct xt_err *err);
/* The characters from .. from + count - 1, counted from 1, as far as they are there; *out points into the text. */
int xt_text_part(const struct xt_value *text, int64_t from, int64_t count, struct xt_value *out, struct xt_err *err);

#endif
