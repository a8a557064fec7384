/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boxes/boundary.h"

#include <string.h>

#include "geometry/box.h"

int boundary_init(struct boundary *b, const struct mesh *mesh, struct arena *arena)
{
	b->mesh = mesh;
	arena_array(arena, b->worth, mesh->nvertices);
	return sumtable_init(&b->table, mesh, arena);
}

void boundary_load(struct boundary *b, const int *longest, uint32_t wall)
{
	sumtable_build(&b->table, b->worth, longest);
	b->wall = wall;
}

void boundary_sides(struct boundary *b, const int *side)
{
	int wide[MESH_MAX_DIMS];
	int64_t volume = box_volume(b->mesh->ndims, side);

	b->side = side;
	memcpy(wide, side, (size_t)b->mesh->ndims * sizeof(*side));
	for (int d = 0; d < b->mesh->ndims; d++) {
		bool spans = b->mesh->wrap[d] && side[d] == b->mesh->side[d];

		b->area[d] = spans ? 0 : (int)(volume / side[d]);
		wide[d] += 2;
		sumtable_box(&b->table, wide, &b->wide[d]);
		wide[d] -= 2;
	}
}

int64_t boundary_value(const struct boundary *b, const int *base)
{
	const struct mesh *mesh = b->mesh;
	int64_t value = 0, at = sumtable_at(&b->table, base);

	for (int d = 0; d < mesh->ndims; d++) {
		int beyond = !base[d] + (base[d] + b->side[d] == mesh->side[d]);

		if (!b->area[d])
			continue;
		value += sumtable_get(&b->table, &b->wide[d], at - b->table.stride[d]);
		if (!mesh->wrap[d])
			value += (int64_t)b->wall * beyond * b->area[d];
	}
	return value;
}
