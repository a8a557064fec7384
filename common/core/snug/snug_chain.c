/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "snug/snug_chain.h"

#include <math.h>
#include <string.h>

#include "geometry/box.h"

/*
 * Shapes with this many times the hops of the best are not tried, nor shapes with this much spare
 * room.
 */
static const double WORSE_HOPS = 1.34, SPARE = 1.36;

/* Boxes of up to this share of the largest one are likely to be looked at. */
static const double LIKELY = 1.0 / 3;

double snug_axis_hops(const struct mesh *mesh, int d, int side)
{
	double s = side, half = mesh->side[d] / 2;

	/* Pairs of a line of s: (s-1)s(s+1)/3 ordered hops in all. */
	if (!mesh->wrap[d] || side <= half + 1)
		return (s * s - 1) / (3 * s);
	/*
	 * On a ring of length L, 2(s-h) pairs are h apart. First those up to L/2 apart; then those
	 * that go the other way, counted from the farthest ones, which are L-s+1 hops apart:
	 */
	double far = s - half - 1, ring = mesh->side[d];
	double sum = s * half * (half + 1) / 2 - half * (half + 1) * (2 * half + 1) / 6 +
		(ring - s) * far * (far + 1) / 2 + far * (far + 1) * (2 * far + 1) / 6;

	return 2 * sum / (s * s);
}

static double box_hops(const struct mesh *mesh, const int *side)
{
	double hops = 0;

	for (int d = 0; d < mesh->ndims; d++)
		hops += snug_axis_hops(mesh, d, side[d]);
	return hops;
}

static double volume_of(const struct mesh *mesh, const int *side)
{
	return (double)box_volume(mesh->ndims, side);
}

/* The few best shapes, the best first. */
struct shapes {
	const struct mesh *mesh;
	double vertices, best;
	int longest[MESH_MAX_DIMS];
	int count;
	struct snug_level shape[SNUG_SHAPES];
	int side[MESH_MAX_DIMS];
};

/*
 * Keep a shape if it is among the best, by its hops per vertex wanted: a box with room to spare is
 * trimmed, and is then as compact as a smaller box.
 */
static void keep_shape(struct shapes *s, double volume)
{
	double hops = box_hops(s->mesh, s->side) * pow(s->vertices / volume, 1.0 / s->mesh->ndims);
	int i;

	for (int d = 0; d < s->mesh->ndims; d++)
		if (s->side[d] > 1 && volume / s->side[d] * (s->side[d] - 1) >= s->vertices)
			return; /* a side can shrink */
	if (s->count == SNUG_SHAPES && hops >= s->shape[SNUG_SHAPES - 1].hops)
		return;
	i = s->count < SNUG_SHAPES ? s->count++ : SNUG_SHAPES - 1;
	for (; i > 0 && s->shape[i - 1].hops > hops; i--)
		s->shape[i] = s->shape[i - 1];
	s->shape[i].hops = hops;
	memcpy(s->shape[i].side, s->side, sizeof(s->side));
}

/* Try sides for dimensions 0..d-1; those above are set, and volume is their product. */
static void try_sides(struct shapes *s, int d, double volume)
{
	if (volume > s->vertices * SPARE + 2)
		return;
	if (d == 0) {
		double need = ceil(s->vertices / volume);

		if (need > s->longest[0])
			return;
		s->side[0] = (int)need;
		if (volume * need <= s->vertices * SPARE + 2)
			keep_shape(s, volume * need);
		return;
	}
	for (s->side[d] = 1; s->side[d] <= s->longest[d]; s->side[d]++)
		try_sides(s, d - 1, volume * s->side[d]);
	s->side[d] = 1;
}

/* Limit the sides to about 2.2 times those of a cube, more where other sides are short. */
static void bound_sides(struct shapes *s)
{
	const struct mesh *mesh = s->mesh;
	double ideal = s->vertices;
	bool shorter = true;
	bool full[MESH_MAX_DIMS] = {false};
	int open = mesh->ndims;

	while (shorter) {
		double cube = pow(ideal, 1.0 / open);

		shorter = false;
		for (int d = 0; d < mesh->ndims; d++)
			if (!full[d] && mesh->side[d] < cube) {
				full[d] = shorter = true;
				ideal /= mesh->side[d];
				open--;
			}
	}
	for (int d = 0; d < mesh->ndims; d++) {
		double most = ceil(pow(ideal, 1.0 / open) * (mesh->ndims > 3 ? 1.6 : 2.2)) + 1;

		s->longest[d] = full[d] || mesh->side[d] < most ? mesh->side[d] : (int)most;
	}
}

