/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/route.h"

/* On a ring a shortest way may go through what the box leaves out, where that is no more than
 * half. */
void route_hull(const struct mesh *mesh, const int *node, int count, struct mesh_box *hull)
{
	*hull = box_around(mesh, node, count);
	for (int d = 0; d < mesh->ndims; d++)
		if (mesh->wrap[d] && 2 * (hull->side[d] - 1) >= mesh->side[d]) {
			hull->base[d] = 0;
			hull->side[d] = mesh->side[d];
		}
}

void route_remove(const struct mesh *mesh, const struct mesh_box *hull, struct nodeset *set)
{
	box_each(v, mesh, hull)
		for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++)
			nodeset_del(set, mesh->node_at[i]);
}
