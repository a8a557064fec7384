/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What placement does to the time of communication: messages of running jobs share links.
 *
 * In a round each node of a job sends one unit of traffic, spread over its partners by the job's
 * pattern (common/core/links/comm.h), or what its program sends (programs.h), along the routes of
 * SimGrid's torus (links.h). Ranks are the job's nodes in ascending order, as Slurm gives them.
 * A link carries one unit in a unit of time, each way. A rank sends one message after the other,
 * each at the rate of the fullest link on its way, which its flows share alike: those of the job's
 * same step, and those of other jobs that are there in the mean over time. A job's slowdown is the
 * time of its round over the reference: the least that a round takes, alone on the machine.
 *
 * A program's messages go step by step, each when both its ranks have come to it; its round is over
 * when the last rank is done. Of a link the other jobs leave what they do not use in the mean.
 *
 * Held against SimGrid in doc/lab/simgrid.md, programs in doc/lab/smpi.md.
 */
#ifndef SIM_CONTENTION_H
#define SIM_CONTENTION_H

#include "base/mesh.h"
#include "links/comm.h"

struct contention;
struct contention_job; /* the traffic of a running job */

/* seed: of what random pairs draw. NULL when memory is out. */
struct contention *contention_new(const struct mesh *mesh, uint64_t seed);
void contention_free(struct contention *net);

/* Add a job of this kind (programs.h), rank by rank on these nodes. pause: how long it computes
 * between two rounds, by its reference. NULL when memory is out. */
struct contention_job *contention_add(struct contention *net, int kind, const int *node,
	int count, double pause);
void contention_remove(struct contention *net, struct contention_job *job);

/* Work out the times of the jobs there are now: sweeps over all until they agree within 0.5%.
 * A sweep is O(messages * hops). */
void contention_solve(struct contention *net);

/* By the last solution: how many times the reference the job's round takes; 1 for a job that
 * sends nothing. Less than 1 only by the chances of random pairs. */
double contention_slowdown(const struct contention_job *job);
/* The least time of a round on an empty machine. */
double contention_reference(const struct contention_job *job);
/* The load of its most loaded link. */
double contention_peak(const struct contention *net, const struct contention_job *job);
/* Links that carry messages of more than one job, now. */
int contention_shared(const struct contention *net);
/* [links_count()] messages on each link at once, in the mean over a round; of programs, the part of
 * the time that they keep it busy. Until the next call. */
const double *contention_messages(const struct contention *net);

#endif
