/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Walks that visit each point of a small box once, one step at a time, and cycles. A side of a
 * process grid that is folded into several dimensions becomes such a walk.
 */
#ifndef MESH_EMBED_WALK_H
#define MESH_EMBED_WALK_H

#include <stdbool.h>

enum { EMBED_WALK_DIMS = 7 };

/* Points are numbered with dimension 0 fastest. */
struct embed_walk_box {
	int ndims;
	int side[EMBED_WALK_DIMS];  /* >= 1 */
	bool ring[EMBED_WALK_DIMS]; /* the last coordinate is next to the first */
	int order[EMBED_WALK_DIMS]; /* the dimensions, the one with the most steps first */
};

enum embed_walk_kind {
	EMBED_WALK_SNAKE,     /* to and fro; a cycle when the last dimension is a ring and even */
	EMBED_WALK_COMB,      /* a cycle: teeth along the rest, back along an even `spine` */
	EMBED_WALK_COMB_RING, /* a cycle: round an odd ring, with detours into the rest, also odd */
	EMBED_WALK_KINDS
};

/*
 * Write the points in the order of the walk to point[]. For combs `spine` is a dimension. Returns
 * the number of points; 0: there is no such walk.
 */
int embed_walk_fill(
	const struct embed_walk_box *box, enum embed_walk_kind kind, int spine, int *point);

#endif
