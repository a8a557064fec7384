/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sets of nodes around a point: the engine of the point strategies (strategy_point.c names the
 * papers).
 *
 * The set around a centre c, exactly, so that results can be reproduced:
 *   1. the required nodes;
 *   2. of the other free nodes whole shells around c, the nearest first (ball.h has both kinds
 *      of shells), while they fit;
 *   3. of the first shell that does not fit, one node after another: each time the one with the
 *      fewest hops to all that is chosen so far, of those the lowest node number.
 * The total is the sum of hops over all pairs. The best centre has
 *   - hops:   the least total, then the lowest vertex number;
 *   - boxes:  the least cost = sum of the chosen nodes' shell numbers, required ones included,
 *             then the least total, then the lowest vertex number.
 *
 * tests/unit/point/plain_point.c does the same in the plainest way.
 *
 * How the best centre is found: point_hops.c and point_boxes.c ask for bounds of neighbouring
 * centres, and look closely at those that could still win.
 *
 *   point_hops.c    a good centre to begin with; then every row of centres in batches of a vector's
 *                   length
 *   point_boxes.c   every row by the counts of its boxes; a close look at those that tie
 *   point_centres.c bounds of a batch of centres, from their balls' marginals (batch.h)
 *   point.c         a close look: marginals of the ball (ball.h), hops to all of it
 *   point_choose.c    and the nodes of the last shell, cell by cell
 *   ball.h          counts and marginals of one centre, from sums along rows
 *   batch.h         the same of many centres, from tables of balls by radius (ball_counts.h);
 *                   centres whose balls are larger are looked at one by one
 *   least_pairs.h   what nodes have among themselves at least
 *
 * A bound is never above the total, so a centre that is left out could not have won. When the
 * search begins, part of the budget is set aside for what follows it.
 *
 * Memory: ball.h's, batch.h's with ball_counts.h, 16 bytes a vertex, and 36 a cell (48 in 4 to 6
 * dimensions): about 1 kB a vertex if all balls are in tables, half of that on large machines.
 * Memory for balls that no job needed is never touched.
 */
#ifndef MESH_POINT_H
#define MESH_POINT_H

#include "point/ball.h"
#include "base/budget.h"
#include "point/batch.h"
#include "ask/strategy.h"

/*
 * The cells of a last shell, of which nodes are chosen one by one (point_choose.c): its vertices
 * with nodes, in the order of these nodes; or the nodes themselves, if several nodes are on a
 * vertex in any order.
 */
struct point_cells {
	int n; /* with nodes left */
	int *vertex, *next, *rest; /* [cells] the next node of each, and how many it has left */
	/* Cells with nodes left, in any order: */
	int64_t *key; /* [n] hops to all that is chosen, and the cell's number */
	int *at[MESH_MAX_DIMS]; /* [n] coordinates */
	int *place; /* [cells] where a cell stands there */
	struct nodeset marks; /* cells; empty between uses */
};

struct point {
	const struct mesh *mesh;
	struct ball_space space;
	struct batch batch;
	/* The decision in progress. */
	const struct nodeset *free, *required;
	int wanted;  /* nodes besides the required ones */
	int nrequired;
	int *fixed[MESH_MAX_DIMS];   /* [side] marginals of the required nodes */
	struct mesh_budget budget;
	int64_t reserved; /* ns of the budget, set aside for what comes after the search */
	/* One centre: the hops from a coordinate to all that is chosen. */
	int64_t *far[MESH_MAX_DIMS];
	int *count[MESH_MAX_DIMS]; /* [side] marginals of what is chosen */
	int radius;	    /* of the centre's ball */
	int *vertex;	    /* [nvertices + 1] */
	struct point_cells cells;
	/* Boxes: the centres with the least cost. */
	struct point_bound *bound; /* [nvertices] */
	int nbound;
	bool ordered;	/* nodes are numbered in the order of their vertices */
	int *const *beyond; /* fixed[], or NULL if no node is required */
	int low[MESH_MAX_DIMS], high[MESH_MAX_DIMS]; /* hops: the range of centres */
	bool anywhere; /* every vertex in this range may be a centre */
	int shell_pair; /* hops: between vertices of a shell, for a few nodes; else 0 */
	int64_t *volume; /* [sum of sides] nodes of a ball of hops in an endless mesh */
	int sides;	/* their sum */
	float slope, steep;	/* see point_hops.c */
	float rounding; /* of sums in floats, relative */
	struct nodeset used[MESH_MAX_DIMS]; /* coordinates of free and required nodes, when
					       searching by hops */
};

