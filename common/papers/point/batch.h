/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The L1 balls around a batch of neighbouring centres at once, one centre a lane of a vector.
 * Lane l is the centre (x+l, c1, c2, ...). Everything is held by offset from the centre, so that
 * the lanes read consecutive places:
 *
 *   count      free nodes within a radius
 *   marginals  how they spread over the offsets along each dimension
 *   spread     from these, hops over all pairs of the ball, and from any offset to the ball
 *   shell      the least that some nodes of the next shell can add to it
 *
 * Balls are looked up as far as they are kept (ball_counts.h): there are no others here.
 *
 * Offsets along dimension d are kept as places 0 .. places[d]-1, place middle[d] being the
 * centre's; on a ring every coordinate has one place, on a line there are 2*side - 1.
 *
 * The loops are in batch_kernel.h, compiled for each width of vectors (point_kernel.h). All but the
 * counts are floats: wrong by a few units in the last place for each step, exact where all sums are
 * small. Fused multiplications are used where the machine has them, so that bounds may differ by a
 * unit from machine to machine, but not what is found with them.
 *
 * Memory: 64 bytes for each of the two ends that a shell has in a row of offsets (up to 2^d ends
 * for each row of the mesh) and 4 a node, besides the tables named above.
 */
#ifndef MESH_BATCH_H
#define MESH_BATCH_H

#include <stddef.h>

#include "point/ball_counts.h"

#define BATCH_MAX 8

struct point_kernel;

struct batch {
	const struct mesh *mesh; /* balls.grid: rows and coordinates are of it */
	struct ball_counts balls; /* balls that are looked up */
	const struct point_kernel *kernel;
	int width; /* lanes in use */
	int places[MESH_MAX_DIMS], middle[MESH_MAX_DIMS]; /* offsets, see above */
	int most; /* the most hops between two vertices */
	/* The row of centres, from batch_turn(). */
	int row_at;
	int centre[MESH_MAX_DIMS]; /* its coordinates; the first one is 0 */
	struct batch_ball {
		int radius;
		float *marginal[MESH_MAX_DIMS]; /* [places][width], room for twice that */
		float *far[MESH_MAX_DIMS];    /* hops from a place to all of it, less a constant */
		float base[BATCH_MAX];	      /* those constants, of all dimensions together */
		bool ring[MESH_MAX_DIMS];     /* hops between offsets go round */
		int from[MESH_MAX_DIMS], to[MESH_MAX_DIMS]; /* places filled */
	} ball[2];
	float *cells; /* [a shell][2][width] scratch */
	float *least_pairs; /* least_pairs.h */
};

/* 0, or -1 when memory is out. The arena frees it. */
int batch_init(struct batch *batch, const struct mesh *mesh, struct arena *arena);

/* Take over a state, as ball_counts_load(). */
void batch_load(struct batch *batch, const int *weight, const int *low, const int *high);

/* Turn to this row of centres. */
void batch_turn(struct batch *batch, int row);

/* Free nodes within radius (-1: none), of which there is a table, of the centres from x on, into
 * count[width]. */
void batch_count(struct batch *batch, int radius, int x, int *count);

/* Marginals of the balls with this radius, with room for the next shell, and from these: */
struct batch_spread {
	float n[BATCH_MAX];	  /* in: nodes in the ball, fixed ones too */
	float slope[BATCH_MAX];	  /* in: hops that one more hop of distance is worth */
	float total[BATCH_MAX];	  /* hops over all pairs */
	float nearest[BATCH_MAX]; /* hops to all of the ball from s are at least
				   * nearest + slope * (hops from the centre to s) */
};
struct batch_where {
	int radius, x;	   /* around the centres from x on */
	int *const *fixed; /* [d][coordinate] nodes to count besides, or NULL */
};
void batch_measure(struct batch *batch, struct batch_ball *ball, const struct batch_where *where,
	struct batch_spread *spread);

/*
 * Lower bounds of the hops between all of `from` and t[l] nodes of the shell between ball[0] and
 * ball[1], the nearest; or with sign -1 of minus those of the t[l] farthest.
 */
struct batch_take {
	const struct batch_ball *from;
	float sign;
	const int *t, *all; /* [width] of so many nodes in the shell */
};

#endif
