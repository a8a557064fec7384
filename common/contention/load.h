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
	double *load; /* [n] > 0; of an all-to-all on rings of even sides some may be 0 */
};

/*
 * The load of a job with rank i on node[i], i < count, into *job: arrays borrowed from the meter until
 * its next load. COMM_RANDOM counts as all-to-all, the mean over all draws.
 *
 * All-to-all is exact without going through the pairs. With dimension-order routing, a line of vertices
 * along dimension d carries the messages from all ranks that have its coordinates in the dimensions
 * above d to all ranks that have its coordinates in those below. So the loads of a line follow from two
 * counts along it, each link's from the one before: O(count + links of the lines in use). Other
 * patterns: O(count * hops).
 */
void load_of(struct load_meter *meter, enum comm_pattern pattern, const int *node, int count,
	struct load_job *job);

/* The same with rank i on vertex[i]. */
void load_of_vertices(struct load_meter *meter, enum comm_pattern pattern, const int *vertex,
	int count, struct load_job *job);

/*
 * The same for COMM_GRID on a given grid (NULL: none; see comm_grid_of()), whose ranks are in blocks of
 * equal size on the vertices. What a vertex sends is 1 in all.
 */
void load_of_grid(struct load_meter *meter, const struct comm_grid *grid, const int *vertex, int count,
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
