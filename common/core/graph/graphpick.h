/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Free nodes near each other by the links of a graph, over all of its meshes: those nearest to a
 * centre, as MC1x1 has it on grids. Centres are the ends of extra cables, and vertices with free
 * nodes evenly spaced; the least sum of hops from the centre counts.
 */
#ifndef MESH_GRAPHPICK_H
#define MESH_GRAPHPICK_H

#include "base/arena.h"
#include "graph/linkgraph.h"

struct graphpick {
	struct linkgraph *graph; /* borrowed */
	/* The caller's: */
	int *nfree; /* [real] free nodes on each vertex of the graph, 0 at first */
	int *must;  /* [real] of them those that are required; 0 at first */
	int count, nmust; /* nodes wanted, and required in all */
	/* The answer: */
	int n;
	int *vertex, *taken; /* [n] vertices of the graph, and how many nodes of each */
	/* Of the centre at hand: */
	int tried_n, left, must_left;
	int *tried, *tried_taken;
	int64_t hops, least;
};

/* 0, or -1 when memory is out. The arena frees it. */
int graphpick_init(struct graphpick *pick, struct linkgraph *graph, struct arena *arena);

/* False: no centre has so many free nodes that ways lead to. Some 40 searches, as far as needed. */
bool graphpick_find(struct graphpick *pick);

#endif
