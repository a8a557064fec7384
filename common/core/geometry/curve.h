/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Orderings of the vertices of a mesh along curves, so that near ranks are near vertices, and
 * spans measured along an ordering.
 *
 *   V. Leung et al., "Processor allocation on Cplant: achieving general processor locality
 *   using one-dimensional allocation strategies", sections 2.2 and 2.3.
 *
 * An order is an array int[nvertices]: the vertex at each rank, every vertex once. It orders
 * nodes, too: vertex by vertex, the nodes of one vertex by number. Spans count nodes, so holes
 * take no room.
 */
#ifndef MESH_CURVE_H
#define MESH_CURVE_H

#include <stdbool.h>

#include "base/mesh.h"

enum curve {
	CURVE_MESH,    /* the mesh's own: of its Order= file, otherwise Hilbert */
	CURVE_HILBERT, /* true Hilbert on powers of two; on every box each step is one hop */
	CURVE_RING,    /* Hilbert, closed: the last vertex is next to the first where possible */
	CURVE_SNAKE,   /* to and fro, the shortest dimension fastest */
	CURVE_SNAKE_LONG, /* to and fro, the longest dimension fastest */
	CURVE_ROW,        /* by vertex number */
	CURVES,
};

/*
 * Fill order[nvertices]. 0, or -1 when memory is out. O(nvertices). If the mesh is cabled,
 * graph/graphorder.h makes all curves but CURVE_ROW and that of an Order= file.
 */
int curve_fill(const struct mesh *mesh, enum curve curve, int *order);

/*
 * The Hilbert curve of a box, for CURVE_HILBERT and CURVE_RING. order[] gets vertex numbers (first
 * dimension fastest) from one corner to another, each step one hop. With `ring` the last is a
 * neighbour of the first, maybe over a wrap-around link; where there is no such cycle, the curve
 * is open. 0, or -1 when memory is out.
 */
int curve_hilbert(const struct mesh *mesh, bool ring, int *order);

/*
 * Order the nodes along order[nvertices]: node[rank] and rank[node], both [nnodes]; one may be
 * NULL.
 */
void curve_nodes(const struct mesh *mesh, const int *order, int *node, int *rank);

#endif