struct point_bound {
	int vertex;
	int radius; /* of the last whole shell; boxes: that holds all nodes wanted */
	bool full; /* boxes: every node up to this radius is free, and no border of the mesh is in
		      the way */
};

/* Which centres to search, and what to minimise. */
struct point_search {
	bool free_only; /* centres are vertices with a free node; otherwise, by hops only,
			   crossings of free nodes' coordinates */
	/* The best so far: begin with INT64_MAX for both, and the vertex -1. */
	int64_t cost, total; /* cost: boxes only */
	int vertex;
	bool seen_full; /* a centre was seen whose ball is all free */
	bool out_of_time;
};

/*
 * boxes: also for boxes; else only for hops. 0, or -1 when memory is out. The arena owns all
 * memory.
 */
int point_init(struct point *point, const struct mesh *mesh, bool boxes, struct arena *arena);

/* Read a state and a request. The space's kind of ball must be set. */
void point_load(struct point *point, const struct mesh_state *state,
	const struct mesh_request *request);

/* Are at least `ns` nanoseconds left for each vertex of the machine? */
bool point_has_time(const struct point *point, int ns);

/* Is the budget used up? */
bool point_late(struct point *point);

/*
 * Find the best centre, by hops or boxes as the space is set. If it beats *search, set
 * search->vertex, ->total and, for boxes, ->cost.
 */
void point_best_hops(struct point *point, struct point_search *search);
void point_best_boxes(struct point *point, struct point_search *search);

/*
 * The total around a centre; or any number above limit, if the total is above it. guess: a radius
 * to begin with. Call ball_row() again before looking at centres of other rows.
 */
int64_t point_total(struct point *point, int centre, int guess, int64_t limit);

/*
 * The most that a centre's total may be to become the best; and make the centre the best if it is.
 */
int64_t point_limit(const struct point_search *search, int vertex);
void point_improve(struct point *point, struct point_search *search, int vertex, int64_t total);

/* Compute one centre's total, and make the centre the best if it is. */
void point_look(struct point *point, struct point_search *search, const struct point_bound *b);

/* A centre's ball that is smaller than the request. */
struct point_ball {
	int centre, radius;
	int take;	/* nodes of the next shell */
	int64_t inside; /* the ball's total; point->far[] are the hops to the ball */
};

/*
 * The total around the centre; or any number above limit, if it is above or time is up. The n
 * vertices of the next shell are in point->vertex[]. node: as for point_choose().
 */
int64_t point_total_beyond(struct point *point, const struct point_ball *ball, int n,
	int64_t limit, int *node);

/* ---- shared by point.c and point_choose.c ---- */

/* 0, or -1 when memory is out. The arena owns all memory. */
int point_cells_init(
	struct point_cells *cells, const struct mesh *mesh, bool ordered, struct arena *arena);

/* The first free node, from mesh->node_at[from] on, that is not required; there must be one. */
int point_next_node(const struct point *point, int from);

/* The first shell that does not fit: point->vertex[0..n-1]. */
struct point_shell {
	int centre, radius, n;
	int take; /* nodes */
};

/*
 * Choose nodes of the shell greedily; far[] has the hops to all inside it. Returns what they add
 * to the total; or more than limit, as soon as that is certain or time is up. node[] (or NULL) is
 * then filled up with the nearest to those chosen so far.
 */
int64_t point_choose(
	struct point *point, const struct point_shell *shell, int64_t limit, int *node);

/* May v be a centre? */
bool point_is_centre(const struct point *point, const struct point_search *search, int v);

/*
 * Write the set around a centre to node[], in any order, and its total to *total. Returns how
 * many. Called at the end: the part of the budget that was set aside is for this.
 */
int point_take(struct point *point, int centre, int *node, int64_t *total);

#endif
