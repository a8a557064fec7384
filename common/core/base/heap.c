/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/heap.h"

#include <stdbool.h>

static bool before(const struct heap_item *a, const struct heap_item *b)
{
	return a->key < b->key || (a->key <= b->key && a->tie < b->tie);
}

static void put(struct heap *heap, int at, struct heap_item item)
{
	heap->item[at] = item;
	if (heap->place)
		heap->place[item.id] = at;
}

/* Move the item at `at` to its place, towards the first or away from it. */
static void up(struct heap *heap, int at)
{
	struct heap_item moving = heap->item[at];

	for (; at && before(&moving, &heap->item[(at - 1) / 2]); at = (at - 1) / 2)
		put(heap, at, heap->item[(at - 1) / 2]);
	put(heap, at, moving);
}

static void down(struct heap *heap, int at)
{
	struct heap_item *item = heap->item, moving = item[at];

	for (int child; (child = 2 * at + 1) < heap->size; at = child) {
		child += child + 1 < heap->size && before(&item[child + 1], &item[child]);
		if (!before(&item[child], &moving))
			break;
		put(heap, at, item[child]);
	}
	put(heap, at, moving);
}

void heap_make(struct heap *heap)
{
	for (int i = 0; heap->place && i < heap->size; i++)
		heap->place[heap->item[i].id] = i;
	for (int i = heap->size / 2; i-- > 0;)
		down(heap, i);
}

void heap_push(struct heap *heap, struct heap_item item)
{
	heap->item[heap->size] = item;
	up(heap, heap->size++);
}

/* Remove the item at `at`: the last one takes its place, and it goes behind the heap. */
static void take_out(struct heap *heap, int at)
{
	struct heap_item out = heap->item[at], last = heap->item[--heap->size];

	if (at < heap->size) {
		put(heap, at, last);
		up(heap, at);
		down(heap, at);
	}
	put(heap, heap->size, out);
}

struct heap_item heap_pop(struct heap *heap)
{
	take_out(heap, 0);
	return heap->item[heap->size];
}

void heap_rekey_first(struct heap *heap, double key)
{
	heap->item[0].key = key;
	down(heap, 0);
}

void heap_rekey(struct heap *heap, int id, double key)
{
	heap->item[heap->place[id]].key = key;
	up(heap, heap->place[id]);
	down(heap, heap->place[id]);
}

void heap_remove(struct heap *heap, int id)
{
	take_out(heap, heap->place[id]);
}
