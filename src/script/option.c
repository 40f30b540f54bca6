/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A workload's own options: declared by \option, preset by files that include the declaration, set from the command
 * line; and the variables of -D. Also \ab and \errors, which are options of the run.
 */
#include "script/option.h"
#include "base/num.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OPTION_NAME_MAX 63

static struct xt_option_state *find(struct xt_program *program, const char *name, size_t len)
{
	for (size_t i = 0; i < program->option_count; i++)
		if (strlen(program->option_states[i].pub.name) == len &&
		    !memcmp(program->option_states[i].pub.name, name, len))
			return &program->option_states[i];
	return NULL;
}

static bool valid_option_name(const char *name, size_t len)
{
	if (len == 0 || len > OPTION_NAME_MAX || name[0] < 'a' || name[0] > 'z')
		return false;
	for (size_t i = 0; i < len; i++)
		if (!((name[i] >= 'a' && name[i] <= 'z') || (name[i] >= '0' && name[i] <= '9') || name[i] == '_'))
			return false;
	return true;
}

/* Cuts a|b|c into a NULL-terminated list. */
static int split_choices(struct xt_compiler *compiler, struct xt_meta *meta, size_t start, size_t len,
                         struct xt_script_option *option)
{
	struct xt_arena *arena = &compiler->program->arena;
	const char *text = compiler->file->origin.text + start;
	const char **list;
	size_t count = 1, n = 0;

	for (size_t i = 0; i < len; i++)
		count += text[i] == '|';
	list = xt_arena_alloc(arena, (count + 1) * sizeof(*list));
	if (!list)
		return xt_compile_oom(compiler);
	for (size_t from = 0, i = 0; i <= len; i++) {
		if (i < len && text[i] != '|')
			continue;
		if (i == from)
			return xt_lex_error(&meta->lex, start + i, "empty choice");
		list[n] = xt_arena_strndup(arena, text + from, i - from);
		if (!list[n])
			return xt_compile_oom(compiler);
		for (size_t k = 0; k < n; k++)
			if (!strcmp(list[k], list[n]))
				return xt_lex_error(&meta->lex, start + from, "choice \"%s\" stands twice", list[n]);
		n++;
		from = i + 1;
	}
	option->type = XT_OPT_CHOICE;
	option->choices = list;
	option->def = xt_text(list[0], strlen(list[0]));
	return 0;
}

static bool as_number(const char *text, struct xt_script_option *option)
{
	char *end;

	if (!strchr("+-.0123456789", text[0]) || strspn(text, "+-.0123456789eE") != strlen(text))
		return false;
	errno = 0;
	option->def = xt_int(strtoll(text, &end, 10));
	option->type = XT_OPT_INT;
	if (*text && !*end && !errno)
		return true;
	errno = 0;
	option->type = XT_OPT_DOUBLE;
	option->def = (struct xt_value){.type = XT_DOUBLE, .u = {.d = strtod(text, &end)}};
	return !*end && !errno && isfinite(option->def.u.d) && strpbrk(text, ".eE");
}

static struct xt_value boolean(bool b)
{
	return (struct xt_value){.type = XT_BOOL, .u = {.b = b}};
}

/* An unquoted default: on, off, a number, choices, or one word, which presets a choice. */
static int parse_word(struct xt_compiler *compiler, struct xt_meta *meta, struct xt_option_state *state)
{
	size_t start, len;
	char *word;

	if (!xt_lex_word(&meta->lex, &start, &len))
		return xt_lex_error(&meta->lex, meta->lex.pos, "missing argument: the default");
	word = xt_arena_strndup(&compiler->program->arena, compiler->file->origin.text + start, len);
	if (!word)
		return xt_compile_oom(compiler);
	if (!strcmp(word, "on") || !strcmp(word, "off")) {
		state->pub.type = XT_OPT_BOOL;
		state->pub.def = boolean(!strcmp(word, "on"));
		return 0;
	}
	if (strchr(word, '|'))
		return split_choices(compiler, meta, start, len, &state->pub);
	if (as_number(word, &state->pub))
		return 0;
	if (!valid_option_name(word, len))
		return xt_lex_error(&meta->lex, start,
		                    "a default is an integer, a double, on or off, 'text', or choices a|b|c");
	state->pub.type = XT_OPT_CHOICE;
	state->pub.def = xt_text(word, len);
	state->preset_word = true;
	return 0;
}

