/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Boundary value: how many of the vertices just outside a box's faces are busy or beyond the
 * border of the mesh. D. Das Sharma and D. K. Pradhan, "Submesh allocation in mesh
 * multicomputers using busy-list", use the largest as best fit.
 *
 * From a summed-area table of busy vertices: 2^d look-ups a face, whatever its area.
 */
#ifndef MESH_BOUNDARY_H
#define MESH_BOUNDARY_H

#include "boxes/bitbox.h"
#include "geometry/box.h"

struct boundary {
	const struct mesh *mesh;
	int stride[MESH_MAX_DIMS]; /* of sum[]; 0 where the machine's side is 1 */
	int *sum; /* of what vertices below a corner, in all dimensions, are worth */
	int cells;
	int wall; /* what a vertex beyond the border is worth */
};

/* 0, or -1 when memory is out. */
int boundary_init(struct boundary *boundary, const struct mesh *mesh);
void boundary_release(struct boundary *boundary);

/* Take over what is busy from bits->free: worth 1, as is what is beyond the border. O(n d). */
void boundary_load(struct boundary *boundary, const struct bitbox *bits);

/* The same from what each vertex is worth, and what is beyond the border. O(n d). */
void boundary_load_worth(struct boundary *boundary, const int *worth, int wall);

/*
 * What the vertices outside the faces of a box are worth, which may run over the edge. A face that
 * closes a ring has none.
 */
int64_t boundary_value(const struct boundary *boundary, const struct mesh_box *box);

#endif
