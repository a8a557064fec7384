/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Contiguous first fit and best fit, complete, with rotation. First fit: Y. Zhu, "Efficient
 * processor allocation strategies for mesh-connected parallel computers". Rotation: I. Ababneh.
 * Best fit: the boundary value of Das Sharma and Pradhan (boundary.h). Bases come from bitmaps, 64
 * at a time.
 *
 * O(n/64 log side) for a box; bf adds O(n d) for its table, and O(2^d d) for each base whose box
 * could beat the best so far.
 */
#include "boxes/contiguous.h"

const struct contiguous_ops contiguous_first_fit = {
	.legal = true,
	.find = contiguous_first,
};

struct best_fit {
	struct boundary boundary;
	int longest[MESH_MAX_DIMS]; /* longest sides of the rows in question */
	const struct boxplan_row *row; /* the row whose sides `boundary` is set to */
};

static int best_init(struct contiguous *c, struct arena *arena)
{
	struct best_fit *f = c->own = arena_get(arena, 1, sizeof(*f));

	return f ? boundary_init(&f->boundary, c->mesh, arena) : -1;
}

/* A vertex that is not free is worth 1. */
static void load(struct contiguous *c, struct best_fit *f)
{
	for (int v = 0; v < c->mesh->nvertices; v++)
		f->boundary.worth[v] = !bitbox_is_free(&c->bits, v);
	boundary_load(&f->boundary, f->longest, 1);
	f->row = NULL;
	c->made = true;
}

/* The first base makes the table. */
static int value_of(struct contiguous *c, const struct boxplan_row *row, const int *base)
{
	struct best_fit *f = c->own;

	if (!c->made)
		load(c, f);
	if (f->row != row)
		boundary_sides(&f->boundary, row->side);
	f->row = row;
	return (int)boundary_value(&f->boundary, base);
}

/*
 * An upper bound of what the faces add. If the box one step further is free too, which the bitmap
 * of bases tells, the face on that side touches nothing.
 */
static int most(const struct contiguous *c, const struct mesh_box *box, const int *area, int bit)
{
	const struct mesh *mesh = c->mesh;
	int bound = 0;

	for (int d = 0; d < mesh->ndims; d++) {
		int all = mesh->side[d], at = box->base[d], stride = c->bits.stride[d];
		int back = at ? bit - stride : bit + (all - 1) * stride;
		int on = at + 1 < all ? bit + stride : bit - (all - 1) * stride;

		if (mesh->wrap[d] && box->side[d] == all)
			continue;
		if ((!at && !mesh->wrap[d]) || !bitbox_is_base(&c->bits, back))
			bound += area[d];
		if ((at + 1 == all && !mesh->wrap[d]) || !bitbox_is_base(&c->bits, on))
			bound += area[d];
	}
	return bound;
}

/* Find a base of one row that is better than `best`: set *box to the first of the best ones. */
static int best_of_row(struct contiguous *c, const struct boxplan_row *row, int best,
	struct mesh_box *box)
{
	struct mesh_box at = {{0}, {0}};
	int area[MESH_MAX_DIMS], seen = 0;

	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		at.side[d] = row->side[d];
		area[d] = (int)(row->volume / row->side[d]);
	}
	for (int bit = -1; (bit = bitbox_next(&c->bits, bit + 1)) >= 0;) {
		int value;

		if (++seen % 64 == 0 && contiguous_late(c))
			break;
		bitbox_coord(&c->bits, bit, at.base);
		value = most(c, &at, area, bit);
		if (value > best && value)
			value = value_of(c, row, at.base);
		if (value > best) {
			best = value;
			*box = at;
		}
	}
	return best;
}

static bool best_find(struct contiguous *c, const struct boxplan_row *row, int rows,
	struct mesh_box *box)
{
	struct best_fit *f = c->own;
	int best = -1;

	boxplan_longest(row, rows, f->longest);
	for (int i = 0; i < rows && !contiguous_late(c); i++)
		if (bitbox_first(&c->bits, row[i].side) >= 0)
			best = best_of_row(c, &row[i], best, box);
	return best >= 0 || (c->late && contiguous_first(c, row, rows, box));
}

const struct contiguous_ops contiguous_best_fit = {
	.legal = true,
	.init = best_init,
	.find = best_find,
};
