/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/curve_measure.h"

#include <stdlib.h>
#include <string.h>

#include "base/nodeset.h"
#include "graph/linkgraph.h"

static const char *const name[CURVES] = {
	[CURVE_MESH] = "mesh",
	[CURVE_HILBERT] = "hilbert",
	[CURVE_RING] = "ring",
	[CURVE_SNAKE] = "snake",
	[CURVE_SNAKE_LONG] = "snake-long",
	[CURVE_ROW] = "row",
};

const char *curve_name(enum curve curve)
{
	return curve < CURVES ? name[curve] : NULL;
}

/* Hops on the grid, even where links are broken; on a cabled mesh by the cables. */
static int step_hops(const struct mesh *mesh, int v, int w)
{
	return mesh->cabled ? linkgraph_mesh_hops(mesh, v, w) : mesh_hops(mesh, v, w);
}

static void measure_steps(const struct mesh *mesh, const int *order, int n,
	struct curve_quality *out)
{
	for (int i = 1; i < n; i++) {
		int hops = step_hops(mesh, order[i - 1], order[i]);

		out->longest_step = hops > out->longest_step ? hops : out->longest_step;
		out->long_steps += hops > 1;
	}
	out->closing_step = n > 1 ? step_hops(mesh, order[n - 1], order[0]) : 0;
	for (int far = 2; far < n && out->ndistances < CURVE_DISTANCES; far *= 2) {
		int64_t sum = 0;

		for (int i = far; i < n; i++)
			sum += step_hops(mesh, order[i - far], order[i]);
		out->mean_hops[out->ndistances++] = (double)sum / (n - far);
	}
}

int curve_measure(const struct mesh *mesh, const int *order, struct curve_quality *out)
{
	int *used = malloc((size_t)mesh->nvertices * sizeof(*used));
	int n = 0;

	memset(out, 0, sizeof(*out));
	if (!used)
		return -1;
	for (int i = 0; i < mesh->nvertices; i++)
		if (mesh_nodes_on(mesh, order[i]))
			used[n++] = order[i];
	measure_steps(mesh, used, n, out);
	free(used);
	return 0;
}

struct curve_span curve_rank_span(const int *rank, int count, int nnodes)
{
	struct curve_span span = {0, 0, 0};

	if (!count)
		return span;
	int gap = nnodes - 1 - rank[count - 1] + rank[0];

	for (int i = 1; i < count; i++)
		if (rank[i] - rank[i - 1] - 1 > gap)
			gap = rank[i] - rank[i - 1] - 1;
	span.linear = rank[count - 1] - rank[0] + 1;
	span.ring = nnodes - gap;
	span.stretch = (double)span.ring / count;
	return span;
}

int curve_node_span(const struct mesh *mesh, const int *order, const int *node, int count,
	struct curve_span *out)
{
	struct arena arena = {0};
	int *rank = arena_get(&arena, mesh->nnodes, sizeof(*rank));
	struct nodeset used;
	bool fine = !nodeset_get(&used, mesh->nnodes, &arena);

	if (fine) {
		curve_nodes(mesh, order, NULL, rank);
		for (int i = 0; i < count; i++)
			nodeset_add(&used, rank[node[i]]);
		*out = curve_rank_span(rank, nodeset_members(&used, rank), mesh->nnodes);
	}
	arena_release(&arena);
	return fine ? 0 : -1;
}
