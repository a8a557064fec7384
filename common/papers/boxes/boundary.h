/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Boundary value: the number of vertices just outside a box's faces that are busy or beyond the
 * mesh's border. The box with the largest value is the best fit. D. Das Sharma and D. K. Pradhan,
 * "Submesh allocation in mesh multicomputers using busy-list: a best-fit approach with complete
 * recognition capability", 1996. Here a vertex may be worth any number instead of 1.
 */
#ifndef MESH_BOUNDARY_H
#define MESH_BOUNDARY_H

#include "boxes/boxplan.h"
#include "geometry/sumtable.h"

struct boundary {
	const struct mesh *mesh;
	uint32_t *worth; /* [nvertices] set by the caller: what each vertex is worth */
	struct sumtable table; /* sums of worth[] */
	uint32_t wall; /* the worth of a vertex beyond the border */
	/* The boxes in question: */
	const int *side; /* [ndims] borrowed */
	int area[MESH_MAX_DIMS]; /* vertices of a face; 0 along a ring that the box spans */
	struct sumtable_box wide[MESH_MAX_DIMS]; /* a box and its two faces along a dimension */
};

/* 0, or -1 when memory is out. The arena owns all memory. */
int boundary_init(struct boundary *boundary, const struct mesh *mesh, struct arena *arena);

/*
 * Read worth[]. The boxes asked about have sides up to longest[ndims]. O(n d); in many dimensions
 * more for longer boxes.
 */
void boundary_load(struct boundary *boundary, const int *longest, uint32_t wall);

/* Ask about boxes of side[ndims] from now on. */
void boundary_sides(struct boundary *boundary, const int *side);

/*
 * The worth of all vertices just outside the faces of the box at base[ndims]. The box's own
 * vertices must be worth 0. The box may run over the edge. O(2^d d).
 */
int64_t boundary_value(const struct boundary *boundary, const int *base);

#endif
