/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A machine of several meshes: finds the mesh in which a job is placed or, where none has enough
 * nodes, the meshes over which it is placed. The caller chooses nodes within a mesh, by any
 * strategy.
 */
#ifndef MESH_SPAN_H
#define MESH_SPAN_H

#include "graph/linkgraph.h"
#include "base/nodeset.h"

struct span_mesh {
	const struct mesh *mesh;
	struct nodeset *free; /* the caller's; unchanged after each call */
	int *node, count; /* the answer: nodes, ascending; room for mesh->nnodes */
};

struct span {
	struct span_mesh *in; /* [n] */
	int n;
	int segment; /* nodes of a segment, which is never in two meshes; 0: no segments */
	int most;    /* the most nodes of one mesh, for span_several(); 0: any number */
	/* The caller's: up to `count` free nodes of in[i] into in[i].node[]. Returns how many; 0:
	 * none, or fewer than `known`. A job in segments gets whole segments. */
	int (*ask)(void *arg, int i, int count, int known);
	void *arg;
};

/*
 * Place the job in one mesh, with up to `count` nodes. The mesh with the most nodes is best, then
 * the one with the nearest nodes, then the one with the least free nodes left. Returns how many;
 * the other meshes have count 0.
 */
int span_one(struct span *span, int count);

/*
 * Place the job over as few meshes as possible: first the mesh that gives the most nodes, last the
 * one that fits the rest best. Where extra cables join meshes, take the nodes that are nearest to
 * each other by the cables instead, and segments among these. Returns how many nodes; fewer than
 * `count` is no placement.
 */
int span_several(struct span *span, int count);

#endif
