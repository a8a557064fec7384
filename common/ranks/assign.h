/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Puts items that talk to each other onto sites so that little is sent far: the quadratic
 * assignment problem, by local search. The items are ranks or groups of ranks, and the sites
 * nodes; or the ranks of a node, and its cores.
 */
#ifndef MESH_ASSIGN_H
#define MESH_ASSIGN_H

#include <stdint.h>

#include "graph/linkgraph.h"
#include "ranks/traffic.h"

/* Distances between n sites: hops, or any whole numbers; symmetric, 0 from a site to itself. */
struct assign_sites {
	int n;
	uint16_t *hops; /* [n*n], or NULL: too many pairs, computed from the rest */
	const struct mesh *mesh;
	const int *vertex; /* [n] */
};

/*
 * Sites that are vertices of a mesh; vertex[] is borrowed. 0, or -1 when memory is out. The arena
 * owns all memory.
 */
int assign_sites_init(struct assign_sites *table, const struct mesh *mesh, const int *vertex, int n,
	struct arena *arena);

static inline int assign_hops(const struct assign_sites *table, int a, int b)
{
	return table->hops ? table->hops[(size_t)a * (size_t)table->n + (size_t)b]
		: linkgraph_mesh_hops(table->mesh, table->vertex[a], table->vertex[b]);
}

/* The sum of weight times hops over pairs; site[traffic->n] is the site of each item. */
double assign_cost(const struct traffic *traffic, const struct assign_sites *table,
	const int *site);

struct assign_effort {
	int64_t moves; /* that annealing tries, for one item on each site; 0: downhill only */
	int64_t looks; /* at neighbours, about: by annealing, and again downhill; 0 = no limit */
	uint64_t seed;
	int fixed; /* the first items that stay where they are */
};

/*
 * Improve site[] by exchanging items; the cost never rises, and each site keeps its number of
 * items. Returns the cost, or -1 when memory is out. O((n + edges) * items per site * mean degree
 * + moves * mean degree), at most O(looks) if that is set.
 */
double assign_improve(const struct traffic *traffic, const struct assign_sites *table, int *site,
	const struct assign_effort *effort);

#endif
