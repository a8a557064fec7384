/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Arrays that grow one by one. They double, so that all of it is O(n); what room there is follows
 * from how many elements there are.
 */
#ifndef MESH_GROW_H
#define MESH_GROW_H

#include <stdlib.h>
#include <string.h>

/*
 * Room for one element more at the end of an array of `count`, which began as NULL and has only
 * grown by this. array: the address of the pointer. The new element's address, all 0; or NULL when
 * memory is out, and the array is as it was. The caller counts.
 */
static inline void *grow(void *array, int count, size_t size)
{
	size_t n = (size_t)count;
	void *old, *bigger;

	memcpy(&old, array, sizeof(old));
	if (!(n & (n - 1))) {
		if (!(bigger = realloc(old, (n ? 2 * n : 1) * size)))
			return NULL;
		old = bigger;
		memcpy(array, &old, sizeof(old));
	}
	return memset((char *)old + n * size, 0, size);
}

#endif
