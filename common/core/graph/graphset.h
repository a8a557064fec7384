/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sets of nodes of a mesh that has a graph (graph/linkgraph.h), measured by the graph's hops. A set
 * is vertex[n], each once, and how many of its nodes are on each: taken[nvertices].
 */
#ifndef MESH_GRAPHSET_H
#define MESH_GRAPHSET_H

#include "graph/linkgraph.h"

/* Beyond so many vertices, where the graph has no table, sums are estimated. */
enum { GRAPHSET_EXACT = 1024 };

struct graphset {
	struct linkgraph *graph;
	int first; /* mesh->graph_first: the vertices are first + vertex[i] of the graph */
	const int *vertex; /* [n] */
	int n;
	const int *taken; /* [vertices] */
};

/*
 * Sum of hops over unordered pairs of nodes; `grid`: the same by the grid of the mesh that all are
 * in, or -1, not known. O(n^2), or by the grid's and what single pairs have more where these are
 * few; where the graph has no table, n searches, and beyond GRAPHSET_EXACT vertices as many from
 * vertices evenly spaced, of which the sum is estimated.
 */
int64_t graphset_hops(const struct graphset *set, int64_t grid);

/* Most hops between two of the vertices: as exact, and at the same cost. */
int graphset_diameter(const struct mesh *mesh, const int *vertex, int n);

/* How many pieces the vertices are in, those one hop apart being joined; with or without a graph.
 * taken[] of a vertex that is not in the set is 0. scratch[n]. O(links of the vertices). */
int graphset_components(
	const struct mesh *mesh, const int *vertex, int n, int *taken, int *scratch);

#endif
