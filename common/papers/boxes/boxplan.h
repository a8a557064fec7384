/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The boxes that would serve a request, the best first, whatever is free.
 *
 * For a shape: its orientations in the order of Bani-Mohammad et al. (prohibited.h): (a,b,c),
 * (a,c,b), (b,a,c), (b,c,a), (c,a,b), (c,b,a), each once. With norotate only the given one. With
 * fold these, then the boxes into which the shape can be folded, by mean hops. For a number of
 * nodes: the minimal boxes that hold them (no side can shrink), by mean hops of the vertices used,
 * then by volume.
 *
 * A mesh with a list of legal boxes (mesh->legal) only has these. For a number of nodes they are
 * ordered by volume, then by mean hops; with mesh->legal_exact only boxes of exactly that many
 * nodes count. bitbox.h says where a box may lie.
 */
#ifndef MESH_BOXPLAN_H
#define MESH_BOXPLAN_H

#include <stdint.h>

#include "base/err.h"
#include "base/mesh.h"
#include "ask/strategy.h"

struct boxplan_row {
	int64_t hops; /* sum over pairs of the vertices used, in snake order */
	int64_t volume;
	int side[MESH_MAX_DIMS];
	int group; /* the same for rows of equal merit, or orientations of one shape */
};

struct boxplan {
	const struct mesh *mesh;
	struct boxplan_row *row; /* [count], best first */
	int count;
	int room;
	/* [longest side of the machine] scratch. Not on the stack: a frame of 128 KiB for each side
	 * of each row takes thrice as long as the plan (-fstack-clash-protection touches it page by
	 * page). */
	int *marginal;
	/* The request that row[] was made for, as many requests are for the same box. A caller that
	 * changes row[] sets made to false. */
	bool made;
	int made_count, made_extent[MESH_MAX_DIMS];
	struct mesh_shape made_shape;
};

/* 0, or -1 when memory is out. The arena owns all memory. */
int boxplan_init(struct boxplan *plan, const struct mesh *mesh, struct arena *arena);

/*
 * Fill plan->row for a request; request->count must be set. A box for a number of nodes has at
 * least the sides extent[ndims], which are those of the required nodes, and is minimal above them.
 * 0, or -1 with text: no box can serve the request, however idle the machine is. O(rows * (sum of
 * sides + log rows)), or O(1) if the last request was the same.
 */
int boxplan_make(struct boxplan *plan, const struct mesh_request *request, const int *extent,
	struct mesh_err *err);

/*
 * The nodes of a whole box of this shape, or of a walk, at least 1, if the idle mesh could hold
 * one. 0 with text: never. -1: memory is out, and the answer is unknown.
 */
int boxplan_shape_nodes(const struct mesh *mesh, const struct mesh_shape *shape,
	struct mesh_err *err);

/* Sum of hops over pairs of the first `count` vertices of a box, in snake order. O(sides). */
int64_t boxplan_hops(const struct boxplan *plan, const int *side, int64_t count);

/* For qsort() of rows: by volume, then by hops and sides. */
int boxplan_by_volume(const void *a, const void *b);

/* Set longest[MESH_MAX_DIMS] to the longest side along each dimension among row[rows]. */
void boxplan_longest(const struct boxplan_row *row, int rows, int *longest);

#endif
