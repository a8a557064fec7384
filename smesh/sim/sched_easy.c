/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * First come first served, and EASY.
 */
#include "sim/engine_state.h"

int sched_fcfs(struct engine *e)
{
	while (e->head < e->tail && !e->head_failed) {
		int result = engine_wanted(e, e->head) <= e->nfree
			? engine_try(e, e->head, &e->free)
			: engine_refuse_head(e);

		if (result < 0)
			return -1;
		e->head_failed = !result;
	}
	return 0;
}

/* When the head will fit, and what others may use until then. */
struct reservation {
	int64_t time;
	bool nodes; /* certain nodes are kept for the head: others may use e->future */
	int extra; /* or else: nodes left over at that time */
};

/* The time when the first `ended` promises have been kept. */
static int64_t end_of(const struct engine *e, int ended)
{
	return ended && e->promise[ended - 1].end > e->now ? e->promise[ended - 1].end : e->now;
}

static void reserve_number(const struct engine *e, struct reservation *r)
{
	int need = engine_wanted(e, e->head), free_then = e->nfree, i = 0;

	while (i < e->nruns && free_then < need)
		free_then += e->promise[i++].count;
	r->time = end_of(e, i);
	for (; i < e->nruns && e->promise[i].end <= r->time; i++)
		free_then += e->promise[i].count;
	r->extra = free_then - need;
}

/* More free nodes keep a box free, so bisection finds the first end that is enough. */
static void reserve_box(struct engine *e, struct reservation *r)
{
	int low = 0, high = e->nruns, count;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (engine_fits_then(e, middle, end_of(e, middle)))
			high = middle;
		else
			low = middle + 1;
	}
	r->time = end_of(e, low);
	count = engine_fits_then(e, low, r->time);
	nodeset_copy(&e->future, &e->free);
	for (int i = 0; i < count; i++)
		nodeset_del(&e->future, e->node[i]);
}

/* May the job at queue[at] overtake, and if so, on which nodes? */
static const struct nodeset *overtakes(const struct engine *e, const struct reservation *r, int at,
	bool *long_one)
{
	const struct trace_job *j = &e->trace->job[e->queue[at]];

	*long_one = e->now + engine_length(e, e->queue[at]) > r->time;
	if (j->count > e->nfree)
		return NULL;
	if (!*long_one)
		return &e->free;
	if (r->nodes)
		return &e->future;
	return j->count <= r->extra ? &e->free : NULL;
}

static int backfill(struct engine *e)
{
	int depth = e->options->backfill_depth;
	struct reservation r = {0};
	bool reserved = false, long_one;

	for (int at = e->head + 1, seen = 0; at < e->tail && e->nfree; at++, seen++) {
		int count = engine_wanted(e, at);
		const struct nodeset *nodes;

		if (depth && seen >= depth)
			break;
		if (count > e->nfree)
			continue;
		if (!reserved) {
			reserved = true;
			r.nodes = e->boxes || e->trace->job[e->queue[e->head]].shape.walk;
			if (r.nodes)
				reserve_box(e, &r);
			else
				reserve_number(e, &r);
		}
		if (!(nodes = overtakes(e, &r, at, &long_one)))
			continue;
		int job = e->queue[at], result = engine_try(e, at, nodes);

		if (result < 0)
			return -1;
		if (result && e->result->record[job].start >= 0) {
			if (long_one)
				r.extra -= count;
			if (r.nodes)
				nodeset_and(&e->future, &e->free);
		}
	}
	return 0;
}

int sched_easy(struct engine *e)
{
	if (sched_fcfs(e))
		return -1;
	return e->head < e->tail ? backfill(e) : 0;
}
