/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which rank of a job runs on which of its nodes, so that ranks that talk are few hops apart.
 *
 * What is minimised is hop-bytes: the sum over pairs of ranks of bytes times hops between
 * their nodes (T. Agarwal, A. Sharma and L. Kale, "Topology-aware task mapping for reducing
 * communication contention on large parallel machines", 2006). Two questions are answered in
 * turn: which ranks share a node (rankgroup.h), and which node each group gets: in order, as the
 * grid folded into the box of nodes (embed.h), both halved again and again by the traffic (drb.h),
 * and local search from the best of these (assign.h). The best of all is kept, block order among
 * them.
 */
#ifndef MESH_RANKMAP_H
#define MESH_RANKMAP_H

#include "base/err.h"
#include "base/mesh.h"
#include "ranks/traffic.h"

/* What is minimised. */
enum rankmap_objective {
	RANKMAP_HOPS, /* hop-bytes: what the machine has to carry in all */
	RANKMAP_PEAK, /* the load of the most loaded links, which the time depends on (peak.h) */
};

struct rankmap_input {
	const struct mesh *mesh;
	const int *node; /* [nnodes] of the mesh, in the order in which Slurm lists them */
	int nnodes;
	int per_node;	 /* ranks on each */
	const struct traffic *traffic; /* of nnodes * per_node ranks */
	const struct traffic_grid *grid;  /* that the traffic is of, or NULL */
	bool fold_only; /* fold or block order: no search, for a little time at most */
	enum rankmap_objective objective;
	uint64_t seed;
};

struct rankmap_answer {
	int *place;	  /* [ranks] an index into node[]; the caller's */
	double hop_bytes; /* of the answer */
	double peak_load; /* bytes on the most loaded link, in its direction */
	double block_hop_bytes, block_peak_load;
};

/*
 * 0, or -1 with text: the numbers do not fit together, or memory is out. The answer depends
 * on the input only. With R ranks on N nodes O(R log^2 R + N^2 d) and a bounded number of
 * exchanges tried, see assign.h.
 */
int rankmap_solve(const struct rankmap_input *input, struct rankmap_answer *answer,
	struct mesh_err *err);

/* The figures of an answer whose place[] is given. As rankmap_solve(), but without any search. */
int rankmap_measure(const struct rankmap_input *input, struct rankmap_answer *answer,
	struct mesh_err *err);

#endif
