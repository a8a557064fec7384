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

struct point_centres {
	int row, x, n;	  /* centres x..x+n-1 of the row */
	int first;	  /* the first centre's vertex */
	int radius;	  /* of the ball B */
	int count[BATCH]; /* nodes in B, without required ones */
	int next[BATCH];  /* nodes within one hop more */
	int apart[BATCH]; /* the least hops between nodes of shells, for few nodes */
	int open[BATCH];  /* -1: may still win */
	int ends[BATCH];  /* -1: and the next shell is its last */
	float least[BATCH]; /* lower bounds */
	float limit;	  /* a higher total cannot win */
	/* The balls that were measured last: of even radii, and of odd ones (with -1). */
	struct point_sphere {
		int radius;
		struct batch_spread spread;
		float slack[BATCH]; /* the most that sums may be off */
	} sphere[2];
};

/* Compute lower bounds of all open centres, and close those above the limit. Is one still open? */
bool point_centres_bound(struct point *point, struct point_centres *centres);

/* Improve the bounds of centres that end here by the nodes of the next shell. */
void point_centres_improve(struct point *point, struct point_centres *centres);

/* The total around a centre that ends here; or any number above limit, if it is above. */
int64_t point_centres_total(
	struct point *point, const struct point_centres *centres, int lane, int64_t limit);

#endif
