/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where the nodes of a mesh go in a picture: planes of the first two dimensions side by side and
 * below each other, a label above each where there are several. A mesh of one dimension is folded
 * into rows; the nodes of a vertex stand together. All in units of the picture: pixels, or cells
 * of a terminal.
 */
#ifndef MAP_LAYOUT_H
#define MAP_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mesh.h"

struct layout {
	int block_width, block_height; /* cells of a vertex */
	int fold;    /* vertices of the first dimension in a row of a plane */
	bool turned; /* the second dimension goes to the right, the first down */
	int step;    /* units a cell */
	int plane_width, plane_height;
	int label;   /* above each plane */
	int pitch_x, pitch_y; /* from plane to plane */
	int planes, per_row;
	int width, height; /* of all */
};

/* For a terminal: rows of at most `width` cells, but at least one plane; vertices lie flat. */
void layout_rows(struct layout *layout, const struct mesh *mesh, int width);

/*
 * In pixels: the largest cells, low..high, with which all fits into width x height, with planes
 * turned where that helps and no plane alone in the last row; otherwise what fits the width is as
 * high as it must be.
 */
struct layout_room {
	int width, height, low, high;
};
void layout_fit(struct layout *layout, const struct mesh *mesh, const struct layout_room *room);

/* The first node of vertex v; nodes follow in block_width columns, step apart. */
void layout_vertex(const struct layout *layout, const struct mesh *mesh, int v, int *x, int *y);
/* The top left of a plane, its label. */
void layout_plane(const struct layout *layout, int plane, int *x, int *y);
/* "z=1 u=0": the coordinates that a plane has in common; empty in 1 and 2 dimensions. */
void layout_name(const struct mesh *mesh, int plane, char *text, size_t size);

#endif
