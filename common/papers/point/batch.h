/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The L1 balls around a batch of neighbouring centres at once, one centre for each lane of a
 * vector. Lane l is the centre (x+l, c1, c2, ...). All arrays are by offset from the centre, so
 * that lanes read consecutive places:
 *
 *   count      free nodes within a radius
 *   marginals  how they spread over the offsets along each dimension
 *   spread     from these: hops over all pairs of the ball, and from any offset to the ball
 *   shell      the least that some nodes of the next shell can add
 *
 * Balls come from the tables of ball_counts.h; larger balls do not exist here.
 *
 * Offsets along dimension d are places 0 .. places[d]-1, and middle[d] is the centre's place. On a
 * ring every coordinate has one place; a line has 2*side - 1 places.
 *
 * The loops are in batch_vectors.c. All values but counts are floats: wrong by a few units in the
 * last place for each step, exact where all sums are small. Some compilers fuse multiplications
 * and additions. So bounds may differ by a unit between machines, but not what is found with them.
 *
 * Memory: 32 bytes for each of the two ends that a shell has in a row of offsets (up to 2^d ends
 * for each row of the mesh), 25 a row and 4 a node, besides the tables.
 */
#ifndef MESH_BATCH_H
#define MESH_BATCH_H

#include "point/ball_counts.h"

#define BATCH 4 /* lanes */

struct batch {
	const struct mesh *mesh; /* balls.grid, which rows and coordinates refer to */
	struct ball_counts balls; /* balls that are looked up */
	int places[MESH_MAX_DIMS], middle[MESH_MAX_DIMS]; /* offsets, see above */
	int most; /* the most hops between two vertices */
	/* The row of centres, set by batch_turn(). */
	int row_at;
	int centre[MESH_MAX_DIMS]; /* its coordinates; the first one is 0 */
	struct batch_ball {
		int radius;
		float *marginal[MESH_MAX_DIMS]; /* [places][BATCH], room for twice that */
		float *far[MESH_MAX_DIMS];    /* hops from a place to all of it, less a constant */
		float base[BATCH];	      /* the sum of these constants over all dimensions */
		bool ring[MESH_MAX_DIMS];     /* hops between offsets go round */
		int from[MESH_MAX_DIMS], to[MESH_MAX_DIMS]; /* places filled */
	} ball[2]; /* of even radii, and of odd ones (with -1) */
	float *cells; /* [a shell][2][BATCH] scratch */
	struct batch_row {
		int at; /* in balls.weight */
		int first; /* vertex of the mesh */
		int16_t coord[MESH_MAX_DIMS];
	} *rows; /* of the grid */
	bool *used; /* [rows] it has nodes */
	/* Seen from the row of centres near_row: coordinates' places and hops; and the used rows
	 * that are h hops away, h <= near_cap: listed[near[h]] to listed[near[h + 1] - 1]. */
	int near_row, near_cap;
	int *place[MESH_MAX_DIMS], *away[MESH_MAX_DIMS], *near, *listed;
	float *least_pairs; /* see least_pairs.h */
};

/* 0, or -1 when memory is out. The arena owns all memory. */
int batch_init(struct batch *batch, const struct mesh *mesh, struct arena *arena);

/* Read a state, as ball_counts_load() does. */
void batch_load(struct batch *batch, const int *weight, const int *low, const int *high);

/* Turn to this row of centres. */
void batch_turn(struct batch *batch, int row);

/*
 * Set count[BATCH] to the free nodes within radius (-1: none) of the centres from x on. There must
 * be a table for the radius.
 */
void batch_count(struct batch *batch, int radius, int x, int *count);

/*
 * The marginals of the balls of a radius, with room for the next shell; and what follows from
 * them:
 */
struct batch_spread {
	float n[BATCH];	  /* in: nodes in the ball, with fixed ones */
	float slope[BATCH];	  /* in: hops per hop of distance */
	float total[BATCH];	  /* hops over all pairs */
	float steep[BATCH];	  /* in: more hops per hop of distance */
	/* Hops to all of the ball from s are at least nearest + slope * (hops from the centre to
	 * s), and at most farthest + steep * (the same). */
	float nearest[BATCH], farthest[BATCH];
};
struct batch_where {
	int radius, x;	   /* around the centres from x on */
	int *const *fixed; /* [d][coordinate] nodes that count besides, or NULL */
};
void batch_measure(
	struct batch *batch, const struct batch_where *where, struct batch_spread *spread);

/* The ball of this radius, of the two that were measured last. */
static inline struct batch_ball *batch_ball(struct batch *batch, int radius)
{
	return &batch->ball[radius & 1];
}

/*
 * Set added[] to lower bounds of the hops between all of the ball and the nearest t[l] of the
 * all[l] nodes of a shell. With sign -1: of minus the hops to the t[l] farthest.
 */
struct batch_take {
	const struct batch_ball *ball;
	int radius; /* of the shell */
	float sign;
	const int *t, *all; /* [BATCH] */
	int x;
};
void batch_shell(struct batch *batch, const struct batch_take *take, float *added);

/* Write the vertices with nodes `radius` hops from the centre x to vertex[]. Returns how many. */
int batch_list_shell(struct batch *batch, int radius, int x, int *vertex);

/* ---- batch_vectors.c: the parts of batch_measure() and batch_shell() that are vectors ---- */

void batch_marginals(const struct batch *batch, struct batch_ball *ball, int x);
void batch_spread(
	const struct batch *batch, struct batch_ball *ball, struct batch_spread *spread);
void batch_least_of_shell(
	const struct batch *batch, const struct batch_take *take, float *added);

#endif
