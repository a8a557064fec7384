/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The places where a large box would be free, and how many of them are lost when a smaller box is
 * taken: all where the two would have a vertex in common.
 */
#ifndef MESH_PLACES_H
#define MESH_PLACES_H

#include "boxes/bitbox.h"
#include "geometry/sumtable.h"

struct places {
	const struct mesh *mesh;
	struct sumtable table; /* of 1 where the large box can have its base */
	uint32_t *mark;	       /* [nvertices] the same values, before they are summed up */
	int side[MESH_MAX_DIMS]; /* of the large box */
	uint32_t total; /* places in all */
	/* Of the bases around the box that was asked about last, all of a kind have the same: */
	int around[MESH_MAX_DIMS];
	struct sumtable_box sum;
};

/* 0, or -1 when memory is out. The arena frees it. */
int places_init(struct places *places, const struct mesh *mesh, struct arena *arena);

/*
 * Read bits->base, the places of a large box of side[ndims]; boxes of sides up to longest[ndims]
 * will be asked about. O(n d), and in many dimensions the more the longer both are.
 */
void places_load(
	struct places *places, const struct bitbox *bits, const int *side, const int *longest);

/* How many of them are lost when this box is taken. O(2^d). */
uint32_t places_lost(struct places *places, const struct mesh_box *box);

#endif
