/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For jobs that do not communicate: the nodes that others miss least. It takes one node at a time,
 * always one with the fewest free neighbours. So fragments and fringes go first, and open space
 * stays open. This is minimum-degree peeling, as in Matula and Beck, "Smallest-last ordering and
 * clustering and graph coloring algorithms", J. ACM 30 (1983).
 *
 * The cost counts pairs of neighbouring free nodes that the job breaks up. O(n d) for n nodes. If
 * the budget is used up, the lowest of the other nodes complete the answer.
 */
#include <stdlib.h>

#include "base/budget.h"
#include "ask/strategy.h"

enum { CHECK = 1024 }; /* nodes between two looks at the clock */

/* Nodes not yet taken, in one list per number of free neighbours. */
struct peel {
	int *degree, *next, *prev; /* [nnodes]; -1 ends a list */
	int *head;		   /* [limit+1] */
	int limit;
	bool *taken; /* [nnodes] or not free */
};

static int peel_init(struct strategy *strategy, struct mesh_err *err)
{
	const struct mesh *mesh = strategy->mesh;
	struct arena *arena = &strategy->arena;
	struct peel *p = strategy->scratch = arena_get(arena, 1, sizeof(*p));
	int n = mesh->nnodes;

	(void)err;
	if (!p)
		return -1;
	p->limit = (2 * mesh->ndims + 1) * mesh->nodes_per_vertex;
	arena_array(arena, p->degree, n);
	arena_array(arena, p->next, n);
	arena_array(arena, p->prev, n);
	arena_array(arena, p->head, p->limit + 1);
	return arena_array(arena, p->taken, n) ? 0 : -1;
}

/* Vertex v itself, for the other nodes on it, and its neighbours. Returns how many. */
static int around(const struct mesh *mesh, int v, int *vertex)
{
	vertex[0] = v;
	return 1 + mesh_neighbours(mesh, v, vertex + 1);
}

static void put(struct peel *p, int node)
{
	int *head = &p->head[p->degree[node]];

	p->prev[node] = -1;
	p->next[node] = *head;
	if (*head >= 0)
		p->prev[*head] = node;
	*head = node;
}

static void drop(struct peel *p, int node)
{
	if (p->prev[node] >= 0)
		p->next[p->prev[node]] = p->next[node];
	else
		p->head[p->degree[node]] = p->next[node];
	if (p->next[node] >= 0)
		p->prev[p->next[node]] = p->prev[node];
}

static void take(struct peel *p, const struct mesh *mesh, int node)
{
	int vertex[2 * MESH_MAX_DIMS + 1];
	int n = around(mesh, mesh->vertex_of[node], vertex);

	drop(p, node);
	p->taken[node] = true;
	for (int i = 0; i < n; i++)
		for (int j = mesh->first[vertex[i]]; j < mesh->first[vertex[i] + 1]; j++) {
			int other = mesh->node_at[j];

			if (p->taken[other])
				continue;
			drop(p, other);
			p->degree[other]--;
			put(p, other);
		}
}

/* Count the free neighbours of each node. False: there is no time. */
static bool load(struct peel *p, const struct mesh *mesh, const struct nodeset *free,
	struct mesh_budget *budget)
{
	int vertex[2 * MESH_MAX_DIMS + 1];

	for (int i = 0; i <= p->limit; i++)
		p->head[i] = -1;
	/* Go backwards, so that each list begins with its lowest node. */
	for (int node = mesh->nnodes - 1; node >= 0; node--) {
		int n = around(mesh, mesh->vertex_of[node], vertex);

		p->taken[node] = !nodeset_has(free, node);
		p->degree[node] = 0;
		for (int i = 0; i < n && !p->taken[node]; i++)
			for (int j = mesh->first[vertex[i]]; j < mesh->first[vertex[i] + 1]; j++)
				p->degree[node] += mesh->node_at[j] != node &&
						   nodeset_has(free, mesh->node_at[j]);
		if (!p->taken[node])
			put(p, node);
		if (node % CHECK == 0 && mesh_budget_late(budget))
			return false;
	}
	return true;
}

static int fewest_neighbours(const struct peel *p)
{
	int degree = 0;

	while (p->head[degree] < 0)
		degree++;
	return p->head[degree];
}

/* Take node by node. False: there is no time for all. */
static bool peel(struct peel *p, const struct mesh *mesh, const struct mesh_request *request,
	struct mesh_budget *budget, struct mesh_answer *answer)
{
	int node = request->required ? nodeset_next(request->required, 0) : -1;

	while (answer->count < request->count) {
		int next = node >= 0 ? node : fewest_neighbours(p);

		if (answer->count % CHECK == 0 && mesh_budget_late(budget))
			return false;
		if (node >= 0)
			node = nodeset_next(request->required, node + 1);
		answer->cost += p->degree[next];
		take(p, mesh, next);
		answer->node[answer->count++] = next;
	}
	return true;
}

/* Take the lowest free nodes of `from` that are left, up to `count` in all. */
static void take_lowest(struct peel *p, const struct nodeset *from, int count,
	struct mesh_answer *answer)
{
	for (int i = nodeset_next(from, 0); i >= 0 && answer->count < count;
		i = nodeset_next(from, i + 1))
		if (!p->taken[i]) {
			p->taken[i] = true;
			answer->node[answer->count++] = i;
		}
}

static enum mesh_result scatter(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	struct peel *p = strategy->scratch;
	struct mesh_budget budget;

	mesh_budget_start(&budget, request->budget_ns);
	if (!load(p, strategy->mesh, state->free, &budget)) {
		answer->out_of_time = true;
		for (int i = 0; i < strategy->mesh->nnodes; i++)
			p->taken[i] = false;
	} else {
		answer->out_of_time = !peel(p, strategy->mesh, request, &budget, answer);
	}
	if (answer->out_of_time) {
		if (request->required)
			take_lowest(p, request->required, request->count, answer);
		take_lowest(p, state->free, request->count, answer);
	}
	return MESH_OK;
}

const struct strategy_ops strategy_scatter_family[] = {
	{
		.name = "scatter",
		.summary =
			"the nodes that others will miss least, for jobs that do not communicate",
		.source = "Matula and Beck 1983 (minimum-degree peeling)",
		.time = "O(n d)",
		.flags = STRATEGY_NO_RUNS,
		.init = peel_init,
		.decide = scatter,
	},
	{0},
};
