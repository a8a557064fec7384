/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Room is made for the head of the queue, where the strategy wants boxes: jobs are requeued for it,
 * the cheapest of a place (clear.h), as long as no more work is lost than is allowed for a day.
 * What a day does not use is not saved. A job is requeued once at most, and never when room has
 * been made for it: otherwise two could go on changing places. Each head is looked at again only
 * when a job has ended.
 */
#include <stdlib.h>

#include "sim/clear.h"
#include "sim/engine_state.h"
#include "sim/faults.h"
#include "sim/sched.h"

enum { DAY = 86400 };

struct defrag {
	struct clear *clear;
	struct boxplan plan;
	struct nodeset usable;
	struct clear_job *job; /* [nnodes] those that run */
	int *number; /* [nnodes] of those to be requeued */
	bool *stays; /* [njobs] */
	double left; /* node-seconds that may be lost, */
	int64_t at;  /* at that time */
	int head, ends; /* who was looked at last, after how many ends */
};

void engine_end_defrag(struct engine *e)
{
	if (!e->defrag)
		return;
	clear_free(e->defrag->clear);
	boxplan_release(&e->defrag->plan);
	nodeset_release(&e->defrag->usable);
	free(e->defrag->job);
	free(e->defrag->number);
	free(e->defrag->stays);
	free(e->defrag);
}

int engine_begin_defrag(struct engine *e)
{
	int n = e->mesh->nnodes;

	if (e->options->defrag <= 0 || !e->boxes)
		return 0;
	if (!(e->defrag = calloc(1, sizeof(*e->defrag))))
		return engine_no_memory(e);
	e->defrag->head = -1;
	e->defrag->left = e->options->defrag * 3600;
	e->defrag->clear = clear_new(e->mesh);
	e->defrag->job =
		malloc((size_t)n * sizeof(*e->defrag->job)); /* each job has a node of its own */
	e->defrag->number = malloc((size_t)n * sizeof(int));
	e->defrag->stays = calloc((size_t)e->trace->njobs + 1, sizeof(bool));
	return e->defrag->clear && e->defrag->job && e->defrag->number && e->defrag->stays &&
			!boxplan_init(&e->defrag->plan, e->mesh) &&
			!nodeset_init(&e->defrag->usable, n)
		? 0
		: engine_no_memory(e);
}

/* Work since the start, or since the last checkpoint. */
static int64_t work_lost(const struct engine *e, int job)
{
	int64_t ran = e->now - e->result->record[job].start, overhead;

	if (e->outage)
		ran -= faults_safe(&e->options->faults, ran, &overhead);
	return e->trace->job[job].count * (ran / SIM_SECOND + 1);
}

/* Nodes in service: those that are free, and those of jobs. 0, -1 failure. */
static int load(struct engine *e, int head)
{
	struct defrag *d = e->defrag;
	const struct nodeset *usable;

	nodeset_copy(&d->usable, &e->free);
	for (int i = 0; i < e->nruns; i++) {
		int job = e->run_job[i];

		d->job[i] = (struct clear_job){e->run[i].node, e->run[i].count,
			d->stays[job] ? CLEAR_STAYS : work_lost(e, job)};
		for (int j = 0; j < e->run[i].count; j++)
			nodeset_add(&d->usable, e->run[i].node[j]);
	}
	usable = engine_without_maintenance(e, head, &d->usable);
	if (!usable)
		nodeset_clear_all(&d->usable);
	return clear_load(d->clear, usable ? usable : &d->usable, d->job, e->nruns)
		? engine_no_memory(e)
		: 0;
}

/* The head starts in their place; then they wait again. 1 it did, 0 not, -1 failure. */
static int make_room(struct engine *e, const struct clear_answer *answer, int head)
{
	struct defrag *d = e->defrag;
	int n = answer->njobs, at;

	for (int i = 0; i < n; i++) {
		d->number[i] = e->run_job[answer->job[i]];
		d->stays[d->number[i]] = true;
	}
	d->stays[head] = true;
	for (int i = 0; i < n; i++)
		if (engine_requeue(e, d->number[i]))
			return -1;
	d->left -= (double)answer->cost;
	e->result->requeued += n;
	e->result->requeued_lost += (double)answer->cost;
	for (at = e->head; e->queue[at] != head;)
		at++;
	return engine_try(e, at, &e->free);
}

int engine_defrag(struct engine *e)
{
	const int least[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1};
	struct defrag *d = e->defrag;
	int head = e->head < e->tail ? e->queue[e->head] : -1, ends = e->starts - e->nruns;
	struct mesh_budget budget = {0, 0};
	struct clear_answer answer;
	struct mesh_err err;

	if (!d || head < 0 || e->wanted[e->head] > e->nfree || sched_held(e, e->head) ||
		(head == d->head && ends == d->ends))
		return 0;
	d->head = head;
	d->ends = ends;
	d->left += e->options->defrag * 3600 / DAY * (double)(e->now - d->at) / (double)SIM_SECOND;
	d->left = d->left < e->options->defrag * 3600 ? d->left : e->options->defrag * 3600;
	d->at = e->now;
	const struct mesh_request request = {
		.count = e->trace->job[head].count, .shape = e->trace->job[head].shape};

	if (boxplan_make(&d->plan, &request, least, &err))
		return 0;
	if (load(e, head))
		return -1;
	if (!clear_find(d->clear,
		    &(struct clear_question){d->plan.row, d->plan.count, (int64_t)d->left}, &budget,
		    &answer) ||
		!answer.njobs)
		return 0;
	return make_room(e, &answer, head);
}