/* Lengthen the side that is shortest in relation to the first box by one; false: all are full. */
static bool grow(const struct mesh *mesh, const int *first, int *side)
{
	int which = -1;

	for (int d = mesh->ndims - 1; d >= 0; d--)
		if (side[d] < mesh->side[d] && (which < 0 ||
			(int64_t)side[d] * first[which] <= (int64_t)side[which] * first[d]))
			which = d;
	if (which < 0)
		return false;
	int step = side[which] < 15 ? 1 : (side[which] + 5) / 10;

	side[which] += step;
	if (side[which] > mesh->side[which])
		side[which] = mesh->side[which];
	return true;
}

static void add_level(const struct mesh *mesh, struct snug_chain *chain, const int *side)
{
	struct snug_level *level = &chain->level[chain->nlevels++];

	memcpy(level->side, side, sizeof(level->side));
	level->hops = box_hops(mesh, side);
	level->volume = volume_of(mesh, side);
}

void snug_chain_of(struct snug_chain *chain, const struct mesh *mesh, const int *side)
{
	chain->nlevels = 0;
	add_level(mesh, chain, side);
}

/* Lengthen all sides by half; false: all were full. */
static bool grow_all(const struct mesh *mesh, int *side)
{
	bool grown = false;

	for (int d = 0; d < mesh->ndims; d++) {
		int longer = side[d] + side[d] / 2 + 1;

		grown |= side[d] < mesh->side[d];
		side[d] = longer < mesh->side[d] ? longer : mesh->side[d];
	}
	return grown;
}

static void make_chain(struct snug_plan *plan, const struct mesh *mesh, const int *first,
	double most)
{
	struct snug_chain *chain = &plan->chain[plan->nchains++];
	int side[MESH_MAX_DIMS];

	memcpy(side, first, sizeof(side));
	chain->nlevels = 0;
	do {
		add_level(mesh, chain, side);
		if (chain->nlevels == 1 || volume_of(mesh, side) <= most * LIKELY)
			for (int d = 0; d < mesh->ndims; d++)
				plan->reach[d] =
					side[d] > plan->reach[d] ? side[d] : plan->reach[d];
	} while (chain->nlevels < SNUG_LEVELS && volume_of(mesh, side) < most &&
		grow(mesh, first, side));
	/* The first chain goes on to the whole machine, in large steps. */
	while (plan->nchains == 1 && chain->nlevels < SNUG_LEVELS + SNUG_LARGE &&
		grow_all(mesh, side))
		add_level(mesh, chain, side);
}

static double surface_of(const struct mesh *mesh, const int *side)
{
	double volume = volume_of(mesh, side), surface = 0;

	for (int d = 0; d < mesh->ndims; d++)
		if (mesh->side[d] > 1)
			surface += 2 * volume / side[d];
	return surface;
}

void snug_plan_make(struct snug_plan *plan, const struct mesh *mesh, int vertices, double most)
{
	struct shapes s = {.mesh = mesh, .vertices = vertices};

	for (int d = 0; d < MESH_MAX_DIMS; d++)
		s.side[d] = plan->reach[d] = 1;
	plan->nchains = 0;
	bound_sides(&s);
	try_sides(&s, mesh->ndims - 1, 1);
	if (!s.count) { /* no compact box fits: use the whole machine, and trim it */
		memcpy(s.shape[0].side, mesh->side, sizeof(mesh->side));
		s.shape[0].hops = box_hops(mesh, mesh->side);
		s.count = 1;
	}
	plan->hops = s.shape[0].hops;
	plan->surface = surface_of(mesh, s.shape[0].side);
	for (int i = 0; i < s.count && s.shape[i].hops <= plan->hops * WORSE_HOPS + 0.1; i++)
		make_chain(plan, mesh, s.shape[i].side, most);
}
