/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/pile.h"

#include <stdbool.h>
#include <stddef.h>

static bool before(const struct pile_item *a, const struct pile_item *b)
{
	return a->key < b->key || (a->key == b->key && a->id < b->id);
}

/* Put one into the heap in the place of number i, and down to where it belongs. */
static void sift(struct pile *pile, int i, struct pile_item moving)
{
	struct pile_item *item = pile->item;

	for (int child; (child = 2 * i + 1) < pile->left; i = child) {
		child += child + 1 < pile->left && before(&item[child + 1], &item[child]);
		if (!before(&item[child], &moving))
			break;
		item[i] = item[child];
	}
	item[i] = moving;
}

void pile_make(struct pile *pile, struct pile_item *item, int n)
{
	*pile = (struct pile){item, n, n};
	for (int i = n / 2; i-- > 0;)
		sift(pile, i, item[i]);
}

const struct pile_item *pile_nth(struct pile *pile, int i)
{
	if (i >= pile->n)
		return NULL;
	while (pile->n - pile->left <= i) {
		struct pile_item first = pile->item[0], last = pile->item[--pile->left];

		if (pile->left)
			sift(pile, 0, last);
		pile->item[pile->left] = first;
	}
	return &pile->item[pile->n - 1 - i];
}
