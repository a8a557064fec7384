/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nodes for a job whose traffic is known, and its tasks on them, chosen together: PaCMap,
 * "partitioning and center mapping" (O. Tuncer, V. Leung and A. Coskun, "PaCMap: Topology mapping
 * of unstructured communication patterns onto non-contiguous allocations", ICS 2015).
 *
 * Ranks are partitioned into as many groups as there are nodes. The group in the middle of the
 * traffic goes to the free node with the best room around it. From there on, of the groups that
 * talk to those already placed the one that talks most is next, and goes where its messages have
 * the fewest hops, among the free nodes nearest to each of those already taken; of equal ones to
 * that nearest to the middle.
 *
 * The steps are those of the authors' own implementation, in SST's scheduler (NearestAllocMapper:
 * the centre is searched among all free nodes); the partitioner is ours (bipart.h) instead of
 * METIS, what theirs leaves to the order of its lists goes to the lowest number, and on a mesh the
 * nodes that there are at a distance are counted as if it had no edge.
 */
#ifndef MESH_PACMAP_H
#define MESH_PACMAP_H

#include "base/budget.h"
#include "base/err.h"
#include "base/mesh.h"
#include "base/nodeset.h"
#include "ranks/traffic.h"

/* Scratch for one mesh, which must outlive it. One thread at a time. */
struct pacmap;
/* NULL when memory is out. */
struct pacmap *pacmap_new(const struct mesh *mesh);
void pacmap_free(struct pacmap *map);

/* Tasks, one a node: ranks, or groups of them. */
struct pacmap_tasks {
	int count; /* 1..free nodes */
	const struct traffic *traffic; /* of so many; NULL: each talks to all others alike */
	int center; /* the first task to be placed; -1: pacmap_center_task()'s */
	const struct nodeset *free,
		*required;          /* required: nodes among the free that must be used, or NULL */
	struct mesh_budget *budget; /* or NULL: no limit */
};

/*
 * Into node[task] a node for each task, into *hop_bytes their traffic times hops (without traffic,
 * the sum of hops over all pairs). Nothing is allocated. False: the budget was used up; the
 * remaining tasks then have the lowest of the remaining nodes, and *hop_bytes leaves them out.
 *
 * With k tasks of E pairs, n vertices, and balls of V vertices that hold k nodes: O(n * radius) for
 * the centre, O(E * frame) for the rest, frame being the free nodes around those taken; and looking
 * for the middle task O(k * (k + E) * log k), of which at most some millions of steps.
 */
bool pacmap_place(
	struct pacmap *map, const struct pacmap_tasks *tasks, int *node, double *hop_bytes);

struct pacmap_job {
	const struct nodeset *free;
	const struct traffic *traffic; /* of nnodes * per_node ranks */
	int nnodes, per_node;
	uint64_t seed; /* of the partitioner */
};

/*
 * node[nnodes], ascending, and place[ranks], an index into node[]. 0, or -1 with text: the numbers
 * do not fit together, there are too few free nodes, or memory is out.
 */
int pacmap_solve(struct pacmap *map, const struct pacmap_job *job, int *node, int *place,
	struct mesh_err *err);

#endif
