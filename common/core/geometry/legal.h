/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Legal placements: the boxes that jobs may have, each with the grid of places where it may begin
 * (struct mesh_placement). Slurm's topology/torus3d has such lists for three dimensions.
 */
#ifndef MESH_LEGAL_H
#define MESH_LEGAL_H

#include <stdbool.h>

#include "base/mesh.h"

/* Is a box of side[ndims] on the mesh's list? Every box is if there is no list. O(list). */
bool legal_sides(const struct mesh *mesh, const int *side);

/*
 * Loop over all places where a box may begin, the last dimension fastest, as in torus3d:
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

/* The number of places of legal_walk(). */
int legal_places(const struct mesh *mesh, const struct mesh_placement *placement);
/* Has the placement every base at which the box lies within the mesh? */
bool legal_everywhere(const struct mesh *mesh, const struct mesh_placement *placement);

#endif
