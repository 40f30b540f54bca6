/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts made and searched. Random characters come several to a draw: a draw of 64 bits makes two numbers of eight
 * digits, or eight letters, by reading its bits as a fraction.
 */
#include "script/text.h"

#include <stdint.h>
#include <string.h>

/* After eight letters at least 26 bits of the fraction are left: the bias is far below what can be seen. */
#define LETTERS 8

struct source {
	struct xt_rng *rng;
	char digits[16];
	int digits_left;
	uint64_t fraction;
	int letters_left;
};

static const char pairs[] =
	"00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445"
	"46474849505152535455565758596061626364656667686970717273747576777879808182838485868788899091"
	"9293949596979899";

/* Eight digits from 32 bits. */
static void spell(char *out, uint64_t bits)
{
	uint32_t n = (uint32_t)(bits * 100000000u >> 32);
	uint32_t high = n / 10000, low = n % 10000;

	memcpy(out, pairs + high / 100 * 2, 2);
	memcpy(out + 2, pairs + high % 100 * 2, 2);
	memcpy(out + 4, pairs + low / 100 * 2, 2);
	memcpy(out + 6, pairs + low % 100 * 2, 2);
}

static inline char next_digit(struct source *source)
{
	if (source->digits_left == 0) {
		uint64_t draw = xt_rng_u64(source->rng);

		spell(source->digits, draw & UINT32_MAX);
		spell(source->digits + 8, draw >> 32);
		source->digits_left = 16;
	}
	return source->digits[--source->digits_left];
}

static char next_letter(struct source *source)
{
	uint64_t high, low;

	if (source->letters_left == 0) {
		source->fraction = xt_rng_u64(source->rng);
		source->letters_left = LETTERS;
	}
	source->letters_left--;
	low = (source->fraction & UINT32_MAX) * 26;
	high = (source->fraction >> 32) * 26 + (low >> 32);
	source->fraction = high << 32 | (low & UINT32_MAX);
	return (char)('a' + (high >> 32));
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
			buf->data[i] = next_digit(&source);
		else if (pattern->u.s[i] == '@')
			buf->data[i] = next_letter(&source);
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

/* The bytes of the first n characters. */
static size_t bytes_of(const char *text, size_t len, int64_t n)
{
	size_t at = 0;

	while (at < len && n > 0) {
		at++;
		while (at < len && ((unsigned char)text[at] & 0xc0) == 0x80)
			at++;
		n--;
	}
	return at;
}

int xt_text_length(const struct xt_value *text, struct xt_value *out, struct xt_err *err)
{
	int64_t n = 0;

	if (text->type != XT_TEXT)
		return xt_err_failed(err, "length() needs a text");
	for (size_t at = 0; at < text->len; n++)
		at += bytes_of(text->u.s + at, text->len - at, 1);
	*out = xt_int(n);
	return 0;
}

int xt_text_part(const struct xt_value *text, int64_t from, int64_t count, struct xt_value *out, struct xt_err *err)
{
	size_t start, len;

	if (text->type != XT_TEXT)
		return xt_err_failed(err, "substr() needs a text");
	if (from < 1 || count < 0)
		return xt_err_failed(err, "substr() counts from 1, and its length is not below 0");
	start = bytes_of(text->u.s, text->len, from - 1);
	len = bytes_of(text->u.s + start, text->len - start, count);
	*out = xt_text(text->u.s + start, len);
	return 0;
}
