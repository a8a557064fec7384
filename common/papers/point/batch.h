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
 * The loops are in batch_kernel.h, compiled for each width of vectors (point_kernel.h). All values
 * but counts are floats: wrong by a few units in the last place for each step, exact where all
 * sums are small. Fused multiplications are used where the machine has them. So bounds may differ
 * by a unit between machines, but not what is found with them.
 *
 * Memory: 64 bytes for each of the two ends that a shell has in a row of offsets (up to 2^d ends
 * for each row of the mesh), 25 a row and 4 a node, besides the tables.
 */
#ifndef MESH_BATCH_H
#define MESH_BATCH_H

#include "point/ball_counts.h"

#define BATCH_MAX 8

struct point_kernel;

struct batch {
	const struct mesh *mesh; /* balls.grid, which rows and coordinates refer to */
	struct ball_counts balls; /* balls that are looked up */
	const struct point_kernel *kernel;
	int width; /* lanes in use */
	int places[MESH_MAX_DIMS], middle[MESH_MAX_DIMS]; /* offsets, see above */
	int most; /* the most hops between two vertices */
	/* The row of centres, set by batch_turn(). */
	int row_at;
	int centre[MESH_MAX_DIMS]; /* its coordinates; the first one is 0 */
	struct batch_ball {
		int radius;
		float *marginal[MESH_MAX_DIMS]; /* [places][width], room for twice that */
		float *far[MESH_MAX_DIMS];    /* hops from a place to all of it, less a constant */
		float base[BATCH_MAX];	      /* the sum of these constants over all dimensions */
		bool ring[MESH_MAX_DIMS];     /* hops between offsets go round */
		int from[MESH_MAX_DIMS], to[MESH_MAX_DIMS]; /* places filled */
	} ball[2];
	float *cells; /* [a shell][2][width] scratch */
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
 * Set count[width] to the free nodes within radius (-1: none) of the centres from x on. There must
 * be a table for the radius.
 */
void batch_count(struct batch *batch, int radius, int x, int *count);

/*
 * The marginals of the balls of a radius, with room for the next shell; and what follows from
 * them:
 */
struct batch_spread {
	float n[BATCH_MAX];	  /* in: nodes in the ball, with fixed ones */
	float slope[BATCH_MAX];	  /* in: hops per hop of distance */
	float total[BATCH_MAX];	  /* hops over all pairs */
	float nearest[BATCH_MAX]; /* hops to all of the ball from s are at least
				   * nearest + slope * (hops from the centre to s) */
};
struct batch_where {
	int radius, x;	   /* around the centres from x on */
	int *const *fixed; /* [d][coordinate] nodes that count besides, or NULL */
};
void batch_measure(struct batch *batch, struct batch_ball *ball, const struct batch_where *where,
	struct batch_spread *spread);

/*
 * Set added[] to lower bounds of the hops between all of `from` and the nearest t[l] nodes of the
 * shell between ball[0] and ball[1]. With sign -1: of minus the hops to the t[l] farthest.
 */
struct batch_take {
	const struct batch_ball *from;
	float sign;
	const int *t, *all; /* [width] t nodes of all the nodes in the shell */
};
void batch_shell(struct batch *batch, const struct batch_take *take, int x, float *added);

/* Write the vertices with nodes `radius` hops from the centre x to vertex[]. Returns how many. */
int batch_list_shell(struct batch *batch, int radius, int x, int *vertex);

#endif
