/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Picks free nodes near each other by the links of a graph, over all of its meshes: the nodes
 * nearest to a centre, as MC1x1 does on grids. Centres are the ends of extra cables, and evenly
 * spaced vertices with free nodes. The centre with the least sum of hops wins.
 */
#ifndef MESH_GRAPHPICK_H
#define MESH_GRAPHPICK_H

#include "base/arena.h"
#include "graph/linkgraph.h"

struct graphpick {
	struct linkgraph *graph; /* borrowed */
	/* Set by the caller: */
	int *nfree; /* [real] free nodes on each vertex of the graph, 0 at first */
	int *must;  /* [real] the required nodes among them, 0 at first */
	int count, nmust; /* nodes wanted, and the number of required ones */
	/* The answer: */
	int n;
	int *vertex, *taken; /* [n] vertices of the graph, and the nodes taken on each */
	/* The centre in progress: */
	int tried_n, left, must_left;
	int *tried, *tried_taken;
	int64_t hops, least;
};

/* 0, or -1 when memory is out. The arena owns all memory. */
int graphpick_init(struct graphpick *pick, struct linkgraph *graph, struct arena *arena);

/* False: no centre reaches enough free nodes. Some 40 searches, each as far as needed. */
bool graphpick_find(struct graphpick *pick);

#endif
