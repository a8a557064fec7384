/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * snug for boxes: of all bases where the box is free, it takes the one with the largest
 *
 *     share of its faces that touch  -  shares of the large boxes' places that it takes
 *
 * Large boxes are the largest free cube, and cubes of three quarters and half its side. (Best-fit
 * quad-tree keeps one maximum free sub-system in mind, Srisawat and Alexandridis, section 4. Here
 * every place counts, in any dimension.)
 *
 * Both terms look as far ahead as ends are known, because a box stays where it is while others end
 * around it. So the large boxes are those of the machine when this job is half over, without the
 * runs that have ended by then. A neighbour that ends before this job touches for its part of the
 * time (doc/lab/snug.md).
 *
 * O(n/64 log^2 side) for the large boxes, O(2^d) for each base.
 */
#include "boxes/contiguous.h"

#include <stdlib.h>

#include "boxes/largebox.h"

enum {
	SIZES = 3,
	WALL = 64,  /* the worth of a neighbour that stays */
	CHECK = 4096, /* look-ups between two looks at the clock */
};

struct keeper {
	int longest[MESH_MAX_DIMS]; /* longest sides of the boxes that are compared */
	struct boundary boundary;
	struct nodeset then; /* free when this job is half over, if the job takes nothing */
	struct bitbox bits;  /* the bitmaps of `then` */
	struct largebox large[SIZES];
	int sizes; /* sizes of large boxes that exist */
};

static int keeper_init(struct contiguous *c, struct arena *arena)
{
	struct keeper *k = c->own = arena_get(arena, 1, sizeof(*k));

	if (!k || boundary_init(&k->boundary, c->mesh, arena) ||
		bitbox_init(&k->bits, c->mesh, arena) ||
		nodeset_get(&k->then, c->mesh->nnodes, arena))
		return -1;
	for (int i = 0; i < SIZES; i++)
		if (largebox_init(&k->large[i], c->mesh, arena))
			return -1;
	return 0;
}

/* --- the machine in the job's time ------------------------------------------------------- */

/* A busy vertex is worth the part of the job's time for which it stays busy. */
static void load_worth(const struct contiguous *c, struct keeper *k)
{
	const struct mesh *mesh = c->mesh;
	const struct mesh_state *state = c->state;
	uint32_t *worth = k->boundary.worth;

	for (int v = 0; v < mesh->nvertices; v++)
		worth[v] = WALL;
	for (int i = 0; i < state->nruns; i++) {
		const struct mesh_run *run = &state->run[i];
		int freed = (int)mesh_run_freed(run, state->now, c->request->time_limit, WALL);

		for (int j = 0; freed && j < run->count; j++)
			worth[mesh->vertex_of[run->node[j]]] = (uint32_t)(WALL - freed);
	}
	nodeset_each(i, state->free)
		worth[mesh->vertex_of[i]] = 0;
	boundary_load(&k->boundary, k->longest, WALL);
}

static void load_then(const struct contiguous *c, struct keeper *k)
{
	const struct mesh_state *state = c->state;

	nodeset_copy(&k->then, state->free);
	for (int i = 0; i < state->nruns; i++) {
		const struct mesh_run *run = &state->run[i];

		if (mesh_run_freed(run, state->now, c->request->time_limit, 2))
			for (int j = 0; j < run->count; j++)
				if (!state->usable || nodeset_has(state->usable, run->node[j]))
					nodeset_add(&k->then, run->node[j]);
	}
	bitbox_load(&k->bits, &k->then);
}

/* --- large boxes ------------------------------------------------------------------------- */

/* Make the sides of a cube, as far as the machine has room. */
static void cube(const struct mesh *mesh, int side, int *sides)
{
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		sides[d] = side < mesh->side[d] ? side : mesh->side[d];
}

/* The side of the largest cube; 0: nothing will be free, or there is no time. */
static int largest_cube(struct contiguous *c, struct bitbox *bits)
{
	int low = 0, high = mesh_longest_side(c->mesh), sides[MESH_MAX_DIMS];

	while (low < high && !contiguous_late(c)) {
		int side = (low + high + 1) / 2;

		cube(c->mesh, side, sides);
		bitbox_bases(bits, sides);
		if (bitbox_next(bits, 0) >= 0)
			low = side;
		else
			high = side - 1;
	}
	return low;
}

