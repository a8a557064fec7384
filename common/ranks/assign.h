/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Items that talk to each other put onto sites so that little is sent far: the quadratic
 * assignment problem, by local search. Ranks or groups of ranks onto nodes, and the ranks of
 * a node onto its cores.
 */
#ifndef MESH_ASSIGN_H
#define MESH_ASSIGN_H

#include <stdint.h>

#include "base/err.h"
#include "graph/linkgraph.h"
#include "ranks/traffic.h"

/* Distances between n sites: hops, or any whole numbers; symmetric, 0 from a site to itself. */
struct assign_sites {
	int n;
	uint16_t *hops; /* [n*n], or NULL: too many pairs, worked out from what follows */
	const struct mesh *mesh;
	const int *vertex; /* [n] */
};

/*
 * Sites are vertices of a mesh; vertex[] is borrowed. The arena frees it. 0, or -1 when memory is
 * out.
 */
int assign_sites_init(struct assign_sites *table, const struct mesh *mesh, const int *vertex, int n,
	struct arena *arena);

static inline int assign_hops(const struct assign_sites *table, int a, int b)
{
	return table->hops ? table->hops[(size_t)a * (size_t)table->n + (size_t)b]
		: linkgraph_mesh_hops(table->mesh, table->vertex[a], table->vertex[b]);
}

/* Sum of weight times hops over pairs; site[traffic->n] has the site of each item. */
double assign_cost(const struct traffic *traffic, const struct assign_sites *table,
	const int *site);

struct assign_effort {
	int64_t moves; /* that annealing tries, of one item on each site; 0: downhill only */
	int64_t looks; /* at neighbours of items, in each of the two, about; 0 = no limit */
	uint64_t seed;
	int fixed; /* so many items, from the first on, stay */
};

/*
 * Improve site[] by exchanging items; never makes it worse, and keeps how many items each site
 * has. The cost reached, or -1 when memory is out. O((n + edges) * items per site * mean degree +
 * moves * mean degree), at most O(looks) where that is given.
 */
double assign_improve(const struct traffic *traffic, const struct assign_sites *table, int *site,
	const struct assign_effort *effort);

#endif
