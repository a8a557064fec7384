/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Walks that visit each point of a small box once, one step at a time, and cycles: what a side of
 * a process grid becomes when it is folded into several dimensions.
 */
#ifndef MESH_EMBED_WALK_H
#define MESH_EMBED_WALK_H

#include <stdbool.h>

enum { EMBED_WALK_DIMS = 7 };

/* Points are numbered with dimension 0 fastest. */
struct embed_walk_box {
	int ndims;
	int side[EMBED_WALK_DIMS];  /* >= 1 */
	bool ring[EMBED_WALK_DIMS]; /* the last is next to the first */
	int order[EMBED_WALK_DIMS]; /* the dimensions, that in which to take most steps first */
};

enum embed_walk_kind {
	EMBED_WALK_SNAKE,     /* to and fro; a cycle when the last dimension is a ring and even */
	EMBED_WALK_COMB,      /* a cycle: teeth along the rest, back along an even `spine` */
	EMBED_WALK_COMB_RING, /* a cycle: round an odd ring, with detours into the rest, also odd */
	EMBED_WALK_KINDS
};

/*
 * Into point[]: the points in the order of the walk; for combs `spine` names a dimension. Returns
 * the number of points, or 0 where there is no such walk.
 */
int embed_walk_fill(
	const struct embed_walk_box *box, enum embed_walk_kind kind, int spine, int *point);

#endif
