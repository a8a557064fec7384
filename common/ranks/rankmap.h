/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Chooses the node of each rank of a job, so that ranks that talk are few hops apart.
 *
 * It minimises hop-bytes: the sum over pairs of ranks of bytes times hops between their nodes (T.
 * Agarwal, A. Sharma and L. Kale, "Topology-aware task mapping for reducing communication
 * contention on large parallel machines", 2006). There are two questions. Which ranks share a node
 * (rankgroup.h)? Which node does each group get: in order; as the grid folded into the box of
 * nodes (embed.h); by halving both again and again by the traffic (drb.h); and by local search
 * from the best of these (assign.h)? The best answer is kept; block order is one of them.
 */
#ifndef MESH_RANKMAP_H
#define MESH_RANKMAP_H

#include "base/err.h"
#include "base/mesh.h"
#include "ranks/traffic.h"

/* What is minimised. */
enum rankmap_objective {
	RANKMAP_HOPS, /* hop-bytes: all that the machine has to carry */
	RANKMAP_PEAK, /* the load of the most loaded links, on which the time depends (peak.h) */
};

struct rankmap_input {
	const struct mesh *mesh;
	const int *node; /* [nnodes] of the mesh, in Slurm's order */
	int nnodes;
	int per_node;	 /* ranks on each node */
	const struct traffic *traffic; /* of nnodes * per_node ranks */
	const struct traffic_grid *grid;  /* the grid of the traffic, or NULL */
	bool fold_only; /* folding or block order only: no search, for when time is short */
	enum rankmap_objective objective;
	uint64_t seed;
};

struct rankmap_answer {
	int *place;	  /* [ranks] an index into node[]; the caller's */
	double hop_bytes; /* of the answer */
	double peak_load; /* bytes on the most loaded link, in one direction */
	double block_hop_bytes, block_peak_load;
};

/*
 * 0, or -1 with text: the numbers do not fit together, or memory is out. The answer depends on the
 * input only. O(R log^2 R + N^2 d) for R ranks on N nodes, and a bounded number of exchanges, see
 * assign.h.
 */
int rankmap_solve(const struct rankmap_input *input, struct rankmap_answer *answer,
	struct mesh_err *err);

/*
 * Compute the figures of an answer whose place[] is given. As rankmap_solve(), but without a
 * search.
 */
int rankmap_measure(const struct rankmap_input *input, struct rankmap_answer *answer,
	struct mesh_err *err);

#endif
