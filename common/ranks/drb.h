/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Dual recursive bipartitioning: items that talk to each other and the nodes they shall go to are
 * halved together (F. Pellegrini, "Static mapping by dual recursive bipartitioning of process and
 * architecture graphs", 1994). The nodes are cut across their longest side, the items so that what
 * is sent across the cut, and to items outside by where those are so far, costs least.
 */
#ifndef MESH_DRB_H
#define MESH_DRB_H

#include "ranks/bipart.h"
#include "ranks/rcb.h"
#include "ranks/traffic.h"

struct drb_input {
	const struct traffic *traffic; /* among items */
	/* By rcb_points_init_nodes(). NULL: wherever they are, the traffic alone is cut into `parts`
	 * equal parts; neither is the mesh looked at then. */
	const struct rcb_points *nodes;
	int parts;
	int per_node;		       /* items on each node: nodes * per_node in all */
	const struct mesh *mesh;
	struct bipart_effort effort;
	uint64_t seed;
};

/*
 * site[item] gets an index into the nodes, or the number of its part, each per_node times. 0, or -1 when memory is out.
 * O(log n * edges * log n).
 */
int drb_map(const struct drb_input *input, int *site);

#endif
