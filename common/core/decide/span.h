/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A machine of several meshes: the one that a job is placed in or, where none has enough, those
 * that it is placed over. Which nodes of a mesh it gets the caller says, by any strategy.
 */
#ifndef MESH_SPAN_H
#define MESH_SPAN_H

#include <stdbool.h>

#include "graph/linkgraph.h"
#include "base/nodeset.h"

struct span_mesh {
	const struct mesh *mesh;
	struct nodeset *free; /* the caller's, and as it was when a call ends */
	int *node, count; /* the answer: count nodes of room for mesh->nnodes, ascending */
};

struct span {
	struct span_mesh *in; /* [n] */
	int n;
	int segment; /* nodes of each segment, none of which is in two meshes; 0: no segments */
	int most;    /* nodes of one mesh in the answer of span_several(); 0: any number */
	/* Up to `count` free nodes of in[i] into in[i].node[]: how many, 0 for none, also where it
	 * would be fewer than `known`. Of a job in segments whole segments. */
	int (*ask)(void *arg, int i, int count, int known);
	void *arg;
};

/* In one mesh, up to count: the most nodes, then the nearest to each other, then those that leave
 * the least free there. How many; the other meshes have none. */
int span_one(struct span *span, int count);

/*
 * Over as few meshes as can be: the one that gives the most comes first, and the last is the one
 * that holds the rest best. Where extra cables join meshes, the nodes nearest to each other by
 * these instead, and segments among such. How many, up to count: less is no placement.
 */
int span_several(struct span *span, int count);

/* The hops between all pairs of nodes of the answer by the graph that the meshes have together, or
 * -1: some have no graph, or another one, or memory is out. */
int64_t span_hops(const struct span *span);

#endif
