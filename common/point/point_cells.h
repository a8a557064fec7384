/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The cells of a last shell, of which nodes are chosen one by one (point_choose.c): its vertices with nodes,
 * in the order of the nodes there; or the nodes themselves where several are on a vertex in any order.
 */
#ifndef MESH_POINT_CELLS_H
#define MESH_POINT_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mesh.h"
#include "base/nodeset.h"

#define POINT_TAKEN (1 << 30) /* more on the key of a cell without nodes: above all others, and hops can still be added */

/*
 * A shell of boxes consists of stretches of the mesh's lines. Along a line the hops to all that is chosen fall
 * as far as the middle, the first coordinate where they are the fewest, and do not fall from there. So
 * only two of the line's cells can be the next: the last one before the middle and the first one from there
 * on, its ends. Only these have keys and coordinates: of line l the ends 2l and 2l + 1.
 */
struct point_axis {
	int low, high; /* coordinates of cells */
	int middle;
	int *count; /* [side] marginals of all that is chosen */
	int before; /* how many of it are below the middle */
};

struct point_lines {
	int n;		     /* 0: all cells have keys */
	int *of;	     /* [cells] the line it is on */
	int *before, *after; /* [cells] the next ones there that have a node left, or -1 */
	int *axis;	     /* [lines] what they run along: 0 or 1 */
	int *cell;	     /* [ends and a vector] the cell there, or -1 */
	struct point_axis along[2];
	int chosen; /* nodes, required ones and those inside the shell too */
};

struct point_cells {
	int n;
	int *vertex, *next, *rest; /* [cells] the next node there, and how many are to come */
	int64_t *far;		   /* [cells] hops to all that is chosen; or, in place of it, base + key[]: */
	int64_t base;
	int *key;		   /* [cells and a vector] within half of POINT_TAKEN, unless the cell has no nodes */
	int *at[MESH_MAX_DIMS];    /* [cells and a vector] coordinates */
	struct nodeset marks;	   /* cells; empty between uses */
	struct point_lines lines;
};

struct point;
struct point_shell;

/* 0, or -1 when memory is out; point_cells_release() either way. lines: for boxes. */
int point_cells_init(struct point_cells *cells, const struct mesh *mesh, bool ordered, bool lines);
void point_cells_release(struct point_cells *cells);

/* So many keys and coordinates there are; the last vector goes on beyond them. */
void point_cells_end(struct point_cells *cells, int n);

/* ---- point_lines.c ---- */

/*
 * Find the shell's lines and give their ends keys: of cells in order. What a node to choose takes, in
 * looks at cells: at all ends, and along a line to its next one. 0: lines are not as said above, or not worth it.
 */
int point_lines_load(struct point *point, const struct point_shell *shell);

/* A node of this cell is chosen; to be told before its hops are added to the keys, */
void point_lines_take(struct point_cells *cells, const struct mesh *mesh, int cell);

/* and after it. Has a middle moved, so that other cells are ends? */
bool point_lines_follow(struct point_cells *cells, const struct mesh *mesh, int cell);

#endif
