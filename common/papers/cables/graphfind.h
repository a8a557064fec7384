/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Finds sets of free nodes of a graph that are near each other, by hops, which depend on lanes.
 * Sets are grown from many starts, node by node and pod by pod, and improved by exchanges to a
 * local optimum. A pod is a part of the graph whose nodes are joined much better than the parts
 * are (linkgraph.h). No pod is opened while one that is partly used has room for the job; each
 * further pod counts as some hops.
 */
#ifndef MESH_GRAPHFIND_H
#define MESH_GRAPHFIND_H

#include "base/budget.h"
#include "graph/graphpick.h"
#include "cables/graphwindow.h"

enum { GRAPHFIND_KEPT = 16 };

struct graphfind_set {
	int64_t hops;	 /* sum over pairs of nodes */
	double score;	 /* hops, and what opened pods count; less is better, then: */
	int opened;	 /* pods that were wholly free before */
	int left;	 /* free nodes that are left in its pods */
	int64_t exposed; /* lanes to free vertices outside */
	uint64_t hash;	 /* of the vertices */
	int n;
	int *vertex, *taken; /* [n] vertices of the graph, and the nodes taken on each */
};

struct graphfind {
	struct linkgraph *graph; /* borrowed */
	/* Set by the caller: */
	int *nfree; /* [real] free nodes on each vertex, 0 at first */
	int *must;  /* [real] the required nodes among them, 0 at first */
	int count;  /* nodes wanted: at most as many as are free */
	struct mesh_budget *budget; /* borrowed; NULL: none */
	/* The best sets, best first; no two are the same. */
	struct graphfind_set kept[GRAPHFIND_KEPT];
	int nkept;
	/* The decision in progress: */
	struct graphwindow window;
	struct graphpick pick;
	int *pod_free; /* [npods] free nodes */
	int *taken;    /* [npods] nodes of a set; 0 between sets */
	int *start, *star; /* vertices to start from, and the hops from each to its nearest nodes */
	int *best; /* [real] the window's best set: nodes taken on each of its vertices */
	bool whole_too;	/* wholly free pods may be used too */
	int nmust, nstarts, nodes, want;
	int64_t hops;
};

/* 0, or -1 when memory is out. The arena owns all memory. */
int graphfind_init(struct graphfind *find, struct linkgraph *graph, struct arena *arena);

/*
 * Fill kept[]; nkept is at least 1. Up to 96 free vertices: from each of them, O(count *
 * vertices^2), and as much again for a few exchanges. More: from the eight vertices with the
 * nearest neighbours, 64 starts in all. Over 512 nodes (128 without a table): those round a centre.
 */
void graphfind_sets(struct graphfind *find);

/* Are all nodes of kept[0] connected? */
bool graphfind_is_joined(struct graphfind *find);

#endif
