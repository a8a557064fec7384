/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Translates a job's record into a question to a strategy.
 */
#ifndef MESH_WANT_H
#define MESH_WANT_H

#include "shared/mesh_conf.h"
#include "shared/job_test.h"

/* What the job wants, and what to do if it cannot have that. */
struct mesh_want {
	const struct strategy_ops *ops;
	struct mesh_request request; /* count: the number of nodes wanted, between min and max */
	int min, max;		     /* numbers of nodes that will do */
	bool count_open;   /* tasks and CPUs decide the number of nodes: count is a guess */
	bool all_of_shape; /* a whole box; meshes differ in its number of nodes */
	bool box; /* a free box, or segments over several meshes, or nothing */
	bool may_outgrow; /* the box goes if the job turns out to be larger than each mesh */
	bool uneven; /* no number of nodes from min to max is a multiple of the segment */
	bool no_contiguous; /* clear --contiguous for the stock plugin: the box ensures it */
	bool whole_nodes;	     /* the job shares its nodes with no other job */
	bool hurry;		     /* mesh_max_cycle is used up: quick strategies only */
	bool stock;		     /* leave the choice to the stock plugin */
	const struct strategy_ops *fallback; /* strategy when there is no box; NULL: wait */
	time_t relax; /* when the job gives up its box; 0: never */
};

/* Fill *want for a job, which mesh_validate() has validated. mesh_conf() must not be NULL. */
void mesh_want_from_job(const struct job_test *test, struct mesh_want *want);

/* mesh_max_cycle is used up: take a strategy that needs microseconds, and a small budget. */
void mesh_want_hurry(struct mesh_want *want);

/* What to return to Slurm for rc: an error becomes "waits for a box" if the job waits for one. */
static inline int mesh_want_reason(const struct mesh_want *want, int rc)
{
	if (rc == SLURM_SUCCESS || !want->box)
		return rc;
	return want->request.segment ? COMPAT_NO_SEGMENTS : COMPAT_NO_BOX;
}

/* From 23.11 on Slurm asks for the nodes of a reservation by a job without a number. */
static inline bool mesh_want_reserves(const job_record_t *job)
{
	return !job->job_id;
}

/*
 * Has Slurm taken the job into the queue? Until a scheduler looks at the job, both times are of
 * its submission. A job in the queue is not refused for good: the partition's nodes, or the map,
 * may come back.
 */
static inline bool mesh_want_queued(const job_record_t *job)
{
	return job->last_sched_eval > job->details->submit_time + 1;
}

/* The most CPUs that one node of the set has, at least 1. */
uint32_t mesh_want_largest_node(bitstr_t *nodes);

/*
 * The most GRES of this kind that a job can use on one node of the set, at least 1. Each GRES also
 * needs its CPUs and memory.
 */
uint64_t mesh_want_most_gres(bitstr_t *nodes, gres_state_t *wanted);

/*
 * True if no mesh alone has enough nodes for the job, and its want permits no box (may_outgrow). A
 * node counts if it is in the job's partition, is not excluded and has what the job needs; if the
 * job requires nodes of one mesh, only those of that mesh, if of several, none. With mesh_span=no
 * true only if the job can have no node of any mesh.
 */
bool mesh_want_outgrows(job_record_t *job, const struct mesh_want *want);

/* Give up the box: `ops` then chooses nodes near each other. */
void mesh_want_relax(struct mesh_want *want, const struct strategy_ops *ops);

#endif
