/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which scheduler, and the order of its queue.
 */
#include <limits.h>

#include "sim/fairshare.h"
#include "sim/queues.h"
#include "sim/sched.h"

const struct sched_ops *sched_choose(const struct engine_options *o)
{
	const struct engine_policy *p = &o->policy;

	if (o->scheduler == ENGINE_CONSERVATIVE)
		return &sched_conservative;
	if (p->order > ORDER_FCFS || p->backfill_order || o->faults.nwindows || p->reserve > 1 ||
		p->queues)
		return &sched_ordered;
	return o->scheduler == ENGINE_EASY ? &sched_easy : &sched_fcfs;
}

bool sched_held(const struct engine *e, int at)
{
	return e->queues && queues_hold(e->queues, e->queue[at]);
}

static struct sched_key key_of(struct engine *e, int at, enum order order)
{
	int job = e->queue[at];
	const struct trace_job *j = &e->trace->job[job];
	struct order_facts facts = {
		.wait = sim_seconds(e->now - engine_submitted(j, &e->result->record[job])),
		.length = sim_seconds(engine_length(e, job)),
		.nodes = j->count,
		.total = e->mesh->nnodes,
		.weights = &e->options->policy.weights,
		.fairshare = order == ORDER_MULTIFACTOR
			? fairshare_factor(e->fairshare, j->user, e->now)
			: 0};

	return (struct sched_key){
		.tier = sched_held(e, at) ? INT_MIN : e->queues ? queues_tier(e->queues, job) : 0,
		.priority = order_priority(order, &facts)};
}

/* Does job b with its key come before a? */
static bool overtakes(const struct engine *e, const struct sched_key *key, int a, int b)
{
	const struct sched_key *x = &key[a], *y = &key[b];
	int i = e->queue[a], j = e->queue[b];
	int64_t first = engine_submitted(&e->trace->job[i], &e->result->record[i]);
	int64_t second = engine_submitted(&e->trace->job[j], &e->result->record[j]);

	if (x->tier != y->tier)
		return y->tier > x->tier;
	if (y->priority > x->priority || y->priority < x->priority)
		return y->priority > x->priority;
	if (first != second)
		return second < first;
	return e->queue[b] < e->queue[a];
}

static void swap(struct engine *e, int a, int b)
{
	int job = e->queue[a], wanted = e->wanted[a];
	struct sched_key key = e->key[a];

	e->queue[a] = e->queue[b];
	e->wanted[a] = e->wanted[b];
	e->key[a] = e->key[b];
	e->queue[b] = job;
	e->wanted[b] = wanted;
	e->key[b] = key;
}

/* By insertion: between two passes little changes. */
void sched_sort(struct engine *e, int from, enum order order)
{
	for (int i = from; i < e->tail; i++)
		e->key[i] = key_of(e, i, order);
	for (int i = from + 1; i < e->tail; i++)
		for (int at = i; at > from && overtakes(e, e->key, at - 1, at); at--)
			swap(e, at - 1, at);
}
