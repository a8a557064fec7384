/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/linkstext.h"

#include <stdlib.h>

#include "base/linkgraph.h"

static void put_vertex(const struct mesh *mesh, int v, FILE *to)
{
	if (mesh_nodes_on(mesh, v))
		fputs(mesh->node_name[mesh->node_at[mesh->first[v]]], to);
	else
		for (int d = 0; d < mesh->ndims; d++)
			fprintf(to, "%s%d", d ? "," : "", mesh->coord[v][d]);
}

int linkstext_list(const struct mesh *mesh, FILE *to, int most)
{
	int n = 0;

	for (int v = 0; mesh->down && v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++) {
			if (!mesh_is_down(mesh, v, d) || n++ >= most)
				continue;
			putc(' ', to);
			put_vertex(mesh, v, to);
			putc(':', to);
			put_vertex(mesh, mesh_up(mesh, v, d), to);
		}
	return n;
}

/* --- pieces ------------------------------------------------------------------------- */

struct pieces {
	int *of; /* the number that each vertex has; 0: none yet */
	int n;
};

static bool visit(void *pieces, int v, int hops)
{
	struct pieces *p = pieces;

	(void)hops;
	p->of[v] = p->n;
	return false;
}

/* Number the pieces that have nodes, and count these in size[]: the number of the largest. */
static int largest_piece(struct linkgraph *graph, struct pieces *p, int *size)
{
	int largest = 0;

	for (int m = 0; m < graph->nmeshes; m++)
		for (int i = 0; i < graph->mesh[m]->nnodes; i++) {
			const struct mesh *mesh = graph->mesh[m];
			int v = mesh->graph_first + mesh->vertex_of[mesh->node_at[i]];

			if (!p->of[v]) {
				p->n++;
				linkgraph_walk(graph, v, visit, p);
			}
			size[p->of[v]]++;
		}
	for (int i = 1; i <= p->n; i++)
		largest = size[i] > size[largest] ? i : largest;
	return largest;
}

int linkstext_cut_off(const struct mesh *mesh, char **name)
{
	size_t real = mesh->graph ? (size_t)mesh->graph->real : 0;
	struct pieces p = {calloc(real + 1, sizeof(int)), 0};
	int *size = calloc(real + 1, sizeof(*size)), n = p.of && size ? 0 : -1, largest;

	if (!n && mesh->graph) {
		largest = largest_piece(mesh->graph, &p, size);
		for (int i = 0; i < mesh->nnodes; i++)
			if (p.of[mesh->graph_first + mesh->vertex_of[i]] != largest)
				name[n++] = mesh->node_name[i];
	}
	free(p.of);
	free(size);
	return n;
}
