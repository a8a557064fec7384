/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An order of the vertices of a cabled machine: what is near in the order is near by the cables,
 * and the vertices of a pod are side by side.
 */
#ifndef MESH_GRAPHORDER_H
#define MESH_GRAPHORDER_H

#include "graph/linkgraph.h"

/*
 * Fill order[nvertices] for a cabled mesh. The vertices are halved again and again, into those
 * nearer to one end and those nearer to the other, beginning at the end near what went before. 0,
 * or -1 when memory is out. O(n log^2 n) with a table of distances, else one search for each
 * vertex.
 */
int graphorder_fill(const struct mesh *mesh, int *order);

#endif