static int parse_default(struct xt_compiler *compiler, struct xt_meta *meta, struct xt_option_state *state)
{
	struct xt_lexer *lex = &meta->lex;

	if (!xt_lex_more(lex) || lex->origin->text[lex->pos] != '\'')
		return parse_word(compiler, meta, state);
	if (xt_lex_next(lex))
		return -1;
	state->pub.type = XT_OPT_TEXT;
	state->pub.def = lex->value;
	return 0;
}

/* min=N */
static int parse_least(struct xt_meta *meta, struct xt_script_option *option)
{
	struct xt_lexer *lex = &meta->lex;
	char word[32] = "", *stop;
	size_t start, len;

	option->min = INT64_MIN;
	if (!xt_lex_more(lex) || lex->origin->len - lex->pos < 4 || memcmp(lex->origin->text + lex->pos, "min=", 4) ||
	    !xt_lex_word(lex, &start, &len))
		return 0;
	if (option->type != XT_OPT_INT)
		return xt_lex_error(lex, start, "min=N is for integers");
	if (len < sizeof(word))
		memcpy(word, lex->origin->text + start, len);
	errno = 0;
	option->min = strtoll(word + 4, &stop, 10);
	if (!word[0] || !word[4] || *stop || errno)
		return xt_lex_error(lex, start, "min= takes an integer");
	if (option->def.u.i < option->min)
		return xt_lex_error(lex, start, "the default is less than that");
	return 0;
}

static int parse_help(struct xt_compiler *compiler, struct xt_meta *meta, struct xt_option_state *state)
{
	struct xt_lexer *lex = &meta->lex;
	size_t start, len;

	state->pub.help = "";
	if (!xt_lex_more(lex) || lex->origin->text[lex->pos] != '"')
		return xt_lex_end(lex, "unexpected argument");
	if (xt_compile_quoted(compiler, meta, &start, &len))
		return -1;
	state->pub.help = xt_arena_strndup(&compiler->program->arena, lex->origin->text + start, len);
	if (!state->pub.help)
		return xt_compile_oom(compiler);
	return xt_lex_end(lex, "unexpected argument");
}

static bool is_choice(const struct xt_script_option *option, const char *text, size_t len)
{
	for (const char *const *c = option->choices; c && *c; c++)
		if (strlen(*c) == len && !memcmp(*c, text, len))
			return true;
	return false;
}

/* Whether the default of an earlier preset can be the default of this declaration; converts it. */
static bool fits(const struct xt_option_state *declaration, struct xt_value *preset)
{
	switch (declaration->pub.type) {
	case XT_OPT_INT:
		return preset->type == XT_INT && preset->u.i >= declaration->pub.min;
	case XT_OPT_DOUBLE:
		if (preset->type == XT_INT)
			*preset = (struct xt_value){.type = XT_DOUBLE, .u = {.d = (double)preset->u.i}};
		return preset->type == XT_DOUBLE;
	case XT_OPT_BOOL:
		return preset->type == XT_BOOL;
	case XT_OPT_TEXT:
		return preset->type == XT_TEXT;
	case XT_OPT_CHOICE:
		break;
	}
	return preset->type == XT_TEXT && is_choice(&declaration->pub, preset->u.s, preset->len);
}

static const char *type_words(enum xt_option_type type)
{
	static const char *const words[] = {"an integer", "a double", "on or off", "a text", "one of its choices"};

	return words[type];
}

/* The option is known already: its first default stays, the rest comes from the fuller declaration. */
static int merge(struct xt_meta *meta, struct xt_option_state *old, struct xt_option_state *now)
{
	struct xt_value def = old->pub.def;

	if (old->file == now->file)
		return xt_lex_error(&meta->lex, meta->offset, "option %s is declared twice in this file",
		                    old->pub.name);
	old->file = now->file;
	if (now->preset_word)
		return 0;
	if (!fits(now, &def))
		return xt_lex_error(&meta->lex, meta->offset,
		                    "option %s is preset to what this declaration does not allow: "
		                    "it takes %s",
		                    old->pub.name, type_words(now->pub.type));
	now->pub.name = old->pub.name;
	now->pub.def = def;
	if (!*now->pub.help)
		now->pub.help = old->pub.help;
	if (now->pub.min == INT64_MIN)
		now->pub.min = old->pub.min;
	old->pub = now->pub;
	old->preset_word = false;
	return 0;
}

