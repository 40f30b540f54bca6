/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The name table: open addressing, linear probing, at most half full.
 */
#include "script/vars.h"

#include <stdint.h>
#include <string.h>

bool xt_vars_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

bool xt_vars_name_char(char c)
{
	return xt_vars_name_start(c) || (c >= '0' && c <= '9');
}

bool xt_vars_valid_name(const char *name, size_t len)
{
	if (len == 0 || len > XT_NAME_MAX || !xt_vars_name_start(name[0]))
		return false;
	for (size_t i = 1; i < len; i++)
		if (!xt_vars_name_char(name[i]))
			return false;
	return true;
}

static uint64_t hash_name(const char *name, size_t len)
{
	uint64_t h = 0x9e3779b97f4a7c15u ^ len;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)name[i]) * 0x100000001b3u;
	return h ^ (h >> 29);
}

int xt_vars_find(const struct xt_vars *vars, const char *name, size_t len)
{
	size_t mask = vars->bucket_count - 1;

	if (!vars->bucket_count)
		return -1;
	for (size_t i = hash_name(name, len) & mask; vars->buckets[i]; i = (i + 1) & mask) {
		const struct xt_var *var = &vars->items[vars->buckets[i] - 1];

		if (var->len == len && !memcmp(var->name, name, len))
			return vars->buckets[i] - 1;
	}
	return -1;
}

static void insert(struct xt_vars *vars, int slot)
{
	size_t mask = vars->bucket_count - 1;
	size_t i = hash_name(vars->items[slot].name, vars->items[slot].len) & mask;

	while (vars->buckets[i])
		i = (i + 1) & mask;
	vars->buckets[i] = slot + 1;
}

static bool widen(struct xt_vars *vars, struct xt_arena *arena)
{
	size_t wider = vars->bucket_count ? vars->bucket_count * 2 : 64;
	int *buckets;

	if ((vars->count + 1) * 2 <= vars->bucket_count)
		return true;
	buckets = xt_arena_alloc(arena, wider * sizeof(*buckets));
	if (!buckets)
		return false;
	vars->buckets = buckets;
	vars->bucket_count = wider;
	for (size_t slot = 0; slot < vars->count; slot++)
		insert(vars, (int)slot);
	return true;
}

int xt_vars_intern(struct xt_vars *vars, struct xt_arena *arena, const char *name, size_t len)
{
	int slot = xt_vars_find(vars, name, len);
	struct xt_var *items;

	if (slot >= 0)
		return slot;
	items = xt_arena_grow(arena, vars->items, vars->count, &vars->cap, sizeof(*items));
	if (!items || !widen(vars, arena))
		return -1;
	vars->items = items;
	slot = (int)vars->count;
	items[slot] = (struct xt_var){.name = xt_arena_strndup(arena, name, len), .len = len};
	if (!items[slot].name)
		return -1;
	vars->count++;
	insert(vars, slot);
	return slot;
}
