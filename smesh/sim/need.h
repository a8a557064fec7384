/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory for smesh. A command without memory can only say so and end, unlike the core, which lives
 * in a daemon. So no function of smesh fails for want of memory: the program ends here, with the
 * exit code of a failure of its own (cli/fail.h). Files that are not finished are removed
 * (cli/output.h).
 */
#ifndef SMESH_NEED_H
#define SMESH_NEED_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"

/* End the program if a function of the core failed, which it does only for want of memory. */
static inline void need_done(bool failed)
{
	if (!failed)
		return;
	fputs("smesh: out of memory\n", stderr);
	exit(2);
}

/* The memory that was got; or the end. */
static inline void *need(void *memory)
{
	need_done(!memory);
	return memory;
}

/* arena_get(), arena_array() and arena_text(); NULL only for the text NULL. */
static inline void *need_get(struct arena *arena, int64_t n, size_t size)
{
	return need(arena_get(arena, n, size));
}

#define need_array(arena, pointer, n) ((pointer) = need_get(arena, n, sizeof(*(pointer))))

static inline char *need_text(struct arena *arena, const char *text)
{
	return text ? need(arena_text(arena, text)) : NULL;
}

/* One more element, zeroed, at the end of an array that grows (arena_grow()); it is counted. */
static inline void *need_next(struct arena *arena, void *array, int *count, size_t size)
{
	return need(arena_grow(arena, array, (*count)++, size));
}

/* The same with a value. */
#define need_append(arena, array, count, ...) \
	(need_next(arena, &(array), &(count), sizeof(*(array))), (array)[(count) - 1] = __VA_ARGS__)

#endif
