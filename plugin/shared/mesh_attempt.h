/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One call of job_test in progress, and the strategy's proposals for it.
 */
#ifndef MESH_ATTEMPT_H
#define MESH_ATTEMPT_H

#include "base/budget.h"
#include "shared/mesh_conf.h"
#include "shared/mesh_request.h"
#include "shared/job_test.h"

/* For mesh_attempt.when: could there ever be room? */
#define WHEN_IDLE ((time_t)INT64_MAX)

struct mesh_attempt {
	const struct job_test *test;
	struct mesh_want want;
	bitstr_t *given; /* the nodes as they came */
	time_t start; /* of the job, as it came: each offer begins with it */
	bool offered; /* with a list of jobs to preempt */
	bitstr_t *first; /* nodes to be used before any others; NULL: none */
	struct compat_window window; /* start 0: from now on */
	time_t when; /* the time asked about, when all jobs that end by then are gone; 0 = now */
	bool hopeless;	 /* fewer nodes than the job needs could be had, whichever are chosen */
	bool failed;	 /* the strategy broke down: the stock choice is used */
	bool refused;	 /* the stock plugin did not take the last proposal */
	const char *by;	 /* who chose the nodes in the end */
	struct mesh_budget budget; /* mesh_max_time, from the first question of this call on */
	bool late;		   /* a strategy used up its part of it */
};

struct mesh_proposal {
	const struct mesh_part
		*part; /* NULL: nothing found; one of them, if the nodes are of several */
	int count;
	bitstr_t *nodes; /* the caller's, as long as the node table */
};

/*
 * Offer the stock plugin these nodes and no others; everything else is as Slurm asked. SLURM_SUCCESS
 * with the nodes that it takes in test->bitmap, and in the job's record and the list of jobs to
 * preempt what it says of these; or its error code, and job, list and bitmap are as they came.
 */
int mesh_offer(struct mesh_attempt *a, bitstr_t *nodes);
/* The same, but only whether the job can start now, without preemption. */
int mesh_offer_now(struct mesh_attempt *a, bitstr_t *nodes);

/*
 * The best proposal of all meshes among the nodes of `can`: up to count of them, and at least the
 * job's minimum. All are in one mesh, unless none has enough and the job may span meshes
 * (mesh_span=, or segments).
 */
void mesh_propose(struct mesh_attempt *a, bitstr_t *can, int count, struct mesh_proposal *best);

/*
 * Propose among the nodes of `can`, and more of them where too few were guessed, until an
 * offer is taken. SLURM_SUCCESS, or an error code when none was, or there was nothing to offer.
 */
int mesh_propose_until(struct mesh_attempt *a, bitstr_t *can);

#endif
