/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Dual recursive bipartitioning: items that talk to each other and the nodes that they are to be
 * mapped to are halved together (F. Pellegrini, "Static mapping by dual recursive bipartitioning of
 * process and architecture graphs", 1994). The nodes are cut across their longest side. The items
 * are cut so that what they send across the cut, and to items outside as far as their places are
 * known, costs least.
 */
#ifndef MESH_DRB_H
#define MESH_DRB_H

#include "ranks/bipart.h"
#include "ranks/rcb.h"
#include "ranks/traffic.h"

struct drb_input {
	const struct traffic *traffic; /* among items */
	/* By rcb_points_init_nodes(). NULL: the traffic alone is cut into `parts` equal parts, and
	 * the mesh is not read. */
	const struct rcb_points *nodes;
	int parts;
	int per_node;		       /* items on each node: nodes * per_node in all */
	const struct mesh *mesh;
	uint64_t seed;
};

/*
 * Into site[item]: an index into the nodes, or the number of its part, each per_node times. 0, or
 * -1 when memory is out. O(edges * log^2 n).
 */
int drb_map(const struct drb_input *input, int *site);

#endif
