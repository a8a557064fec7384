/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One call of job_test in progress, and the strategy's proposals for it.
 */
#ifndef MESH_ATTEMPT_H
#define MESH_ATTEMPT_H

#include "base/budget.h"
#include "shared/mesh_conf.h"
#include "shared/mesh_want.h"
#include "shared/job_test.h"

/* A value of mesh_attempt.when: as if all nodes were idle. */
#define MESH_ATTEMPT_IDLE ((time_t)INT64_MAX)

struct mesh_attempt {
	const struct job_test *test;
	struct mesh_want want;
	bitstr_t *given; /* the nodes that Slurm offers for the job */
	time_t start; /* the job's start_time as Slurm set it: each offer begins with it */
	bool offered; /* an offer with a list of jobs to preempt was made */
	bitstr_t *first; /* nodes to use before any others (mesh_weights.h); NULL: none */
	struct compat_window window; /* when the job may start; start 0: from now on */
	const struct strategy_ops *ops; /* asked now: want.ops, or a quicker one */
	time_t when; /* the time asked about: jobs that end by then are gone; 0: now */
	bool hopeless;	 /* too few nodes are available, whichever are chosen */
	bool failed;	 /* the strategy failed: the stock choice is used */
	bool refused;	 /* the stock plugin refused the last proposal */
	bool learnt;	 /* the stock plugin was asked what boxes need */
	const char *by;	 /* who chose the nodes: the strategy's name, or "stock" */
	struct mesh_budget budget; /* mesh_max_time, from this call's first question on */
	bool late;		   /* a strategy used up its part of the budget */
};

/*
 * Read a job: validate its options, which may write into its record and into *test
 * (mesh_validate.h), and set a->want and a->given, which is the caller's. Counts the job against
 * mesh_max_cycle, and may log a line (mesh_cycle_tell()). SLURM_SUCCESS, or the error for Slurm,
 * with nothing to free. mesh_conf_fits() must be true.
 */
int mesh_attempt_begin(struct mesh_attempt *a, struct job_test *test);

struct mesh_proposal {
	const struct mesh_part
		*part; /* NULL: nothing found. Of several meshes: one of them */
	int count;
	bitstr_t *nodes; /* the caller's, as long as the node table */
};

/*
 * Offer these nodes and no others to the stock plugin; all else is as Slurm asked. SLURM_SUCCESS:
 * the nodes that it takes are in test->bitmap, and the job's record and the list of jobs to
 * preempt match them. An error code: the job's start_time, the list and the bitmap are as Slurm
 * passed them.
 */
int mesh_offer(struct mesh_attempt *a, bitstr_t *nodes);
/* The same, but only for a start now and without preemption. */
int mesh_offer_now(struct mesh_attempt *a, bitstr_t *nodes);

/*
 * Find the best proposal of the strategy `ops` in all meshes among the nodes of `can`: up to
 * `count` nodes, and at least the job's minimum. They are of one mesh, unless no mesh has enough
 * and the job may span meshes (mesh_span=, or a job in segments). The caller sets best->nodes and
 * owns it.
 */
void mesh_propose(struct mesh_attempt *a, const struct strategy_ops *ops, bitstr_t *can, int count,
	struct mesh_proposal *best);

/* The same among all given nodes, as if they were idle and no link were broken. */
void mesh_propose_ever(struct mesh_attempt *a, struct mesh_proposal *best);

/*
 * Propose among the nodes of `can` and offer the proposal, with more nodes each time if too few
 * were guessed, until the stock plugin accepts. SLURM_SUCCESS; an error code if it accepts
 * nothing, or there is nothing to offer.
 */
int mesh_propose_until(struct mesh_attempt *a, bitstr_t *can);

#endif
