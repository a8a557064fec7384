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
	bool count_open;	     /* how many follows from tasks and CPUs: count is a guess */
	bool all_of_shape; /* a shape without -N, of which meshes have different numbers: the whole box */
	bool box;		     /* a free box or nothing */
	bool uneven;		     /* no number of nodes that will do consists of such segments */
	bool no_contiguous;	     /* --contiguous is seen to by us */
	bool whole_nodes;	     /* the job shares its nodes with nobody */
	bool hurry;		     /* mesh_max_cycle is used up: quick strategies only */
	bool stock;		     /* leave it to the stock plugin */
	const struct strategy_ops *fallback; /* when there is no box; NULL: wait */
	time_t relax; /* from then on nodes near each other will do; 0 = never */
};

void mesh_request_from_job(const struct job_test *test, struct mesh_want *want);

/* What is returned to Slurm: with rc an error, that the job waits for a box, if it does. */
static inline int mesh_request_reason(const struct mesh_want *want, int rc)
{
	if (rc == SLURM_SUCCESS || !want->box)
		return rc;
	return want->request.segment ? COMPAT_NO_SEGMENTS : COMPAT_NO_BOX;
}

/* How many nodes are asked for, with an offer of these, where the job's own numbers do not say. */
static inline uint32_t mesh_request_least(const struct mesh_want *want, bitstr_t *offered)
{
	return (uint32_t)(want->box ? bit_set_count(offered) : want->min);
}

/* The most CPUs that a node of the set has. */
uint32_t mesh_request_largest_node(bitstr_t *nodes);

/* A box no more: nodes as near each other as `ops` finds them. */
void mesh_request_relax(struct mesh_want *want, const struct strategy_ops *ops);

#endif
