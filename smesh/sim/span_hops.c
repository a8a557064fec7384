/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/span_hops.h"

#include "graph/graphset.h"

/* The graph of the first mesh that serves the request, if it joins meshes. */
static struct linkgraph *graph_of(const struct span *span)
{
	for (int i = 0; i < span->n; i++)
		if (span->in[i].count)
			return span->in[i].mesh->graph && span->in[i].mesh->graph->nmeshes > 1
				? span->in[i].mesh->graph : NULL;
	return NULL;
}

int64_t span_hops(const struct span *span)
{
	struct linkgraph *graph = graph_of(span);
	struct arena arena = {0};
	int *taken, *vertex, n = 0;
	int64_t hops = -1;

	if (!graph)
		return -1;
	arena_array(&arena, taken, graph->real);
	if (arena_array(&arena, vertex, graph->real)) {
		hops = 0;
		for (int i = 0; i < span->n; i++) {
			const struct span_mesh *in = &span->in[i];

			hops = in->count && in->mesh->graph != graph ? -1 : hops;
			for (int j = 0; j < in->count && hops >= 0; j++) {
				int v = in->mesh->graph_first + in->mesh->vertex_of[in->node[j]];

				if (!taken[v]++)
					vertex[n++] = v;
			}
		}
		if (hops >= 0)
			hops = graphset_hops(
				&(const struct graphset){graph, 0, vertex, n, taken}, -1);
	}
	arena_release(&arena);
	return hops;
}
