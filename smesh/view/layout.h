/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where the nodes of a mesh are in a picture. Planes of the first two dimensions are side by side
 * and below each other, with a label above each if there are several. A mesh of one dimension is
 * folded into rows. The nodes of a vertex are together. The unit is the picture's: pixels, or
 * cells of a terminal.
 */
#ifndef SMESH_LAYOUT_H
#define SMESH_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mesh.h"

struct layout {
	int block_width, block_height; /* cells of a vertex */
	int fold;    /* vertices of the first dimension in a row of a plane */
	bool turned; /* the second dimension goes right, the first down */
	int step;    /* units per cell */
	int plane_width, plane_height;
	int label;   /* above each plane */
	int pitch_x, pitch_y; /* from plane to plane */
	int planes, per_row;
	int width, height; /* of everything */
};

/*
 * For a terminal: rows of at most `width` cells, but at least one plane; a vertex is one row high.
 */
void layout_rows(struct layout *layout, const struct mesh *mesh, int width);

/*
 * In pixels: the largest cells, low..high, with which everything fits into width x height. Planes
 * are turned if that helps, and none is alone in the last row. If nothing fits, the width fits and
 * the height is what it must be.
 */
struct layout_room {
	int width, height, low, high;
};
void layout_fit(struct layout *layout, const struct mesh *mesh, const struct layout_room *room);

/* Where the first node of vertex v is; the others follow in block_width columns, step apart. */
void layout_vertex(const struct layout *layout, const struct mesh *mesh, int v, int *x, int *y);
/* Where the label of a plane is, at its top left. */
void layout_plane(const struct layout *layout, int plane, int *x, int *y);
/* "z=1 u=0": the coordinates that a plane's vertices share; "" in 1 and 2 dimensions. */
void layout_name(const struct mesh *mesh, int plane, char *text, size_t size);

#endif
