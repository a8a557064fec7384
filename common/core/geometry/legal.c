/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/legal.h"

#include <string.h>

bool legal_sides(const struct mesh *mesh, const int *side)
{
	for (int i = 0; i < mesh->nlegal; i++)
		if (!memcmp(mesh->legal[i].side, side, (size_t)mesh->ndims * sizeof(*side)))
			return true;
	return !mesh->nlegal;
}

struct legal_walk legal_walk(const struct mesh *mesh, const struct mesh_placement *placement)
{
	struct legal_walk walk = {.mesh = mesh, .placement = placement};

	memcpy(walk.base, placement->seed, sizeof(walk.base));
	return walk;
}

/* Advance in one dimension; false: it has ended, and is at its first place again. */
static bool step(struct legal_walk *walk, int d)
{
	const struct mesh_placement *p = walk->placement;
	int all = walk->mesh->side[d], next = walk->base[d] + p->step[d];

	if (walk->mesh->wrap[d])
		next %= all;
	else if (next + p->side[d] > all)
		next = p->seed[d];
	walk->base[d] = next;
	return next != p->seed[d];
}

void legal_next(struct legal_walk *walk)
{
	for (int d = walk->mesh->ndims - 1; d >= 0; d--)
		if (step(walk, d))
			return;
	walk->done = true;
}

int legal_places(const struct mesh *mesh, const struct mesh_placement *placement)
{
	int places = 1;

	for (int d = 0; d < mesh->ndims; d++) {
		struct legal_walk walk = legal_walk(mesh, placement);
		int along = 1;

		while (step(&walk, d))
			along++;
		places *= along;
	}
	return places;
}

bool legal_everywhere(const struct mesh *mesh, const struct mesh_placement *placement)
{
	int places = 1;

	for (int d = 0; d < mesh->ndims; d++)
		places *= mesh->wrap[d] ? mesh->side[d] : mesh->side[d] - placement->side[d] + 1;
	return legal_places(mesh, placement) == places;
}
