/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/lazy_heap.h"

#include <stdbool.h>
#include <stddef.h>

static bool before(const struct lazy_heap_item *a, const struct lazy_heap_item *b)
{
	return a->key < b->key || (a->key == b->key && a->id < b->id);
}

/* Put one into the heap in the place of number i, and down to where it belongs. */
static void sift(struct lazy_heap *heap, int i, struct lazy_heap_item moving)
{
	struct lazy_heap_item *item = heap->item;

	for (int child; (child = 2 * i + 1) < heap->left; i = child) {
		child += child + 1 < heap->left && before(&item[child + 1], &item[child]);
		if (!before(&item[child], &moving))
			break;
		item[i] = item[child];
	}
	item[i] = moving;
}

void lazy_heap_make(struct lazy_heap *heap, struct lazy_heap_item *item, int n)
{
	*heap = (struct lazy_heap){item, n, n};
	for (int i = n / 2; i-- > 0;)
		sift(heap, i, item[i]);
}

const struct lazy_heap_item *lazy_heap_nth(struct lazy_heap *heap, int i)
{
	if (i >= heap->n)
		return NULL;
	while (heap->n - heap->left <= i) {
		struct lazy_heap_item first = heap->item[0], last = heap->item[--heap->left];

		if (heap->left)
			sift(heap, 0, last);
		heap->item[heap->left] = first;
	}
	return &heap->item[heap->n - 1 - i];
}
