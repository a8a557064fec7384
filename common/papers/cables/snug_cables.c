/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cables/snug_cables.h"

#include <math.h>
#include <string.h>

#include "cables/graphfind.h"
#include "links/forecast.h"

/*
 * Where the pattern is known, sets with up to this many times the least hops are compared by time.
 */
static const double FARTHER = 1.1;

enum { PRICED = 1024 }; /* the most nodes; for more, prices take longer than they are worth */

struct scratch {
	const struct mesh *mesh;
	struct graphfind find;
	struct load_meter *meter;
	struct mesh_budget budget;
	int *order; /* [nnodes] the vertex of each rank */
	int *taken; /* [nvertices] nodes of the set in progress; 0 between calls */
};

static int init(struct strategy *strategy, struct mesh_err *err)
{
	const struct mesh *mesh = strategy->mesh;
	struct arena *arena = &strategy->arena;
	struct scratch *c = strategy->scratch = arena_get(arena, 1, sizeof(*c));

	(void)err;
	if (!c || graphfind_init(&c->find, mesh->graph, arena))
		return -1;
	c->mesh = mesh;
	c->find.budget = &c->budget;
	c->meter = load_meter_new(mesh, arena);
	arena_array(arena, c->taken, mesh->nvertices);
	return arena_array(arena, c->order, mesh->nnodes) ? 0 : -1;
}

static void load(struct scratch *c, const struct mesh_state *state,
	const struct mesh_request *request)
{
	struct graphfind *find = &c->find;
	int first = c->mesh->graph_first;

	memset(find->nfree, 0, (size_t)find->graph->real * sizeof(int));
	memset(find->must, 0, (size_t)find->graph->real * sizeof(int));
	find->count = request->count;
	nodeset_each(i, state->free)
		find->nfree[first + c->mesh->vertex_of[i]]++;
	if (!request->required)
		return;
	nodeset_each(j, request->required)
		find->must[first + c->mesh->vertex_of[j]]++;
}

/* How long the job would communicate on the set, its ranks in the order of node numbers. */
static double time_on(struct scratch *c, const struct graphfind_set *set,
	const struct mesh_request *request)
{
	struct forecast_job job = {c->order, 0, request->pattern, &request->grid};
	int first = c->mesh->graph_first;

	for (int i = 0; i < set->n; i++)
		c->taken[set->vertex[i] - first] = set->taken[i];
	for (int i = 0; i < c->mesh->nnodes; i++) {
		int *left = &c->taken[c->mesh->vertex_of[i]];

		if (*left)
			c->order[job.count++] = c->mesh->vertex_of[i];
		*left -= *left > 0;
	}
	return forecast_time(c->meter, &job);
}

static const struct graphfind_set *choose(struct scratch *c, const struct mesh_request *request)
{
	const struct graphfind *find = &c->find;
	bool shaped = request->pattern == COMM_RING || request->pattern == COMM_GRID;
	double most = find->kept[0].score * (shaped ? FARTHER : 1), best = HUGE_VAL;
	int chosen = 0;

	load_meter_budget(c->meter, &c->budget);
	for (int i = 0; i < find->nkept && find->nkept > 1 && request->count <= PRICED; i++) {
		double time;

		if (find->kept[i].score > most || find->kept[i].opened > find->kept[0].opened)
			break;
		if (!shaped && find->kept[i].left > find->kept[0].left)
			break;
		time = time_on(c, &find->kept[i], request);
		if (load_meter_late(c->meter))
			break;
		if (time < best) {
			best = time;
			chosen = i;
		}
	}
	return &find->kept[chosen];
}

/* Write the nodes of each vertex: first required ones, then the lowest free ones. */
static void answer_nodes(struct scratch *c, const struct graphfind_set *set,
	const struct mesh_state *state, const struct mesh_request *request, int *node)
{
	const struct mesh *mesh = c->mesh;

	for (int i = 0; i < set->n; i++) {
		int v = set->vertex[i] - mesh->graph_first;
		int left = set->taken[i] - c->find.must[set->vertex[i]];

		for (int j = mesh->first[v]; j < mesh->first[v + 1]; j++) {
			int at = mesh->node_at[j];
			bool must = request->required && nodeset_has(request->required, at);

			if (!must && (!left || !nodeset_has(state->free, at)))
				continue;
			left -= !must;
			*node++ = at;
		}
	}
}

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	struct scratch *c = strategy->scratch;
	const struct graphfind_set *set;

	mesh_budget_start(&c->budget, request->budget_ns);
	load(c, state, request);
	graphfind_sets(&c->find);
	set = choose(c, request);
	answer_nodes(c, set, state, request, answer->node);
	answer->count = request->count;
	answer->cost = (double)set->hops;
	answer->out_of_time = mesh_budget_late(&c->budget);
	return MESH_OK;
}

const struct strategy_ops snug_cables = {.name = "snug", .init = init, .decide = decide};
