/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Walks by search: step by step from a point, and back from where no walk can follow; and longer
 * ones from these (walk_grow.c) and from blocks (walk_blocks.c).
 */
#ifndef MESH_WALK_SEARCH_H
#define MESH_WALK_SEARCH_H

#include "base/budget.h"
#include "walk/walk.h"
#include "walk/walk_graph.h"

enum {
	WALK_SEARCH_MOST = 2048, /* points of a graph: a level of recursion each, twice */
	WALK_SEARCH_PROVES = 256 /* so many points are searched without a gap */
};

struct walk_effort {
	int64_t left; /* looks at pairs of points */
	struct mesh_budget budget;
	int limit; /* what all links of a walk may cost (walk_graph_cost); 0: anything */
};

/*
 * The nodes of a walk into node[q->length]; with a limit wide links are tried first. WALK_UNKNOWN: the effort is used up, or the graph is
 * too large for a proof. q->mesh and q->free are not looked at.
 */
enum walk_result walk_search(const struct walk_graph *g, const struct walk_question *q,
	struct walk_effort *effort, int *node);

/* A walk of n nodes, at least 3 of a ring, to one of `length` in node[], by detours between its
 * points. False: none was found with this effort; node[] is as it was. */
bool walk_grow(const struct walk_graph *g, int *node, int n, int length,
	struct walk_effort *effort);

/*
 * A walk of up to `length` nodes, 4 or more, into node[], made of blocks of four; `way`: 0, 1, ...:
 * along other dimensions, and from other coordinates. How many nodes; 0: there is no block.
 */
int walk_blocks(const struct walk_graph *g, int way, int length, struct walk_effort *effort,
	int *node);

#endif
