/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * snug for boxes: of all bases where the box is free, the one with the largest
 *
 *     share of its faces that touch  -  shares of the large boxes' places that it takes
 *
 * Large means the largest cube there is, and those of three quarters and half its side. (Best-fit
 * quad-tree keeps one maximum free sub-system in mind, Srisawat and Alexandridis, section 4;
 * here every place of it counts, and in any dimension.)
 *
 * Both look ahead as far as ends are known: a box stays where it is while others end around it.
 * So large boxes are those of the machine as it will be when this job is half over, without the
 * runs that will have ended; and a neighbour that ends before this job touches for the part of
 * the time in which it is there (doc/lab/snug.md).
 *
 * O(n/64 log^2 side) for the large boxes, O(2^d) for each base.
 */
#include "boxes/contiguous.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/sumtable.h"

enum {
	SIZES = 3,
	WALL = 64,  /* worth of a neighbour that stays */
	CHECK = 4096, /* look-ups between two looks at the clock */
};

struct keeper {
	const struct mesh_state *state;
	const struct mesh_request *request;
	struct boundary boundary;
	int *worth;	     /* [nvertices] of a vertex that is touched */
	struct nodeset then; /* free when this job is half over, if it takes nothing */
	struct bitbox bits;  /* the same */
	uint32_t *place;     /* [nvertices] 1 where a large box has its base */
	struct sumtable places[SIZES];
	struct boxplan_row large[SIZES];
	uint32_t total[SIZES]; /* places of each, at least 1 where the job has any */
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
	bitbox_release(&k->bits);
	nodeset_release(&k->then);
	free(k->worth);
	free(k->place);
	free(k);
}

static int keeper_init(struct contiguous *c)
{
	struct keeper *k = calloc(1, sizeof(*k));

	c->own = k;
	if (!k || boundary_init(&k->boundary, c->mesh) || bitbox_init(&k->bits, c->mesh) ||
		nodeset_init(&k->then, c->mesh->nnodes))
		return -1;
	for (int i = 0; i < SIZES; i++)
		if (sumtable_init(&k->places[i], c->mesh))
			return -1;
	k->place = malloc((size_t)c->mesh->nvertices * sizeof(*k->place));
	k->worth = malloc((size_t)c->mesh->nvertices * sizeof(*k->worth));
	return k->place && k->worth ? 0 : -1;
}

static void keeper_load(struct contiguous *c, const struct mesh_state *state,
	const struct mesh_request *request)
{
	struct keeper *k = c->own;

	k->state = state;
	k->request = request;
	k->loaded = false;
}

/* --- the machine in the job's time ------------------------------------------------------- */

/* A vertex that is not free is worth what it stays busy of the job's time. */
static void load_worth(const struct mesh *mesh, struct keeper *k)
{
	const struct mesh_state *state = k->state;

	for (int v = 0; v < mesh->nvertices; v++)
		k->worth[v] = WALL;
	for (int i = 0; i < state->nruns; i++) {
		const struct mesh_run *run = &state->run[i];
		int freed = (int)mesh_run_freed(run, state->now, k->request->time_limit, WALL);

		for (int j = 0; freed && j < run->count; j++)
			k->worth[mesh->vertex_of[run->node[j]]] = WALL - freed;
	}
	nodeset_each(i, state->free)
		k->worth[mesh->vertex_of[i]] = 0;
	boundary_load_worth(&k->boundary, k->worth, WALL);
}

static void load_then(struct keeper *k)
{
	const struct mesh_state *state = k->state;

	nodeset_copy(&k->then, state->free);
	for (int i = 0; i < state->nruns; i++) {
		const struct mesh_run *run = &state->run[i];

		if (mesh_run_freed(run, state->now, k->request->time_limit, 2))
			for (int j = 0; j < run->count; j++)
				if (!state->usable || nodeset_has(state->usable, run->node[j]))
					nodeset_add(&k->then, run->node[j]);
	}
	bitbox_load(&k->bits, &k->then);
}

