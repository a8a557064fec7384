/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Local improvement of a set of nodes: exchange one chosen node for a free one while the sum of
 * hops over pairs falls, to a local minimum. The best swap comes first; of equal ones the lowest
 * number of the node that leaves, then of the node that comes. Required nodes stay.
 *
 * M. Bender et al., "Communication-aware processor allocation for supercomputers: finding point
 * sets of small average distance", section 5 (MM+Inc). Sums of hops are kept per dimension, O(sum
 * of sides) a swap. Only active vertices are looked at: those near the rim of the set, by which a
 * swap could gain, O(d) each for a swap. They are found again, O(n d), once swaps may have
 * activated others. Memory: 44 bytes a vertex.
 */
#ifndef MESH_REFINE_H
#define MESH_REFINE_H

#include "base/budget.h"
#include "base/heap.h"
#include "ask/strategy.h"

/*
 * Vertices that can give a node, or take one, in the order of their hops to all chosen nodes (for
 * giving the most first), then by number. They are sorted only as far as needed, behind the part
 * that is still a heap.
 */
struct refine_ends {
	struct heap heap;
	int n; /* with the sorted ones */
	bool gives;
};

/* The nodes to improve. */
struct refine_set {
	const struct mesh_state *state;
	const struct nodeset *required; /* nodes that stay; or NULL */
	int *node, count; /* [count] of the free nodes */
	int64_t total;	  /* hops over all pairs */
	struct mesh_budget *budget; /* borrowed; NULL: none */
};

struct refine {
	const struct mesh *mesh;
	const struct refine_set *set; /* the set in progress */
	int64_t *far[MESH_MAX_DIMS]; /* [side] hops to all chosen nodes along a dimension */
	int *count[MESH_MAX_DIMS];   /* [side] chosen nodes */
	int *can_give, *can_take;    /* [nvertices] chosen not required; free not chosen */
	struct refine_ends give, take;
	int *active; /* [nactive] vertices by which a swap could gain; ascending */
	int nactive;
	int64_t room; /* hops by which swaps may still move nodes before active[] is found again */
	struct nodeset chosen;
};

/* 0, or -1 when memory is out. The arena owns all memory. */
int refine_init(struct refine *refine, const struct mesh *mesh, struct arena *arena);

/* Improve the set to the local minimum. False: the budget was used up before. */
bool refine_run(struct refine *refine, struct refine_set *set);

#endif
