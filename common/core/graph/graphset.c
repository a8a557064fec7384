/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/graphset.h"

static int step_of(const struct linkgraph *g, int n)
{
	return g->table || n <= GRAPHSET_EXACT ? 1 : n / GRAPHSET_EXACT;
}

/* Hops from a vertex to all nodes of the first n vertices of a set. */
static int64_t star(const struct graphset *set, int v, int n)
{
	struct linkgraph *g = set->graph;
	const uint16_t *row = g->table ? g->table + (size_t)(set->first + v) * (size_t)g->real +
			set->first : NULL;
	int64_t sum = 0;

	for (int i = 0; i < n; i++) {
		int w = set->vertex[i];

		sum += (int64_t)set->taken[w] *
			(row ? row[w] : linkgraph_search(g, set->first + v, set->first + w));
	}
	return sum;
}

/* The sum over pairs of the hops that the graph has more than the grid. */
static int64_t detours(const struct graphset *set)
{
	const struct linkgraph *g = set->graph;
	int64_t sum = 0;

	for (int i = 0; i < set->n; i++) {
		const int *from = g->detours + set->first + set->vertex[i];
		int64_t more = 0;

		for (int d = from[0]; d < from[1]; d++)
			more += (int64_t)set->taken[g->detour[d].vertex - set->first] *
				g->detour[d].more;
		sum += set->taken[set->vertex[i]] * more;
	}
	return sum;
}

int64_t graphset_hops(const struct graphset *set, int64_t grid)
{
	int n = set->n, step = step_of(set->graph, n);
	int64_t sum = 0, looked = 0, all = 0;

	/* Small sets have fewer pairs than detours that lead out of them. */
	if (grid >= 0 && set->graph->detours &&
		n / 2 >= set->graph->detours[set->graph->real] / set->graph->real)
		return grid + detours(set);
	for (int i = 0; i < n; i += step) {
		int v = set->vertex[i];

		sum += set->taken[v] * star(set, v, step == 1 ? i : n);
		looked += set->taken[v];
	}
	if (step == 1)
		return sum;
	for (int i = 0; i < n; i++)
		all += set->taken[set->vertex[i]];
	return (int64_t)((double)sum / 2 * (double)all / (double)looked);
}

int graphset_diameter(const struct mesh *mesh, const int *vertex, int n)
{
	int most = 0, step = step_of(mesh->graph, n);

	for (int i = 0; i < n; i += step)
		for (int j = step == 1 ? i + 1 : 0; j < n; j++) {
			int hops = linkgraph_mesh_hops(mesh, vertex[i], vertex[j]);

			most = hops > most ? hops : most;
		}
	return most;
}

/* Mark all that v reaches inside the set, by negative values. */
static void flood(const struct mesh *mesh, int v, int *taken, int *stack)
{
	int top = 0;

	taken[v] = -taken[v];
	stack[top++] = v;
	while (top) {
		struct linkgraph_near near;

		linkgraph_near(mesh, stack[--top], &near);
		for (int i = 0; i < near.n; i++) {
			int w = near.vertex[i] - near.first;

			if (w < 0 || w >= mesh->nvertices || taken[w] <= 0)
				continue;
			taken[w] = -taken[w];
			stack[top++] = w;
		}
	}
}

int graphset_components(
	const struct mesh *mesh, const int *vertex, int n, int *taken, int *scratch)
{
	int components = 0;

	for (int i = 0; i < n; i++)
		if (taken[vertex[i]] > 0) {
			flood(mesh, vertex[i], taken, scratch);
			components++;
		}
	for (int i = 0; i < n; i++)
		taken[vertex[i]] = -taken[vertex[i]];
	return components;
}
