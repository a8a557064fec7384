/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links/links.h"

#include "base/linkgraph.h"

int links_to(const struct mesh *mesh, int link)
{
	int v = link / 2 / mesh->ndims, d = link / 2 % mesh->ndims;
	int side = mesh->side[d], c = mesh->coord[v][d], next = link % 2 ? c + 1 : c - 1;

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

/* The first link from v, not broken, to a vertex so many hops from the end; -1: there is none. */
static int link_nearer(const struct mesh *mesh, int v, int to, int hops)
{
	for (int d = 0; d < mesh->ndims; d++)
		for (int up = 1; up >= 0; up--) {
			int link = (v * mesh->ndims + d) * 2 + up, w = links_to(mesh, link);

			if (w >= 0 && !mesh_is_down(mesh, up ? v : w, d) &&
				linkgraph_mesh_hops(mesh, to, w) == hops)
				return link;
		}
	return -1;
}

/* The other end of an extra cable of the mesh from v, that much nearer to the end; v: there is
 * none. */
static int cable_nearer(const struct mesh *mesh, int v, int to, int hops)
{
	const struct linkgraph *g = mesh->graph;

	for (int i = 0; i < 2 * g->ncables; i++) {
		const struct linkgraph_cable *cable = &g->cable[i / 2];
		int w = cable->vertex[!(i % 2)];

		if (g->mesh[cable->mesh[0]] == mesh && g->mesh[cable->mesh[1]] == mesh &&
			cable->vertex[i % 2] == v &&
			linkgraph_mesh_hops(mesh, to, w) == hops - cable->weight)
			return w;
	}
	return v;
}

/* A way that leaves the mesh ends there. */
static int route_by_graph(const struct mesh *mesh, int from, int to, int *link)
{
	int n = 0, hops = linkgraph_mesh_hops(mesh, to, from), next;

	if (hops == LINKGRAPH_CUT)
		return 0;
	for (int v = from; v != to; v = next) {
		int nearer = link_nearer(mesh, v, to, hops - 1);

		if (nearer >= 0)
			link[n++] = nearer;
		next = nearer >= 0 ? links_to(mesh, nearer) : cable_nearer(mesh, v, to, hops);
		if (next == v)
			break;
		hops = linkgraph_mesh_hops(mesh, to, next);
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
