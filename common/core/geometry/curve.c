/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/curve.h"

#include <string.h>

#include "graph/graphorder.h"

/* One step: advance the fastest dimension that is not at its end; faster ones turn round. */
static void snake(const struct mesh *mesh, bool longest, int *order)
{
	int axis[MESH_MAX_DIMS], coord[MESH_MAX_DIMS] = {0}, step[MESH_MAX_DIMS];
	int v = 0, key[MESH_MAX_DIMS];

	for (int d = 0; d < mesh->ndims; d++) {
		step[d] = 1;
		key[d] = longest ? -mesh->side[d] : mesh->side[d];
	}
	axis_sort(mesh->ndims, key, axis);
	for (int rank = 0; rank < mesh->nvertices; rank++) {
		order[rank] = v;
		for (int i = 0; i < mesh->ndims; i++) {
			int d = axis[i], next = coord[d] + step[d];

			if (next >= 0 && next < mesh->side[d]) {
				coord[d] = next;
				v += step[d] * mesh->stride[d];
				break;
			}
			step[d] = -step[d];
		}
	}
}

int curve_fill(const struct mesh *mesh, enum curve curve, int *order)
{
	if (mesh->cabled && curve != CURVE_ROW && !(curve == CURVE_MESH && mesh->order))
		return graphorder_fill(mesh, order);
	switch (curve) {
	case CURVE_SNAKE:
	case CURVE_SNAKE_LONG:
		snake(mesh, curve == CURVE_SNAKE_LONG, order);
		return 0;
	case CURVE_ROW:
		for (int v = 0; v < mesh->nvertices; v++)
			order[v] = v;
		return 0;
	default:
		if (curve != CURVE_MESH || !mesh->order)
			return curve_hilbert(mesh, curve == CURVE_RING, order);
		memcpy(order, mesh->order, (size_t)mesh->nvertices * sizeof(*order));
		return 0;
	}
}

void curve_nodes(const struct mesh *mesh, const int *order, int *node, int *rank)
{
	int at = 0;

	for (int i = 0; i < mesh->nvertices; i++)
		for (int j = mesh->first[order[i]]; j < mesh->first[order[i] + 1]; j++) {
			if (node)
				node[at] = mesh->node_at[j];
			if (rank)
				rank[mesh->node_at[j]] = at;
			at++;
		}
}
