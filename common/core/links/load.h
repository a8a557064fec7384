/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The load that a job's communication puts on each link.
 *
 * In a round each rank sends 1 in all, in equal parts to its partners (comm.h), along the routes
 * of links.h. A link's load is what crosses it in a round. If all jobs send round after round, a
 * round takes at least as long as the job's most loaded link needs for the load of all jobs on it:
 * the bottleneck.
 *
 * What would cross a broken link goes round it, by a shortest way between its ends. Load on a
 * cable is multiplied by how many times slower it is than a link of one hop (links_slower()). On
 * a cabled machine all messages are routed one by one. doc/lab/simgrid.md compares the loads with
 * SimGrid.
 */
#ifndef MESH_LOAD_H
#define MESH_LOAD_H

#include "base/arena.h"
#include "base/budget.h"
#include "base/mesh.h"
#include "links/links.h"
#include "links/comm.h"

/*
 * The number of a link in this room's arrays of loads, 0..links_count()-1; links.h numbers links in
 * another way. Here the links of one dimension and direction are together, so that those of a row
 * are neighbours in memory. Only cables have the same number in both.
 */
static inline int load_number(const struct mesh *mesh, int vertex, int d, bool up)
{
	return (2 * d + up) * mesh->nvertices + vertex;
}

/* The same of a link whose number in links.h is given. */
static inline int load_number_of(const struct mesh *mesh, int link)
{
	return link >= links_grid(mesh) ? link
		: load_number(mesh, link / 2 / mesh->ndims, link / 2 % mesh->ndims, link % 2);
}

/* Scratch memory for one mesh, which must outlive it: O(links). One thread at a time. */
struct load_meter;
/* NULL when memory is out. The arena frees it. */
struct load_meter *load_meter_new(const struct mesh *mesh, struct arena *arena);

/*
 * From now on stop early when this budget (borrowed; NULL: none) is used up. load_meter_late():
 * has that happened? Loads computed since are not valid then.
 */
void load_meter_budget(struct load_meter *meter, struct mesh_budget *budget);
bool load_meter_late(struct load_meter *meter);

/* The links that a job uses, in any order, and its load on each. */
struct load_job {
	int n;
	int *link;    /* [n] as load_number() */
	double *load; /* [n] > 0 */
};

/*
 * Set the ranks for the loads to come: rank i on vertex[i], i < count <= nnodes. vertex is
 * borrowed until the next call.
 */
void load_ranks(struct load_meter *meter, const int *vertex, int count);

/*
 * Set *job to the ranks' loads; its arrays are borrowed from the meter until the next load.
 * The pattern is COMM_RING or COMM_GRID. grid: for the latter (NULL: none; see comm_grid_of()); its
 * ranks are in blocks of equal size on the vertices, and a vertex sends 1 in all. O(count * hops +
 * links / 64).
 */
void load_of(struct load_meter *meter, enum comm_pattern pattern, const struct comm_grid *grid,
	struct load_job *job);

/* Sums over all links. */
struct load_sums {
	double all, squares; /* of the loads, and of their squares */
};

/*
 * Set *sums if rank i and rank i ^ by send 1 to each other, wherever both exist. by: a power of two
 * below count. O(count * hops + links / 1024) at most; ranks side by side in a row are added at
 * once.
 */
void load_of_pairs(struct load_meter *meter, int by, struct load_sums *sums);

#endif