static int declare(struct xt_compiler *compiler, struct xt_meta *meta, struct xt_option_state *state)
{
	struct xt_program *program = compiler->program;
	struct xt_option_state *old = find(program, state->pub.name, strlen(state->pub.name));
	struct xt_option_state *items;

	if (old) {
		if (merge(meta, old, state))
			return -1;
	} else {
		items = xt_arena_grow(&program->arena, program->option_states, program->option_count,
		                      &program->option_cap, sizeof(*items));
		if (!items)
			return xt_compile_oom(compiler);
		program->option_states = items;
		old = &items[program->option_count++];
		*old = *state;
		old->slot = xt_vars_intern(&program->vars, &program->arena, state->pub.name, strlen(state->pub.name));
		if (old->slot < 0)
			return xt_compile_oom(compiler);
	}
	program->vars.items[old->slot].option = true;
	if (program->vars.items[old->slot].defined)
		return 0;
	return xt_program_preset(program, old->slot, &old->pub.def, false) ? xt_compile_oom(compiler) : 0;
}

int xt_meta_option(struct xt_compiler *compiler, struct xt_meta *meta)
{
	struct xt_option_state state = {.file = compiler->file->id, .offset = meta->offset};
	const char *text = compiler->file->origin.text;
	size_t start, len;

	if (!xt_lex_word(&meta->lex, &start, &len))
		return xt_lex_error(&meta->lex, meta->lex.pos, "missing argument: the option's name");
	if (!valid_option_name(text + start, len))
		return xt_lex_error(
			&meta->lex, start,
			"an option's name is a small letter, then small letters, digits and underscores, at "
			"most %d",
			OPTION_NAME_MAX);
	state.pub.name = xt_arena_strndup(&compiler->program->arena, text + start, len);
	if (!state.pub.name)
		return xt_compile_oom(compiler);
	if (compiler->program->options.is_builtin_option &&
	    compiler->program->options.is_builtin_option(state.pub.name))
		return xt_lex_error(&meta->lex, start, "xtime has an option of its own that is named %s",
		                    state.pub.name);
	if (parse_default(compiler, meta, &state) || parse_least(meta, &state.pub) ||
	    parse_help(compiler, meta, &state))
		return -1;
	return declare(compiler, meta, &state);
}

int xt_option_check(struct xt_compiler *compiler, struct xt_file *file)
{
	const struct xt_program *program = compiler->program;

	for (size_t i = 0; i < program->option_count; i++) {
		const struct xt_option_state *state = &program->option_states[i];

		if (state->preset_word && state->file == file->id)
			return xt_origin_error(
				&file->origin, state->offset, compiler->err,
				"option %s has one word for its default, but no file declares its choices",
				state->pub.name);
	}
	return 0;
}

int xt_meta_ab(struct xt_compiler *compiler, struct xt_meta *meta)
{
	static const char *const keys[] = {"swap", "a", "b"};
	const char *text = compiler->file->origin.text;
	size_t start, len;

	if (!xt_lex_more(&meta->lex))
		return xt_lex_error(&meta->lex, meta->lex.pos, "missing argument: swap=LIST, a=ARM or b=ARM");
	while (xt_lex_word(&meta->lex, &start, &len)) {
		int key;

		for (key = 0; key < 3; key++)
			if (len > strlen(keys[key]) + 1 && text[start + strlen(keys[key])] == '=' &&
			    !memcmp(text + start, keys[key], strlen(keys[key])))
				break;
		if (key == 3)
			return xt_lex_error(&meta->lex, start, "swap=LIST, a=ARM or b=ARM is expected");
		if (compiler->program->ab[key])
			continue;
		compiler->program->ab[key] = xt_arena_strndup(
			&compiler->program->arena, text + start + strlen(keys[key]) + 1, len - strlen(keys[key]) - 1);
		if (!compiler->program->ab[key])
			return xt_compile_oom(compiler);
	}
	return 0;
}

int xt_meta_errors(struct xt_compiler *compiler, struct xt_meta *meta)
{
	const char *text = compiler->file->origin.text;
	size_t start, len;
	bool restart;

	if (!xt_lex_word(&meta->lex, &start, &len))
		return xt_lex_error(&meta->lex, meta->lex.pos, "missing argument: restart or pgbench");
	restart = len == 7 && !memcmp(text + start, "restart", 7);
	if (!restart && !(len == 7 && !memcmp(text + start, "pgbench", 7)))
		return xt_lex_error(&meta->lex, start, "restart or pgbench is expected");
	if (!compiler->program->errors_stated)
		compiler->program->errors = restart ? XT_ERRORS_RESTART : XT_ERRORS_PGBENCH;
	compiler->program->errors_stated = true;
	return xt_lex_end(&meta->lex, "unexpected argument");
}
