/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sets of free nodes of a graph that are near each other, by hops, which count lanes: grown from
 * every start, node by node and pod by pod, and exchanged to a local optimum. Pods are parts whose
 * nodes are joined much better than the parts are (linkgraph.h). As long as one that is partly
 * used has room for the job no other is opened, and opening one more counts as some more hops.
 */
#ifndef MESH_GRAPHFIND_H
#define MESH_GRAPHFIND_H

#include "base/budget.h"
#include "graph/graphpick.h"
#include "graph/graphwindow.h"

enum { GRAPHFIND_KEPT = 16 };

struct graphfind_set {
	int64_t hops;	 /* sum over pairs of nodes */
	double score;	 /* that, and what pods that are opened count; then, less is better: */
	int opened;	 /* pods that were whole */
	int left;	 /* free nodes of its pods beside it */
	int64_t exposed; /* lanes to free vertices outside */
	uint64_t hash;	 /* of its vertices */
	int n;
	int *vertex, *taken; /* [n] vertices of the graph, and how many nodes of each */
};

struct graphfind {
	struct linkgraph *graph; /* borrowed */
	/* The caller's: */
	int *nfree; /* [real] free nodes on each vertex, 0 at first */
	int *must;  /* [real] of them those that are required; 0 at first */
	int count;  /* nodes wanted: at most as many as are free */
	struct mesh_budget *budget; /* borrowed; NULL: none */
	/* The best sets, best first, no two alike. */
	struct graphfind_set kept[GRAPHFIND_KEPT];
	int nkept;
	/* Of the decision at hand: */
	struct graphwindow window;
	struct graphpick pick;
	int *pod_free; /* [npods] free nodes */
	int *taken;    /* [npods] nodes of a set; 0 between sets */
	int *start, *star; /* vertices to start from, and hops to the nearest nodes */
	int *best; /* [real] of the window's best set, nodes of each of its vertices */
	bool whole_too;	/* also pods that are not partly used */
	int nmust, nstarts, nodes, want;
	int64_t hops;
};

/* 0, or -1 when memory is out. The arena frees it. */
int graphfind_init(struct graphfind *find, struct linkgraph *graph, struct arena *arena);

/*
 * nkept is 1 at least. Up to 96 free vertices from each
 * of them, O(count * vertices^2) and as much for a few exchanges; beyond, from the eight whose
 * nearest nodes are nearest, 64 starts in all; for more than 512 nodes those around a centre.
 */
void graphfind_sets(struct graphfind *find);

/* Do ways join all nodes of kept[0]? */
bool graphfind_is_joined(struct graphfind *find);

#endif
