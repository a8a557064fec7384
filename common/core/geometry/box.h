/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Boxes of vertices (sub-meshes). On a torus a box may run over the edge: coordinate base[d] + i
 * means (base[d] + i) mod side of the machine. A box that does not run over an edge is flat.
 *
 * Contiguous strategies take whole vertices. A vertex is free if all its nodes are free and it has
 * as many nodes as the fullest vertex (mesh->nodes_per_vertex). So no box contains a hole, or a
 * vertex with fewer nodes.
 */
#ifndef MESH_BOX_H
#define MESH_BOX_H

#include "base/mesh.h"

struct nodeset;

struct mesh_box {
	int base[MESH_MAX_DIMS]; /* 0 beyond ndims */
	int side[MESH_MAX_DIMS]; /* >= 1; 1 beyond ndims */
};

/* The smallest box around nodes, count >= 1. O(count*d + sum of sides). */
struct mesh_box box_around(const struct mesh *mesh, const int *node, int count);

/* The number of vertices in a box of side[ndims], at most INT32_MAX. */
int64_t box_volume(int ndims, const int *side);

/* The box with base[ndims] and side[ndims]; side NULL: a single vertex. */
struct mesh_box box_at(int ndims, const int *base, const int *side);

/* The next at[ndims], from 0 below side[ndims]. False: it was the last, and all are 0 now. */
bool box_next(int ndims, const int *side, int *at);
/* Are all nodes of a vertex in the set? */
bool box_vertex_is_in(const struct mesh *mesh, int v, const struct nodeset *set);
/*
 * The vertex at offsets at[ndims] from the box's base. box_step() moves to the next; -1 at the
 * end.
 */
int box_vertex(const struct mesh *mesh, const struct mesh_box *box, const int *at);
int box_step(const struct mesh *mesh, const struct mesh_box *box, int *at);
/* Loop over all vertices v of a box, which may run over the edge, the first dimension fastest. */
#define box_each(v, mesh, box) \
	for (int v##_at[MESH_MAX_DIMS] = {0}, v = box_vertex(mesh, box, v##_at); v >= 0; \
		v = box_step(mesh, box, v##_at))

/*
 * Add `count` nodes of the box to the set, in snake order with the shortest side fastest: the
 * nodes that stay free are then a slab at the end of the longest side. Required nodes (NULL: none)
 * must lie in the box and are among them. The box must hold `count` nodes, and the set none of
 * these before.
 */
void box_take(const struct mesh *mesh, const struct mesh_box *box, int count,
	const struct nodeset *required, struct nodeset *set);

/*
 * The smallest box that no minimal route between two of the nodes leaves. It goes all the way
 * round a dimension that wraps if the nodes span more than half of it. count >= 1. O(count*d + sum
 * of sides).
 */
struct mesh_box box_of_routes(const struct mesh *mesh, const int *node, int count);

/* Remove all nodes in the box from the set. O(vertices of the box * d). */
void box_remove(const struct mesh *mesh, const struct mesh_box *box, struct nodeset *set);

#endif
