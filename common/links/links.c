/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links/links.h"

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

	for (int d = 0; d < mesh->ndims; d++)
		hops += mesh->wrap[d] ? mesh->side[d] / 2 : mesh->side[d] - 1;
	return hops;
}

int links_route(const struct mesh *mesh, int from, int to, int *link)
{
	int v = from, n = 0;

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
