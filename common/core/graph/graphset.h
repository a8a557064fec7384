/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sets of nodes of a mesh with a graph (graph/linkgraph.h), measured in the graph's hops. A set is
 * vertex[n], each once, and taken[nvertices], its nodes on each vertex.
 */
#ifndef MESH_GRAPHSET_H
#define MESH_GRAPHSET_H

#include "graph/linkgraph.h"

/* Figures of more vertices are estimated, if the graph has no table. */
enum { GRAPHSET_EXACT = 1024 };

/* Of n vertices each step-th is looked at. */
static inline int graphset_step(const struct linkgraph *g, int n)
{
	return g->table || n <= GRAPHSET_EXACT ? 1 : n / GRAPHSET_EXACT;
}

struct graphset {
	struct linkgraph *graph;
	int first; /* mesh->graph_first: vertex[i] is the graph's first + vertex[i] */
	const int *vertex; /* [n] */
	int n;
	const int *taken; /* [vertices] */
};

/*
 * Sum of hops over unordered pairs of nodes. `grid`: the same sum on the grid of the one mesh that
 * all are in; -1: not known. O(n^2); less where only few pairs differ from the grid. Without a
 * table n searches; beyond GRAPHSET_EXACT vertices the sum is estimated from that many vertices or
 * up to twice as many, evenly spaced.
 */
int64_t graphset_hops(const struct graphset *set, int64_t grid);

#endif
