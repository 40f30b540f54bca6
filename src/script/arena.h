/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory of a program: many small pieces, never freed one by one, all released together. Compilation is the only
 * user; nothing is taken from an arena while a script runs.
 */
#ifndef XT_SCRIPT_ARENA_H
#define XT_SCRIPT_ARENA_H

#include <stddef.h>

struct xt_arena_chunk;
struct xt_arena {
	struct xt_arena_chunk *head;
};

/* Zeroed and aligned for any type. NULL when out of memory. */
void *xt_arena_alloc(struct xt_arena *arena, size_t size);
/* A copy of len bytes with a NUL behind them. NULL when out of memory. */
char *xt_arena_strndup(struct xt_arena *arena, const char *text, size_t len);
/* Room for one more item of an array that lives in the arena: returns the array, moved and doubled when count has
 * filled *cap. NULL when out of memory. */
void *xt_arena_grow(struct xt_arena *arena, void *array, size_t count, size_t *cap, size_t item_size);
void xt_arena_free(struct xt_arena *arena);

#endif
