/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

struct arena_block {
	struct arena_block *before;
	max_align_t room[];
};

void *arena_get(struct arena *arena, int64_t n, size_t size)
{
	struct arena_block *block = NULL;
	size_t bytes;

	if (!arena->out && !__builtin_mul_overflow(n, size, &bytes) &&
		!__builtin_add_overflow(bytes, sizeof(*block), &bytes))
		block = calloc(1, bytes);
	arena->out = !block;
	if (!block)
		return NULL;
	block->before = arena->last;
	arena->last = block;
	return block->room;
}

char *arena_text(struct arena *arena, const char *text)
{
	char *copy = text ? arena_get(arena, (int64_t)strlen(text) + 1, 1) : NULL;

	return copy ? strcpy(copy, text) : NULL;
}

/* Move the array at `old` to twice the room. In the last block it can grow in place. */
static void *twice(struct arena *arena, void *old, size_t size)
{
	struct arena_block *last = arena->last;
	void *bigger;

	if (!old || last->room != old) {
		bigger = arena_get(arena, old ? 2 : 1, size);
		return bigger && old ? memcpy(bigger, old, size) : bigger;
	}
	last = arena->out ? NULL : realloc(last, sizeof(*last) + 2 * size);
	arena->out = !last;
	if (!last)
		return NULL;
	arena->last = last;
	return last->room;
}

void *arena_grow(struct arena *arena, void *array, int count, size_t size)
{
	size_t n = (size_t)count;
	void *old, *bigger;

	memcpy(&old, array, sizeof(old));
	if (!(n & (n - 1))) {
		if (!(bigger = twice(arena, old, n ? n * size : size)))
			return NULL;
		memcpy(array, &bigger, sizeof(bigger));
		old = bigger;
	}
	return memset((char *)old + n * size, 0, size);
}

void arena_release(struct arena *arena)
{
	for (struct arena_block *block = arena->last, *before; block; block = before) {
		before = block->before;
		free(block);
	}
	*arena = (struct arena){0};
}
