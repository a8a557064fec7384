/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One call of job_test on its way: what mesh_place.c, mesh_propose.c, mesh_delegate.c and
 * mesh_future.c share.
 */
#ifndef MESH_ATTEMPT_H
#define MESH_ATTEMPT_H

#include "base/budget.h"
#include "shared/mesh_conf.h"
#include "shared/mesh_request.h"
#include "shared/job_test.h"

/* attempt.when, for could there ever be room? */
#define WHEN_IDLE ((time_t)INT64_MAX)

struct mesh_attempt {
	const struct job_test *test;
	struct mesh_want want;
	bitstr_t *given; /* the nodes as they came: test->bitmap is spoiled by each try */
	bitstr_t *first; /* nodes to be used before any others; NULL: none */
	time_t when;	 /* the future that is asked about: jobs that end by then are gone; 0 = now */
	bool hopeless;	 /* too few nodes would do, so that no choice of them can */
	bool failed;	 /* the strategy broke down: the stock choice is used */
	bool refused;	 /* the stock plugin did not take the last proposal */
	const char *by;	 /* who chose the nodes in the end */
	int next[MESH_LOOK_AHEAD]; /* sizes that wait next, as the strategy was told */
	int nnext;
	struct mesh_budget budget; /* mesh_max_time, for all that is asked in this call */
	bool asked;		   /* it has begun */
	bool late;		   /* a strategy came to the end of its part of it */
};

/* --- mesh_delegate.c: asking the stock plugin ------------------------------------- */

/* Offer it these nodes, everything else as Slurm asked. */
int mesh_delegate(struct mesh_attempt *a, bitstr_t *nodes);
/* Only whether and how it can start now, without preemption. */
int mesh_delegate_now(struct mesh_attempt *a, bitstr_t *nodes);
/*
 * Nodes on which a part of the job could start now, as the stock plugin sees it: a new set, or
 * NULL when there are none. They may not be enough together.
 */
bitstr_t *mesh_delegate_probe(struct mesh_attempt *a);

/* --- mesh_propose.c: asking the strategy ------------------------------------------ */

struct mesh_proposal {
	const struct mesh_part *part; /* NULL: nothing found */
	int count;
	double mean_hops;
	int spare;	 /* nodes left over in the part */
	bitstr_t *nodes; /* the caller's */
};

/*
 * The best of all meshes among the nodes of `can`: up to count of them and at least the
 * wanted minimum, all in one mesh.
 */
void mesh_propose(struct mesh_attempt *a, bitstr_t *can, int count, struct mesh_proposal *best);

/* Offer the stock plugin some nodes: SLURM_SUCCESS, or an error code. */
typedef int mesh_offer(struct mesh_attempt *a, bitstr_t *nodes, void *arg);

/*
 * Propose among the nodes of `can`, and more of them where too few were guessed, until an
 * offer is taken. SLURM_SUCCESS, or an error code when none was, or there was nothing to offer.
 */
int mesh_propose_until(struct mesh_attempt *a, bitstr_t *can, mesh_offer *offer, void *arg);

/* --- mesh_future.c: when will there be a box, or room? ----------------------------- */

/* The first time at which the running jobs' ends leave a box; like a WILL_RUN. */
int mesh_future_box(struct mesh_attempt *a);
/* The same for any nodes of one mesh, for jobs of whole nodes that fit into no mesh now. */
int mesh_future_room(struct mesh_attempt *a);

#endif
