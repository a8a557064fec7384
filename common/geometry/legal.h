/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Legal placements: the boxes that jobs may have, each with the grid of places where it may begin
 * (struct mesh_placement). Slurm's topology/torus3d has such lists for three dimensions.
 */
#ifndef MESH_LEGAL_H
#define MESH_LEGAL_H

#include <stdbool.h>

#include "base/mesh.h"

/* May jobs have a box of these sides[ndims] somewhere? Of a mesh without a list: yes. O(list). */
bool legal_sides(const struct mesh *mesh, const int *side);

/*
 * All places of a box, one after the other, the last dimension fastest, as torus3d has them:
 *
 *     for (struct legal_walk w = legal_walk(mesh, placement); !w.done; legal_next(&w))
 *             ... w.base
 *
 * A box that spans a ring has as many places there as its grid, all with the same vertices.
 */
struct legal_walk {
	const struct mesh *mesh;
	const struct mesh_placement *placement;
	int base[MESH_MAX_DIMS];
	bool done;
};

struct legal_walk legal_walk(const struct mesh *mesh, const struct mesh_placement *placement);
void legal_next(struct legal_walk *walk);

/* How many places there are. */
int legal_places(const struct mesh *mesh, const struct mesh_placement *placement);
/* Is every vertex where a box of these sides can be one of them? */
bool legal_everywhere(const struct mesh *mesh, const struct mesh_placement *placement);

#endif
