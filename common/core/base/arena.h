/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory that is freed at once: many calls take pieces, one call frees all of them. After one
 * failure no later call takes memory, so it is enough to check `out` once at the end.
 */
#ifndef MESH_ARENA_H
#define MESH_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A zeroed struct is an empty arena. */
struct arena {
	struct arena_block *last;
	bool out; /* a call has failed: memory was out */
};

/* Room for n elements of `size` bytes, zeroed; NULL when memory is out, or was out before. */
void *arena_get(struct arena *arena, int64_t n, size_t size);

/* The same for an array, and set the pointer to it. */
#define arena_array(arena, pointer, n) ((pointer) = arena_get(arena, n, sizeof(*(pointer))))

/* A copy of a text; NULL for NULL, and when memory is out. */
char *arena_text(struct arena *arena, const char *text);

/*
 * Room for one more element at the end of an array of `count`. The array begins as NULL and grows
 * only by this function: its room doubles, so that all of the growth is O(n). array: the address
 * of the pointer. Returns the address of the new, zeroed element; or NULL, and the array is
 * unchanged. (While there is room it succeeds, even after a failure.) The caller counts.
 */
void *arena_grow(struct arena *arena, void *array, int count, size_t size);

/* Free everything, and empty the arena. */
void arena_release(struct arena *arena);

#endif
