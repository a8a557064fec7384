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
	int id; /* the caller's number for it, 0 or more */
};

struct heap {
	struct heap_item *item; /* item[0] is the first */
	int *place; /* place[id]: its index in item[], kept up to date; NULL: no call is by id */
	int size;
};

/* Put item[0..size-1], in any order, into the order of a heap. */
void heap_make(struct heap *heap);

/* Add an item; there must be room in item[]. */
void heap_push(struct heap *heap, struct heap_item item);

/*
 * Take out the first of a heap that is not empty. It is left at item[size], just behind the heap: a
 * heap popped until it is empty leaves item[] in descending order.
 */
struct heap_item heap_pop(struct heap *heap);

/* Give the first another key. */
void heap_rekey_first(struct heap *heap, double key);

/* Give an item another key, or take it out, by its id. These need place[]. */
void heap_rekey(struct heap *heap, int id, double key);
void heap_remove(struct heap *heap, int id);

#endif
