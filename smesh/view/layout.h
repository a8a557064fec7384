/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where the nodes of a mesh go in a picture: planes of the first two dimensions side by side and
 * below each other, a label above each where there are several. A mesh of one dimension is folded
 * into rows; the nodes of a vertex stand together. All in cells, one a node.
 */
#ifndef MAP_LAYOUT_H
#define MAP_LAYOUT_H

#include <stddef.h>

#include "base/mesh.h"

struct layout {
	int block_width, block_height; /* of a vertex */
	int fold;		       /* vertices in a row of a plane */
	int plane_width, plane_height;
	int label; /* rows above each plane */
	int pitch_x, pitch_y; /* from plane to plane */
	int planes, per_row;
	int width, height; /* of all */
};

/* For a terminal: rows of at most `width` cells, but at least one plane; vertices lie flat. */
void layout_rows(struct layout *layout, const struct mesh *mesh, int width);

/*
 * For a page: the largest step (pixels a cell, low..high) with which all fits into width x height
 * pixels; otherwise what fits the width is as high as it must be. Returns the step.
 */
struct layout_room {
	int width, height, low, high;
};
int layout_fit(struct layout *layout, const struct mesh *mesh, const struct layout_room *room);

/* The cell of the first node of vertex v; nodes follow in block_width columns. */
void layout_vertex(const struct layout *layout, const struct mesh *mesh, int v, int *x, int *y);
/* The top left of a plane, its label. */
void layout_plane(const struct layout *layout, int plane, int *x, int *y);
/* "z=1 u=0": the coordinates that a plane has in common; empty in 1 and 2 dimensions. */
void layout_name(const struct mesh *mesh, int plane, char *text, size_t size);

#endif
