/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * snug for boxes: of all bases where the box is free, the one that leaves most large boxes
 * free, then the one that touches most (as best fit). Large means the largest free cube there
 * is, and those of three quarters and half its side: each counts by the share of its places
 * that the box would take. (Best-fit quad-tree keeps one maximum free sub-system in mind,
 * Srisawat and Alexandridis, section 4; here every place of it counts, and in any dimension.)
 *
 * O(n/64 log^2 side) for the large boxes, O(2^d) for each base.
 */
#include "contiguous.h"

#include <stdlib.h>
#include <string.h>

#include "sumtable.h"

enum { SIZES = 3 };

/* Weight of the share of large boxes lost against the share of faces that touch (doc/snug.md). */
static const double LOST = 0.5;

struct keeper {
	struct boundary boundary;
	uint32_t *place;	      /* [nvertices] 1 where a large box has its base */
	struct sumtable places[SIZES];
	struct boxplan_row large[SIZES];
	uint32_t total[SIZES]; /* places of each; 0 = none */
	bool loaded;
};

static void keeper_release(struct contiguous *c)
{
	struct keeper *k = c->own;

	if (!k)
		return;
	boundary_release(&k->boundary);
	for (int i = 0; i < SIZES; i++)
		sumtable_release(&k->places[i]);
	free(k->place);
	free(k);
}

static int keeper_init(struct contiguous *c)
{
	struct keeper *k = calloc(1, sizeof(*k));

	c->own = k;
	if (!k || boundary_init(&k->boundary, c->mesh))
		return -1;
	for (int i = 0; i < SIZES; i++)
		if (sumtable_init(&k->places[i], c->mesh))
			return -1;
	k->place = malloc((size_t)c->mesh->nvertices * sizeof(*k->place));
	return k->place ? 0 : -1;
}

static void keeper_load(struct contiguous *c, const struct mesh_state *state)
{
	struct keeper *k = c->own;

	(void)state;
	k->loaded = false;
}

/* A cube, as far as the machine has room for one. */
static void cube(const struct mesh *mesh, int side, struct boxplan_row *row)
{
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		row->side[d] = (int16_t)(side < mesh->side[d] ? side : mesh->side[d]);
}

/* The side of the largest free cube, 0 when nothing is free. */
static int largest_cube(struct contiguous *c)
{
	int low = 0, high = 0;
	struct boxplan_row row;

	for (int d = 0; d < c->mesh->ndims; d++)
		high = c->mesh->side[d] > high ? c->mesh->side[d] : high;
	while (low < high) {
		int side = (low + high + 1) / 2;

		cube(c->mesh, side, &row);
		bitbox_bases(&c->bits, row.side);
		if (bitbox_next(&c->bits, 0) >= 0)
			low = side;
		else
			high = side - 1;
	}
	return low;
}

static void load_places(struct contiguous *c, int i, int side)
{
	struct keeper *k = c->own;
	int coord[MESH_MAX_DIMS];

	cube(c->mesh, side, &k->large[i]);
	memset(k->place, 0, (size_t)c->mesh->nvertices * sizeof(*k->place));
	bitbox_bases(&c->bits, k->large[i].side);
	k->total[i] = 0;
	for (int bit = -1; (bit = bitbox_next(&c->bits, bit + 1)) >= 0; k->total[i]++) {
		bitbox_coord(&c->bits, bit, coord);
		k->place[mesh_vertex(c->mesh, coord)] = 1;
	}
	sumtable_build(&k->places[i], k->place, c->mesh->side);
}

static void load_all(struct contiguous *c)
{
	struct keeper *k = c->own;
	int side = largest_cube(c);

	boundary_load(&k->boundary, &c->bits);
	for (int i = 0; i < SIZES; i++)
		load_places(c, i, (side * (4 - i) + 3) / 4);
	k->loaded = true;
}

/* Places of large box i that have a vertex in common with the box. */
static uint32_t places_lost(const struct contiguous *c, int i, const struct mesh_box *box)
{
	const struct keeper *k = c->own;
	const struct mesh *mesh = c->mesh;
	int base[MESH_MAX_DIMS], side[MESH_MAX_DIMS];
	struct sumtable_box sum;

	for (int d = 0; d < mesh->ndims; d++) {
		/* Bases from here to the last vertex of the box. */
		base[d] = box->base[d] - k->large[i].side[d] + 1;
		side[d] = box->side[d] + k->large[i].side[d] - 1;
		if (mesh->wrap[d]) {
			base[d] = (base[d] + mesh->side[d]) % mesh->side[d];
			if (side[d] > mesh->side[d])
				side[d] = mesh->side[d];
		} else {
			if (base[d] < 0) {
				side[d] += base[d];
				base[d] = 0;
			}
			if (side[d] > mesh->side[d] - base[d])
				side[d] = mesh->side[d] - base[d];
		}
	}
	sumtable_box(&k->places[i], side, &sum);
	return sumtable_get(&k->places[i], &sum, sumtable_at(&k->places[i], base));
}

/* Larger is better. */
static double value_of(const struct contiguous *c, const struct mesh_box *box, double faces)
{
	const struct keeper *k = c->own;
	double value = faces > 0 ? boundary_value(&k->boundary, box) / faces : 0;

	for (int i = 0; i < SIZES; i++)
		value -= LOST * (places_lost(c, i, box) / (double)k->total[i]);
	return value;
}

static double best_of_row(struct contiguous *c, const struct boxplan_row *row, double best,
	struct mesh_box *box)
{
	struct mesh_box at = {{0}, {0}};
	double faces = 0;

	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		at.side[d] = row->side[d];
		faces += d < c->mesh->ndims ? 2.0 * (double)row->volume / row->side[d] : 0;
	}
	for (int bit = -1; (bit = bitbox_next(&c->bits, bit + 1)) >= 0;) {
		bitbox_coord(&c->bits, bit, at.base);
		double value = value_of(c, &at, faces);

		if (value > best) {
			best = value;
			*box = at;
		}
	}
	return best;
}

static bool keeper_find(struct contiguous *c, const struct boxplan_row *row, int rows,
	struct mesh_box *box)
{
	struct keeper *k = c->own;
	double best = -1e9;

	for (int i = 0; i < rows; i++) {
		/* The tables use the bitmap of bases, so they come first. */
		if (!k->loaded)
			load_all(c);
		bitbox_bases(&c->bits, row[i].side);
		best = best_of_row(c, &row[i], best, box);
	}
	return best > -1e9;
}

static const struct contiguous_ops keeper = {
	.complete = true,
	.init = keeper_init,
	.release = keeper_release,
	.load = keeper_load,
	.find = keeper_find,
};

const struct strategy_ops strategy_snug_box_family[] = {
	{
		.name = "snug-box",
		.summary = "contiguous: the free box that leaves most large boxes free",
		.source = "this project, after Srisawat and Alexandridis 1999",
		.time = "O(n d) a box",
		CONTIGUOUS_STRATEGY(keeper),
	},
	{0},
};
