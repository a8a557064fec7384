/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A part of a graph with the hops between all its vertices, in which sets of nodes are grown and
 * made better: the sum of hops over pairs of nodes is to be least. Finding the least is NP-hard
 * (Krumke et al. 1997); what is found here is a local optimum of exchanges.
 */
#ifndef MESH_GRAPHWINDOW_H
#define MESH_GRAPHWINDOW_H

#include "base/arena.h"
#include "graph/linkgraph.h"

enum { GRAPHWINDOW_MOST = 1024 }; /* vertices */

struct graphwindow {
	int room; /* for so many vertices */
	/* The caller's, those of a pod side by side: */
	int n, count; /* vertices, and nodes wanted */
	int *vertex;  /* [n] of the graph */
	int *nfree;   /* [n] free nodes, 1 at least */
	int *must;    /* [n] of them required */
	int *pod;     /* [n] that it is of */
	/* graphwindow_load()'s: */
	uint16_t *hops; /* [n * n] */
	/* The set at hand: */
	int *taken;    /* [n] nodes of each vertex */
	int32_t *far;  /* [n] hops to all of its nodes */
	int left;      /* nodes that are missing */
	int64_t sum;   /* of hops over pairs */
	int64_t steps; /* work done so far, in looks at a vertex */
	int32_t *cost; /* [n] scratch, */
	int *saved;    /* [n] too */
};

/* 0, or -1 when memory is out. The arena frees it. */
int graphwindow_init(struct graphwindow *window, int room, struct arena *arena);

/* When the caller's part is filled. O(n^2), without a table n searches. */
void graphwindow_load(struct graphwindow *window, struct linkgraph *graph);

/* A set from this vertex on, or from what is required: always the nearest vertex; or by_pods, all
 * of a pod, then the pod with the most free nodes, of those alike the nearest. O(count * n). */
void graphwindow_grow(struct graphwindow *window, int start, bool by_pods);

/* Exchange nodes one by one as long as the sum becomes less, or until `steps` are done.
 * O(count * n) each. */
void graphwindow_exchange(struct graphwindow *window, int64_t steps);

/* The set as a caller has kept it: nodes of each vertex of the window. */
void graphwindow_set(struct graphwindow *window, const int *taken);

/*
 * Exchange several nodes at once: those of a pod for those of another one, and a node and those of
 * the set that are nearest to it for another vertex and those nearest to that. Then single ones
 * again, as above. O(count * n^2) for each number of nodes.
 */
void graphwindow_regroup(struct graphwindow *window, int64_t steps);

#endif
