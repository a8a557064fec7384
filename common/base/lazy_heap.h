/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Items in ascending order of their keys, sorted only as far as somebody asks: the front of the
 * array is a heap, behind it stand the items taken from its top, the first at the very end. O(n) to
 * make, O(log n) for each item that is asked for the first time.
 */
#ifndef MESH_LAZY_HEAP_H
#define MESH_LAZY_HEAP_H

#include <stdint.h>

struct lazy_heap_item {
	int64_t key; /* the least first */
	int id;	     /* of equal keys the lowest id first */
};

struct lazy_heap {
	struct lazy_heap_item *item; /* [n] the caller's array, reordered in place */
	int n, left; /* items in all; those still in the heap */
};

/* Over item[n], borrowed. */
void lazy_heap_make(struct lazy_heap *heap, struct lazy_heap_item *item, int n);

/* The i-th item in order, from 0; NULL past the last. Borrowed, until the next call. */
const struct lazy_heap_item *lazy_heap_nth(struct lazy_heap *heap, int i);

#endif
