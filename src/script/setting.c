/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values from the command line: options with their types, -D with none.
 */
#include "base/num.h"
#include "script/program.h"

#include <float.h>
#include <string.h>

static struct xt_option_state *find(struct xt_program *program, const char *name)
{
	for (size_t i = 0; i < program->option_count; i++) {
		const char *known = program->option_states[i].pub.name, *given = name;

		while (*known && (*known == *given || (*known == '_' && *given == '-'))) {
			known++;
			given++;
		}
		if (!*known && !*given)
			return &program->option_states[i];
	}
	return NULL;
}

static int parse_choice(const struct xt_script_option *option, const char *text, struct xt_value *out,
                        struct xt_err *err)
{
	char allowed[512];
	size_t used = 0;

	allowed[0] = '\0';
	for (const char *const *c = option->choices; c && *c; c++) {
		size_t len = strlen(*c);

		if (!strcmp(*c, text)) {
			*out = xt_text(*c, len);
			return 0;
		}
		if (used + len + 3 < sizeof(allowed)) {
			if (used) {
				memcpy(allowed + used, ", ", 2);
				used += 2;
			}
			memcpy(allowed + used, *c, len + 1);
			used += len;
		}
	}
	return xt_err_usage(err, "'%s' is not a choice: %s", text, allowed);
}

static int parse_value(const struct xt_script_option *option, const char *text, struct xt_value *out,
                       struct xt_err *err)
{
	int b = 1;

	switch (option->type) {
	case XT_OPT_INT:
		*out = xt_int(0);
		return xt_num_count(text ? text : "", option->min, INT64_MAX, &out->u.i, err);
	case XT_OPT_DOUBLE:
		*out = (struct xt_value){.type = XT_DOUBLE};
		return xt_num_double(text ? text : "", -DBL_MAX, DBL_MAX, &out->u.d, err);
	case XT_OPT_BOOL:
		if (text && *text && xt_num_bool(text, &b, err))
			return -1;
		*out = (struct xt_value){.type = XT_BOOL, .u = {.b = b}};
		return 0;
	case XT_OPT_TEXT:
		*out = xt_text(text ? text : "", text ? strlen(text) : 0);
		return 0;
	case XT_OPT_CHOICE:
		break;
	}
	return parse_choice(option, text ? text : "", out, err);
}

int xt_program_preset(struct xt_program *program, int slot, const struct xt_value *value, bool wire)
{
	struct xt_var *var = &program->vars.items[slot];

	var->value = *value;
	var->wire = wire;
	var->set = true;
	if (value->type == XT_TEXT) {
		var->value.u.s = xt_arena_strndup(&program->arena, value->u.s, value->len);
		if (!var->value.u.s)
			return -1;
	}
	return 0;
}

int xt_program_set_option(struct xt_program *program, const char *name, const char *text, struct xt_err *err)
{
	const struct xt_option_state *state = find(program, name);
	struct xt_value value;

	if (!state)
		return xt_err_usage(err, "--%s: no such option", name);
	if (parse_value(&state->pub, text, &value, err))
		return xt_err_context(err, "--%s", name);
	if (program->vars.items[state->slot].defined)
		return 0;
	return xt_program_preset(program, state->slot, &value, false) ? xt_err_failed(err, "out of memory") : 0;
}

int xt_program_define(struct xt_program *program, const char *name, const char *value, struct xt_err *err)
{
	struct xt_value text = xt_text(value, strlen(value));
	int slot;

	if (!xt_vars_valid_name(name, strlen(name)))
		return xt_err_usage(err,
		                    "-D %s: a variable's name is letters, digits and underscores, not beginning with a "
		                    "digit",
		                    name);
	if (!*value)
		return xt_err_usage(err, "-D %s=: a value is expected", name);
	slot = xt_vars_intern(&program->vars, &program->arena, name, strlen(name));
	if (slot < 0 || xt_program_preset(program, slot, &text, true))
		return xt_err_failed(err, "out of memory");
	program->vars.items[slot].defined = true;
	return 0;
}

int xt_program_value(const struct xt_program *program, const char *name, struct xt_value *out)
{
	int slot = xt_vars_find(&program->vars, name, strlen(name));

	if (slot < 0 || !program->vars.items[slot].set)
		return -1;
	*out = program->vars.items[slot].value;
	return 0;
}
