/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a placement leaves for the jobs that wait next.
 *
 * The first jobs of the queue are placed on what would be left free, in their order, each as
 * soon as enough nodes are known to be free by then, and by the same means for every placement that
 * is compared: as well as they will be where there is time for it, else quickly.
 */
#ifndef MESH_SNUG_AHEAD_H
#define MESH_SNUG_AHEAD_H

#include "base/lazy_heap.h"
#include "snug/snug_chain.h"
#include "strategy/strategy.h"

struct snug_ahead {
	const struct mesh *mesh;
	struct strategy *const *by; /* [nby] they place the next jobs; borrowed */
	int nby;
	int jobs; /* so many of the next are looked at */
	struct nodeset left;
	int *node, *best;      /* [nnodes] places of one job */
	float *ideal;	       /* [nnodes + 1] snug_plan.hops by count; 0: not yet known */
	struct snug_plan plan; /* scratch */
	/* Of one decision: */
	const struct mesh_state *state;
	int64_t time_limit; /* of the job itself, and a guess at that of the others */
	int64_t end;	    /* of the job itself, INT64_MAX: not known */
	struct lazy_heap_item *ending; /* [nnodes] runs with a known end */
	struct lazy_heap ends;
};

/*
 * To look at so many jobs. 0, or -1 when memory is out. snug_ahead_release() of a zeroed struct is
 * fine.
 */
int snug_ahead_init(struct snug_ahead *ahead, const struct mesh *mesh, struct strategy *const *by,
	int nby, int jobs);
void snug_ahead_release(struct snug_ahead *ahead);

/* From now on, in this state, a job that may run so many seconds (0: not known). */
void snug_ahead_start(struct snug_ahead *ahead, const struct mesh_state *state, int64_t time_limit);

/*
 * Does the first of the next jobs start while this one, on count nodes, is still there? If not,
 * it makes no difference to them where this one is.
 */
bool snug_ahead_depends(struct snug_ahead *ahead, int count);

/*
 * With the job on count nodes: the sum of the next jobs' mean hops, each as a multiple of what
 * two random nodes of the most compact box of its size are apart (snug_plan.hops).
 */
double snug_ahead_hops(struct snug_ahead *ahead, const int *node, int count);

#endif
