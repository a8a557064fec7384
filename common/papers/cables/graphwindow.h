/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A window: some vertices of a graph, with the hops between all of them. Sets of nodes are grown
 * in it and improved, so that the sum of hops over pairs of nodes becomes small. The least sum is
 * NP-hard to find (Krumke et al. 1997); what is found is a local optimum of exchanges.
 */
#ifndef MESH_GRAPHWINDOW_H
#define MESH_GRAPHWINDOW_H

#include "base/arena.h"
#include "graph/linkgraph.h"

enum { GRAPHWINDOW_MOST = 1024 }; /* vertices */

struct graphwindow {
	int room; /* the most vertices */
	/* Set by the caller; the vertices of a pod side by side: */
	int n, count; /* vertices, and nodes wanted */
	int *vertex;  /* [n] of the graph */
	int *nfree;   /* [n] free nodes, at least 1 */
	int *must;    /* [n] the required nodes among them */
	int *pod;     /* [n] the pod of each */
	/* Set by graphwindow_load(): */
	uint16_t *hops; /* [n * n] */
	/* The set in progress: */
	int *taken;    /* [n] nodes of each vertex */
	int32_t *far;  /* [n] hops from each vertex to all nodes of the set */
	int left;      /* nodes that the set still needs */
	int64_t sum;   /* hops over pairs */
	int64_t steps; /* work done so far: looks at a vertex */
	int32_t *cost; /* [n] scratch */
	int *saved;    /* [n] scratch */
};

/* 0, or -1 when memory is out. The arena owns all memory. */
int graphwindow_init(struct graphwindow *window, int room, struct arena *arena);

/* Call when the caller's part is filled. O(n^2); without a table of distances n searches. */
void graphwindow_load(struct graphwindow *window, struct linkgraph *graph);

/*
 * Grow a set from the vertex `start`, or from the required nodes: always add the nearest vertex.
 * by_pods: add all of a pod, then the pod with the most free nodes, of equal ones the nearest.
 * O(count * n).
 */
void graphwindow_grow(struct graphwindow *window, int start, bool by_pods);

/*
 * Exchange single nodes as long as the sum shrinks, or until `steps` are done. O(count * n) for
 * each exchange.
 */
void graphwindow_exchange(struct graphwindow *window, int64_t steps);

/* Restore a set that a caller has kept: the nodes of each vertex of the window. */
void graphwindow_set(struct graphwindow *window, const int *taken);

/*
 * Exchange several nodes at once: those of one pod for those of another; and a node with its
 * nearest nodes of the set for another vertex with its nearest. Then exchange single ones, as
 * above. O(count * n^2) for each number of nodes.
 */
void graphwindow_regroup(struct graphwindow *window, int64_t steps);

#endif
