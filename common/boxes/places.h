/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The places of a large box, and how many of them a smaller one takes: those whose boxes have a
 * vertex in common with it.
 */
#ifndef MESH_PLACES_H
#define MESH_PLACES_H

#include "boxes/bitbox.h"
#include "geometry/sumtable.h"

struct places {
	const struct mesh *mesh;
	struct sumtable table; /* of 1 where the large box can have its base */
	uint32_t *mark;	       /* [nvertices] the same */
	int side[MESH_MAX_DIMS]; /* of the large box */
	uint32_t total;
};

/* 0, or -1 when memory is out. */
int places_init(struct places *places, const struct mesh *mesh);
/* A zeroed struct is fine. */
void places_release(struct places *places);

/* Take over bits->base, the places of a box of these sides. O(n d). */
void places_load(struct places *places, const struct bitbox *bits, const int *side);

/* O(2^d). */
uint32_t places_lost(const struct places *places, const struct mesh_box *box);

#endif
