/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lower bounds of the totals around a run of neighbouring centres, a lane of vectors each.
 *
 * With B the last ball that is smaller than the request, u nodes to go, all of them r hops from
 * the centre or more, f_d(q) the hops from coordinate q to all of B along dimension d, and
 * pairs(u) what u nodes have at least among themselves,
 *
 *     total >= total(B) + u * min over such vertices of sum f_d + pairs(u)
 *           >= total(B) + u * (sum over d of min over q of (f_d(q) - slope*|q-c|) + slope*r)
 *              + pairs(u)
 *
 * for any slope >= 0. That takes the marginals of B only, and is worked out for a run of
 * neighbouring centres at once (batch.h), rounded down at the end by more than the rounding of
 * the sums. Runs that could win get a better
 * bound from the vertices of the shell themselves.
 */
#ifndef MESH_POINT_RUN_H
#define MESH_POINT_RUN_H

#include "point/point.h"

/* Balls around the centres of a run, by the lanes. Marks of lanes are -1, or 0. */
struct point_sphere {
	struct lanes_spread spread;
	float slack[LANES_MAX]; /* how far sums may be off */
};

struct point_run {
	int row, x, n;	  /* centres x..x+n-1 of the row */
	int first;	  /* vertex */
	int radius;	  /* of the ball B */
	int count[LANES_MAX]; /* nodes in B, without required ones */
	int next[LANES_MAX];  /* nodes within one more hop */
	int open[LANES_MAX];  /* still of interest */
	int ends[LANES_MAX];  /* and the next shell is its last */
	float least[LANES_MAX]; /* lower bounds */
	float limit;	  /* what is more cannot win */
	bool outer;	  /* the lanes' second ball and the second sphere are this run's */
	struct point_sphere sphere[2]; /* B, and B with the next shell */
};

/* The run's n centres are open. */
void point_run_open(const struct point *point, struct point_run *run);

/* Does an open centre have as many nodes in B? */
bool point_run_filled(const struct point *point, const struct point_run *run);

/* Which open centres end in the next shell; is there one? */
bool point_run_ends(const struct point *point, struct point_run *run);

/* Lower bounds of all open centres; those above the limit are closed. Is one open? */
bool point_run_bound(struct point *point, struct point_run *run);

/* Better bounds as long as a centre that ends here could win, the cheapest first; is one open? */
bool point_run_improve(struct point *point, struct point_run *run);

/* Those that end are closed: a bit for each. Is another one open? */
unsigned point_run_settle(const struct point *point, struct point_run *run, bool *open);

/* The total around a centre of the run that ends here, or anything above limit when it is. */
int64_t point_run_total(struct point *point, const struct point_run *run, int lane, int64_t limit);

/* ---- point_kernel.h, for the lanes' width ---- */

/* Nodes of the next shell, of centres that end there. */
struct point_shares {
	int taken[LANES_MAX], left[LANES_MAX], all[LANES_MAX];
	bool fewer_left; /* all centres together */
};

/* Of all cells `now` nodes of the `take` to come, one or more; what they add is above limit, or right. */
struct point_choice {
	int now, take;
	int64_t limit;
	int nshell;	    /* what t nodes have among themselves at least: shell[t], t < nshell, */
	const float *shell; /* for t nodes of the shell, */
	const float *least; /* or of all */
	int *chosen;	    /* [now] out: cells */
};

struct point_kernel {
	void (*open)(struct point_run *);
	bool (*filled)(const struct point_run *, int);
	bool (*ends)(struct point_run *, int);
	void (*begin)(const struct point *, const int *, struct lanes_spread *);
	void (*slack)(const struct point *, const int *, struct point_sphere *);
	bool (*bound)(const struct point *, struct point_run *);
	bool (*shares)(const struct point_run *, int, struct point_shares *);
	bool (*raise)(const struct point *, struct point_run *, const struct lanes_take *,
		const struct point_sphere *, const float *);
	unsigned (*settle)(struct point_run *, bool *);
	int64_t (*choose)(struct point_cells *, const struct mesh *, const struct point_choice *);
};

extern const struct point_kernel point_kernel_4, point_kernel_8, point_kernel_16;

const struct point_kernel *point_kernel(const struct point *point);

#endif
