/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The arena: a list of chunks, the newest first.
 */
#include "script/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES 16384

struct xt_arena_chunk {
	struct xt_arena_chunk *next;
	size_t used, size;
	alignas(max_align_t) char data[];
};

void *xt_arena_alloc(struct xt_arena *arena, size_t size)
{
	const size_t align = alignof(max_align_t);
	struct xt_arena_chunk *chunk = arena->head;
	void *p;

	if (size > (size_t)-1 / 4)
		return NULL;
	size = (size + align - 1) / align * align;
	if (!chunk || chunk->size - chunk->used < size) {
		size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;

		chunk = malloc(sizeof(*chunk) + room);
		if (!chunk)
			return NULL;
		chunk->next = arena->head;
		chunk->used = 0;
		chunk->size = room;
		arena->head = chunk;
	}
	p = chunk->data + chunk->used;
	chunk->used += size;
	return memset(p, 0, size);
}

char *xt_arena_strndup(struct xt_arena *arena, const char *text, size_t len)
{
	char *copy = xt_arena_alloc(arena, len + 1);

	if (copy && len)
		memcpy(copy, text, len);
	return copy;
}

void *xt_arena_grow(struct xt_arena *arena, void *array, size_t count, size_t *cap, size_t item_size)
{
	size_t wider = *cap ? *cap * 2 : 8;
	void *moved;

	if (array && count < *cap)
		return array;
	moved = xt_arena_alloc(arena, wider * item_size);
	if (!moved)
		return NULL;
	if (count)
		memcpy(moved, array, count * item_size);
	*cap = wider;
	return moved;
}

void xt_arena_free(struct xt_arena *arena)
{
	while (arena->head) {
		struct xt_arena_chunk *next = arena->head->next;

		free(arena->head);
		arena->head = next;
	}
}
