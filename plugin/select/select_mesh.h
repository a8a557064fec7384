/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the files of select/mesh, mesh_*.c, ask of each other.
 */
#ifndef SELECT_MESH_H
#define SELECT_MESH_H

#include "compat/slurm_compat.h"
#include "shared/mesh_attempt.h"

/*
 * job_test: narrow the nodes to what the strategy proposes, then let the stock plugin do its work
 * on those. Narrowing is safe: where the stock plugin does not accept the proposal it is offered
 * all nodes in the end (mesh by mesh, where jobs may not span meshes), unless the user or the
 * administrator asked for a box and nothing else.
 *
 * SLURM_SUCCESS with the job's nodes left in test->bitmap, or the stock plugin's error. The numbers
 * of nodes in test become those of the job's shape, where it has one and said no -N.
 */
int mesh_place(struct job_test *test);

/* --- asking the stock plugin ---------------------------------------------------------- */

/*
 * Nodes on which a part of the job could start now, as the stock plugin sees it: a new set, or
 * NULL when there are none. They may not be enough together. With `even` each can give its even
 * share of the job's CPUs and GRES, so that as many as the job has nodes are enough.
 */
bitstr_t *mesh_delegate_probe(struct mesh_attempt *a, bool even);

/* Are these nodes enough for the job, and those that it requires among them? */
bool mesh_delegate_enough(const struct mesh_attempt *a, bitstr_t *nodes);

/* --- when will there be a box, or room? ------------------------------------------------- */

/*
 * The first time at which the running jobs' ends leave a box; like a WILL_RUN. a->hopeless says
 * that there is none in the time that is asked about.
 */
int mesh_future_box(struct mesh_attempt *a);
/*
 * The same for any nodes, for jobs of whole nodes that do not fit now: of one mesh, or of several
 * where the job may span them.
 */
int mesh_future_room(struct mesh_attempt *a);

/*
 * For a reservation of so many nodes, none of them named: those that a job of that size would get
 * from the site's strategy, were it to start now. A new set; NULL: it has none to propose.
 */
bitstr_t *mesh_reserve(bitstr_t *avail, uint32_t count);

/*
 * Does a topology plugin with rules of its own (torus3d, block or ring) place the jobs of the
 * partition, or before 25.05 of the cluster? Then nothing may be narrowed: it would refuse our
 * choice, and questions about all nodes at once make no sense to it. Logged once for each topology.
 */
bool mesh_other_topology(const part_record_t *part);

/*
 * After a WILL_RUN that rc is the answer of, with `want` as it was before: write `Waits for a box
 * of 4x2` into the job's state_desc, for squeue, or remove it. No time: what is said here of a start
 * backfill moves behind the jobs that it has planned before, and shows as StartTime. Backfill
 * leaves the text there; slurmctld's main scheduler replaces it by a reason of its own when it tries the
 * job, until backfill comes by.
 */
void mesh_reason_tell(const struct job_test *test, const struct mesh_want *want, int rc);

/*
 * Write a line about the decision, if mesh_log=yes or DebugFlags=SelectType wants it. rc: what is
 * returned to Slurm; started: CLOCK_MONOTONIC, ns.
 */
void mesh_log_decision(const struct mesh_attempt *a, int rc, int64_t started);

/*
 * mesh_comment=yes: into the AdminComment of a job that is about to start, `mesh: strategy=mm
 * mean_hops=2.070`, behind what an administrator wrote there or in the place of our own remark
 * of an earlier start. All else in that field stays as it is.
 */
void mesh_log_comment(const struct mesh_attempt *a);

/* --- who waits first? -------------------------------------------------------------------- */

/*
 * Does no other job wait before this one for nodes of some mesh? Only jobs count that could run in
 * the mesh and wait for nothing but nodes.
 */
bool mesh_queue_first(const job_record_t *job);
/* No more questions: free what is kept between them. */
void mesh_queue_fini(void);

#endif
