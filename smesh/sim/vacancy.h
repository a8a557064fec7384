/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What free nodes are worth: how many boxes of each kind fit side by side, and how many places for
 * a box a failing node or link takes away. A kind is a box of Shapes=, in any orientation; without
 * Shapes= a number of nodes: one vertex's, twice as many, four times, ... in one of the compact
 * boxes for it. Our own measures.
 */
#ifndef SMESH_VACANCY_H
#define SMESH_VACANCY_H

#include "base/nodeset.h"
#include "boxes/boxplan.h"
#include "boxes/largebox.h"

struct vacancy_kind {
	char name[64]; /* 4x4x2, or 32 */
	struct mesh_request request; /* for that many nodes */
};

struct vacancy {
	const struct mesh *mesh;
	struct vacancy_kind *kind; /* [nkinds] by size */
	int nkinds;
	/* Scratch: */
	struct boxplan plan;
	struct bitbox bits;
	struct largebox large; /* the row that is looked at */
	struct nodeset left;
	double *lost; /* [nvertices] places that the vertex is part of */
	double *cut; /* [nvertices * ndims] places that its link up along each dimension is in */
};

/* The mesh must stay valid. The arena owns all memory. */
struct vacancy *vacancy_new(const struct mesh *mesh, struct arena *arena);

/*
 * How many boxes of a kind can be had at once, at least: by first fit, as the strategies for boxes
 * take them. O(rows * (n/64 * sum of log2(sides) + places * volume)).
 */
int vacancy_fit(struct vacancy *vacancy, int kind, const struct nodeset *free);

/*
 * The share of the places where a box of the kind would be free that is lost when one node or one
 * link fails: for the worst free node, for the worst link between two free vertices, and the means
 * over all. Of many rows only the first twelve are looked at. O(n d 2^d) for each.
 */
struct vacancy_loss {
	double worst, mean; /* NAN: there is no place, or no link */
	int node, to; /* the worst node, or nodes at the ends of the worst link; or -1 */
};
struct vacancy_risk {
	struct vacancy_loss node, link;
};
struct vacancy_risk vacancy_risk(struct vacancy *vacancy, int kind, const struct nodeset *free);

/*
 * How many rows of a plan, from the first, are compact boxes for the request: for a shape all; for
 * a number of nodes those with at most a quarter more hops than the best; with Shapes= those that
 * are no larger.
 */
int vacancy_compact(const struct boxplan *plan, const struct mesh_request *request);

#endif
