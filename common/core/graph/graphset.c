/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/graphset.h"

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
	int n = set->n, step = graphset_step(set->graph, n);
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
