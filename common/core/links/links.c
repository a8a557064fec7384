/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links/links.h"

static int cable_to(const struct mesh *mesh, int link)
{
	const struct linkgraph *g = mesh->graph;
	const struct linkgraph_cable *cable = &g->cable[(link - links_grid(mesh)) / 2];

	if (g->mesh[cable->mesh[0]] != mesh || g->mesh[cable->mesh[1]] != mesh)
		return -1;
	return cable->vertex[link % 2];
}

int links_to(const struct mesh *mesh, int link)
{
	int v = link / 2 / mesh->ndims, d = link / 2 % mesh->ndims, side, c, next;

	if (link >= links_grid(mesh))
		return cable_to(mesh, link);
	if (mesh->cabled)
		return -1;
	side = mesh->side[d];
	c = mesh->coord[v][d];
	next = link % 2 ? c + 1 : c - 1;

	if (side == 1 || (!mesh->wrap[d] && (next < 0 || next == side)))
		return -1;
	next = next == side ? 0 : next < 0 ? side - 1 : next;
	return v + (next - c) * mesh->stride[d];
}

int links_longest(const struct mesh *mesh)
{
	int hops = 0;

	if (mesh->graph)
		return mesh->nvertices;
	for (int d = 0; d < mesh->ndims; d++)
		hops += mesh->wrap[d] ? mesh->side[d] / 2 : mesh->side[d] - 1;
	return hops;
}

static int hops_between(struct links_place a, struct links_place b)
{
	return linkgraph_hops(a.mesh->graph, a.mesh->graph_first + a.vertex,
		b.mesh->graph_first + b.vertex);
}

/* The first whole link to a vertex `hops` hops from the end; LINKS_NO_WAY: there is none. */
static int link_nearer(struct links_place from, struct links_place to, int hops)
{
	const struct mesh *mesh = from.mesh;
	int v = from.vertex;

	for (int d = 0; d < mesh->ndims && !mesh->cabled; d++)
		for (int up = 1; up >= 0; up--) {
			int link = (v * mesh->ndims + d) * 2 + up, w = links_to(mesh, link);

			if (w >= 0 && !mesh_is_down(mesh, up ? v : w, d) &&
				hops_between(to, (struct links_place){mesh, w}) == hops)
				return link;
		}
	return LINKS_NO_WAY;
}

/* The same for extra cables, with the other end in *next. */
static int cable_nearer(struct links_place from, struct links_place to, int hops,
	struct links_place *next)
{
	const struct linkgraph *g = from.mesh->graph;
	int v = from.mesh->graph_first + from.vertex, found = -1;

	for (int i = g->start[v]; i < g->start[v + 1]; i++) {
		int cable = g->cable_of[i], here;
		const struct linkgraph_cable *c = &g->cable[cable < 0 ? 0 : cable];
		struct links_place other;

		if (cable < 0 || (found >= 0 && cable > found))
			continue;
		here = g->mesh[c->mesh[0]] != from.mesh || c->vertex[0] != from.vertex;
		other = (struct links_place){g->mesh[c->mesh[!here]], c->vertex[!here]};
		if (hops_between(to, other) != hops - c->weight)
			continue;
		found = cable;
		*next = other;
	}
	return found < 0 ? LINKS_NO_WAY : LINKS_CABLE - found;
}

static int step_by_graph(struct links_place from, struct links_place to, struct links_place *next)
{
	int hops = hops_between(to, from);
	int link = hops == LINKGRAPH_CUT ? LINKS_NO_WAY : link_nearer(from, to, hops - 1);

	if (link >= 0)
		*next = (struct links_place){from.mesh, links_to(from.mesh, link)};
	else if (hops != LINKGRAPH_CUT)
		link = cable_nearer(from, to, hops, next);
	return link;
}

int links_step(struct links_place from, struct links_place to, struct links_place *next)
{
	const struct mesh *mesh = from.mesh;
	int d = 0, link;

	if (mesh->graph && mesh->graph == to.mesh->graph)
		return step_by_graph(from, to, next);
	if (mesh != to.mesh)
		return LINKS_NO_WAY;
	while (mesh->coord[from.vertex][d] == mesh->coord[to.vertex][d])
		d++;
	link = (from.vertex * mesh->ndims + d) * 2 +
		links_up(mesh, d, mesh->coord[from.vertex][d], mesh->coord[to.vertex][d]);
	*next = (struct links_place){mesh, links_to(mesh, link)};
	return link;
}

/* The number of a cable's direction from this end. */
static int cable_link(struct links_place from, int cable)
{
	const struct linkgraph *g = from.mesh->graph;
	const struct linkgraph_cable *c = &g->cable[cable];

	return links_grid(from.mesh) + 2 * cable +
		(g->mesh[c->mesh[0]] == from.mesh && c->vertex[0] == from.vertex);
}

/* Follow the graph. A way that leaves the mesh ends there. */
static int route_by_graph(const struct mesh *mesh, int from, int to, int *link)
{
	struct links_place at = {mesh, from}, next;
	int n = 0;

	while (at.mesh == mesh && at.vertex != to) {
		int step = links_step(at, (struct links_place){mesh, to}, &next);

		if (step == LINKS_NO_WAY)
			break;
		link[n++] = step >= 0 ? step : cable_link(at, LINKS_CABLE - step);
		at = next;
	}
	return n;
}

int links_route(const struct mesh *mesh, int from, int to, int *link)
{
	int v = from, n = 0;

	if (mesh->graph)
		return route_by_graph(mesh, from, to, link);
	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[from][d], end = mesh->coord[to][d], side = mesh->side[d];
		bool up = c != end && links_up(mesh, d, c, end);

		while (c != end) {
			int next = up ? c + 1 : c - 1;

			link[n++] = (v * mesh->ndims + d) * 2 + up;
			next = next == side ? 0 : next < 0 ? side - 1 : next;
			v += (next - c) * mesh->stride[d];
			c = next;
		}
	}
	return n;
}
