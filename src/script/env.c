/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A client's state: variables by slot, random stream, loop counters, buffers of random texts.
 */
#include "script/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int set_slot(struct xt_slot *slot, const struct xt_value *value, bool wire)
{
	slot->set = true;
	slot->wire = wire && value->type == XT_TEXT;
	slot->value = *value;
	if (value->type != XT_TEXT || (slot->text && value->u.s == slot->text))
		return 0;
	if (!slot->text || slot->cap < value->len) {
		size_t cap = value->len < 64 ? 64 : value->len;
		char *text = malloc(cap);

		if (!text) {
			slot->set = false;
			return -1;
		}
		/* the old bytes live until here: the new value may point into them */
		memcpy(text, value->u.s, value->len);
		free(slot->text);
		slot->text = text;
		slot->cap = cap;
	} else {
		memmove(slot->text, value->u.s, value->len);
	}
	slot->value.u.s = slot->text;
	return 0;
}

static int set_automatic(struct xt_env *env, const char *name, struct xt_value value)
{
	int slot = xt_vars_find(&env->program->vars, name, strlen(name));

	if (slot < 0 || env->program->vars.items[slot].defined)
		return 0;
	return set_slot(&env->slots[slot], &value, false);
}

static struct xt_value boolean(bool b)
{
	return (struct xt_value){.type = XT_BOOL, .u = {.b = b}};
}

/* The same for all clients, unlike their streams. */
static int64_t default_seed(uint64_t seed)
{
	struct xt_rng rng;

	xt_rng_init(&rng, seed, UINT64_MAX, XT_RNG_SCRIPT);
	return (int64_t)xt_rng_u64(&rng);
}

static int set_initial(struct xt_env *env, const struct xt_env_options *options)
{
	const struct xt_vars *vars = &env->program->vars;
	int scale = xt_vars_find(vars, "scale", strlen("scale"));

	for (size_t i = 0; i < vars->count; i++)
		if (vars->items[i].set && set_slot(&env->slots[i], &vars->items[i].value, vars->items[i].wire))
			return -1;
	if (options->scale_known || (scale >= 0 && !vars->items[scale].set)) {
		if (set_automatic(env, "scale", xt_int(options->scale_known ? options->scale : 1)))
			return -1;
	}
	return set_automatic(env, "client_id", xt_int(options->client_id)) ||
	                       set_automatic(env, "threads", xt_int(options->threads)) ||
	                       set_automatic(env, "random_seed", xt_int((int64_t)options->seed)) ||
	                       set_automatic(env, "default_seed", xt_int(default_seed(options->seed))) ||
	                       set_automatic(env, "is_sqlite", boolean(options->is_sqlite)) ||
	                       set_automatic(env, "is_pgsql", boolean(options->is_pgsql))
	               ? -1
	               : 0;
}

struct xt_env *xt_env_new(const struct xt_program *program, const struct xt_env_options *options)
{
	struct xt_env *env = calloc(1, sizeof(*env));

	if (!env)
		return NULL;
	env->program = program;
	env->slot_count = program->vars.count;
	env->text_count = program->texts;
	env->slots = calloc(env->slot_count + 1, sizeof(*env->slots));
	env->texts = calloc(env->text_count + 1, sizeof(*env->texts));
	env->counters = calloc(program->depth + 1, sizeof(*env->counters));
	xt_rng_init(&env->rng, options->seed, (uint64_t)options->client_id, XT_RNG_SCRIPT);
	env->mark = env->rng;
	xt_dist_init(&env->dist, &options->rand);
	if (!env->slots || !env->texts || !env->counters || set_initial(env, options)) {
		xt_env_free(env);
		return NULL;
	}
	return env;
}

void xt_env_free(struct xt_env *env)
{
	if (!env)
		return;
	for (size_t i = 0; env->slots && i < env->slot_count; i++)
		free(env->slots[i].text);
	for (size_t i = 0; env->texts && i < env->text_count; i++)
		xt_buf_free(&env->texts[i]);
	free(env->slots);
	free(env->texts);
	free(env->counters);
	free(env);
}

const struct xt_value *xt_env_get(const struct xt_env *env, int slot)
{
	return env->slots[slot].set ? &env->slots[slot].value : NULL;
}

const char *xt_env_slot_name(const struct xt_env *env, int slot)
{
	return env->program->vars.items[slot].name;
}

int xt_env_set(struct xt_env *env, int slot, const struct xt_value *value)
{
	return set_slot(&env->slots[slot], value, false);
}

int xt_env_set_name(struct xt_env *env, const char *name, const struct xt_value *value, struct xt_err *err)
{
	static const struct xt_value empty = {.type = XT_TEXT, .u = {.s = ""}};
	size_t len = strlen(name);
	int slot;

	if (!xt_vars_valid_name(name, len))
		return xt_err_failed(err, "invalid variable name: \"%s\"", name);
	slot = xt_vars_find(&env->program->vars, name, len);
	if (slot < 0)
		return 0;
	/* a captured NULL is the empty text, as in pgbench */
	if (set_slot(&env->slots[slot], value->type == XT_NULL ? &empty : value, true))
		return xt_err_failed(err, "out of memory");
	return 0;
}

void xt_env_fill(struct xt_env *env)
{
	for (size_t i = 0; i < env->slot_count; i++)
		if (!env->slots[i].set) {
			env->slots[i].set = true;
			env->slots[i].wire = false;
			env->slots[i].value = xt_null();
		}
}

int64_t *xt_env_counter(struct xt_env *env, unsigned depth)
{
	return &env->counters[depth];
}

void xt_env_mark(struct xt_env *env)
{
	env->mark = env->rng;
}

void xt_env_rewind(struct xt_env *env)
{
	env->rng = env->mark;
}

static bool is_prefix(const char *text, size_t len, const char *word)
{
	return len <= strlen(word) && !strncasecmp(text, word, len);
}

static bool is_word(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && !strncasecmp(text, word, len);
}

static bool looks_integer(const char *p)
{
	while (*p == ' ' || (*p >= '\t' && *p <= '\r'))
		p++;
	if (*p == '+' || *p == '-')
		p++;
	if (*p < '0' || *p > '9')
		return false;
	while (*p >= '0' && *p <= '9')
		p++;
	return *p == '\0';
}

int xt_value_from_text(const char *text, size_t len, struct xt_value *out)
{
	char copy[512], *end;
	double d;

	if (len == 0 || len >= sizeof(copy) || memchr(text, '\0', len))
		return XT_TEXT_MALFORMED;
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (is_word(copy, len, "null"))
		*out = xt_null();
	else if (is_prefix(copy, len, "true") || is_prefix(copy, len, "yes") || is_word(copy, len, "on"))
		*out = boolean(true);
	else if (is_prefix(copy, len, "false") || is_prefix(copy, len, "no") || is_word(copy, len, "off") ||
	         is_word(copy, len, "of"))
		*out = boolean(false);
	else if (looks_integer(copy)) {
		errno = 0;
		*out = xt_int(strtoll(copy, NULL, 10));
		return errno == ERANGE ? XT_TEXT_RANGE : 0;
	} else {
		errno = 0;
		d = strtod(copy, &end);
		if (end == copy || *end || errno == ERANGE)
			return XT_TEXT_MALFORMED;
		*out = (struct xt_value){.type = XT_DOUBLE, .u = {.d = d}};
	}
	return 0;
}
