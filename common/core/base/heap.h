/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A binary heap: the item with the least key comes first; of equal keys the one with the least
 * `tie`. If no two items are equal in both, the order depends on the items alone. The caller owns
 * the arrays; nothing is allocated. heap_make() is O(n), every other call O(log n).
 */
#ifndef MESH_HEAP_H
#define MESH_HEAP_H

struct heap_item {
	double key; /* integers up to 2^53 are exact */
	int tie;
	int id; /* the caller's number of the item, >= 0 */
};

struct heap {
	struct heap_item *item; /* item[0] is the first */
	int *place; /* place[id]: the item's index in item[], kept up to date; NULL: not needed */
	int size;
};

/* Put item[0..size-1], in any order, into the order of a heap. */
void heap_make(struct heap *heap);

/* Add an item; there must be room in item[]. */
void heap_push(struct heap *heap, struct heap_item item);

/*
 * Remove the first item of a heap that is not empty. It stays at item[size], just behind the heap:
 * a heap popped until it is empty leaves item[] in descending order.
 */
struct heap_item heap_pop(struct heap *heap);

/* Change the key of the first item. */
void heap_rekey_first(struct heap *heap, double key);

/* Change an item's key, or remove the item, by its id. Both need place[]. */
void heap_rekey(struct heap *heap, int id, double key);
void heap_remove(struct heap *heap, int id);

#endif
