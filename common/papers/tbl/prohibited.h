/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The prohibited regions of a request: the vertices that cannot be the base of a free box of given
 * sides, as boxes of bases, made from the busy list. S. Bani-Mohammad et al., "A fast and
 * efficient strategy for sub-mesh allocation with minimal allocation overhead in 3D mesh connected
 * multicomputers", 2006, section IV; here in any number of dimensions and on tori.
 */
#ifndef MESH_PROHIBITED_H
#define MESH_PROHIBITED_H

#include "tbl/busylist.h"

struct prohibited {
	const struct mesh *mesh;
	const struct busylist *list;
	const int *side;	 /* of the request */
	struct mesh_box *region; /* [count] one or more for each busy box (rings are cut) */
	int count, room;
	int *active;		 /* regions that meet the current plane */
	struct mesh_box *stack;	 /* [stack_room] pieces of the plane that are still to be cut */
	int *done;		 /* [stack_room] active regions cut out of each so far */
	int stack_room;
};

/* `list` is borrowed. 0, or -1 when memory is out. The arena owns all memory. */
int prohibited_init(struct prohibited *p, const struct busylist *list, struct arena *arena);

/* Find the regions for boxes of side[ndims] (borrowed). False: there is no room for so many. */
bool prohibited_make(struct prohibited *p, const int *side);

/*
 * A right border plane: the bases of boxes whose low x side touches busy box i (-1: the edge of
 * the machine), without bases from which a box would run over a border of the mesh. Writes boxes
 * of bases to plane[] (room for 2^MESH_MAX_DIMS). Returns how many.
 */
int prohibited_plane(const struct prohibited *p, int i, struct mesh_box *plane);

/*
 * The lowest piece of a plane that is in no region; false: there is none. O(m) pieces, O(m) each.
 */
bool prohibited_subtract(
	struct prohibited *p, const struct mesh_box *plane, struct mesh_box *piece);

#endif
