/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/curve.h"

#include <stdlib.h>
#include <string.h>

#include "base/nodeset.h"

/* One step of the fastest dimension that is not at its end; the faster ones turn round. */
static void snake(const struct mesh *mesh, bool longest, int *order)
{
	int axis[MESH_MAX_DIMS], coord[MESH_MAX_DIMS] = {0}, step[MESH_MAX_DIMS];
	int v = 0, key[MESH_MAX_DIMS];

	for (int d = 0; d < mesh->ndims; d++) {
		step[d] = 1;
		key[d] = longest ? -mesh->side[d] : mesh->side[d];
	}
	axis_sort(mesh->ndims, key, axis);
	for (int rank = 0; rank < mesh->nvertices; rank++) {
		order[rank] = v;
		for (int i = 0; i < mesh->ndims; i++) {
			int d = axis[i], next = coord[d] + step[d];

			if (next >= 0 && next < mesh->side[d]) {
				coord[d] = next;
				v += step[d] * mesh->stride[d];
				break;
			}
			step[d] = -step[d];
		}
	}
}

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

int curve_fill(const struct mesh *mesh, enum curve curve, int *order)
{
	switch (curve) {
	case CURVE_SNAKE:
	case CURVE_SNAKE_LONG:
		snake(mesh, curve == CURVE_SNAKE_LONG, order);
		return 0;
	case CURVE_ROW:
		for (int v = 0; v < mesh->nvertices; v++)
			order[v] = v;
		return 0;
	default:
		if (curve != CURVE_MESH || !mesh->order)
			return hilbert_fill(mesh, curve == CURVE_RING, order);
		memcpy(order, mesh->order, (size_t)mesh->nvertices * sizeof(*order));
		return 0;
	}
}

void curve_nodes(const struct mesh *mesh, const int *order, int *node, int *rank)
{
	int at = 0;

	for (int i = 0; i < mesh->nvertices; i++)
		for (int j = mesh->first[order[i]]; j < mesh->first[order[i] + 1]; j++) {
			if (node)
				node[at] = mesh->node_at[j];
			if (rank)
				rank[mesh->node_at[j]] = at;
			at++;
		}
}

static void measure_steps(const struct mesh *mesh, const int *order, int n,
	struct curve_quality *out)
{
	for (int i = 1; i < n; i++) {
		int hops = mesh_hops(mesh, order[i - 1], order[i]);

		out->longest_step = hops > out->longest_step ? hops : out->longest_step;
		out->long_steps += hops > 1;
	}
	out->closing_step = n > 1 ? mesh_hops(mesh, order[n - 1], order[0]) : 0;
	for (int far = 2; far < n && out->ndistances < CURVE_DISTANCES; far *= 2) {
		int64_t sum = 0;

		for (int i = far; i < n; i++)
			sum += mesh_hops(mesh, order[i - far], order[i]);
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
