/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * PaCMap (pacmap.h) as a strategy: a ring or a grid, of one rank on each node, is placed rank by
 * rank. Of what else jobs send it is known only that all pairs are alike; then the nodes are chosen
 * as by PaCMap for all-to-all, in any order.
 */
#include <stdlib.h>
#include <string.h>

#include "study/pacmap.h"
#include "strategy/strategy.h"

struct scratch {
	struct pacmap *map;
	struct traffic traffic; /* room for a grid as large as the machine */
	int *node;		/* [nnodes] by task */
};

static void release(struct strategy *strategy)
{
	struct scratch *s = strategy->scratch;

	if (!s)
		return;
	pacmap_free(s->map);
	traffic_release(&s->traffic);
	free(s->node);
	free(s);
}

static int init(struct strategy *strategy, struct mesh_err *err)
{
	size_t n = (size_t)strategy->mesh->nnodes, pairs = n * 2 * MESH_MAX_DIMS;
	struct scratch *s = strategy->scratch = calloc(1, sizeof(*s));

	if (!s)
		return err_printf(err, "out of memory");
	s->map = pacmap_new(strategy->mesh);
	s->node = malloc(n * sizeof(int));
	s->traffic.start = malloc((n + 1) * sizeof(size_t));
	s->traffic.to = malloc(pairs * sizeof(int));
	s->traffic.weight = malloc(pairs * sizeof(double));
	if (s->map && s->node && s->traffic.start && s->traffic.to && s->traffic.weight)
		return 0;
	return err_printf(err, "out of memory");
}

/* Where ranks send one to each neighbour. Returns the task in the middle. */
static int make_grid(struct traffic *t, const struct comm_grid *grid)
{
	size_t end = 0;
	int middle = 0;

	for (int rank = 0; rank < t->n; rank++) {
		t->start[rank] = end;
		end += (size_t)comm_grid_neighbours(rank, grid->ndims, grid->side, &t->to[end]);
	}
	t->start[t->n] = end;
	for (int d = 0; d < grid->ndims; d++)
		middle = middle * grid->side[d] + (grid->side[d] - 1) / 2;
	return middle;
}

static int make_ring(struct traffic *t)
{
	size_t end = 0;

	for (int rank = 0; rank < t->n; rank++) {
		t->start[rank] = end;
		t->to[end++] = (rank + 1) % t->n;
		if (t->n > 2)
			t->to[end++] = (rank + t->n - 1) % t->n;
	}
	t->start[t->n] = end;
	return 0;
}

/* False: all talk alike, or nothing is known. */
static bool make_traffic(struct scratch *s, const struct mesh *mesh,
	const struct mesh_request *request, struct pacmap_tasks *tasks)
{
	struct comm_grid grid;

	s->traffic.n = request->count;
	if (request->count < 2)
		return false;
	if (request->pattern == COMM_RING) {
		tasks->center = make_ring(&s->traffic);
	} else if (request->pattern == COMM_GRID) {
		if (comm_grid_of(&request->grid, request->count, mesh->ndims, &grid) > 1)
			comm_grid_of(NULL, request->count, mesh->ndims, &grid);
		tasks->center = make_grid(&s->traffic, &grid);
	} else {
		return false;
	}
	for (size_t e = 0; e < s->traffic.start[s->traffic.n]; e++)
		s->traffic.weight[e] = 1;
	return true;
}

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	struct scratch *s = strategy->scratch;
	size_t size = (size_t)request->count * sizeof(int);
	struct mesh_budget budget;
	struct pacmap_tasks tasks = {.count = request->count, .free = state->free,
		.required = request->required, .budget = &budget};

	mesh_budget_start(&budget, request->budget_ns);
	if (make_traffic(s, strategy->mesh, request, &tasks))
		tasks.traffic = &s->traffic;
	answer->out_of_time = !pacmap_place(s->map, &tasks, s->node, &answer->cost);
	answer->count = request->count;
	memcpy(answer->node, s->node, size);
	answer->ranked = tasks.traffic && answer->by_rank;
	if (answer->ranked)
		memcpy(answer->by_rank, s->node, size);
	return MESH_OK;
}

const struct strategy_ops strategy_pacmap_family[] = {
	{
		.name = "pacmap",
		.summary = "nodes and ranks together, for jobs of which is known what they send",
		.source = "Tuncer, Leung and Coskun 2015 (PaCMap)",
		.time = "O(n r + k frame)",
		.flags = STRATEGY_NO_RUNS | STRATEGY_RANKS,
		.init = init,
		.release = release,
		.decide = decide,
	},
	{0},
};
