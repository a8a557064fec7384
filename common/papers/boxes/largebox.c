/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boxes/largebox.h"

#include <string.h>

int largebox_init(struct largebox *large, const struct mesh *mesh, struct arena *arena)
{
	large->mesh = mesh;
	arena_array(arena, large->mark, mesh->nvertices);
	return sumtable_init(&large->table, mesh, arena);
}

void largebox_load(struct largebox *large, const struct bitbox *bits, const int *side,
	const int *longest)
{
	const struct mesh *mesh = large->mesh;
	int coord[MESH_MAX_DIMS], reach[MESH_MAX_DIMS];

	for (int d = 0; d < mesh->ndims; d++) {
		large->side[d] = side[d];
		/* A box that spans the ring is looked up from 0. */
		reach[d] = side[d] == mesh->side[d] ? 1 : longest[d] + side[d] - 1;
	}
	memset(large->mark, 0, (size_t)mesh->nvertices * sizeof(*large->mark));
	large->total = 0;
	for (int bit = -1; (bit = bitbox_next(bits, bit + 1)) >= 0; large->total++) {
		bitbox_coord(bits, bit, coord);
		large->mark[mesh_vertex(mesh, coord)] = 1;
	}
	sumtable_build(&large->table, large->mark, reach);
	large->around[0] = -1; /* there is no box yet */
}

uint32_t largebox_lost(struct largebox *large, const struct mesh_box *box)
{
	const struct mesh *mesh = large->mesh;
	int base[MESH_MAX_DIMS], side[MESH_MAX_DIMS];
	bool same = true;

	for (int d = 0; d < mesh->ndims; d++) {
		/* The bases from here to the last vertex of the box meet it. */
		base[d] = box->base[d] - large->side[d] + 1;
		side[d] = box->side[d] + large->side[d] - 1;
		if (mesh->wrap[d] && side[d] >= mesh->side[d]) {
			base[d] = 0;
			side[d] = mesh->side[d];
		} else if (mesh->wrap[d]) {
			base[d] = (base[d] + mesh->side[d]) % mesh->side[d];
		} else {
			if (base[d] < 0) {
				side[d] += base[d];
				base[d] = 0;
			}
			if (side[d] > mesh->side[d] - base[d])
				side[d] = mesh->side[d] - base[d];
		}
		same &= side[d] == large->around[d];
		large->around[d] = side[d];
	}
	if (!same)
		sumtable_box(&large->table, side, &large->sum);
	return sumtable_get(&large->table, &large->sum, sumtable_at(&large->table, base));
}
