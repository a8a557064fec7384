/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/plan.h"

#include <stdlib.h>
#include <string.h>

/* From here to the next step so many nodes are free; the last lasts for ever. */
struct step {
	int64_t time;
	int free;
};

/* With boxes: nodes that are planned for a job. */
struct hold {
	int64_t from, to;
	int job;
	struct nodeset nodes;
};

struct plan {
	struct step *step;
	int n, room;
	struct hold *hold; /* [holds]; those behind keep their memory */
	int holds, hold_room;
	int answered; /* e->node[answered]: where plan_earliest() would put the job */
};

struct plan *plan_new(void)
{
	return calloc(1, sizeof(struct plan));
}

void plan_free(struct plan *p)
{
	if (!p)
		return;
	for (int i = 0; i < p->hold_room; i++)
		nodeset_release(&p->hold[i].nodes);
	free(p->hold);
	free(p->step);
	free(p);
}

/* --- steps ------------------------------------------------------------------------------- */

/* Room for n steps in all, at least. */
static int reserve_steps(struct plan *p, struct engine *e, int n)
{
	if (n <= p->room)
		return 0;
	int room = 2 * n + 64;
	struct step *more = realloc(p->step, (size_t)room * sizeof(*more));

	if (!more)
		return engine_no_memory(e);
	p->step = more;
	p->room = room;
	return 0;
}

/* The step that holds at this time, which is not before the first. */
static int find_step(const struct plan *p, int64_t time)
{
	int low = 0, high = p->n - 1;

	while (low < high) {
		int middle = low + (high - low + 1) / 2;

		if (p->step[middle].time <= time)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* A step that begins right there. */
static int split(struct plan *p, int64_t time)
{
	int at = find_step(p, time);

	if (p->step[at].time >= time)
		return at;
	memmove(&p->step[at + 2], &p->step[at + 1], (size_t)(p->n - at - 1) * sizeof(*p->step));
	p->step[at + 1] = (struct step){time, p->step[at].free};
	p->n++;
	return at + 1;
}

static int add(struct plan *p, struct engine *e, int64_t from, int64_t to, int nodes)
{
	if (from >= to)
		return 0;
	if (reserve_steps(p, e, p->n + 2))
		return -1;
	int first = split(p, from), last = split(p, to);

	for (int i = first; i < last; i++)
		p->step[i].free += nodes;
	return 0;
}

int plan_begin(struct plan *p, struct engine *e)
{
	p->n = p->holds = 0;
	if (reserve_steps(p, e, e->nruns + 2))
		return -1;
	p->step[p->n++] = (struct step){e->now, e->nfree};
	for (int i = 0; i < e->nruns; i++) {
		int64_t end = e->promise[i].end > e->now ? e->promise[i].end : e->now + 1;

		if (end > p->step[p->n - 1].time) {
			p->step[p->n] = (struct step){end, p->step[p->n - 1].free};
			p->n++;
		}
		p->step[p->n - 1].free += e->promise[i].count;
	}
	return 0;
}

void plan_advance(struct plan *p, int64_t now)
{
	int at = find_step(p, now);

	memmove(p->step, &p->step[at], (size_t)(p->n - at) * sizeof(*p->step));
	p->n -= at;
	p->step[0].time = now;
}

/* --- nodes ------------------------------------------------------------------------------- */

static int find_hold(const struct plan *p, int job)
{
	for (int i = 0; i < p->holds; i++)
		if (p->hold[i].job == job)
			return i;
	return -1;
}

static int new_hold(struct plan *p, struct engine *e, struct hold hold)
{
	if (p->holds == p->hold_room) {
		int room = 2 * p->hold_room + 16;
		struct hold *more = realloc(p->hold, (size_t)room * sizeof(*more));

		if (!more)
			return engine_no_memory(e);
		p->hold = more;
		for (; p->hold_room < room; p->hold_room++)
			if (nodeset_init(&more[p->hold_room].nodes, e->mesh->nnodes))
				return engine_no_memory(e);
	}
	hold.nodes = p->hold[p->holds].nodes;
	nodeset_clear_all(&hold.nodes);
	for (int i = 0; i < p->answered; i++)
		nodeset_add(&hold.nodes, e->node[i]);
	p->hold[p->holds++] = hold;
	return 0;
}

/* Would the strategy place the job then, beside what is planned? Its nodes: e->node. */
static bool fits_then(struct plan *p, struct engine *e, int job, int64_t then)
{
	/* Those over their promise are still there now. */
	int running = engine_foresee(e, then > e->now ? engine_find_promise(e, then + 1, -1) : 0);
	int64_t end = then + engine_length(e, job);

	for (int i = 0; i < p->holds; i++)
		if (p->hold[i].from < end && p->hold[i].to > then)
			nodeset_remove(&e->future, &p->hold[i].nodes);
	p->answered = engine_fits_then(e, job, then, running);
	return p->answered;
}

/* --- jobs -------------------------------------------------------------------------------- */

/* Where by number it fits from step `at` on, or p->n. */
static int next_fit(const struct plan *p, int at, int count, int64_t length)
{
	for (int i = at; i < p->n; i++) {
		if (p->step[i].free < count)
			at = i + 1;
		else if (i + 1 == p->n || p->step[i + 1].time >= p->step[at].time + length)
			return at;
	}
	return p->n;
}

int64_t plan_earliest(struct plan *p, struct engine *e, int job)
{
	int count = e->trace->job[job].count;
	int64_t length = engine_length(e, job);

	for (int at = 0; (at = next_fit(p, at, count, length)) < p->n; at++)
		if (!e->boxes || fits_then(p, e, job, p->step[at].time))
			return p->step[at].time;
	return PLAN_NO_START;
}

int plan_take(struct plan *p, struct engine *e, int job, int64_t start)
{
	int64_t end = start + engine_length(e, job);

	if (add(p, e, start, end, -e->trace->job[job].count))
		return -1;
	return e->boxes ? new_hold(p, e, (struct hold){.from = start, .to = end, .job = job}) : 0;
}

int plan_release(struct plan *p, struct engine *e, int job, int64_t start)
{
	int64_t first = p->step[0].time;

	plan_kept(p, job);
	return add(p, e, start > first ? start : first, start + engine_length(e, job),
		e->trace->job[job].count);
}

int plan_early(struct plan *p, struct engine *e, int count, int64_t promise)
{
	plan_advance(p, e->now);
	return add(p, e, e->now, promise, count);
}

const struct nodeset *plan_nodes(struct plan *p, struct engine *e, int job)
{
	int own = find_hold(p, job);

	if (own < 0)
		return &e->free;
	nodeset_copy(&e->future, &e->free);
	nodeset_and(&e->future, &p->hold[own].nodes);
	return &e->future;
}

void plan_kept(struct plan *p, int job)
{
	int at = find_hold(p, job);
	struct hold kept;

	if (at < 0)
		return;
	kept = p->hold[at];
	p->hold[at] = p->hold[--p->holds];
	p->hold[p->holds] = kept; /* its memory */
}
