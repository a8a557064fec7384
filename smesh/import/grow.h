/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Grows a grid from one vertex of a graph, neighbour by neighbour, and makes a box of it.
 *
 * Two cables at a vertex that are sides of a square run along different dimensions. Two cables
 * that share no square are opposite directions of one dimension. These rules are applied only
 * where the growth begins and where a new row begins. Every other vertex is placed by at least two
 * placed neighbours. Vertices about which the neighbours agree most come first; those near a gap
 * come last.
 */
#ifndef SMESH_GROW_H
#define SMESH_GROW_H

#include "base/heap.h"
#include "import/grids.h"

enum { GROW_FREE = -1, GROW_PLACED = -2 };

struct grow {
	struct arena arena;
	const struct cables *cables;
	struct grids *grids; /* grid_of[] is GROW_FREE, GROW_PLACED or an earlier grid */
	struct grid box; /* without end while it grows */
	int *member, nmembers; /* the placed vertices, in this order */
	/* Scratch: */
	int *slot; /* [mask + 1] a placed vertex, by a hash of its coordinates, or -1 */
	unsigned mask;
	uint64_t step[GRID_DIMS]; /* the weight of a coordinate in the hash */
	int *edge, nedge; /* free vertices with a placed neighbour */
	int *mark, *seen, round; /* [nvertices] */
	struct heap heap;
	uint64_t *said; /* [ncables] what cables tell about rings */
	int64_t budget; /* for the search of rows: it ends soon where there is no grid */
};

/*
 * Find grids, each from the best vertex that is left (find.c). beginning: 0, or one of 1 to
 * BEGINNINGS others. *budget: what is left of it. As grids_find(), but err may be NULL: no names.
 */
int grids_grow(struct grids *grids, const struct cables *c, int beginning, int64_t *budget,
	struct mesh_err *err);
enum { BEGINNINGS = 8 };
/* What the search may take for a graph. */
int64_t grow_budget(const struct cables *cables);

/* `grids` must have no grid, and the caller sets the budget. g->arena owns all memory. */
void grow_init(struct grow *g, const struct cables *cables, struct grids *grids);

/*
 * How good a vertex is to begin with, at most GROW_MOST_SCORE: its cables; less for each cable
 * that shares no square with another, as squares may be missing; more for one that shares none
 * with several.
 */
int grow_seed_score(struct grow *g, int v);
#define GROW_MOST_SCORE (4 * CABLES_MAX_DEGREE)
/* Place free vertices from the seed on, in coordinates that do not wrap. */
void grow_from(struct grow *g, int seed);
/* Free the placed vertices, and make the seed alone the box. */
void grow_alone(struct grow *g, int seed);

/*
 * Make the box: find the rings, fold the coordinates, and put vertices that are left into empty
 * cells. False: it would be mostly empty.
 */
bool grow_box(struct grow *g);

#endif
