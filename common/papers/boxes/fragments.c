/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boxes/fragments.h"

#include <stdbool.h>

#include "geometry/box.h"

/* The number of vertices of the box at the corner if one of them is busy, else 0. */
static uint64_t broken(const struct mesh *mesh, const struct nodeset *free, const int *corner,
	int side)
{
	struct mesh_box box = box_at(mesh->ndims, corner, NULL);

	for (int d = 0; d < mesh->ndims; d++)
		box.side[d] = side < mesh->side[d] - corner[d] ? side : mesh->side[d] - corner[d];
	box_each(v, mesh, &box)
		if (!box_vertex_is_in(mesh, v, free))
			return (uint64_t)box_volume(mesh->ndims, box.side);
	return 0;
}

static uint64_t of_side(const struct mesh *mesh, const struct nodeset *free, int side)
{
	int corner[MESH_MAX_DIMS] = {0}, d;
	uint64_t sum = 0;

	do {
		sum += broken(mesh, free, corner, side);
		for (d = 0; d < mesh->ndims; d++) {
			if ((corner[d] += side) < mesh->side[d])
				break;
			corner[d] = 0;
		}
	} while (d < mesh->ndims);
	return sum;
}

uint64_t fragments(const struct mesh *mesh, const struct nodeset *free)
{
	uint64_t sum = 0;
	int longest = mesh_longest_side(mesh);

	for (int side = 1; side < 2 * longest; side *= 2)
		sum += of_side(mesh, free, side);
	return sum;
}
