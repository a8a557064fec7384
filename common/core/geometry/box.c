/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/box.h"

#include <string.h>

int64_t box_volume(int ndims, const int *side)
{
	int64_t volume = 1;

	for (int d = 0; d < ndims; d++) {
		volume *= side[d];
		if (volume > INT32_MAX)
			return INT32_MAX;
	}
	return volume;
}

struct mesh_box box_around(const struct mesh *mesh, const int *node, int count)
{
	struct mesh_box box = {{0}, {1, 1, 1, 1, 1, 1}};
	int marginal[MESH_MAX_SIDE];

	for (int d = 0; d < mesh->ndims; d++) {
		memset(marginal, 0, (size_t)mesh->side[d] * sizeof(*marginal));
		for (int i = 0; i < count; i++)
			marginal[mesh->coord[mesh->vertex_of[node[i]]][d]]++;
		box.side[d] = axis_stretch(marginal, mesh->side[d], mesh->wrap[d], &box.base[d]);
	}
	return box;
}

struct mesh_box box_at(int ndims, const int *base, const int *side)
{
	struct mesh_box box = {{0}, {1, 1, 1, 1, 1, 1}};

	memcpy(box.base, base, (size_t)ndims * sizeof(*base));
	if (side)
		memcpy(box.side, side, (size_t)ndims * sizeof(*side));
	return box;
}

int box_vertex(const struct mesh *mesh, const struct mesh_box *box, const int *at)
{
	int v = 0;

	for (int d = 0; d < mesh->ndims; d++) {
		int c = box->base[d] + at[d];

		v += (c < mesh->side[d] ? c : c - mesh->side[d]) * mesh->stride[d];
	}
	return v;
}

bool box_next(int ndims, const int *side, int *at)
{
	for (int d = 0; d < ndims; d++) {
		if (++at[d] < side[d])
			return true;
		at[d] = 0;
	}
	return false;
}

int box_step(const struct mesh *mesh, const struct mesh_box *box, int *at)
{
	return box_next(mesh->ndims, box->side, at) ? box_vertex(mesh, box, at) : -1;
}

/* On a ring a shortest way may use the part outside of the box, if that is not more than half. */
struct mesh_box box_of_routes(const struct mesh *mesh, const int *node, int count)
{
	struct mesh_box hull = box_around(mesh, node, count);

	for (int d = 0; d < mesh->ndims; d++)
		if (mesh->wrap[d] && 2 * (hull.side[d] - 1) >= mesh->side[d]) {
			hull.base[d] = 0;
			hull.side[d] = mesh->side[d];
		}
	return hull;
}
