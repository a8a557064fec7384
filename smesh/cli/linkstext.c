/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/linkstext.h"

#include <stdlib.h>
#include <string.h>

#include "base/linkgraph.h"

static void put_vertex(const struct mesh *mesh, int v, FILE *to)
{
	if (mesh_nodes_on(mesh, v))
		fputs(mesh->node_name[mesh->node_at[mesh->first[v]]], to);
	else
		for (int d = 0; d < mesh->ndims; d++)
			fprintf(to, "%s%d", d ? "," : "", mesh->coord[v][d]);
}

int linkstext_list(
	const struct mesh *mesh, FILE *to, const char *before, const char *after, int most)
{
	int n = 0;

	for (int v = 0; mesh->down && v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++) {
			if (!mesh_is_down(mesh, v, d) || n++ >= most)
				continue;
			fputs(before, to);
			put_vertex(mesh, v, to);
			putc(':', to);
			put_vertex(mesh, mesh_up(mesh, v, d), to);
			fputs(after, to);
		}
	return n;
}

/* --- pieces ------------------------------------------------------------------------- */

struct piece {
	const int *nodes; /* on each vertex of the graph */
	int *piece; /* the number that each vertex has; 0: none yet */
	int number;
	int64_t size; /* nodes */
};

static bool visit(void *arg, int v, int hops)
{
	struct piece *p = arg;

	(void)hops;
	p->piece[v] = p->number;
	p->size += p->nodes[v];
	return false;
}

/* The number of the piece with the most nodes. */
static int largest_piece(struct linkgraph *graph, struct piece *p)
{
	int64_t most = 0;
	int largest = 0;

	for (int v = 0; v < graph->real; v++) {
		if (p->piece[v] || !p->nodes[v])
			continue;
		p->number++;
		p->size = 0;
		linkgraph_walk(graph, v, visit, p);
		if (p->size > most) {
			most = p->size;
			largest = p->number;
		}
	}
	return largest;
}

int linkstext_cut_off(const struct mesh *mesh, char **name)
{
	struct linkgraph *graph = mesh->graph;
	int *nodes, *numbers, n = -1;

	if (!graph)
		return 0;
	nodes = calloc((size_t)graph->real, sizeof(*nodes));
	numbers = calloc((size_t)graph->real, sizeof(*numbers));
	for (int m = 0; nodes && m < graph->nmeshes; m++)
		for (int i = 0; i < graph->mesh[m]->nnodes; i++)
			nodes[graph->mesh[m]->graph_first + graph->mesh[m]->vertex_of[i]]++;
	if (nodes && numbers) {
		int largest = largest_piece(graph, &(struct piece){nodes, numbers, 0, 0});

		n = 0;
		for (int i = 0; i < mesh->nnodes; i++)
			if (numbers[mesh->graph_first + mesh->vertex_of[i]] != largest)
				name[n++] = mesh->node_name[i];
	}
	free(nodes);
	free(numbers);
	return n;
}
