/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory that is freed at once: what was taken piece by piece is given back by one call. After a
 * failure no more is given, so that it is enough to ask in the end whether there was enough.
 */
#ifndef MESH_ARENA_H
#define MESH_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed: nothing was taken. */
struct arena {
	struct arena_block *last;
	bool out; /* memory was out */
};

/* Room for n elements of `size` bytes, all 0; NULL when memory is out, or was. */
void *arena_get(struct arena *arena, int64_t n, size_t size);

/* The same for a pointer to the elements, which is set. */
#define arena_array(arena, pointer, n) ((pointer) = arena_get(arena, n, sizeof(*(pointer))))

/* A copy of a text; NULL is one of NULL. */
char *arena_text(struct arena *arena, const char *text);

/*
 * Room for one element more at the end of an array of `count`, which began as NULL and has only
 * grown by this: it doubles, so that all of it is O(n). array: the address of the pointer. The new
 * element's address, all 0; or NULL, and the array is as it was. The caller counts.
 */
void *arena_grow(struct arena *arena, void *array, int count, size_t size);

/* Free all of it. */
void arena_release(struct arena *arena);

#endif
