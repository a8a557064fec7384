/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The free set as a bitmap along an ordering of the nodes. Reading a new set only looks at nodes
 * that have changed since the last one, but the result depends on the new set alone.
 */
#ifndef MESH_RANKED_H
#define MESH_RANKED_H

#include "base/mesh.h"
#include "base/nodeset.h"

struct ranked {
	int nranks; /* may be more than nodes: a rank can be empty */
	int *node;  /* [nranks] node at each rank, or -1 */
	int *rank;  /* [nnodes] the rank of each node */
	struct nodeset free; /* [nranks] the ranks whose node is free */
	struct nodeset seen; /* [nnodes] the free nodes that `free` was made from */
};

/*
 * Room for a mesh and nranks >= nnodes ranks, all empty. 0, or -1 when memory is out. The arena
 * owns it.
 */
int ranked_init(
	struct ranked *ranked, const struct mesh *mesh, int nranks, struct arena *arena);

/* Put a node at a rank. Put each node once before reading. */
static inline void ranked_put(struct ranked *ranked, int rank, int node)
{
	ranked->node[rank] = node;
	ranked->rank[node] = rank;
}

/* Set the free ranks from the free nodes. O(nnodes/64 + changes), at most O(nranks). */
void ranked_read(struct ranked *ranked, const struct nodeset *free_nodes);

#endif
