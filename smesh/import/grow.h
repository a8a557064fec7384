/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Grow a grid from one vertex of a graph, neighbour by neighbour, and make a box of it.
 *
 * Two cables at a vertex that are sides of one square run along different dimensions; two that are
 * of none are opposite directions of one. This is only looked at where the growth begins and where
 * a new row begins. All other vertices are placed by two placed neighbours or more, and those first
 * about which the neighbours agree most: those near to what is missing are the last.
 */
#ifndef GROW_H
#define GROW_H

#include "base/heap.h"
#include "import/grids.h"

enum { GROW_FREE = -1, GROW_PLACED = -2 };

struct grow {
	struct arena arena;
	const struct cables *cables;
	struct grids *grids; /* grid_of[] is GROW_FREE, GROW_PLACED or of a grid found before */
	struct grid box; /* while it grows: without end */
	int *member, nmembers; /* the placed, in this order */
	/* Scratch: */
	int *slot; /* [mask + 1] a placed vertex, by a hash of its coordinates, or -1 */
	unsigned mask;
	uint64_t step[GRID_DIMS]; /* what a coordinate weighs in the hash */
	int *edge, nedge; /* free, but a neighbour is placed */
	int *mark, *seen, round; /* [nvertices] */
	struct heap heap;
	uint64_t *said; /* [ncables] see fit.c */
	int64_t budget; /* of looking for rows: what is no grid ends soon */
};

/* The grids are without any. 0, or -1 when memory is out. Its arena frees it. */
int grow_init(struct grow *g, const struct cables *cables, struct grids *grids);

/* How good a beginning a vertex is, at most GROW_MOST_SCORE: its cables, less some for each that
 * has no square with another, which may be missing, and more for one that has none with several. */
int grow_seed_score(struct grow *g, int v);
#define GROW_MOST_SCORE (4 * CABLES_MAX_DEGREE)
/* Place what is free, in coordinates that do not wrap. */
void grow_from(struct grow *g, int seed);
/* Free what was placed, and have the seed alone as the box. */
void grow_alone(struct grow *g, int seed);

/*
 * The box: find the rings, fold the coordinates, put who is left into cells that are (fit.c).
 * False: it would be mostly empty.
 */
bool grow_box(struct grow *g);

/* Nobody is placed anywhere. */
void grow_clear(struct grow *g);
/* Where it is kept who is placed at coordinates: a vertex, or -1. */
int *grow_slot(const struct grow *g, const int *at);
/* Place a vertex. */
void grow_put(struct grow *g, int v, const int *at);
/*
 * The empty place in the box, into at[GRID_DIMS], where most of the placed neighbours of a vertex
 * are beside it. How many are, and in *lead how many more than at the next best.
 */
int grow_best(const struct grow *g, int v, int *at, int *lead);

#endif
