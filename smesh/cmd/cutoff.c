/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/cutoff.h"

#include "graph/linkgraph.h"
#include "sim/need.h"

struct pieces {
	int *of; /* by vertex of the graph: the number of its piece; 0: none yet */
	int n;
};

static bool visit(void *pieces, int v, int hops)
{
	struct pieces *p = pieces;

	(void)hops;
	p->of[v] = p->n;
	return false;
}

int nodes_cut_off(const struct mesh *mesh, char **name, struct arena *arena)
{
	struct linkgraph *graph = mesh->graph;
	struct pieces p = {need_get(arena, graph->real, sizeof(int)), 0};
	int *size = need_get(arena, graph->real + 1, sizeof(*size)), n = 0, largest = 0;

	for (int m = 0; m < graph->nmeshes; m++)
		for (int i = 0; i < graph->mesh[m]->nnodes; i++) {
			int v = graph->mesh[m]->graph_first + graph->mesh[m]->vertex_of[i];

			p.n += !p.of[v];
			if (!p.of[v])
				linkgraph_walk(graph, v, visit, &p);
			size[p.of[v]]++;
		}
	for (int i = 0; i < mesh->nnodes; i++) {
		int piece = p.of[mesh->graph_first + mesh->vertex_of[i]];

		largest = size[piece] > size[largest] ? piece : largest;
	}
	for (int i = 0; i < mesh->nnodes; i++)
		if (p.of[mesh->graph_first + mesh->vertex_of[i]] != largest)
			name[n++] = mesh->node_name[i];
	return n;
}
