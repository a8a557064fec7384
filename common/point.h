/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sets of nodes around a point: the engine of the point strategies.
 *
 * What is chosen around a centre c, exactly, so that results can be reproduced:
 *   1. the required nodes;
 *   2. of the other free nodes whole shells around c, the nearest first (ball.h has both kinds
 *      of shells), while they fit;
 *   3. of the first shell that does not fit, one node after another, each time the one whose
 *      hops to all that is chosen so far are the fewest, and of those the lowest node number.
 * The total is the sum of hops over all pairs. The best centre has
 *   - hops:   the least total, then the lowest vertex number;
 *   - boxes:  the least cost = sum of the chosen nodes' shell numbers, required ones counted
 *             too, then the least total, then the lowest vertex number.
 *
 * tests/unit/plain_point.c says the same in the plainest way.
 *
 * Memory: ball.h's, and 48 bytes a vertex and 4 a node; linear in the machine.
 */
#ifndef MESH_POINT_H
#define MESH_POINT_H

#include "ball.h"
#include "strategy.h"

struct point_cell; /* a vertex of the last shell */

struct point {
	const struct mesh *mesh;
	struct ball_space space;
	/* The decision at hand. */
	const struct nodeset *free, *required;
	int wanted;  /* nodes besides the required ones */
	int nrequired;
	int *fixed[MESH_MAX_DIMS];   /* [side] marginals of the required nodes */
	int64_t deadline; /* CLOCK_MONOTONIC, 0: none */
	/* One centre: hops from a coordinate to all that is chosen. */
	int64_t *far[MESH_MAX_DIMS];
	int *count[MESH_MAX_DIMS]; /* [side] marginals of what is chosen */
	int *vertex;	    /* [nvertices] */
	struct point_cell *cell; /* [nvertices] a heap */
	/* All centres: lower bounds, as a heap. */
	struct point_bound *bound; /* [nvertices] */
	int nbound;
	float *lane_far[MESH_MAX_DIMS]; /* [places][BALL_LANES], as the space's marginal[] */
	float *away; /* [longest of the sides, or 2 side[0]] */
	float *least; /* [nnodes+1] no n nodes have a lower total, on any mesh */
	struct nodeset used[MESH_MAX_DIMS]; /* coordinates of free nodes */
};

struct point_bound {
	double least;
	int vertex;
	int radius; /* of the last whole shell */
};

/* What to minimise around which centres. */
struct point_search {
	bool free_only; /* centres are vertices with a free node; otherwise see grid */
	bool grid;	/* centres are the crossings of free nodes' coordinates */
	/* The best so far: start with best = INT64_MAX. */
	int64_t cost, total;
	int vertex;
	bool out_of_time;
};

/* For boxes too, or for hops only. */
int point_init(struct point *point, const struct mesh *mesh, bool boxes, struct mesh_err *err);
void point_release(struct point *point);

/* Take over a state and a request. The space's kind of ball must be set. */
void point_load(struct point *point, const struct mesh_state *state,
	const struct mesh_request *request);

/* Is the budget used up? */
bool point_late(const struct point *point);

/*
 * The best centre, hops or boxes as the space is set. Improves search->cost and ->total, and
 * sets ->vertex when it does (otherwise it is left alone).
 */
void point_best_hops(struct point *point, struct point_search *search);
void point_best_boxes(struct point *point, struct point_search *search);

/*
 * The total around a centre, or anything above limit when it is above. guess: a radius to start
 * from. The centres of other rows must be turned to again (ball_row()) after it.
 */
int64_t point_total(struct point *point, int centre, int guess, int64_t limit);

/* May v be a centre? */
bool point_is_centre(const struct point *point, const struct point_search *search, int v);

/* The set around a centre into node[], in any order; how many. Its total is in *total. */
int point_take(struct point *point, int centre, int *node, int64_t *total);

#endif
