/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Decides which parts of a graph are machines of grids, which are graphs of another kind, and what
 * is a hub.
 */
#ifndef SMESH_JUDGE_H
#define SMESH_JUDGE_H

#include "import/grids.h"

/* Vertices that are connected by cables. */
struct part {
	int cables, inside; /* pairs of vertices; those of them that belong to a grid */
	int between;	    /* with ends in two grids */
	int missing;	    /* of a grid that has both ends */
	int odd;	    /* in a grid, with other lanes than most along their dimension */
	int least, most;    /* least and most lanes that a dimension mostly has */
	bool graph;	    /* grids do not explain it */
};

enum { PART_LANES = 2 }; /* in a grid dimensions differ in lanes by this factor at most */

struct parts {
	struct arena arena; /* owns everything */
	struct part *part;  /* [nparts] */
	int nparts;
	int *of; /* [nvertices] */
	int *usual; /* [ngrids * GRID_DIMS] the lanes of most cables along a dimension of a grid */
};

/*
 * Decide which parts grids explain: at most an eighth of the cables (or one) are outside of a
 * grid, missing in one or odd, at most a quarter are between grids, and lanes of dimensions differ
 * by at most PART_LANES. all: no grids are known, and each part of more than one vertex is a graph.
 * O(cables log cables).
 */
void parts_judge(struct parts *parts, const struct grids *grids, const struct cables *c, bool all);

/*
 * Find hubs: vertices that are cabled to three quarters of all, with twice the cables of any other
 * vertex (the switch of a storage). Their cables are removed. hub[nvertices]. Returns how many. A
 * star stays as it is, and so do vertices that are all cabled to each other.
 */
int hubs_leave_out(struct cables *c, bool *hub);

#endif
