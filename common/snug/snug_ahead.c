/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "snug/snug_ahead.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/metrics.h"

int snug_ahead_init(struct snug_ahead *a, const struct mesh *mesh, struct strategy *const *by, int nby,
	int jobs)
{
	size_t n = (size_t)mesh->nnodes;

	a->mesh = mesh;
	a->by = by;
	a->nby = nby;
	a->jobs = jobs;
	a->node = malloc(n * sizeof(*a->node));
	a->best = malloc(n * sizeof(*a->best));
	a->ideal = calloc(n + 1, sizeof(*a->ideal));
	a->ending = malloc(n * sizeof(*a->ending));
	if (!a->node || !a->best || !a->ideal || !a->ending)
		return -1;
	return nodeset_init(&a->left, mesh->nnodes);
}

void snug_ahead_release(struct snug_ahead *a)
{
	free(a->node);
	free(a->best);
	free(a->ideal);
	free(a->ending);
	nodeset_release(&a->left);
}

/* --- ends ------------------------------------------------------------------------------ */

/* The i-th run to end, or NULL: few ends are needed. */
static const struct mesh_run *nth_end(struct snug_ahead *a, int i)
{
	const struct lazy_heap_item *end = lazy_heap_nth(&a->ends, i);

	return end ? &a->state->run[end->id] : NULL;
}

void snug_ahead_start(struct snug_ahead *a, const struct mesh_state *state, int64_t time_limit)
{
	int n = 0;

	a->state = state;
	a->time_limit = time_limit;
	a->end = time_limit > 0 ? state->now + time_limit : INT64_MAX;
	for (int i = 0; i < state->nruns && n < a->mesh->nnodes; i++)
		if (state->run[i].end)
			a->ending[n++] = (struct lazy_heap_item){state->run[i].end, i};
	lazy_heap_make(&a->ends, a->ending, n);
}

/* Does the job end before this run? */
static bool job_first(const struct snug_ahead *a, const struct mesh_run *run)
{
	return a->end < INT64_MAX && (!run || a->end < run->end);
}

static int usable_nodes(const struct mesh_state *state, const struct mesh_run *run)
{
	int n = 0;

	if (!state->usable)
		return run->count;
	for (int i = 0; i < run->count; i++)
		n += nodeset_has(state->usable, run->node[i]);
	return n;
}

bool snug_ahead_depends(struct snug_ahead *a, int count)
{
	int have = nodeset_count(a->state->free) - count;

	if (!a->state->nqueue || a->state->queue[0] < 1)
		return false;
	for (int next = 0; have < a->state->queue[0]; next++) {
		const struct mesh_run *run = nth_end(a, next);

		if (!run || job_first(a, run))
			return false;
		have += usable_nodes(a->state, run);
	}
	return true;
}

static void give_back(struct snug_ahead *a, const int *node, int count)
{
	for (int i = 0; i < count; i++)
		if (!a->state->usable || nodeset_has(a->state->usable, node[i]))
			nodeset_add(&a->left, node[i]);
}

/* --- the next jobs --------------------------------------------------------------------- */

static double ideal_hops(struct snug_ahead *a, int count)
{
	int per_vertex = a->mesh->nodes_per_vertex, vertices = (count + per_vertex - 1) / per_vertex;

	if (a->ideal[count] <= 0) {
		snug_plan_make(&a->plan, a->mesh, vertices, vertices);
		a->ideal[count] = a->plan.hops > 0 ? (float)a->plan.hops : 1;
	}
	return a->ideal[count];
}

/* The best place that is found for count nodes, taken from `left`. Its mean hops, or -1. */
static double place_next(struct snug_ahead *a, int count)
{
	struct mesh_state then = {.free = &a->left, .now = a->state->now,
		.run = a->state->run, .nruns = a->state->nruns};
	struct mesh_request request = {.count = count, .time_limit = a->time_limit};
	int64_t least = -1;

	for (int i = 0; i < a->nby; i++) {
		struct mesh_answer answer = {.node = a->node};
		int64_t hops;

		if (strategy_decide(a->by[i], &then, &request, &answer) != MESH_OK)
			continue;
		hops = mesh_pairwise_hops(a->mesh, a->node, count);
		if (hops < 0 || (least >= 0 && hops >= least))
			continue;
		least = hops;
		memcpy(a->best, a->node, (size_t)count * sizeof(int));
	}
	if (least < 0)
		return -1;
	for (int i = 0; i < count; i++)
		nodeset_del(&a->left, a->best[i]);
	return mesh_mean_hops(least, count);
}

double snug_ahead_hops(struct snug_ahead *a, const int *node, int count)
{
	const struct mesh_state *state = a->state;
	bool running = true; /* the job itself */
	int next = 0;
	double sum = 0;

	nodeset_copy(&a->left, state->free);
	for (int i = 0; i < count; i++)
		nodeset_del(&a->left, node[i]);
	for (int i = 0; i < a->jobs && i < state->nqueue; i++) {
		int wanted = state->queue[i], have = nodeset_count(&a->left);
		double hops;

		/* Until enough runs have ended, the job itself among them. */
		while (have < wanted) {
			const struct mesh_run *run = nth_end(a, next);

			if (running && job_first(a, run)) {
				give_back(a, node, count);
				running = false;
			} else if (run) {
				give_back(a, run->node, run->count);
				next++;
			} else {
				return sum;
			}
			have = nodeset_count(&a->left);
		}
		if (wanted < 1 || (hops = place_next(a, wanted)) < 0)
			return sum;
		sum += hops / ideal_hops(a, wanted);
	}
	return sum;
}
