/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Boundary value: how many of the vertices just outside a box's faces are busy or beyond the border
 * of the mesh. D. Das Sharma and D. K. Pradhan, "Submesh allocation in mesh multicomputers using
 * busy-list: a best-fit approach with complete recognition capability", 1996: the largest is best
 * fit.
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
	int *sum; /* [cells] of what the vertices below a corner in all dimensions are worth */
	int cells;
	int wall; /* what a vertex beyond the border is worth */
};

/* 0, or -1 when memory is out. boundary_release() either way. */
int boundary_init(struct boundary *boundary, const struct mesh *mesh);
void boundary_release(struct boundary *boundary);

/* Vertices that are not in bits->free are worth 1, and so is what is beyond the border. O(n d). */
void boundary_load(struct boundary *boundary, const struct bitbox *bits);

/* worth[nvertices] instead, and `wall` for each vertex beyond the border. O(n d). */
void boundary_load_worth(struct boundary *boundary, const int *worth, int wall);

/*
 * The sum of what the vertices just outside the faces of a box are worth. The box may run over the
 * edge; where it spans a ring it has no face.
 */
int64_t boundary_value(const struct boundary *boundary, const struct mesh_box *box);

#endif
