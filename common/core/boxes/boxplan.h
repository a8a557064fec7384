/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which boxes would serve a request, the best first, whatever is free.
 *
 * For a shape: its orientations in the order of Bani-Mohammad et al. (prohibited.h): (a,b,c),
 * (a,c,b), (b,a,c), (b,c,a), (c,a,b), (c,b,a), equal ones once; with norotate the given one alone;
 * with fold these first and then the boxes that it can be folded into, by mean hops. For a number
 * of nodes: the boxes that hold them and are minimal (no side can shrink), by mean hops of the
 * vertices used, then by volume.
 *
 * Where the mesh has a list of legal boxes (mesh->legal) only these are planned, those for a number
 * of nodes by volume, then mean hops; with mesh->legal_exact only those of exactly that many nodes.
 * Where a box may lie is up to bitbox.h.
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
	int group; /* rows of equal merit, or orientations of one shape, are one group */
};

struct boxplan {
	const struct mesh *mesh;
	struct boxplan_row *row; /* [count], best first */
	int count;
	int room;
	/* [longest side of the machine] scratch. Not on the stack: a frame of 128 KiB for each side
	 * of each row, looked over page by page (-fstack-clash-protection), takes thrice as long
	 * as the plan. */
	int *marginal;
	/* What it was made for, if it was: many questions are for the same box. Who changes row[]
	 * makes it false. */
	bool made;
	int made_count, made_extent[MESH_MAX_DIMS];
	struct mesh_shape made_shape;
};

/* 0, or -1 when memory is out. The arena frees it. */
int boxplan_init(struct boxplan *plan, const struct mesh *mesh, struct arena *arena);

/*
 * Fill plan->row for a request; request->count must be set. A box for a number of nodes has
 * at least the sides extent[ndims], those of the required nodes, and is minimal above them.
 * 0, or -1 with text when no box can serve it however idle the machine is.
 * O(rows * (sum of sides + log rows)), or nothing if it is what was asked for last.
 */
int boxplan_make(struct boxplan *plan, const struct mesh_request *request, const int *extent,
	struct mesh_err *err);

/*
 * The nodes of a whole box of this shape, or walk, at least 1, if the mesh could hold one when
 * idle; 0 with text if it never can; -1 when memory is out, and the answer is not known.
 */
int boxplan_shape_nodes(const struct mesh *mesh, const struct mesh_shape *shape,
	struct mesh_err *err);

/* Sum of hops over pairs of the first `count` vertices, in snake order, of a box of side[ndims].
 * O(sides). */
int64_t boxplan_hops(const struct boxplan *plan, const int *side, int64_t count);

/* The longest sides of row[rows], along each dimension, into longest[MESH_MAX_DIMS]. */
void boxplan_longest(const struct boxplan_row *row, int rows, int *longest);

#endif
