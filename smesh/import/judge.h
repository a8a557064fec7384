/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What in a graph is a machine of grids, what is a graph of its own kind, and what is a hub.
 */
#ifndef JUDGE_H
#define JUDGE_H

#include "import/grids.h"

/* Vertices that hang together by cables. */
struct part {
	int cables, inside; /* pairs of vertices, and those that are a grid's */
	int between;	    /* in two grids */
	int missing;	    /* of a grid, both of whose ends are there */
	int odd;	    /* in a grid, but with other lanes than most along their dimension */
	int least, most;    /* lanes that most have along a dimension */
	bool graph;	    /* grids do not explain it */
};

struct parts {
	struct arena arena; /* frees it */
	struct part *part;  /* [nparts] */
	int nparts;
	int *of; /* [nvertices] */
};

/*
 * Which parts grids explain: at most an eighth of the cables (or one) are beside a grid, missing in
 * one or odd, and a quarter between grids; lanes along the dimensions differ by 2 at most. all: no
 * grids are known, and each part of more than a vertex is a graph. 0, or -1 when memory is out.
 * O(cables log cables).
 */
int parts_judge(struct parts *parts, const struct grids *grids, const struct cables *c, bool all);

/*
 * Vertices that three quarters of all are cabled to, and that have twice the cables of any other
 * (the switch of a storage): their cables are taken out. hub[nvertices]; how many, or -1 when
 * memory is out. A star stays as it is.
 */
int hubs_leave_out(struct cables *c, bool *hub);

#endif
