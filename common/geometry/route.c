/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/route.h"

#include <string.h>

/* The longest run of unused coordinates, round the end where the dimension wraps. */
static void longest_gap(const bool *used, int side, bool wrap, int *start, int *length)
{
	int turns = wrap ? 2 * side : side, run = 0;

	*start = *length = 0;
	for (int i = 0; i < turns; i++) {
		run = used[i % side] ? 0 : run + 1;
		if (run > *length && run < side) {
			*length = run;
			*start = (i - run + 1) % side;
		}
	}
}

static void mesh_span(const bool *used, int side, int *base, int *width)
{
	int low = 0, high = side - 1;

	while (!used[low])
		low++;
	while (!used[high])
		high--;
	*base = low;
	*width = high - low + 1;
}

/* On a ring what is not the longest gap; all of it if a shortest way may go through the gap. */
static void ring_span(const bool *used, int side, int *base, int *width)
{
	int start, length;

	longest_gap(used, side, true, &start, &length);
	*base = (start + length) % side;
	*width = side - length;
	if (2 * (*width - 1) >= side) {
		*base = 0;
		*width = side;
	}
}

/* One dimension at a time; sides beyond this many are taken whole. */
enum { MAX_SIDE = 4096 };

void route_hull(const struct mesh *mesh, const int *node, int count, struct mesh_box *hull)
{
	bool used[MAX_SIDE];

	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		int side = mesh->side[d];

		hull->base[d] = 0;
		hull->side[d] = side;
		if (side > MAX_SIDE)
			continue;
		memset(used, 0, (size_t)side * sizeof(*used));
		for (int i = 0; i < count; i++)
			used[mesh->coord[mesh->vertex_of[node[i]]][d]] = true;
		if (mesh->wrap[d])
			ring_span(used, side, &hull->base[d], &hull->side[d]);
		else
			mesh_span(used, side, &hull->base[d], &hull->side[d]);
	}
}

void route_remove(const struct mesh *mesh, const struct mesh_box *hull, struct nodeset *set)
{
	int at[MESH_MAX_DIMS] = {0}, d = 0;

	while (d < MESH_MAX_DIMS) {
		int v = 0;

		for (d = 0; d < MESH_MAX_DIMS; d++)
			v += (hull->base[d] + at[d]) % mesh->side[d] * mesh->stride[d];
		for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++)
			nodeset_del(set, mesh->node_at[i]);
		/* Like an odometer. */
		for (d = 0; d < MESH_MAX_DIMS && ++at[d] == hull->side[d]; d++)
			at[d] = 0;
	}
}
