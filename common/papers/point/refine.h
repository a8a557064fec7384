/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Local improvement of a set of nodes: replace one chosen node by a free one while the sum of
 * hops over pairs falls, the best swap first (the lowest number of the node that goes, then of
 * the one that comes, among equals), to a local minimum. Required nodes stay.
 *
 * M. Bender et al., "Communication-aware processor allocation for supercomputers: finding point
 * sets of small average distance", section 5 (MM+Inc). Sums of hops are kept per dimension, O(sum
 * of sides) a swap. Only active vertices, by which a swap could gain, are looked at: those near the
 * rim of the set, O(d) each for a swap. They are found again, O(n d), once swaps may have made
 * others active. Memory: 44 bytes a vertex.
 */
#ifndef MESH_REFINE_H
#define MESH_REFINE_H

#include "base/budget.h"
#include "base/heap.h"
#include "ask/strategy.h"

/*
 * Vertices that could give a node, or take one: by hops to all chosen nodes, gives by minus these,
 * then by number. Sorted as far as asked for, behind what is still a heap.
 */
struct refine_ends {
	struct heap heap;
	int n; /* with those behind it */
	bool gives;
};

/* Nodes to improve. */
struct refine_set {
	const struct mesh_state *state;
	const struct nodeset *required; /* stay; or NULL */
	int *node, count; /* [count] of the free nodes */
	int64_t total;	  /* hops over all pairs */
	struct mesh_budget *budget; /* borrowed; NULL: none */
};

struct refine {
	const struct mesh *mesh;
	const struct refine_set *set; /* at hand */
	int64_t *far[MESH_MAX_DIMS]; /* [side] hops to all chosen nodes along a dimension */
	int *count[MESH_MAX_DIMS];   /* [side] chosen nodes */
	int *can_give, *can_take;    /* [nvertices] chosen not required; free not chosen */
	struct refine_ends give, take;
	int *active; /* [nactive] vertices that a swap could gain by; ascending */
	int nactive;
	int64_t room; /* hops that swaps may still move nodes until these are found again */
	struct nodeset chosen;
};

/* 0, or -1 when memory is out. The arena frees it. */
int refine_init(struct refine *refine, const struct mesh *mesh, struct arena *arena);

/* Improve them to the local minimum; false when the budget is used up before. */
bool refine_run(struct refine *refine, struct refine_set *set);

#endif
