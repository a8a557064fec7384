/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/plan.h"

/* Put the job at queue[at] into the plan. */
static int plan_one(struct engine *e, int at)
{
	int job = e->queue[at];

	e->reserved[job] = plan_earliest(e->plan, e, job);
	return e->reserved[job] == PLAN_NO_START ? 0 : plan_take(e->plan, e, job, e->reserved[job]);
}

/* All anew, from the running jobs. */
static int plan_all(struct engine *e)
{
	if (plan_begin(e->plan, e))
		return -1;
	for (int at = e->head; at < e->tail; at++)
		e->reserved[e->queue[at]] = PLAN_NO_START;
	for (int at = e->head; at < e->tail; at++)
		if (plan_one(e, at))
			return -1;
	return 0;
}

/* Those that have a start move forward, one after the other; those that have none get one. */
static int plan_again(struct engine *e, bool compress)
{
	plan_advance(e->plan, e->now);
	for (int at = e->head; at < e->tail; at++) {
		int64_t *start = &e->reserved[e->queue[at]];

		if (*start != PLAN_NO_START) {
			if (!compress)
				continue;
			if (plan_release(e->plan, e, e->queue[at], *start))
				return -1;
		}
		if (plan_one(e, at))
			return -1;
	}
	return 0;
}

/* A plan that cannot be trusted any more. */
static bool broken(const struct engine *e)
{
	if (e->net || e->outage)
		return true;
	for (int at = e->head; at < e->tail; at++)
		if (e->reserved[e->queue[at]] != PLAN_NO_START &&
			e->reserved[e->queue[at]] < e->now)
			return true;
	return e->nruns && e->promise[0].end <= e->now;
}

/* Those whose time has come. */
static int start_planned(struct engine *e)
{
	for (int at = e->head; at < e->tail; at++) {
		int job = e->queue[at], result;

		if (e->reserved[job] != e->now)
			continue;
		if ((result = engine_try(e, at, plan_nodes(e->plan, e, job))) < 0)
			return -1;
		if (result && e->result->record[job].start < 0 &&
			plan_release(e->plan, e, job, e->now))
			return -1;
		if (result)
			plan_kept(e->plan, job);
	}
	return 0;
}

/*
 * Not every start is at the end of a job: what it was planned behind may have gone ahead. One in
 * the next microsecond waits for a job that is over its promise, whose end is not known.
 */
static void set_wake(struct engine *e)
{
	e->wake = -1;
	for (int at = e->head; at < e->tail; at++) {
		int64_t start = e->reserved[e->queue[at]];

		if (start > e->now + 1 && (e->wake < 0 || start < e->wake))
			e->wake = start;
	}
}

int sched_conservative(struct engine *e)
{
	bool early = e->early;

	e->early = false;
	if (broken(e) ? plan_all(e) : plan_again(e, early))
		return -1;
	if (start_planned(e))
		return -1;
	set_wake(e);
	return 0;
}
