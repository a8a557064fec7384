/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lays out a little grid along one side of a box: the place of each of its points, and the hops of
 * its steps.
 */
#ifndef MESH_EMBED_LAYOUT_H
#define MESH_EMBED_LAYOUT_H

#include "base/arena.h"
#include "base/mesh.h"

struct embed_layout {
	int length; /* of the side: the product of the factors */
	bool ring;
	int hops;   /* of a step along the side: 1 or 0 */
	int ndims;
	int factor[MESH_MAX_DIMS]; /* >= 1; points are numbered with the first fastest */
	int *place;		   /* [length] the place of each point */
	/* [factor[i]] mean hops of a step from v to v+1 along factor i; the last one: back to 0. */
	double *step[MESH_MAX_DIMS];
};

/* Take the arrays from the arena; the caller sets everything else. 0, or -1 when memory is out. */
int embed_layout_init(struct embed_layout *layout, struct arena *arena);

/* The number of nested orders: orders of the factors > 1, each reflected or not. */
int embed_layout_variants(const struct embed_layout *layout);
/* Put nested order number `variant` into place[], and its steps into step[]. O(length * ndims). */
void embed_layout_nest(struct embed_layout *layout, int variant);
/* Mean hops between values v and w of factor i. */
double embed_layout_jump(const struct embed_layout *layout, int i, int v, int w);

#endif
