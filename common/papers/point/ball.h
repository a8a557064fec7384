/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Balls on a mesh or torus: how many free nodes lie within a radius of a centre, how they spread
 * over the coordinates (marginals), and which lie on the last shell. For many centres in a row at
 * once, in any number of dimensions.
 *
 * Two kinds of ball around a centre c:
 *   hops    radius = hops (L1). Shell r: the vertices at exactly r hops.
 *   boxes   shell 0 is the box from c - below[] to c + above[]; shell r is what the box gains when
 *           it grows from r-1 to r on every side (L-infinity; cubes if below = above = 0).
 *
 * A ball is a stack of intervals along dimension 0, one for each row of the mesh. Prefix sums give
 * the free nodes in an interval by two look-ups. Consecutive centres look up consecutive places,
 * so loops over centres vectorise. On a ring an interval is at most the ring, so the table goes
 * round once more at both ends.
 *
 * Memory for cubic meshes: 4 ints a vertex (16 bytes) and a little for the sides; boxes take 3
 * ints more, times (1 + 1/side) for each further dimension. A radius for neighbouring centres
 * costs O(rows of the ball) loops over them. Counting boxes takes 2^(d-1) loops (3^(d-1) where
 * they run over the edge of a torus), whatever their size.
 *
 * A ball_space is scratch memory for one mesh and one thread at a time. ball_hops() or
 * ball_boxes() sets the kind. Then call ball_load() once for a state, and ball_row() for each row
 * of centres: centres that differ in the first coordinate only. The functions after it get that
 * coordinate x.
 */
#ifndef MESH_BALL_H
#define MESH_BALL_H

#include <stdint.h>

#include "base/mesh.h"
#include "base/nodeset.h"

/* The most centres that ball_count() takes at once. */
#define BALL_CENTRES 64

struct ball_near { /* a row of the mesh, seen from a row of centres */
	int row;   /* vertex / side[0] */
	int used;  /* the part of the radius that is used up on the way to the row */
};

struct ball_space {
	const struct mesh *mesh;
	bool boxes; /* the kind; otherwise hops */
	int below[MESH_MAX_DIMS], above[MESH_MAX_DIMS];
	int *weight;	/* [nvertices and a vector] free nodes, as loaded */
	int64_t total;	/* the sum of weight[] */
	int pitch;	/* the length of a row in the tables */
	int *along;	/* [rows][pitch]: free nodes before x, x = -side..2*side */
	/* For boxes, or NULL: the sum of along[] over the rows before a corner,
	 * [corners][pitch] with corners = product of (side[d]+1 or 1) for d >= 1. */
	int *corner;
	int corner_stride[MESH_MAX_DIMS]; /* 0: a side of 1, which is always whole */
	int ncorners;
	int nrows;
	/* The row of centres, set by ball_row(). */
	int row;
	const int16_t *centre; /* its coordinates; the first one is 0 */
	int cap; /* near rows up to this radius are listed */
	struct ball_near *near, *spare;
	struct ball_near *line; /* scratch for one dimension, [longest side but the first] */
	int nnear;
};

/*
 * boxes: for both kinds; otherwise only for hops. 0, or -1 when memory is out. The arena owns all
 * memory.
 */
int ball_init(
	struct ball_space *space, const struct mesh *mesh, bool boxes, struct arena *arena);

/*
 * Set the kind: L1 balls, or boxes from c-below to c+above (both [ndims], >= 0). Before
 * ball_row().
 */
void ball_hops(struct ball_space *space);
void ball_boxes(struct ball_space *space, const int *below, const int *above);

/* Load the free nodes that are not in `except` (or NULL). O(n). */
void ball_load(struct ball_space *space, const struct nodeset *free_set,
	const struct nodeset *except);

/* Turn to the centres of this row, for radii up to cap. */
void ball_row(struct ball_space *space, int row, int cap);

/* The part of a radius that is used up along dimension d from the centre's coordinate c to q. */
int ball_axis(const struct ball_space *space, int d, int c, int q);

/*
 * After ball_row(): count the free nodes within radius (-1: none) of the centres x..x+n-1, n <=
 * BALL_CENTRES.
 */
void ball_count(const struct ball_space *space, int radius, int x, int n, int *count);

/* Add the marginals of the ball around one centre to count[d][side[d]]. */
void ball_add_marginals(const struct ball_space *space, int radius, int x, int *const *count);

/*
 * Write the vertices with free nodes on the shell around the centre x to vertex[] (room for
 * nvertices). Returns how many.
 */
int ball_shell(const struct ball_space *space, int radius, int x, int *vertex);

/* The same for the whole ball. */
int ball_inside(const struct ball_space *space, int radius, int x, int *vertex);

#endif
