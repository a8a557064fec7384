/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loops over vectors, compiled for each width; batch.c chooses one at run time. Lane l is the
 * centre (x+l, c1, c2, ...). Marks are -1 or 0.
 */
#ifndef MESH_POINT_KERNEL_H
#define MESH_POINT_KERNEL_H

#include "base/mesh.h"
#include "base/nodeset.h"

struct batch;
struct batch_ball;
struct batch_spread;
struct batch_take;

/* Added to the key of a cell without nodes: above all others, and hops can still be added. */
#define POINT_TAKEN (1 << 30)

/*
 * The cells of a last shell, of which nodes are chosen one by one (point_choose.c): its vertices
 * with nodes, in the order of these nodes; or the nodes themselves, if several nodes are on a
 * vertex in any order.
 */
struct point_cells {
	int n;
	int *vertex, *next, *rest; /* [cells] the next node of each, and how many it has left */
	int64_t *far; /* [cells] hops to all that is chosen; or instead of it base + key[]: */
	int64_t base;
	int *key; /* [cells and a vector] within half of POINT_TAKEN, unless the cell has no nodes
		   */
	int *at[MESH_MAX_DIMS];    /* [cells and a vector] coordinates */
	struct nodeset marks;	   /* cells; empty between uses */
};

/*
 * Choose `now` (>= 1) of the `take` nodes still to come. Returns what they add; exact up to limit.
 */
struct point_choice {
	int now, take;
	int64_t limit;
	const float *least; /* the least that t nodes have among themselves */
	int *chosen;	    /* [now] out: cells */
};

struct point_kernel {
	int width;
	/* batch_kernel.h: marginals of balls, what spreads from them, and the lower bounds of
	 * struct batch_take */
	void (*marginals)(struct batch *, struct batch_ball *, int x);
	void (*spread)(struct batch *, struct batch_ball *, struct batch_spread *);
	void (*shell)(struct batch *, const struct batch_take *, int x, float *added);
	/* cells_kernel.h: nodes of a shell */
	int64_t (*choose)(struct point_cells *, const struct mesh *, const struct point_choice *);
};

extern const struct point_kernel point_kernel_4, point_kernel_8;

#endif
