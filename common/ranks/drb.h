/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Dual recursive bipartitioning: items that talk to each other and the nodes that they are to be
 * mapped to are halved together (F. Pellegrini, "Static mapping by dual recursive bipartitioning of
 * process and architecture graphs", 1994). The nodes are cut across their longest side, as in
 * M. Berger and S. Bokhari, "A partitioning strategy for nonuniform problems on multiprocessors",
 * 1987. The items are cut so that what they send across the cut, and to items outside as far as
 * their places are known, costs least.
 */
#ifndef MESH_DRB_H
#define MESH_DRB_H

#include "base/mesh.h"
#include "ranks/bipart.h"
#include "ranks/traffic.h"

struct drb_points {
	int n, ndims;
	int (*pos)[MESH_MAX_DIMS]; /* [n] */
};

/*
 * n nodes at their vertices; a dimension that wraps is cut open at its longest empty stretch. 0, or
 * -1 when memory is out. The arena frees it.
 */
int drb_points_init(struct drb_points *set, const struct mesh *mesh, const int *node, int n,
	struct arena *arena);

/* The order in which points are cut. */
struct drb_key {
	int along; /* the side that is cut */
	int point;
};

/*
 * Cut n >= 2 points of the set, point[], across their longest side: sorts them, and says how many
 * are in the first part. scratch[n]. O(n log n).
 */
int drb_halve(const struct drb_points *set, int *point, int n, struct drb_key *scratch);

struct drb_input {
	const struct traffic *traffic; /* among items */
	/* By drb_points_init(). NULL: the traffic alone is cut into `parts` equal parts, and
	 * the mesh is not read. */
	const struct drb_points *nodes;
	int parts;
	int per_node;		       /* items on each node: nodes * per_node in all */
	int leaf; /* so many nodes or fewer are not cut, and get their items in any order */
	const struct mesh *mesh;
	uint64_t seed;
};

/*
 * Into site[item]: an index into the nodes, or the number of its part, each per_node times. 0, or
 * -1 when memory is out. O(edges * log^2 n).
 */
int drb_map(const struct drb_input *input, int *site);

#endif
