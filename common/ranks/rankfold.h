/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Folds the ranks of each node onto its cores, so that ranks that talk share a cache, a NUMA node
 * or a package. The caller says which cores are near each other.
 */
#ifndef MESH_RANKFOLD_H
#define MESH_RANKFOLD_H

#include "ranks/assign.h"
#include "ranks/traffic.h"

struct rankfold_input {
	const struct traffic *traffic;
	const struct traffic_grid *grid; /* the grid of the traffic, or NULL */
	const int *place;	      /* [ranks] node of each, 0..nnodes-1, per_node on each */
	int nnodes, per_node;
	/* Distances between the per_node cores of a node. Near numbers must be near cores, as with
	 * hwloc's logical numbers. All nodes are alike. */
	const struct assign_sites *cores;
	uint64_t seed;
};

struct rankfold_answer {
	int *core; /* [ranks] 0..per_node-1, each once on each node; the caller's */
	double distance_bytes;	     /* bytes times distance between cores, summed over nodes */
	double in_order_distance_bytes; /* the same with the ranks of a node in their order */
	bool alike; /* the i-th rank is on the same core on every node */
};

/* 0, or -1 with text: memory is out, or place[] does not have per_node ranks on each node. */
int rankfold_solve(const struct rankfold_input *input, struct rankfold_answer *answer,
	struct mesh_err *err);

#endif
