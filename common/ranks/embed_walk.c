/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Hamiltonian paths and cycles of grids. A box of more than two dimensions is treated as two: the
 * spine, and a snake through the rest. O(points * ndims).
 */
#include "ranks/embed_walk.h"

/* A box as spine x rest; the rest is a snake. */
struct two {
	const struct embed_walk_box *box;
	int spine;  /* the dimension, or -1: everything is rest */
	int length; /* of the spine */
	int rest;   /* points in the snake */
};

static struct two take_apart(const struct embed_walk_box *box, int spine)
{
	struct two two = {box, spine, spine < 0 ? 1 : box->side[spine], 1};

	for (int d = 0; d < box->ndims; d++)
		two.rest *= d == spine ? 1 : box->side[d];
	return two;
}

/* The point at place s of the spine and place m of the snake. */
static int point_at(const struct two *two, int s, int m)
{
	const struct embed_walk_box *box = two->box;
	int stride[EMBED_WALK_DIMS], point = 0, left = two->rest;

	for (int d = 0, n = 1; d < box->ndims; d++) {
		stride[d] = n;
		n *= box->side[d];
	}
	/* From the outermost dimension: odd passes go backwards. */
	for (int i = box->ndims - 1, pass = 0; i >= 0; i--) {
		int d = box->order[i], at;

		if (d == two->spine)
			continue;
		left /= box->side[d];
		at = m / left;
		m %= left;
		point += stride[d] * (pass & 1 ? box->side[d] - 1 - at : at);
		pass = pass * box->side[d] + at;
	}
	return two->spine < 0 ? point : point + s * stride[two->spine];
}

static int fill_snake(const struct two *two, int *point)
{
	for (int i = 0; i < two->rest; i++)
		point[i] = point_at(two, 0, i);
	return two->rest;
}

/*
 * Teeth run from place 1 of the rest on, one at each place of the spine; the way back is along
 * place 0 of the rest. A box with a cycle and no ring has an even side: the spine.
 */
static int fill_comb(const struct two *two, int *point)
{
	int n = 0;

	if (two->length % 2 || two->rest < 2)
		return 0;
	for (int tooth = 0; tooth < two->length; tooth++)
		for (int i = 1; i < two->rest; i++)
			point[n++] = point_at(two, tooth, tooth & 1 ? two->rest - i : i);
	for (int tooth = two->length - 1; tooth >= 0; tooth--)
		point[n++] = point_at(two, tooth, 0);
	return n;
}

/*
 * Go round the ring at place 0 of the rest. Between places 0 and 1 of the ring, 2 and 3, ... go
 * out to the end of the rest and back. The last place of the ring is left over: its rest, an even
 * number, is visited two by two on the way back in the place before it.
 */
static int fill_ring(const struct two *two, int *point)
{
	int length = two->length, rest = two->rest, n = 0;

	if (length < 3 || length % 2 == 0 || rest % 2 == 0 || !two->box->ring[two->spine])
		return 0;
	for (int s = 0; s < length - 1; s++)
		for (int i = 0; i < rest; i++) {
			int m = s & 1 ? rest - 1 - i : i;

			point[n++] = point_at(two, s, m);
			/* Down from m to m-1 by way of the next place of the ring. */
			if (s == length - 2 && m && m % 2 == 0) {
				point[n++] = point_at(two, s + 1, m);
				point[n++] = point_at(two, s + 1, m - 1);
			}
		}
	point[n++] = point_at(two, length - 1, 0);
	return n;
}

int embed_walk_fill(
	const struct embed_walk_box *box, enum embed_walk_kind kind, int spine, int *point)
{
	bool combs = kind >= EMBED_WALK_COMB;
	struct two two = take_apart(box, combs ? spine : -1);

	switch (kind) {
	case EMBED_WALK_SNAKE: return fill_snake(&two, point);
	case EMBED_WALK_COMB: return fill_comb(&two, point);
	case EMBED_WALK_COMB_RING: return fill_ring(&two, point);
	default: return 0;
	}
}
