/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The links of a machine, and the route of a message: dimension-order routing.
 *
 * Each vertex has a link up and a link down each dimension, to its neighbour there (so a ring of 2
 * has two links each way). A message goes along one dimension after the other, lowest first, the
 * short way round where a dimension wraps. If both ways are equally long it goes upwards, except
 * to coordinate 0. SimGrid's torus does the same, so the two can be compared.
 *
 * If the mesh has a graph (graph/linkgraph.h), a message takes a shortest way in it, at each
 * vertex along the lowest possible dimension. Messages over extra cables are on no link of the
 * grid.
 */
#ifndef MESH_LINKS_H
#define MESH_LINKS_H

#include <stdbool.h>

#include "graph/linkgraph.h"

/*
 * Links have numbers 0..links_count()-1 by where they start: (vertex*ndims + d)*2 + upwards. At
 * the borders of a mesh, and along a side of 1, some numbers stand for no link. From links_grid()
 * on come the two directions of each cable of the graph: from its second end, then from its first.
 */
static inline int links_grid(const struct mesh *mesh)
{
	return mesh->nvertices * mesh->ndims * 2;
}

static inline int links_count(const struct mesh *mesh)
{
	return links_grid(mesh) + (mesh->graph ? 2 * mesh->graph->ncables : 0);
}

/*
 * How many times as long a message takes on this link as on a link of one hop: a cable with few
 * lanes is slower.
 */
static inline double links_slower(const struct mesh *mesh, int link)
{
	int cable = (link - links_grid(mesh)) / 2, lanes;

	if (link < links_grid(mesh) || !(lanes = mesh->graph->cable[cable].lanes))
		return 1;
	return (double)mesh->graph->lanes / lanes;
}

/* Does a message from coordinate a to b (a != b) along dimension d go upwards? */
static inline bool links_up(const struct mesh *mesh, int d, int a, int b)
{
	int side = mesh->side[d], ahead = b > a ? b - a : b - a + side;

	if (!mesh->wrap[d])
		return b > a;
	return 2 * ahead < side || (2 * ahead == side && b != 0);
}

/*
 * The vertex that a link leads to. -1: the number stands for no link, or for a cable that does not
 * come there from another vertex of this mesh.
 */
int links_to(const struct mesh *mesh, int link);

/* The length of the longest route, in links; an upper bound if the mesh has a graph. */
int links_longest(const struct mesh *mesh);

/*
 * Write the links from one vertex to another, in order, to link[links_longest()]. Returns how
 * many, at most linkgraph_mesh_hops().
 */
int links_route(const struct mesh *mesh, int from, int to, int *link);

/* A vertex of one of the meshes that a graph joins. */
struct links_place {
	const struct mesh *mesh;
	int vertex;
};

/* Results of links_step(): no way leads there; and LINKS_CABLE - i: over the graph's cable i. */
enum { LINKS_NO_WAY = -1, LINKS_CABLE = -2 };

/*
 * The first step from one place to another, different one. Sets *next to the place after the step.
 * Returns the link of from's mesh that it takes, or one of the values above.
 */
int links_step(struct links_place from, struct links_place to, struct links_place *next);

#endif
