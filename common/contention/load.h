/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a job's communication puts on the links, and what that makes of its time, before it runs.
 *
 * In a round each rank sends 1 in all, in equal parts to its partners (comm.h), along the
 * routes of links.h. A link's load is what crosses it in a round. If all jobs send round after
 * round, a round takes at least as long as the job's most loaded link needs to carry what the
 * job and the others put on it: the bottleneck. How well that agrees with SimGrid: doc/lab/simgrid.md.
 */
#ifndef MESH_LOAD_H
#define MESH_LOAD_H

#include "base/budget.h"
#include "base/mesh.h"
#include "contention/links.h"
#include "contention/comm.h"

/* Scratch memory for one mesh, which must outlive it: O(links). One thread at a time. */
struct load_meter;
/* NULL when memory is out. */
struct load_meter *load_meter_new(const struct mesh *mesh);
void load_meter_free(struct load_meter *meter);

/* Until the next call loads are worth nothing once this budget (borrowed; NULL: none) is used up. */
void load_meter_budget(struct load_meter *meter, struct mesh_budget *budget);
bool load_meter_late(struct load_meter *meter);

/* The links that a job uses, in no order, and its load on each. */
struct load_job {
	int n;
	int *link;    /* [n] */
	double *load; /* [n] > 0; of an all-to-all on rings of even sides some may be 0 */
};

/*
 * A job's load. node[count]: of its ranks, in their order. Borrowed from the meter, until its
 * next load. Random pairs are taken as all-to-all: the mean over what may be drawn.
 *
 * All-to-all: exact, without going through pairs. Under dimension order the messages on a line of
 * the machine along dimension d are those from the ranks with its coordinates above d to the ranks
 * with those below, all pairs of them. So a line's loads follow from two counts along it, each
 * link's from that before it: O(count + links of the lines in use). Others: O(count * hops).
 */
void load_of(struct load_meter *meter, enum comm_pattern pattern, const int *node, int count,
	struct load_job *job);

/* The same, by the vertices of the ranks. */
void load_of_vertices(struct load_meter *meter, enum comm_pattern pattern, const int *vertex,
	int count, struct load_job *job);

/*
 * The same of COMM_GRID on a grid that may be given (comm.h; NULL: none), its ranks in blocks, as
 * many on each of the vertices. What a vertex sends is 1 in all.
 */
void load_of_grid(struct load_meter *meter, const struct comm_grid *grid, const int *vertex, int count,
	struct load_job *job);

/* What the most loaded of the job's links carries; 0 for a job that uses none. */
double load_bottleneck(const struct load_job *job);

#endif
