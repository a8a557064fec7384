/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "base/linkgraph.h"
#include "import/import.h"

/* A vertex of a map by a name of its own. */
static int map_vertex(struct cables *c, int mesh, int vertex, struct mesh_err *err)
{
	char name[32];

	snprintf(name, sizeof(name), "%d:%d", mesh, vertex);
	return cables_vertex(c, name, err);
}

static int map_cable(struct cables *c, const int *mesh, const int *vertex, struct mesh_err *err)
{
	int a = map_vertex(c, mesh[0], vertex[0], err), b = map_vertex(c, mesh[1], vertex[1], err);

	return a < 0 || b < 0 ? -1 : cables_add(c, a, b, err);
}

static int map_mesh(struct cables *c, const struct mesh *mesh, int m, struct mesh_err *err)
{
	for (int i = 0; i < mesh->nnodes; i++) {
		int v = map_vertex(c, m, mesh->vertex_of[i], err);

		if (v < 0 || cables_node(c, mesh->node_name[i], v, err))
			return -1;
	}
	for (int v = 0; v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++) {
			int end[2] = {v, mesh_up(mesh, v, d)};

			if (end[1] >= 0 && !mesh_is_down(mesh, v, d) &&
				map_cable(c, (int[]){m, m}, end, err))
				return -1;
		}
	return 0;
}

static int number_of(const struct topoconf *conf, const struct mesh *mesh)
{
	int m = 0;

	while (conf->mesh[m] != mesh)
		m++;
	return m;
}

/* The Link= of the meshes whose graph begins with this one. */
static int map_extra(struct cables *c, const struct topoconf *conf, const struct mesh *mesh,
	struct mesh_err *err)
{
	const struct linkgraph *graph = mesh->graph;

	for (int i = 0; graph && !mesh->graph_first && i < graph->ncables; i++) {
		const struct linkgraph_cable *cable = &graph->cable[i];
		int end[2] = {number_of(conf, graph->mesh[cable->mesh[0]]),
			number_of(conf, graph->mesh[cable->mesh[1]])};

		if (map_cable(c, end, cable->vertex, err))
			return -1;
	}
	return 0;
}

/* The cables of a map. */
static int map_cables(struct cables *c, const struct topoconf *conf, struct mesh_err *err)
{
	for (int m = 0; m < conf->nmeshes; m++)
		if (map_mesh(c, conf->mesh[m], m, err) || map_extra(c, conf, conf->mesh[m], err))
			return -1;
	return cables_finish(c, err);
}

/* The first node on each vertex that the other has too, there; -1: none. NULL: no memory. */
static int *find_counterparts(const struct cables *c, const struct cables *other)
{
	int *there = malloc((size_t)c->nvertices * sizeof(*there));

	for (int v = 0; there && v < c->nvertices; v++)
		there[v] = -1;
	for (int i = c->nnodes - 1; there && i >= 0; i--) {
		int node = cables_find_node(other, c->node_name[i]);

		if (node >= 0)
			there[c->vertex_of[i]] = node;
	}
	return there;
}

/* A line for each node and cable that the other has not. How many, or -1. */
static int tell(const struct cables *c, const struct cables *other, const char *where, FILE *to)
{
	int *there = find_counterparts(c, other), found = 0;

	if (!there)
		return -1;
	for (int i = 0; i < c->nnodes; i++)
		if (cables_find_node(other, c->node_name[i]) < 0 && ++found)
			fprintf(to, "node %s: only in %s\n", c->node_name[i], where);
	for (int i = 0; i < c->ncables; i++) {
		int a = there[c->cable[i][0]], b = there[c->cable[i][1]];

		if (a >= 0 && b >= 0 && other->vertex_of[a] != other->vertex_of[b] &&
			!cables_joined(other, other->vertex_of[a], other->vertex_of[b]) && ++found)
			fprintf(to, "cable %s %s: only in %s\n", other->node_name[a],
				other->node_name[b], where);
	}
	free(there);
	return found;
}

int import_compare(const struct topoconf *found, const struct topoconf *there, const char *path,
	FILE *to, struct mesh_err *err)
{
	struct cables a = {0}, b = {0};
	int only_a = -1, only_b = -1;

	if (!map_cables(&a, found, err) && !map_cables(&b, there, err) &&
		((only_a = tell(&a, &b, "the import", to)) < 0 ||
			(only_b = tell(&b, &a, path, to)) < 0))
		err_printf(err, "out of memory");
	cables_release(&a);
	cables_release(&b);
	return only_a < 0 || only_b < 0 ? -1 : only_a + only_b;
}
