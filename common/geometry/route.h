/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where a job's messages go if they take minimal routes: inside the box that holds its
 * nodes, or all the way round a dimension that wraps when the box spans more than half of it.
 */
#ifndef MESH_ROUTE_H
#define MESH_ROUTE_H

#include "geometry/box.h"

/* The smallest box that no minimal route between two of node[count] leaves, count >= 1. O(count*d +
 * sum of sides). */
void route_hull(const struct mesh *mesh, const int *node, int count, struct mesh_box *hull);

/* Remove from the set all nodes inside. O(vertices of the box * d). */
void route_remove(const struct mesh *mesh, const struct mesh_box *hull, struct nodeset *set);

#endif
