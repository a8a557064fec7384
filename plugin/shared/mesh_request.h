/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From a job's record to what is asked of a strategy.
 */
#ifndef MESH_REQUEST_H
#define MESH_REQUEST_H

#include "shared/mesh_conf.h"
#include "shared/job_test.h"

struct mesh_want {
	const struct strategy_ops *ops;
	struct mesh_request request; /* count is what is wanted, see min */
	int min, max;		     /* nodes; fewer than request.count will do, down to min */
	bool count_open;   /* the job's tasks and CPUs decide how many nodes: count is a guess */
	bool all_of_shape; /* a whole box, of a shape that has different numbers of nodes on the
			      meshes */
	bool box; /* a free box or nothing; or segments over several meshes, or nothing */
	bool uneven; /* no number of nodes from min to max can be divided into such segments */
	bool no_contiguous; /* clear --contiguous for the stock plugin: the box sees to it */
	bool whole_nodes;	     /* the job shares its nodes with nobody */
	bool hurry;		     /* mesh_max_cycle is used up: quick strategies only */
	bool stock;		     /* leave it to the stock plugin */
	const struct strategy_ops *fallback; /* when there is no box; NULL: wait */
	time_t relax; /* when the wish for a box is given up; 0 = never */
};

/* Fill *want for a job; mesh_conf() must not be NULL. Counts the job against mesh_max_cycle. */
void mesh_request_from_job(const struct job_test *test, struct mesh_want *want);

/* What to return to Slurm for rc: an error becomes "waits for a box" if that is why. */
static inline int mesh_request_reason(const struct mesh_want *want, int rc)
{
	if (rc == SLURM_SUCCESS || !want->box)
		return rc;
	return want->request.segment ? COMPAT_NO_SEGMENTS : COMPAT_NO_BOX;
}

/* The least number of nodes that the stock plugin is to take of an offer: of a box all. */
static inline uint32_t mesh_request_least(const struct mesh_want *want, bitstr_t *offered)
{
	return (uint32_t)(want->box ? bit_set_count(offered) : want->min);
}

/*
 * Has Slurm taken the job into the queue? Both times are of its submission until a scheduler looks
 * at it. What cannot be had any more may come again, the partition's nodes or the map: the job
 * waits and is not held.
 */
static inline bool mesh_request_queued(const job_record_t *job)
{
	return job->last_sched_eval > job->details->submit_time + 1;
}

/* The most CPUs that a node of the set has. */
uint32_t mesh_request_largest_node(bitstr_t *nodes);

/* The most of such GRES that a job can use on a node of the set, of which each wants its CPUs and
 * memory; 1 at least. */
uint64_t mesh_request_most_gres(bitstr_t *nodes, gres_state_t *wanted);

/* Give up the wish for a box: nodes as near each other as `ops` finds them. */
void mesh_request_relax(struct mesh_want *want, const struct strategy_ops *ops);

#endif
