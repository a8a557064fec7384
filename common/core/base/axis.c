/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/axis.h"

/*
 * On a line, below*(all-below) pairs cross the link between coordinates c and c+1. On a ring,
 * consider the halves (side/2 coordinates in a row, rounded down). Two coordinates that are h
 * apart are separated by 2h of the `side` positions of a half: the sum of hops is again a sum of
 * products. With an even side, opposite halves separate the same pairs.
 */
static int64_t line_pairs(const int *marginal, int side)
{
	int64_t all = 0, below = 0, total = 0;

	for (int c = 0; c < side; c++)
		all += marginal[c];
	for (int c = 0; c < side; c++) {
		below += marginal[c];
		total += below * (all - below);
	}
	return total;
}

static int64_t ring_pairs(const int *marginal, int side)
{
	int half = side / 2, halves = side % 2 ? side : half;
	int64_t all = 0, inside = 0, total = 0;

	for (int c = 0; c < half; c++)
		inside += marginal[c];
	for (int c = half; c < side; c++)
		all += marginal[c];
	all += inside;
	for (int c = 0; c < halves; c++) {
		int enters = c + half < side ? c + half : c + half - side;

		total += inside * (all - inside);
		inside += marginal[enters] - marginal[c];
	}
	return side % 2 ? total / 2 : total;
}

int64_t axis_pair_hops(const int *marginal, int side, bool wrap)
{
	return wrap && side > 2 ? ring_pairs(marginal, side) : line_pairs(marginal, side);
}

/* One coordinate further, nodes ahead are one hop nearer, and all others one hop farther. */
static int64_t line_star(const int *marginal, int side, int64_t *hops)
{
	int64_t all = 0, below = 0, here = 0, twice = 0;

	for (int c = 0; c < side; c++) {
		all += marginal[c];
		here += (int64_t)c * marginal[c];
	}
	for (int c = 0; c < side; c++) {
		hops[c] = here;
		twice += here * marginal[c];
		below += marginal[c];
		here += 2 * below - all;
	}
	return twice / 2;
}

/*
 * On a ring the nodes of the half ring ahead come nearer. With an odd side the coordinate behind
 * that half stays as far as it is, and comes nearer with the next step.
 */
static int64_t ring_star(const int *marginal, int side, int64_t *hops)
{
	int half = side / 2, enters = half + 1 < side ? half + 1 : 0;
	int64_t all = 0, ahead = 0, here = 0, twice = 0;

	for (int c = 0; c < side; c++) {
		all += marginal[c];
		ahead += c > 0 && c <= half ? marginal[c] : 0;
		here += (int64_t)(c <= half ? c : side - c) * marginal[c];
	}
	for (int c = 0; c < side; c++) {
		hops[c] = here;
		twice += here * marginal[c];
		here += all - 2 * ahead - (side % 2 ? marginal[enters] : 0);
		ahead += marginal[enters] - marginal[c + 1 < side ? c + 1 : 0];
		enters = enters + 1 < side ? enters + 1 : 0;
	}
	return twice / 2;
}

int64_t axis_star_hops(const int *marginal, int side, bool wrap, int64_t *hops)
{
	return (wrap ? ring_star : line_star)(marginal, side, hops);
}

int axis_stretch(const int *marginal, int side, bool wrap, int *first)
{
	int low = 0, last = side - 1, length;

	while (low < side && !marginal[low])
		low++;
	*first = low;
	if (low == side)
		return 0;
	while (!marginal[last])
		last--;
	length = last - low + 1;
	/* On a ring: all but the widest gap between two nodes. */
	for (int c = low + 1, before = low; c <= last && wrap; c++) {
		if (!marginal[c])
			continue;
		if (side - (c - before - 1) < length) {
			length = side - (c - before - 1);
			*first = c;
		}
		before = c;
	}
	return length;
}

void axis_sort(int ndims, const int *key, int *dim)
{
	for (int d = 0; d < ndims; d++) {
		int at = d;

		for (; at && key[dim[at - 1]] > key[d]; at--)
			dim[at] = dim[at - 1];
		dim[at] = d;
	}
}
