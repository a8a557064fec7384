/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What free nodes are worth: how many boxes of each kind they hold side by side, and how many
 * places for one a failing node or link takes. A kind is a box of Shapes=, in any orientation;
 * without Shapes= so many nodes, one vertex's, twice as many, four times, ... in one of the compact
 * boxes for that. Our own.
 */
#ifndef SIM_VACANCY_H
#define SIM_VACANCY_H

#include "base/nodeset.h"
#include "boxes/boxplan.h"
#include "boxes/places.h"

struct vacancy_kind {
	char name[64]; /* 4x4x2, or 32 */
	struct mesh_request request; /* of so many nodes */
};

struct vacancy {
	const struct mesh *mesh;
	struct vacancy_kind *kind; /* [nkinds] by size */
	int nkinds;
	/* Scratch: */
	struct boxplan plan;
	struct bitbox bits;
	struct places places;
	struct nodeset left;
	double *lost; /* [nvertices] places that it is part of */
	double *cut; /* [nvertices * ndims] places that its link up along each dimension is in */
};

/* NULL when memory is out. The mesh must stay. The arena frees it. */
struct vacancy *vacancy_new(const struct mesh *mesh, struct arena *arena);

/*
 * How many boxes of a kind can be had at once, at least: first fit, as the strategies for boxes
 * take them. O(rows * (n/64 * sum of log2(sides) + places * volume)).
 */
int vacancy_fit(struct vacancy *vacancy, int kind, const struct nodeset *free);

/*
 * Of the places where a box of the kind would be free, the share that is lost when one node or one
 * link fails: of the worst free node, and of the worst link between two free vertices, and the mean
 * of all these. Of many rows the first twelve are looked at. O(n d 2^d) for each.
 */
struct vacancy_loss {
	double worst, mean; /* NAN where there is no place, or no link */
	int node, to; /* the worst node, or a node at each end of the worst link; or -1 */
};
struct vacancy_risk {
	struct vacancy_loss node, link;
};
struct vacancy_risk vacancy_risk(struct vacancy *vacancy, int kind, const struct nodeset *free);

/*
 * How many rows of a plan, from the first, are compact boxes for the request: all of a shape; of a
 * number of nodes those with at most a quarter more hops than the best, with Shapes= those that are
 * no larger.
 */
int vacancy_compact(const struct boxplan *plan, const struct mesh_request *request);

#endif
