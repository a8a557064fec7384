/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boxes/fold.h"

#include <stdint.h>
#include <string.h>

static bool has_cycle(const struct fold_grid *grid)
{
	int long_sides = 0;
	bool even = false, ring = false;

	for (int d = 0; d < grid->ndims; d++) {
		long_sides += grid->side[d] > 1;
		even = even || grid->side[d] % 2 == 0;
		ring = ring || (grid->ring[d] && grid->side[d] > 1);
	}
	if (long_sides == 1 && !ring) {
		for (int d = 0; d < grid->ndims; d++)
			if (grid->side[d] > 2)
				return false;
		return true;
	}
	return long_sides == 0 || ring || even;
}

/* The sides that are dealt out. */
struct deal {
	const struct fold_grid *grid;
	int n, side[2 * FOLD_DIMS];
	bool ring[2 * FOLD_DIMS]; /* equal entries are neighbours in these lists */
	int owner[2 * FOLD_DIMS]; /* the side of the grid that got each */
	int left[FOLD_DIMS];	  /* what each side of the grid still needs */
	struct fold_grid share[FOLD_DIMS];
};

static bool all_dealt(const struct deal *deal)
{
	for (int i = 0; i < deal->grid->ndims; i++)
		if (deal->left[i] != 1 ||
			(deal->grid->ring[i] && !has_cycle(&deal->share[i])))
			return false;
	return true;
}

static bool deal_out(struct deal *deal, int part)
{
	int first = 0;

	if (part == deal->n)
		return all_dealt(deal);
	/* Deal equal parts in one order only. */
	if (part && deal->side[part] == deal->side[part - 1] &&
		deal->ring[part] == deal->ring[part - 1])
		first = deal->owner[part - 1];
	for (int i = first; i < deal->grid->ndims; i++) {
		struct fold_grid *share = &deal->share[i];
		bool fits;

		if (deal->left[i] % deal->side[part] || share->ndims == FOLD_DIMS)
			continue;
		share->side[share->ndims] = deal->side[part];
		share->ring[share->ndims++] = deal->ring[part];
		deal->left[i] /= deal->side[part];
		deal->owner[part] = i;
		fits = deal_out(deal, part + 1);
		deal->left[i] *= deal->side[part];
		share->ndims--;
		if (fits)
			return true;
	}
	return false;
}

static void add_part(struct deal *deal, int side, bool ring)
{
	int at = deal->n++;

	for (; at && (deal->side[at - 1] > side ||
			     (deal->side[at - 1] == side && deal->ring[at - 1] > ring)); at--) {
		deal->side[at] = deal->side[at - 1];
		deal->ring[at] = deal->ring[at - 1];
	}
	deal->side[at] = side;
	deal->ring[at] = ring;
}

static int64_t points(const struct fold_grid *grid)
{
	int64_t n = 1;

	for (int d = 0; d < grid->ndims && n <= INT32_MAX; d++)
		n *= grid->side[d];
	return n;
}

bool fold_fits(const struct fold_grid *grid, const struct fold_grid *into)
{
	struct deal deal = {.grid = grid};

	for (int d = 0; d < into->ndims; d++) {
		bool two = into->ring[d] && into->side[d] == 4;

		for (int k = 0; into->side[d] > 1 && k < 1 + two; k++)
			add_part(&deal, two ? 2 : into->side[d], into->ring[d] && !two);
	}
	memcpy(deal.left, grid->side, sizeof(deal.left));
	return points(grid) == points(into) && deal_out(&deal, 0);
}
