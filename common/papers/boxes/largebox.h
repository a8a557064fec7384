/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The places where a large box would be free, and how many of them a smaller box takes away: all
 * that have a vertex in common with it.
 */
#ifndef MESH_LARGEBOX_H
#define MESH_LARGEBOX_H

#include "boxes/bitbox.h"
#include "geometry/sumtable.h"

struct largebox {
	const struct mesh *mesh;
	struct sumtable table; /* sums of mark[] */
	uint32_t *mark;	       /* [nvertices] 1 where the large box can have its base, else 0 */
	int side[MESH_MAX_DIMS]; /* of the large box */
	uint32_t total; /* the number of places */
	/* Kept by largebox_lost() for the next box of the same sides: */
	int around[MESH_MAX_DIMS]; /* sides of the range of bases whose large box meets it */
	struct sumtable_box sum;   /* for sums over such a range */
};

/* 0, or -1 when memory is out. The arena owns all memory. */
int largebox_init(struct largebox *large, const struct mesh *mesh, struct arena *arena);

/*
 * Read bits->base, the places of a large box of side[ndims]. The smaller boxes have sides up to
 * longest[ndims]. O(n d); in many dimensions more for longer boxes.
 */
void largebox_load(struct largebox *large, const struct bitbox *bits, const int *side,
	const int *longest);

/* How many places are lost when this box is taken. O(2^d). */
uint32_t largebox_lost(struct largebox *large, const struct mesh_box *box);

#endif
