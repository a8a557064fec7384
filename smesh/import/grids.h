/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Finds meshes and tori in a graph, and the place of each vertex in them.
 */
#ifndef SMESH_GRIDS_H
#define SMESH_GRIDS_H

#include <stdbool.h>

#include "base/limits.h"
#include "import/cables.h"

/* During the search a ring of four is two dimensions of two: the graphs are the same. */
#define GRID_DIMS (2 * MESH_MAX_DIMS)

struct grid {
	char name[MESH_MAX_NAME]; /* "": it has none yet */
	int ndims;
	int side[GRID_DIMS];
	bool wrap[GRID_DIMS];
	bool said; /* the sides are, and so are not what coordinates need */
};

struct grids {
	struct arena arena; /* owns everything; the caller releases it */
	struct grid *grid; /* [ngrids] */
	int ngrids;
	int *grid_of;		/* [nvertices] -1: in no grid */
	int (*at)[GRID_DIMS];	/* [nvertices] coordinates */
	int nvertices;
};

/*
 * Find the grids of a graph; every vertex is in one, if need be alone. 0; 1 with text: there are
 * none (too many cables at a vertex, dimensions or pieces).
 *
 * O(cables * degree) and some O(vertices) for each grid. A ring of four is the same graph as a
 * square. It counts as a ring, unless the graph is only a square or a cube.
 */
int grids_find(struct grids *grids, const struct cables *c, struct mesh_err *err);

/* Make room for vertices that are in no grid. */
void grids_init(struct grids *grids, int nvertices);
/* Add a zeroed grid; NULL: there are MESH_MAX_MESHES. */
struct grid *grids_add(struct grids *grids);

/* The coordinate next to `at` along d, up (sign 1) or down (-1); -1: the grid ends there. */
int grid_next(const struct grid *grid, int d, int at, int sign);
/* The cell above another along d; -1: the grid ends there. */
int grid_up(const struct grid *grid, int cell, int d);
/* Loop over the cells and those above them along each dimension. */
#define grid_pairs(cell, up, grid) \
	for (int cell = 0, cell##_n = grid_cells(grid, MESH_MAX_VERTICES); \
		cell < cell##_n; cell++) \
		for (int cell##_d = 0, up; cell##_d < (grid)->ndims; cell##_d++) \
			if ((up = grid_up(grid, cell, cell##_d)) >= 0)

/* The dimension in which two vertices of one grid are neighbours; -1: they are none. */
int grid_along(const struct grid *grid, const int *a, const int *b);
/* The same for any two vertices, also for those that are in no grid. */
int grids_along(const struct grids *grids, int a, int b);
/*
 * The cell at coordinates, first dimension fastest; and the number of cells, -1: more than `most`.
 */
int grid_cell(const struct grid *grid, const int *at);
int grid_cells(const struct grid *grid, int most);
/* The vertex in each cell of a grid, or -1. */
int *grids_cells(const struct grids *grids, int number, struct arena *arena);

#endif
