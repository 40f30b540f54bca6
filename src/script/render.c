/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statements as text: interpolation, and parameters written in where the protocol has none.
 */
#include "script/program.h"

#include <math.h>
#include <string.h>

static void add_value(const struct xt_value *value, struct xt_buf *out)
{
	char text[512];

	if (value->type == XT_TEXT) {
		xt_buf_add(out, value->u.s, value->len);
		return;
	}
	xt_value_print(value, text, sizeof(text));
	xt_buf_puts(out, text);
}

static void add_quoted(const struct xt_value *value, struct xt_buf *out)
{
	const char *p = value->u.s, *end = value->u.s + value->len;

	xt_buf_puts(out, "'");
	while (p < end) {
		const char *quote = memchr(p, '\'', (size_t)(end - p));
		const char *to = quote ? quote + 1 : end;

		xt_buf_add(out, p, (size_t)(to - p));
		if (quote)
			xt_buf_puts(out, "'");
		p = to;
	}
	xt_buf_puts(out, "'");
}

/* A text from outside stands as it is; one that the script made is a literal. A variable without a value is left as it
 * is written. */
static void add_inline(const struct xt_env *env, int slot, struct xt_buf *out)
{
	const struct xt_slot *s = &env->slots[slot];

	if (!s->set)
		xt_buf_printf(out, ":%s", xt_env_slot_name(env, slot));
	else if (s->value.type == XT_TEXT && !s->wire)
		add_quoted(&s->value, out);
	else
		add_value(&s->value, out);
}

int xt_sql_render(const struct xt_sql_part *parts, size_t count, const struct xt_env *env, bool inline_params,
                  struct xt_buf *out, struct xt_err *err)
{
	size_t params = 0;

	for (size_t i = 0; i < count; i++) {
		const struct xt_sql_part *part = &parts[i];

		if (part->kind == XT_PART_TEXT) {
			xt_buf_add(out, part->text, part->len);
		} else if (part->kind == XT_PART_PARAM) {
			params++;
			if (inline_params)
				add_inline(env, part->slot, out);
			else
				xt_buf_printf(out, "$%zu", params);
		} else if (part->quoted && !env->slots[part->slot].set) {
			xt_buf_printf(out, ":%s", xt_env_slot_name(env, part->slot));
		} else {
			if (!env->slots[part->slot].set)
				return xt_err_failed(err, "undefined variable \"%s\"",
				                     xt_env_slot_name(env, part->slot));
			add_value(&env->slots[part->slot].value, out);
		}
	}
	return out->failed ? xt_err_failed(err, "out of memory") : 0;
}
