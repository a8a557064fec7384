/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Finds walks by search: step by step from a point, and back where no walk can follow. Longer
 * walks are made from these (walk_grow.c) and from blocks (walk_blocks.c).
 */
#ifndef MESH_WALK_SEARCH_H
#define MESH_WALK_SEARCH_H

#include "base/budget.h"
#include "walk/walk.h"
#include "walk/walk_graph.h"

enum {
	WALK_SEARCH_MOST = 2048, /* points of a graph: recursion is at most twice as deep */
	WALK_SEARCH_PROVES = 256 /* up to so many points the search is exhaustive */
};

struct walk_effort {
	int64_t left; /* looks at pairs of points */
	struct mesh_budget budget;
	int limit; /* the most that a walk's links may cost (walk_graph_cost); 0: any */
	uint64_t *random; /* NULL: try ways in the best order; else in one of chance */
};

/*
 * Write the nodes of a walk to node[q->length]; with a limit, wide links are tried first.
 * WALK_UNKNOWN: the effort is used up, the graph is too large for a proof, or the order is one of
 * chance. q->mesh and q->free are not read.
 */
enum walk_result walk_search(const struct walk_graph *g, const struct walk_question *q,
	struct walk_effort *effort, int *node);

/*
 * Lengthen a walk of n nodes (a ring has at least 3) to `length` nodes in node[], by detours
 * between its points. False: this effort finds none, and node[] is unchanged.
 */
bool walk_grow(const struct walk_graph *g, int *node, int n, int length,
	struct walk_effort *effort);

/*
 * Make a walk of up to `length` nodes, 4 or more, from blocks of four, in node[]. `way`: 0, 1,
 * ...: along other dimensions, and from other coordinates. Returns how many nodes; 0: there is no
 * block, or memory is out.
 */
int walk_blocks(const struct walk_graph *g, int way, int length, struct walk_effort *effort,
	int *node);

#endif
