/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Dual recursive bipartitioning halves the items that talk to each other together with the nodes
 * that they are mapped to (F. Pellegrini, "Static mapping by dual recursive bipartitioning of
 * process and architecture graphs", 1994). Nodes are cut across their longest side, as in M.
 * Berger and S. Bokhari, "A partitioning strategy for nonuniform problems on multiprocessors",
 * 1987. Items are cut so that messages across the cut, and to items outside whose places are
 * known, cost least.
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
 * The points of n nodes at their vertices. A dimension that wraps is cut open at its longest empty
 * stretch. 0, or -1 when memory is out. The arena owns all memory.
 */
int drb_points_init(struct drb_points *set, const struct mesh *mesh, const int *node, int n,
	struct arena *arena);

/*
 * Cut n >= 2 points, point[], across their longest side: sort them, and return how many are in the
 * first part. scratch[n]. O(n log n).
 */
int drb_halve(const struct drb_points *set, int *point, int n, uint64_t *scratch);

struct drb_input {
	const struct traffic *traffic; /* among items */
	/* From drb_points_init(). NULL: the traffic alone is cut into `parts` equal parts, and
	 * the mesh is not read. */
	const struct drb_points *nodes;
	int parts;
	int per_node;		       /* items on each node: nodes * per_node in all */
	int leaf; /* sets of at most this many nodes are not cut; their items go in any order */
	const struct mesh *mesh;
	uint64_t seed;
};

/*
 * Set site[item] to an index into the nodes, or to the number of a part; each occurs per_node
 * times. 0, or -1 when memory is out. O(edges * log^2 n).
 */
int drb_map(const struct drb_input *input, int *site);

#endif
