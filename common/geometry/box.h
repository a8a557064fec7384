/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Boxes of vertices (sub-meshes). On a torus a box may run over the edge: coordinate
 * base[d] + i stands for (base[d] + i) mod side of the machine.
 *
 * Contiguous strategies take whole vertices. A vertex counts as free when all its nodes are
 * free and it has as many as the fullest vertex (mesh->nodes_per_vertex): holes and vertices
 * that are short of nodes are never part of a box.
 */
#ifndef MESH_BOX_H
#define MESH_BOX_H

#include "base/mesh.h"
#include "base/nodeset.h"

struct mesh_box {
	int base[MESH_MAX_DIMS];
	int side[MESH_MAX_DIMS]; /* >= 1; 1 beyond the machine's dimensions */
};

/* A box that does not run over the edge: low[d]..high[d], both inside. */
struct box_range {
	int16_t low[MESH_MAX_DIMS];
	int16_t high[MESH_MAX_DIMS];
};

int64_t range_volume(int ndims, const struct box_range *range);
/* Have two a vertex in common? */
bool range_meets(int ndims, const struct box_range *a, const struct box_range *b);
/* Is the inner one part of the outer one? */
bool range_holds(int ndims, const struct box_range *outer, const struct box_range *inner);
/* What two have in common, into *out; false if nothing. */
bool range_common(int ndims, const struct box_range *a, const struct box_range *b,
	struct box_range *out);

/*
 * from minus what, as disjoint boxes into piece[] (room for 2*ndims), the one with the lowest
 * vertex last; how many. The cases of Bani-Mohammad et al., figure 2, are this in two
 * dimensions.
 */
int range_subtract(int ndims, const struct box_range *from, const struct box_range *what,
	struct box_range *piece);

/* Vertices in a box of these sides[ndims]; stops growing at INT32_MAX. */
int64_t box_volume(int ndims, const int *side);

/*
 * A box cut where it runs over the edge: up to 2^ndims boxes that do not, into piece[];
 * how many.
 */
int box_unwrap(const struct mesh *mesh, const struct mesh_box *box, struct mesh_box *piece);

/*
 * Nodes of the box into set: `count` of them, in snake order with the shortest side fastest,
 * so that what stays free is a slab at the end of the longest side. Required nodes (or NULL)
 * lie in the box and are always among them. The box must hold `count` nodes.
 */
void box_take(const struct mesh *mesh, const struct mesh_box *box, int count,
	const struct nodeset *required, struct nodeset *set);

#endif
