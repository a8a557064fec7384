/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/graphset.h"

static int step_of(const struct mesh *mesh, int n)
{
	return mesh->graph->table || n <= GRAPHSET_EXACT ? 1 : n / GRAPHSET_EXACT;
}

/* Hops from a vertex to all nodes of a set. */
static int64_t star(const struct mesh *mesh, int v, const int *vertex, int n, const int *taken)
{
	struct linkgraph *g = mesh->graph;
	int from = mesh->graph_first + v;
	int64_t sum = 0;

	if (!g->table) {
		for (int i = 0; i < n; i++)
			sum += (int64_t)taken[vertex[i]] *
				linkgraph_search(g, from, mesh->graph_first + vertex[i]);
		return sum;
	}
	for (int i = 0; i < n; i++)
		sum += (int64_t)taken[vertex[i]] *
			g->table[(size_t)from * (size_t)g->real + (size_t)mesh->graph_first +
				(size_t)vertex[i]];
	return sum;
}

int64_t graphset_hops(const struct mesh *mesh, const int *vertex, int n, const int *taken)
{
	int step = step_of(mesh, n);
	int64_t sum = 0, looked = 0, all = 0;

	if (step == 1) {
		for (int i = 1; i < n; i++)
			sum += taken[vertex[i]] * star(mesh, vertex[i], vertex, i, taken);
		return sum;
	}
	for (int i = 0; i < n; i++)
		all += taken[vertex[i]];
	for (int i = 0; i < n; i += step) {
		sum += taken[vertex[i]] * star(mesh, vertex[i], vertex, n, taken);
		looked += taken[vertex[i]];
	}
	return (int64_t)((double)sum / 2 * (double)all / (double)looked);
}

int graphset_diameter(const struct mesh *mesh, const int *vertex, int n)
{
	int most = 0, step = step_of(mesh, n);

	for (int i = 0; i < n; i += step)
		for (int j = step == 1 ? i + 1 : 0; j < n; j++) {
			int hops = linkgraph_mesh_hops(mesh, vertex[i], vertex[j]);

			most = hops > most ? hops : most;
		}
	return most;
}

/* All that can be reached from v inside the set. What has been seen is below 0. */
static void flood(const struct mesh *mesh, int v, int *taken, int *stack)
{
	const struct linkgraph *g = mesh->graph;
	int top = 0;

	taken[v] = -taken[v];
	stack[top++] = v;
	while (top) {
		int at = mesh->graph_first + stack[--top];

		for (int i = g->start[at]; i < g->start[at + 1]; i++) {
			int w = g->to[i] - mesh->graph_first;

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
