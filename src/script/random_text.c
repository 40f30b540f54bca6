/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random texts. One draw of 64 bits serves several characters: it is read as a fraction, and multiplying by the size
 * of the alphabet yields a character as the whole part and the next fraction as the rest.
 */
#include "script/random_text.h"

#include <stdint.h>

/* After eight characters at least 26 bits of the fraction are left: the bias is far below what can be seen. */
#define PER_DRAW 8

struct source {
	struct xt_rng *rng;
	uint64_t fraction;
	int left;
};

static unsigned draw(struct source *source, unsigned alphabet)
{
	uint64_t high, low;

	if (source->left == 0) {
		source->fraction = xt_rng_u64(source->rng);
		source->left = PER_DRAW;
	}
	source->left--;
	low = (source->fraction & UINT32_MAX) * alphabet;
	high = (source->fraction >> 32) * alphabet + (low >> 32);
	source->fraction = high << 32 | (low & UINT32_MAX);
	return (unsigned)(high >> 32);
}

int xt_random_text(struct xt_rng *rng, const struct xt_value *pattern, struct xt_buf *buf, struct xt_value *out,
                   struct xt_err *err)
{
	struct source source = {.rng = rng};

	if (pattern->type != XT_TEXT)
		return xt_err_failed(err, "random_string() needs a text");
	xt_buf_reset(buf);
	xt_buf_add(buf, pattern->u.s, pattern->len);
	if (buf->failed)
		return xt_err_failed(err, "out of memory");
	for (size_t i = 0; i < pattern->len; i++) {
		if (pattern->u.s[i] == '#')
			buf->data[i] = (char)('0' + draw(&source, 10));
		else if (pattern->u.s[i] == '@')
			buf->data[i] = (char)('a' + draw(&source, 26));
	}
	*out = xt_text(buf->data, buf->len);
	return 0;
}
