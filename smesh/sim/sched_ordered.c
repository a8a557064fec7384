/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * First come first served and EASY in any order, with limits of queues and n reservations. In
 * the order of the queue each job starts if it leaves the reservations alone; the first n that
 * cannot get one; the others may then be tried in another order. O(queue log steps + running)
 * a pass.
 */
#include "sim/plan.h"
#include "sim/sched.h"

/* 1 it started or was refused for good, 0 it waits, -1 failure. */
static int try_now(struct engine *e, int at)
{
	int job = e->queue[at], result = engine_try(e, at, plan_nodes(e->plan, e, job));

	if (result <= 0 || e->result->record[job].start < 0)
		return result;
	return plan_started(e->plan, e, job) ? -1 : 1;
}

/* A job that may get a reservation: 1 it started, 0 it has one or cannot have one, -1 failure. */
static int start_or_reserve(struct engine *e, int at, int *reserved)
{
	int job = e->queue[at], result;
	int64_t start;

	if (plan_earliest(e->plan, e, job, &start))
		return -1;
	if (start == e->now && (result = try_now(e, at)))
		return result;
	++*reserved;
	/* What a strategy refuses although there is room is not known to fit at any time. */
	return start == PLAN_NO_START || start == e->now ? 0 : plan_take(e->plan, e, job, start);
}

static int backfill(struct engine *e, int from)
{
	int depth = e->options->backfill_depth;
	enum order order = e->options->policy.backfill_order;

	if (order)
		sched_sort(e, from, order);
	for (int at = from, seen = 0; at < e->tail && e->nfree && !(depth && seen >= depth); at++) {
		if (sched_held(e, at))
			continue;
		seen++;
		if (e->wanted[at] > e->nfree || !plan_fits_now(e->plan, e, e->queue[at]))
			continue;
		if (try_now(e, at) < 0)
			return -1;
	}
	return 0;
}

static int pass(struct engine *e)
{
	const struct engine_policy *policy = &e->options->policy;
	int most = e->options->scheduler == ENGINE_FCFS ? 1
		: policy->reserve > 1                   ? policy->reserve
							: 1;
	int reserved = 0, at;

	if (e->head == e->tail || !e->nfree)
		return 0;
	sched_sort(e, e->head, policy->order);
	if (plan_begin(e->plan, e))
		return -1;
	for (at = e->head; at < e->tail && reserved < most; at++)
		if (!sched_held(e, at) && start_or_reserve(e, at, &reserved) < 0)
			return -1;
	return e->options->scheduler == ENGINE_FCFS ? 0 : backfill(e, at);
}

const struct sched_ops sched_ordered = {.plans = true, .pass = pass};
