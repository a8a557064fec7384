/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Local improvement of a set of nodes: replace one chosen node by a free one while the sum of
 * hops over pairs falls, the best swap first (the lowest number of the node that goes, then of
 * the one that comes, among equals), to a local minimum. Required nodes stay.
 *
 * Bender et al., section 5 (MM+Inc). The sums of hops are kept per dimension, O(sum of sides) a
 * swap. Only vertices that a swap could gain by are looked at: where the set begins and ends, as
 * long as what has been swapped cannot have brought others near; O(n d) to find them again.
 * Memory: 44 bytes a vertex.
 */
#ifndef MESH_REFINE_H
#define MESH_REFINE_H

#include "strategy.h"

struct refine_end { /* a vertex that could give, or take, a node */
	int64_t far; /* hops from it to all chosen nodes */
	int vertex;
};

struct refine {
	const struct mesh *mesh;
	int64_t *far[MESH_MAX_DIMS]; /* [side] hops to all chosen nodes along a dimension */
	int *count[MESH_MAX_DIMS];   /* [side] chosen nodes */
	int *can_give, *can_take;    /* [nvertices] chosen not required; free not chosen */
	struct refine_end *give, *take; /* [nvertices] */
	int *active; /* [nactive] vertices that a swap could gain by; ascending */
	int nactive;
	int64_t room; /* hops that swaps may still move nodes until these are found again */
	struct nodeset chosen;
};

/* 0, or -1 when memory is out; refine_release() either way, a zeroed struct is fine. */
int refine_init(struct refine *refine, const struct mesh *mesh);
void refine_release(struct refine *refine);

/*
 * Improve node[count], which must be free nodes; ascending on return. late() says when to stop
 * (NULL: at the local minimum); true when it did. *total is changed along.
 */
bool refine_run(struct refine *refine, const struct mesh_state *state,
	const struct nodeset *required, int *node, int count, int64_t *total,
	bool (*late)(void *data), void *data);

#endif
