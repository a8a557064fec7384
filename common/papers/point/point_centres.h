/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lower bounds of the totals around a batch of neighbouring centres, one for each lane of a
 * vector.
 *
 * Let B be the last ball that is smaller than the request, u the nodes still to choose, all of
 * them at least r hops from the centre, f_d(q) the hops from coordinate q to all of B along
 * dimension d, and pairs(u) the least that u nodes have among themselves. Then
 *
 *     total >= total(B) + u * min over such vertices of sum f_d + pairs(u)
 *           >= total(B) + u * (sum over d of min over q of (f_d(q) - slope*|q-c|) + slope*r)
 *              + pairs(u)
 *
 * for any slope >= 0. This needs only the marginals of B, and is computed for a batch of
 * neighbouring centres at once (batch.h). At the end it is rounded down by more than the rounding
 * of the sums. Batches that could win get a better bound from the vertices of the shell
 * themselves.
 */
#ifndef MESH_POINT_CENTRES_H
#define MESH_POINT_CENTRES_H

#include "point/point.h"

/* Balls around the centres, one for each lane. */
struct point_sphere {
	struct batch_spread spread;
	float slack[BATCH_MAX]; /* the most that sums may be off */
};

struct point_centres {
	int row, x, n;	  /* centres x..x+n-1 of the row */
	int first;	  /* the first centre's vertex */
	int radius;	  /* of the ball B */
	int count[BATCH_MAX]; /* nodes in B, without required ones */
	int next[BATCH_MAX];  /* nodes within one hop more */
	int apart[BATCH_MAX]; /* the least hops between nodes of shells, for few nodes */
	int open[BATCH_MAX];  /* -1: may still win */
	int ends[BATCH_MAX];  /* -1: and the next shell is its last */
	float least[BATCH_MAX]; /* lower bounds */
	float limit;	  /* a higher total cannot win */
	bool outer;	  /* the batch's second ball and the second sphere are valid */
	struct point_sphere sphere[2]; /* B, and B with the next shell */
};

/* Compute lower bounds of all open centres, and close those above the limit. Is one still open? */
bool point_centres_bound(struct point *point, struct point_centres *centres);

/*
 * Improve the bounds, the cheapest first, as long as a centre that ends here could win. Is one
 * open?
 */
bool point_centres_improve(struct point *point, struct point_centres *centres);

/* The total around a centre that ends here; or any number above limit, if it is above. */
int64_t point_centres_total(
	struct point *point, const struct point_centres *centres, int lane, int64_t limit);

#endif
