/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boxes/largebox.h"

#include <string.h>

int places_init(struct places *places, const struct mesh *mesh, struct arena *arena)
{
	places->mesh = mesh;
	arena_array(arena, places->mark, mesh->nvertices);
	return sumtable_init(&places->table, mesh, arena);
}

void places_load(
	struct places *places, const struct bitbox *bits, const int *side, const int *longest)
{
	const struct mesh *mesh = places->mesh;
	int coord[MESH_MAX_DIMS], reach[MESH_MAX_DIMS];

	for (int d = 0; d < mesh->ndims; d++) {
		places->side[d] = side[d];
		/* A box that spans the ring is looked up from 0. */
		reach[d] = side[d] == mesh->side[d] ? 1 : longest[d] + side[d] - 1;
	}
	memset(places->mark, 0, (size_t)mesh->nvertices * sizeof(*places->mark));
	places->total = 0;
	for (int bit = -1; (bit = bitbox_next(bits, bit + 1)) >= 0; places->total++) {
		bitbox_coord(bits, bit, coord);
		places->mark[mesh_vertex(mesh, coord)] = 1;
	}
	sumtable_build(&places->table, places->mark, reach);
	places->around[0] = -1; /* there is no box yet */
}

uint32_t places_lost(struct places *places, const struct mesh_box *box)
{
	const struct mesh *mesh = places->mesh;
	int base[MESH_MAX_DIMS], side[MESH_MAX_DIMS];
	bool same = true;

	for (int d = 0; d < mesh->ndims; d++) {
		/* The bases from here to the last vertex of the box meet it. */
		base[d] = box->base[d] - places->side[d] + 1;
		side[d] = box->side[d] + places->side[d] - 1;
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
		same &= side[d] == places->around[d];
		places->around[d] = side[d];
	}
	if (!same)
		sumtable_box(&places->table, side, &places->sum);
	return sumtable_get(&places->table, &places->sum, sumtable_at(&places->table, base));
}
