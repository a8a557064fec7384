/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Things in the order of their keys, sorted only as far as they are asked for: a heap in front, and
 * behind it what has been taken from its top, the first at the very end. O(n) to make, O(log n)
 * for each that is asked for the first time.
 */
#ifndef MESH_LAZY_HEAP_H
#define MESH_LAZY_HEAP_H

#include <stdint.h>

struct lazy_heap_item {
	int64_t key; /* the least first, */
	int id;	     /* and of those the lowest */
};

struct lazy_heap {
	struct lazy_heap_item *item; /* the caller's; moved about */
	int n, left; /* in all; in the heap */
};

void lazy_heap_make(struct lazy_heap *heap, struct lazy_heap_item *item, int n);

/* Number i in order, from 0; NULL past the last. */
const struct lazy_heap_item *lazy_heap_nth(struct lazy_heap *heap, int i);

#endif
