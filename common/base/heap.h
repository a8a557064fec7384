/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A binary heap: the item with the least key first, of equal keys the one with the least `tie`.
 * Where no two items are equal in both, the order of what comes out depends on the items alone.
 * The arrays are the caller's; nothing is allocated. Every call is O(log n) but heap_make(), O(n).
 */
#ifndef MESH_HEAP_H
#define MESH_HEAP_H

struct heap_item {
	double key; /* integers up to 2^53 are exact */
	int tie;
	int id; /* the caller's name for it */
};

struct heap {
	struct heap_item *item; /* item[0] is the first */
	int *place; /* of each id in item[], kept up to date; NULL: nobody asks by id */
	int size;
};

/* Put item[0..size-1], in any order, into the order of a heap. */
void heap_make(struct heap *heap);

/* One more; there must be room in item[]. */
void heap_push(struct heap *heap, struct heap_item item);

/*
 * Take out the first. It then stands at item[size], behind the heap: popped to the end, item[] is
 * in descending order.
 */
struct heap_item heap_pop(struct heap *heap);

/* Another key for the first one. */
void heap_rekey_first(struct heap *heap, double key);

/* By id; these need place[]. */
void heap_rekey(struct heap *heap, int id, double key);
void heap_remove(struct heap *heap, int id);

#endif
