/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/metrics.h"

#include <string.h>

#include "geometry/metrics_count.h"
#include "graph/graphset.h"

void metrics_marginals(const struct mesh *mesh, const int *node, int count, int *marginal)
{
	memset(marginal, 0, (size_t)mesh_sum_of_sides(mesh) * sizeof(*marginal));
	for (int i = 0, next; i < count; i = next) {
		int v = mesh->vertex_of[node[i]], end = v - mesh->coord[v][0] + mesh->side[0];
		int *base = marginal + mesh->side[0];

		/* The next nodes in the same row differ in the first dimension alone. */
		for (next = i; next < count; next++) {
			int w = mesh->vertex_of[node[next]];

			if (w < v || w >= end)
				break;
			marginal[w - end + mesh->side[0]]++;
		}
		for (int d = 1; d < mesh->ndims; d++) {
			base[mesh->coord[v][d]] += next - i;
			base += mesh->side[d];
		}
	}
}

int64_t metrics_total(const struct mesh *mesh, const int *marginal)
{
	int64_t total = 0;

	for (int d = 0; d < mesh->ndims; d++) {
		total += axis_pair_hops(marginal, mesh->side[d], mesh->wrap[d]);
		marginal += mesh->side[d];
	}
	return total;
}

int metrics_vertices(
	const struct mesh *mesh, const int *node, int count, int *vertex, int *taken)
{
	int n = 0;

	for (int i = 0; i < count; i++) {
		int v = mesh->vertex_of[node[i]];

		if (!taken[v]++)
			vertex[n++] = v;
	}
	return n;
}

int64_t metrics_by_graph(
	const struct mesh *mesh, const int *vertex, int n, const int *taken, int64_t grid)
{
	const struct graphset set = {mesh->graph, mesh->graph_first, vertex, n, taken};

	return graphset_hops(&set, grid);
}

int64_t mesh_pairwise_hops(const struct mesh *mesh, const int *node, int count)
{
	/* Strategies call this within a decision: machines of usual size need no allocation. */
	int small[512], *marginal = small, *vertex = NULL, *taken = NULL;
	struct arena arena = {0};
	int64_t total = -1;

	if (mesh_sum_of_sides(mesh) > 512)
		arena_array(&arena, marginal, mesh_sum_of_sides(mesh));
	if (mesh->graph) {
		arena_array(&arena, vertex, count);
		arena_array(&arena, taken, mesh->nvertices);
	}
	if (!arena.out) {
		metrics_marginals(mesh, node, count, marginal);
		total = metrics_total(mesh, marginal);
	}
	if (!arena.out && mesh->graph)
		total = metrics_by_graph(mesh, vertex,
			metrics_vertices(mesh, node, count, vertex, taken), taken, total);
	arena_release(&arena);
	return total;
}

double mesh_mean_hops(int64_t pairwise_hops, int count)
{
	return count > 1 ? (double)pairwise_hops / ((double)count * (count - 1) / 2) : 0;
}
