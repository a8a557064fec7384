/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Legal placements: the boxes that jobs may have, each with the grid of places where it may begin
 * (struct mesh_placement). Slurm's topology/torus3d has such lists for three dimensions.
 */
#ifndef MESH_LEGAL_H
#define MESH_LEGAL_H

#include <stdbool.h>

#include "base/mesh.h"

/* Is a box of side[ndims] on the mesh's list? Yes for any where there is no list. O(list). */
bool legal_sides(const struct mesh *mesh, const int *side);

/*
 * All places where a box may begin, one after the other, the last dimension fastest, as torus3d has
 * it:
 *
 *     for (struct legal_walk w = legal_walk(mesh, placement); !w.done; legal_next(&w))
 *             ... w.base
 *
 * Where a box spans a ring, each coordinate of the grid counts as a place, though the vertices are
 * the same. The mesh and the placement are borrowed.
 */
struct legal_walk {
	const struct mesh *mesh;
	const struct mesh_placement *placement;
	int base[MESH_MAX_DIMS];
	bool done;
};

struct legal_walk legal_walk(const struct mesh *mesh, const struct mesh_placement *placement);
void legal_next(struct legal_walk *walk);

/* How many places legal_walk() goes through. */
int legal_places(const struct mesh *mesh, const struct mesh_placement *placement);
/* Does it include every base at which the box lies within the mesh? */
bool legal_everywhere(const struct mesh *mesh, const struct mesh_placement *placement);

#endif
