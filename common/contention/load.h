/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The load that a job's communication puts on each link.
 *
 * In a round each rank sends 1 in all, in equal parts to its partners (comm.h), along the routes of
 * links.h. A link's load is what crosses it in a round. If all jobs send round after round, a round
 * takes at least as long as the job's most loaded link needs for what the job and the others put on
 * it: the bottleneck. How well that agrees with SimGrid: doc/lab/simgrid.md.
 */
#ifndef MESH_LOAD_H
#define MESH_LOAD_H

#include "base/budget.h"
#include "base/mesh.h"
#include "contention/links.h"
#include "contention/comm.h"

/*
 * The number that a link has in loads: of one dimension and way after another, so that those of a row are
 * next to each other in memory. 0..links_count()-1.
 */
static inline int load_link(const struct mesh *mesh, int vertex, int d, bool up)
{
	return (2 * d + up) * mesh->nvertices + vertex;
}

enum { LOAD_UNIT = 1024 }; /* one rank's messages of a round */

/* What several jobs put on a link, in LOAD_UNITs, so that sums are exact. */
struct load_traffic {
	uint32_t load;
	uint32_t drag; /* the same, over the mean hops of each job; 0 of rings */
};

/* Scratch memory for one mesh, which must outlive it: O(links). One thread at a time. */
struct load_meter;
/* NULL when memory is out. */
struct load_meter *load_meter_new(const struct mesh *mesh);
void load_meter_free(struct load_meter *meter);

/*
 * From now on stop early when this budget (borrowed; NULL: none) is used up. load_meter_late(): has that
 * happened? The loads worked out meanwhile are not valid then.
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
 * The ranks whose loads are asked for from now on: rank i on vertex[i], i < count <= nnodes (borrowed until
 * others come), or on node[i].
 */
void load_ranks(struct load_meter *meter, const int *vertex, int count);
void load_ranks_on(struct load_meter *meter, const int *node, int count);

/*
 * Their loads into *job: arrays borrowed from the meter until its next load. COMM_RANDOM counts as all-to-all,
 * the mean over all draws. grid: of COMM_GRID (NULL: none; see comm_grid_of()), whose ranks are in blocks of
 * equal size on the vertices; what a vertex sends is 1 in all.
 *
 * All-to-all is exact without going through the pairs. With dimension-order routing, a line of vertices
 * along dimension d carries the messages from all ranks that have its coordinates in the dimensions
 * above d to all ranks that have its coordinates in those below. So the loads of a line follow from two
 * counts along it, each link's from the one before: O(count + links of the lines in use). Other
 * patterns: O(count * hops + links / 64).
 */
void load_of(struct load_meter *meter, enum comm_pattern pattern, const struct comm_grid *grid,
	struct load_job *job);

/*
 * A job's arrays, to keep loads in: load_meter_keep() makes the answer that the meter gave last, here *job,
 * that of *kept, and gives the meter the arrays of *kept for its next. What *kept had is lost.
 * load_job_init(): 0, or -1 when memory is out; load_job_release() either way.
 */
int load_job_init(struct load_job *kept, const struct mesh *mesh);
void load_job_release(struct load_job *kept);
void load_meter_keep(struct load_meter *meter, const struct load_job *job, struct load_job *kept);

/* The load of the job's most loaded link; 0 for a job that uses none. */
double load_bottleneck(const struct load_job *job);

#endif