static void load_cubes(struct contiguous *c, struct keeper *k)
{
	int side = largest_cube(c, &k->bits), sides[MESH_MAX_DIMS];

	for (k->sizes = 0; k->sizes < SIZES && !contiguous_late(c); k->sizes++) {
		cube(c->mesh, (side * (4 - k->sizes) + 3) / 4, sides);
		bitbox_bases(&k->bits, sides);
		largebox_load(&k->large[k->sizes], &k->bits, sides, k->longest);
	}
}

static int64_t larger(const struct mesh *mesh, const int *a, const int *b)
{
	return box_volume(mesh->ndims, a) - box_volume(mesh->ndims, b);
}

/* The largest box of the list that is smaller than `than` (NULL: any); NULL: there is none. */
static const struct bitbox_legal *next_legal(const struct mesh *mesh, const struct bitbox *bits,
	const struct bitbox_legal *than)
{
	const struct bitbox_legal *best = NULL;

	for (int i = 0; i < bits->nlegal; i++) {
		const struct bitbox_legal *at = &bits->legal[i];

		if ((!than || larger(mesh, than->side, at->side) > 0) &&
			(!best || larger(mesh, at->side, best->side) > 0))
			best = at;
	}
	return best;
}

/* On a mesh with a list of boxes: load the largest of them that will be free. */
static void load_legal(struct contiguous *c, struct keeper *k)
{
	const struct bitbox_legal *at = NULL;

	k->sizes = 0;
	while (k->sizes < SIZES && !contiguous_late(c) &&
		(at = next_legal(c->mesh, &k->bits, at))) {
		bitbox_places(&k->bits, at->side);
		if (bitbox_next(&k->bits, 0) >= 0)
			largebox_load(&k->large[k->sizes++], &k->bits, at->side, k->longest);
	}
}

/* Load once for a decision, for the rows of which one is free. False: there is no time. */
static bool load_all(struct contiguous *c, const struct boxplan_row *row, int rows)
{
	struct keeper *k = c->own;

	if (c->made)
		return true;
	boxplan_longest(row, rows, k->longest);
	load_worth(c, k);
	load_then(c, k);
	if (c->mesh->nlegal)
		load_legal(c, k);
	else
		load_cubes(c, k);
	return c->made = !contiguous_late(c);
}

/* The value of a base; larger is better. Below `best` not all losses are counted. */
static double value_of(
	const struct contiguous *c, const struct mesh_box *box, double faces, double best)
{
	struct keeper *k = c->own;
	double value = 0;

	if (faces > 0)
		value = (double)boundary_value(&k->boundary, box->base) / faces / WALL;
	for (int i = 0; i < k->sizes && value > best; i++)
		value -= largebox_lost(&k->large[i], box) / (double)k->large[i].total;
	return value;
}

static double best_of_row(struct contiguous *c, const struct boxplan_row *row, double best,
	struct mesh_box *box)
{
	struct mesh_box at = {{0}, {0}};
	double faces = 0;
	int seen = 0, each = 1 << 2 * c->mesh->ndims; /* of a base over every edge */

	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		at.side[d] = row->side[d];
		faces += d < c->mesh->ndims ? 2.0 * (double)row->volume / row->side[d] : 0;
	}
	for (int bit = -1; (bit = bitbox_next(&c->bits, bit + 1)) >= 0;) {
		double value;

		if ((seen += each) >= CHECK && !(seen = 0) && contiguous_late(c))
			break;
		bitbox_coord(&c->bits, bit, at.base);
		value = value_of(c, &at, faces, best);
		if (value > best) {
			best = value;
			*box = at;
		}
	}
	return best;
}

/* Find the best base, or the first one if there is no time. */
static bool keeper_find(struct contiguous *c, const struct boxplan_row *row, int rows,
	struct mesh_box *box)
{
	struct keeper *k = c->own;
	double best = -1e9;

	for (int i = 0; i < rows && !contiguous_late(c); i++)
		if (bitbox_first(&c->bits, row[i].side) >= 0 && load_all(c, row, rows)) {
			boundary_sides(&k->boundary, row[i].side);
			best = best_of_row(c, &row[i], best, box);
		}
	return best > -1e9 || (c->late && contiguous_first(c, row, rows, box));
}

const struct contiguous_ops contiguous_keeper = {
	.legal = true,
	.init = keeper_init,
	.find = keeper_find,
};
