/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The load that a job's communication puts on each link.
 *
 * In a round each rank sends 1 in all, in equal parts to its partners (comm.h), along the routes of
 * links.h. A link's load is what crosses it in a round. If all jobs send round after round, a round
 * takes at least as long as the job's most loaded link needs for what the job and the others put on
 * it: the bottleneck. What would cross a broken link goes round it, by a shortest way between its
 * ends. What is on a cable of few lanes counts as much more as that is slower (links_slower()); on a
 * machine that is its cables all messages are looked at. How well that agrees with SimGrid:
 * doc/lab/simgrid.md.
 */
#ifndef MESH_LOAD_H
#define MESH_LOAD_H

#include "base/arena.h"
#include "base/budget.h"
#include "base/mesh.h"
#include "links/links.h"
#include "links/comm.h"

/*
 * The number that a link has in loads: of one dimension and way after another, so that those of a
 * row are next to each other in memory; cables have the numbers of links.h. 0..links_count()-1.
 */
static inline int load_link(const struct mesh *mesh, int vertex, int d, bool up)
{
	return (2 * d + up) * mesh->nvertices + vertex;
}

/* The same of a link by its number. */
static inline int load_of_link(const struct mesh *mesh, int link)
{
	return link >= links_grid(mesh) ? link
		: load_link(mesh, link / 2 / mesh->ndims, link / 2 % mesh->ndims, link % 2);
}

/* Scratch memory for one mesh, which must outlive it: O(links). One thread at a time. */
struct load_meter;
/* NULL when memory is out. The arena frees it. */
struct load_meter *load_meter_new(const struct mesh *mesh, struct arena *arena);

/*
 * From now on stop early when this budget (borrowed; NULL: none) is used up. load_meter_late(): has
 * that happened? The loads worked out meanwhile are not valid then.
 */
void load_meter_budget(struct load_meter *meter, struct mesh_budget *budget);
bool load_meter_late(struct load_meter *meter);

/* The links that a job uses, in no order, and its load on each. */
struct load_job {
	int n;
	int *link;    /* [n] load_link() */
	double *load; /* [n] > 0 */
};

/*
 * The ranks whose loads are asked for from now on: rank i on vertex[i], i < count <= nnodes
 * (borrowed until others come).
 */
void load_ranks(struct load_meter *meter, const int *vertex, int count);

/*
 * Their loads into *job: arrays borrowed from the meter until its next load. COMM_RANDOM counts as
 * all-to-all, the mean over all draws. grid: of COMM_GRID (NULL: none; see comm_grid_of()), whose
 * ranks are in blocks of equal size on the vertices; what a vertex sends is 1 in all.
 *
 * All-to-all is exact without going through the pairs. With dimension-order routing, a line of
 * vertices along dimension d carries the messages from all ranks that have its coordinates in the
 * dimensions above d to all ranks that have its coordinates in those below. So the loads of a line
 * follow from two counts along it, each link's from the one before: O(count + links of the lines in
 * use). Other patterns: O(count * hops + links / 64).
 */
void load_of(struct load_meter *meter, enum comm_pattern pattern, const struct comm_grid *grid,
	struct load_job *job);

/*
 * Likewise, where rank i and rank i ^ by send 1 to each other, wherever both are there. by: a power
 * of two below count. O(count * hops + links / 64).
 */
void load_of_pairs(struct load_meter *meter, int by, struct load_job *job);

#endif
