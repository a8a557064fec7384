/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The cells of a last shell, of which nodes are chosen one by one (point_choose.c): its vertices
 * with nodes, in the order of the nodes there; or the nodes themselves where several are on a
 * vertex in any order.
 */
#ifndef MESH_POINT_CELLS_H
#define MESH_POINT_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mesh.h"
#include "base/nodeset.h"

/* more on the key of a cell without nodes: above all others, and hops can still be added */
#define POINT_TAKEN (1 << 30)

struct point_cells {
	int n;
	int *vertex, *next, *rest; /* [cells] the next node there, and how many are to come */
	int64_t *far; /* [cells] hops to all that is chosen; or, in place of it, base + key[]: */
	int64_t base;
	int *key; /* [cells and a vector] within half of POINT_TAKEN, unless the cell has no nodes
		   */
	int *at[MESH_MAX_DIMS];    /* [cells and a vector] coordinates */
	struct nodeset marks;	   /* cells; empty between uses */
};

/* 0, or -1 when memory is out. The arena frees it. */
int point_cells_init(
	struct point_cells *cells, const struct mesh *mesh, bool ordered, struct arena *arena);

/* So many keys and coordinates there are; the last vector goes on beyond them. */
void point_cells_end(struct point_cells *cells, int n);

#endif
