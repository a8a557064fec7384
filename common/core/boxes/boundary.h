/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Boundary value: how many of the vertices just outside a box's faces are busy or beyond the border
 * of the mesh. D. Das Sharma and D. K. Pradhan, "Submesh allocation in mesh multicomputers using
 * busy-list: a best-fit approach with complete recognition capability", 1996: the largest is best
 * fit. Here what is touched may be worth any number.
 */
#ifndef MESH_BOUNDARY_H
#define MESH_BOUNDARY_H

#include "boxes/boxplan.h"
#include "geometry/sumtable.h"

struct boundary {
	const struct mesh *mesh;
	uint32_t *worth; /* [nvertices] the caller's: of a vertex that is touched */
	struct sumtable table; /* of it */
	uint32_t wall; /* what a vertex beyond the border is worth */
	/* The boxes at hand: */
	const int *side; /* [ndims] borrowed */
	int area[MESH_MAX_DIMS]; /* vertices of a face; 0 along a ring that boxes span: none */
	struct sumtable_box wide[MESH_MAX_DIMS]; /* a box and its two faces along a dimension */
};

/* 0, or -1 when memory is out. The arena frees it. */
int boundary_init(struct boundary *boundary, const struct mesh *mesh, struct arena *arena);

/* Take over worth[]; boxes of sides up to longest[ndims] will be asked about. O(n d), and in many
 * dimensions the more the longer these are. */
void boundary_load(struct boundary *boundary, const int *longest, uint32_t wall);

/* Turn to boxes of side[ndims]. */
void boundary_sides(struct boundary *boundary, const int *side);

/*
 * The sum of what the vertices just outside the faces of a box at base[ndims] are worth, whose own
 * are worth nothing. The box may run over the edge. O(2^d d).
 */
int64_t boundary_value(const struct boundary *boundary, const int *base);

#endif
