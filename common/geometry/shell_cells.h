/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The vertices of a small shell by hops, as offsets from its centre, the same around all centres:
 * their free nodes are looked up in margins.h, where those outside the mesh have none.
 *
 * Memory: up to 100 kB for all radii together, hops between the vertices mostly.
 *
 * In the order of vertices unless a ring begins anew among them: the last dimension's offset counts most.
 */
#ifndef MESH_SHELL_CELLS_H
#define MESH_SHELL_CELLS_H

#include "geometry/margins.h"

#define SHELL_CELLS_MOST 7 /* radius */
#define SHELL_ROWS_MOST (2 * SHELL_CELLS_MOST * (SHELL_CELLS_MOST + 1) + 1)

struct shell_cell {
	int at;		    /* from the centre, in the margins */
	int16_t along, row; /* offset along dimension 0, and which row */
};

struct shell_cells {
	int radius, n, nrows;
	struct shell_cell *cell;
	int16_t (*row)[2]; /* offsets along dimensions 1 and 2 */
	int plane[2 * SHELL_CELLS_MOST + 1]; /* the first cell with an offset along dimension 2 */
	uint8_t *hops;	   /* [n][pitch] between cells; in whole vectors */
	int pitch;
};

/*
 * n is 0 where shells of this radius meet themselves, are not that small, or where there are more
 * than three dimensions. 0, or -1 when memory is out; shell_cells_release() either way.
 */
int shell_cells_init(struct shell_cells *cells, const struct margins *margins, int radius);
void shell_cells_release(struct shell_cells *cells);

#endif
