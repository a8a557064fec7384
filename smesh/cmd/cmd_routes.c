/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh routes: prints vertices, links, and the first link of each message's way, for programs
 * that build or check a network (contrib/torus).
 */
#include <stdio.h>

#include "graph/linkgraph.h"
#include "cmd/commands.h"
#include "links/links.h"

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	{0},
};

/* The number of vertex 0 of a mesh among the vertices of all meshes. */
static int first_of(const struct topoconf *conf, const struct mesh *mesh)
{
	int first = 0;

	for (int m = 0; conf->mesh[m] != mesh; m++)
		first += conf->mesh[m]->nvertices;
	return first;
}

static void print_vertices(const struct mesh *mesh, int first)
{
	for (int v = 0; v < mesh->nvertices; v++) {
		printf("vertex %d %s ", first + v, mesh->name);
		for (int d = 0; d < mesh->ndims; d++)
			printf("%s%d", d ? "," : "", mesh->coord[v][d]);
		putchar('\n');
		for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++)
			printf("node %s %d\n", mesh->node_name[mesh->node_at[i]], first + v);
	}
}

static void print_links(const struct mesh *mesh, int first)
{
	for (int v = 0; v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++) {
			int w = mesh_up(mesh, v, d);

			if (w >= 0)
				printf("%s %d up%d %d down%d\n",
					mesh_is_down(mesh, v, d) ? "broken" : "link", first + v, d,
					first + w, d);
		}
}

/* A graph may have several meshes: its cables are printed with the first of them. */
static void print_cables(const struct topoconf *conf, const struct mesh *mesh)
{
	const struct linkgraph *g = mesh->graph;

	for (int i = 0; g && mesh == g->mesh[0] && i < g->ncables; i++) {
		const struct linkgraph_cable *c = &g->cable[i];
		int a = first_of(conf, g->mesh[c->mesh[0]]) + c->vertex[0];
		int b = first_of(conf, g->mesh[c->mesh[1]]) + c->vertex[1];

		printf("link %d c%d %d c%d\n", a, b, b, a);
	}
}

static void print_way(const struct topoconf *conf, struct links_place from, struct links_place to)
{
	struct links_place next;
	int step = links_step(from, to, &next);

	if (step == LINKS_NO_WAY)
		return;
	printf("route %d %d ", first_of(conf, from.mesh) + from.vertex,
		first_of(conf, to.mesh) + to.vertex);
	if (step >= 0)
		printf("%s%d\n", step % 2 ? "up" : "down", step / 2 % from.mesh->ndims);
	else
		printf("c%d\n", first_of(conf, next.mesh) + next.vertex);
}

/* Print the ways from a vertex to all vertices that have nodes. */
static void print_ways(const struct topoconf *conf, struct links_place from)
{
	for (int m = 0; m < conf->nmeshes; m++)
		for (int v = 0; v < conf->mesh[m]->nvertices; v++)
			if (mesh_nodes_on(conf->mesh[m], v) &&
				(from.mesh != conf->mesh[m] || from.vertex != v))
				print_way(conf, from, (struct links_place){conf->mesh[m], v});
}

static void print_all(const struct topoconf *conf)
{
	for (int m = 0; m < conf->nmeshes; m++)
		print_vertices(conf->mesh[m], first_of(conf, conf->mesh[m]));
	for (int m = 0; m < conf->nmeshes; m++) {
		print_links(conf->mesh[m], first_of(conf, conf->mesh[m]));
		print_cables(conf, conf->mesh[m]);
	}
	for (int m = 0; m < conf->nmeshes; m++)
		for (int v = 0; v < conf->mesh[m]->nvertices; v++)
			print_ways(conf, (struct links_place){conf->mesh[m], v});
}

static int run(void *session)
{
	struct command_base *base = session;

	if (command_open_map(base))
		return SMESH_USAGE;
	print_all(base->conf);
	return SMESH_OK;
}

const struct command cmd_routes = {
	.name = "routes",
	.summary = "print vertices, links and the ways of messages, to build a network from",
	.usage = "[-t FILE]",
	.example = "-t topology.conf",
	.options = options,
	.size = sizeof(struct command_base),
	.run = run,
};
