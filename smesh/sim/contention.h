/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How placement changes the time of communication: messages of running jobs share links.
 *
 * In a round each node of a job sends one unit of traffic, divided among its partners by the job's
 * pattern (common/core/links/comm.h), or what its program sends (programs.h), along the routes of
 * SimGrid's torus (links.h). Ranks are the job's nodes in ascending order, as in Slurm. A link
 * carries one unit in a unit of time, each way. A rank sends one message after the other, each at
 * the rate of the fullest link on its way. The flows on a link share it equally: those of the same
 * step of the job, and of other jobs those that are there on average over time. The slowdown of a
 * job is the time of its round divided by the reference: the least time of a round, alone on the
 * machine.
 *
 * A program's messages go step by step, each when both its ranks have reached the step. Its round
 * is over when the last rank is done. Other jobs leave it, of a link, what they do not use on
 * average.
 *
 * doc/lab/simgrid.md compares this with SimGrid, doc/lab/smpi.md for programs.
 */
#ifndef SMESH_CONTENTION_H
#define SMESH_CONTENTION_H

#include "base/mesh.h"
#include "links/comm.h"

struct contention;
struct contention_job; /* the traffic of a running job */

/* seed: for the draws of random pairs. */
struct contention *contention_new(const struct mesh *mesh, uint64_t seed);
void contention_free(struct contention *net);

/*
 * Add a job of this kind (programs.h), rank by rank on these nodes. pause: how long it computes
 * between two rounds, in units of its reference.
 */
struct contention_job *contention_add(struct contention *net, int kind, const int *node,
	int count, double pause);
void contention_remove(struct contention *net, struct contention_job *job);

/*
 * Compute the times of the present jobs: up to ten sweeps over all jobs, until a sweep changes
 * none by more than 0.5%. A sweep is O(messages * hops).
 */
void contention_solve(struct contention *net);

/*
 * By the last solution: the time of the job's round in units of its reference; 1 for a job that
 * sends nothing. It is below 1 only by chance, with random pairs.
 */
double contention_slowdown(const struct contention_job *job);
/* The least time of a round on an empty machine. */
double contention_reference(const struct contention_job *job);
/* The load of the job's most loaded link. */
double contention_peak(const struct contention *net, const struct contention_job *job);
/* The number of links that carry messages of more than one job now. */
int contention_shared(const struct contention *net);
/*
 * [links_count()] messages on each link at once, averaged over a round; for programs the part of
 * the time for which they keep the link busy. Valid until the next call.
 */
const double *contention_messages(const struct contention *net);

#endif
