/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the files of select/mesh (mesh_*.c) share.
 */
#ifndef SELECT_MESH_H
#define SELECT_MESH_H

#include "compat/slurm_compat.h"
#include "shared/mesh_attempt.h"

/*
 * job_test: narrow the nodes to those that the strategy proposes, and let the stock plugin choose
 * among them. If it refuses, it is in the end offered all nodes (with mesh_span=no one mesh after
 * the other), unless the user or the administrator insists on a box.
 *
 * SLURM_SUCCESS with the chosen nodes in test->bitmap, or an error code of Slurm's. Where the job
 * has a shape and no -N, the numbers of nodes in *test become those of its shape.
 */
int mesh_place(struct job_test *test);

/* --- asking the stock plugin ---------------------------------------------------------- */

/*
 * The nodes of a->given on which a part of the job could start now, as the stock plugin says: a
 * new set, or NULL if there are none. They may be too few for the job. With `even` each node can
 * hold an even share of the job's CPUs and GRES, so that as many nodes as the job wants are
 * enough. Overwrites test->bitmap.
 */
bitstr_t *mesh_delegate_probe(struct mesh_attempt *a, bool even);

/*
 * After the stock plugin has refused a box: find out from it what a box must have. Takes those
 * nodes out of a->given that cannot host any part of the job, and raises the number of nodes of a
 * job that does not say it. If no mesh has that many and a->want.may_outgrow, clears a->want.box.
 * True: something has changed, so that another answer is possible. Does nothing but at its first
 * call for an attempt. Overwrites test->bitmap.
 */
bool mesh_delegate_learn(struct mesh_attempt *a);

/*
 * May other jobs run on the job's nodes, even if it asks for whole nodes? Yes with
 * OverSubscribe=FORCE:2 and the like, and where jobs are suspended for each other.
 */
bool mesh_may_share(const job_record_t *job);

/* Are these nodes enough for the job, and are its required nodes among them? */
bool mesh_delegate_enough(const struct mesh_attempt *a, bitstr_t *nodes);

/* --- when will there be a box, or room? ------------------------------------------------- */

/*
 * WILL_RUN: find the first end of a running job that leaves a box, or enough nodes for a job of
 * whole nodes that wants none, and offer these to the stock plugin. The nodes are of one mesh, or
 * of several if the job may span them. Returns as mesh_offer(), with the start in the job's record.
 * Sets a->hopeless if no end in a->window leaves them.
 */
int mesh_future(struct mesh_attempt *a);

/*
 * Before 24.11 backfill asks a dozen times about a job, each time with other nodes, and the stock
 * plugin's search for the start takes most of the time. Its answer is known where it has taken all
 * nodes of another offer to the same job in the same second, and `nodes` are as many of the same
 * kind, all free at `start`. mesh_repeat() then sets what an offer sets, the job's record and
 * test->bitmap, and returns true.
 */
bool mesh_repeat(const struct mesh_attempt *a, bitstr_t *nodes, time_t start);
/* The stock plugin has accepted an offer of `nodes` for a later start. */
void mesh_repeat_note(const struct mesh_attempt *a, bitstr_t *nodes);

/*
 * Nodes for a reservation of `count` unnamed nodes: those that a job of this size would get from
 * the site's strategy if it started now. A new set; NULL: the strategy has none to propose.
 */
bitstr_t *mesh_reserve(bitstr_t *avail, uint32_t count);

/*
 * Does a topology plugin with rules of its own (torus3d, block or ring) place jobs of the
 * partition (before 25.05: of the cluster)? Then nothing may be narrowed: that plugin would refuse
 * our choice, and cannot answer a probe. Logged once for each topology.
 */
bool mesh_other_topology(const part_record_t *part);

/*
 * After a WILL_RUN that returned rc: write a text as `Waits for a box of 4x2` into the job's
 * state_desc, for squeue, or remove it. `want`: what the job asked for. The text names no time:
 * backfill puts the job behind others that it has planned, and StartTime shows its plan. The main
 * scheduler replaces the text by a reason of its own; the next backfill writes it again.
 */
void mesh_reason_tell(const struct job_test *test, const struct mesh_want *want, int rc);

/*
 * Log one line about the decision, if mesh_log=yes or DebugFlags=SelectType. rc: the value that
 * Slurm gets; started: CLOCK_MONOTONIC, ns.
 */
void mesh_log_decision(const struct mesh_attempt *a, int rc, int64_t started);

/*
 * mesh_comment=yes: write a remark as `mesh: strategy=mm mean_hops=2.070 best=2.000` into the
 * AdminComment of a job that is about to start. The remark replaces that of an earlier start, or
 * follows the text that is there. Other text stays as it is.
 */
void mesh_log_comment(const struct mesh_attempt *a);

/* --- who waits first? -------------------------------------------------------------------- */

/*
 * Is the job the first of those that wait for nodes of some mesh? Only jobs count that could run
 * in that mesh and wait for nodes alone.
 */
bool mesh_queue_first(const job_record_t *job);
/* Free the cache: the plugin is unloaded. */
void mesh_queue_fini(void);

#endif