/* --- large boxes ------------------------------------------------------------------------- */

/* A cube, as far as the machine has room for one. */
static void cube(const struct mesh *mesh, int side, struct boxplan_row *row)
{
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		row->side[d] = (int16_t)(side < mesh->side[d] ? side : mesh->side[d]);
}

/* The side of the largest cube, 0 when nothing will be free; or when there is no time. */
static int largest_cube(struct contiguous *c, struct bitbox *bits)
{
	const struct mesh *mesh = c->mesh;
	int low = 0, high = 0;
	struct boxplan_row row;

	for (int d = 0; d < mesh->ndims; d++)
		high = mesh->side[d] > high ? mesh->side[d] : high;
	while (low < high && !contiguous_late(c)) {
		int side = (low + high + 1) / 2;

		cube(mesh, side, &row);
		bitbox_bases(bits, row.side);
		if (bitbox_next(bits, 0) >= 0)
			low = side;
		else
			high = side - 1;
	}
	return low;
}

static void load_places(const struct mesh *mesh, struct keeper *k, int i, int side)
{
	int coord[MESH_MAX_DIMS];

	cube(mesh, side, &k->large[i]);
	memset(k->place, 0, (size_t)mesh->nvertices * sizeof(*k->place));
	bitbox_bases(&k->bits, k->large[i].side);
	k->total[i] = 0;
	for (int bit = -1; (bit = bitbox_next(&k->bits, bit + 1)) >= 0; k->total[i]++) {
		bitbox_coord(&k->bits, bit, coord);
		k->place[mesh_vertex(mesh, coord)] = 1;
	}
	sumtable_build(&k->places[i], k->place, mesh->side);
}

/* Once a decision, for the first box. False: there is no time for it. */
static bool load_all(struct contiguous *c)
{
	struct keeper *k = c->own;
	int side;

	if (k->loaded)
		return true;
	load_worth(c->mesh, k);
	load_then(k);
	side = largest_cube(c, &k->bits);
	for (int i = 0; i < SIZES && !contiguous_late(c); i++)
		load_places(c->mesh, k, i, (side * (4 - i) + 3) / 4);
	k->loaded = !contiguous_late(c);
	return k->loaded;
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
	double value = faces > 0 ? (double)boundary_value(&k->boundary, box) / faces / WALL : 0;

	for (int i = 0; i < SIZES; i++)
		value -= places_lost(c, i, box) / (double)k->total[i];
	return value;
}

static double best_of_row(struct contiguous *c, const struct boxplan_row *row, double best,
	struct mesh_box *box)
{
	struct mesh_box at = {{0}, {0}};
	double faces = 0;
	int seen = 0, each = 1 << 2 * c->mesh->ndims; /* a base that runs over every edge */

	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		at.side[d] = row->side[d];
		faces += d < c->mesh->ndims ? 2.0 * (double)row->volume / row->side[d] : 0;
	}
	for (int bit = -1; (bit = bitbox_next(&c->bits, bit + 1)) >= 0;) {
		double value;

		if ((seen += each) >= CHECK && !(seen = 0) && contiguous_late(c))
			break;
		bitbox_coord(&c->bits, bit, at.base);
		value = value_of(c, &at, faces);
		if (value > best) {
			best = value;
			*box = at;
		}
	}
	return best;
}

/* Without the time to know what is best, the first. */
static bool keeper_find(struct contiguous *c, const struct boxplan_row *row, int rows,
	struct mesh_box *box)
{
	double best = -1e9;

	for (int i = 0; i < rows && !contiguous_late(c); i++)
		if (load_all(c)) {
			bitbox_bases(&c->bits, row[i].side);
			best = best_of_row(c, &row[i], best, box);
		}
	return best > -1e9 || (c->late && contiguous_first(c, row, rows, box));
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
