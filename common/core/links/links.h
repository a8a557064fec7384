/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The links of a machine, and the route of a message: dimension-order routing.
 *
 * Each vertex has a link up and a link down each dimension, to the neighbour there (a ring of 2
 * thus has two links each way). A message goes one dimension after the other, lowest first, the
 * short way round where it wraps; if both ways are equally long it goes upwards, except to
 * coordinate 0. That is what SimGrid's torus does, so that the two can be compared.
 *
 * Where the mesh has a graph (graph/linkgraph.h) a message takes a shortest way in it, at each
 * vertex along the lowest dimension that it can. What goes over extra cables is on no link.
 */
#ifndef MESH_LINKS_H
#define MESH_LINKS_H

#include <stdbool.h>

#include "graph/linkgraph.h"

/* Links are numbered 0..links_count()-1 by where they start: (vertex*ndims + d)*2 + upwards.
 * At the borders of a mesh, and along a side of 1, some numbers stand for no link. Behind these,
 * from links_grid() on, are the two ways of each cable of the graph: from its second end, and from
 * its first. */
static inline int links_grid(const struct mesh *mesh)
{
	return mesh->nvertices * mesh->ndims * 2;
}

static inline int links_count(const struct mesh *mesh)
{
	return links_grid(mesh) + (mesh->graph ? 2 * mesh->graph->ncables : 0);
}

/* How many times as long as on a link of the grid, or of one hop, a message is on this one: a cable
 * of few lanes is the slower. */
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

/* The vertex that a link leads to; -1 for a number that stands for no link, or is of a cable that
 * does not lead there from another vertex of this mesh. */
int links_to(const struct mesh *mesh, int link);

/* The longest way there is, in links; a bound where the mesh has a graph. */
int links_longest(const struct mesh *mesh);

/* The links from one vertex to another, in order, into link[links_longest()]; how many, no more
 * than linkgraph_mesh_hops(). */
int links_route(const struct mesh *mesh, int from, int to, int *link);

/* A vertex, of one of the meshes that a graph joins. */
struct links_place {
	const struct mesh *mesh;
	int vertex;
};

/* No way leads there; over the graph's cable i: LINKS_CABLE - i. */
enum { LINKS_NO_WAY = -1, LINKS_CABLE = -2 };

/* The first step of the way from one place to another, which is elsewhere: the place after it into
 * *next, and the link of from's mesh that it takes, or one of these. */
int links_step(struct links_place from, struct links_place to, struct links_place *next);

#endif
