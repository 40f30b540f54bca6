/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts made and searched. Of random ones, one draw of 64 bits serves several characters: it is read as a fraction, and
 * multiplying by the size of the alphabet yields a character as the whole part and the next fraction as the rest.
 */
#include "script/text.h"

#include <stdint.h>
#include <string.h>

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

int xt_text_random(struct xt_rng *rng, const struct xt_value *pattern, struct xt_buf *buf, struct xt_value *out,
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

static void add(struct xt_buf *buf, const struct xt_value *value)
{
	char text[512];

	if (value->type == XT_TEXT) {
		xt_buf_add(buf, value->u.s, value->len);
	} else {
		xt_value_print(value, text, sizeof(text));
		xt_buf_puts(buf, text);
	}
}

int xt_text_concat(const struct xt_value *args, struct xt_buf *buf, struct xt_value *out, struct xt_err *err)
{
	xt_buf_reset(buf);
	add(buf, &args[0]);
	add(buf, &args[1]);
	if (buf->failed || buf->len > XT_TEXT_MAX)
		return xt_err_failed(err, "text is too long");
	*out = xt_text(buf->data ? buf->data : "", buf->len);
	return 0;
}

int xt_text_contains(const struct xt_value *args, struct xt_value *out, struct xt_err *err)
{
	if (args[0].type != XT_TEXT || args[1].type != XT_TEXT)
		return xt_err_failed(err, "contains() needs two texts");
	*out = (struct xt_value){.type = XT_BOOL};
	out->u.b = args[1].len == 0 || memmem(args[0].u.s, args[0].len, args[1].u.s, args[1].len);
	return 0;
}
