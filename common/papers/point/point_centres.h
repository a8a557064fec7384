/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lower bounds of the totals around a batch of neighbouring centres, a lane of vectors each.
 *
 * With B the last ball that is smaller than the request, u nodes to go, all of them r hops from
 * the centre or more, f_d(q) the hops from coordinate q to all of B along dimension d, and
 * pairs(u) what u nodes have at least among themselves,
 *
 *     total >= total(B) + u * min over such vertices of sum f_d + pairs(u)
 *           >= total(B) + u * (sum over d of min over q of (f_d(q) - slope*|q-c|) + slope*r)
 *              + pairs(u)
 *
 * for any slope >= 0. That takes the marginals of B only, and is worked out for a batch of
 * neighbouring centres at once (batch.h), rounded down at the end by more than the rounding of
 * the sums. Batches that could win get a better bound from the vertices of the shell themselves.
 */
#ifndef MESH_POINT_CENTRES_H
#define MESH_POINT_CENTRES_H

#include "point/point.h"

/* Balls around the centres, one a lane. */
struct point_sphere {
	struct batch_spread spread;
	float slack[BATCH_MAX]; /* how far sums may be off */
};

struct point_centres {
	int row, x, n;	  /* centres x..x+n-1 of the row */
	int first;	  /* vertex */
	int radius;	  /* of the ball B */
	int count[BATCH_MAX]; /* nodes in B, without required ones */
	int next[BATCH_MAX];  /* nodes within one more hop */
	int apart[BATCH_MAX]; /* hops between the nodes' shells, of few nodes */
	int open[BATCH_MAX];  /* still of interest */
	int ends[BATCH_MAX];  /* and the next shell is its last */
	float least[BATCH_MAX]; /* lower bounds */
	float limit;	  /* what is more cannot win */
	bool outer;	  /* the batch's second ball and the second sphere are of these centres */
	struct point_sphere sphere[2]; /* B, and B with the next shell */
};

/* Work out lower bounds of all open centres; those above the limit are closed. Is one still
 * open? */
bool point_centres_bound(struct point *point, struct point_centres *centres);

/* Better bounds, the cheapest to get first, as long as a centre that ends here could win. Is one
 * open? */
bool point_centres_improve(struct point *point, struct point_centres *centres);

/* The total around a centre that ends here; when it is above limit, any number above limit. */
int64_t point_centres_total(
	struct point *point, const struct point_centres *centres, int lane, int64_t limit);

#endif
