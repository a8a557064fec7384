/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Schedulers: who of those that wait starts now. One object each; the engine takes events, then
 * calls pass() once for each moment.
 */
#ifndef SIM_SCHED_H
#define SIM_SCHED_H

#include "sim/engine_state.h"

struct sched_ops {
	bool plans; /* wants engine.plan, */
	bool keeps; /* kept up to date from pass to pass, and engine.reserved */
	/* Start what can start. 0, -1 with text in e->err. */
	int (*pass)(struct engine *e);
};

/* sched_easy.c: in the order of submission, no limits; EASY with one reservation. */
extern const struct sched_ops sched_fcfs, sched_easy;
/*
 * sched_ordered.c: the same in any order, with limits of queues, and with reservations for the
 * first n that cannot start, made anew at each pass as Slurm's backfill does.
 */
extern const struct sched_ops sched_ordered;
/*
 * sched_conservative.c: conservative backfilling (Mu'alem and Feitelson, "Utilization,
 * predictability, workloads, and user runtime estimates in scheduling the IBM SP2 with
 * backfilling", IEEE TPDS 12(6), 2001). Every job gets a start when it is submitted, which
 * afterwards only moves forward: when a job ends early, the others in their order are taken out
 * of the plan and put in again where they fit first. Where plans break (jobs over their limits,
 * limits of queues, contention) all are made anew.
 */
extern const struct sched_ops sched_conservative;

/* The one that these options need. */
const struct sched_ops *sched_choose(const struct engine_options *options);

/*
 * sched_queue.c: put queue[from..tail-1] in this order: those that limits of their queue hold back
 * last, then by their queue's tier, then by priority, then by submission. O(n) when the order has
 * not changed.
 */
struct sched_key {
	int tier;
	double priority;
};
void sched_sort(struct engine *e, int from, enum order order);

/* Do the limits of its queue hold the job at queue[at] back? */
bool sched_held(const struct engine *e, int at);

#endif
