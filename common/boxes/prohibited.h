/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Prohibited regions of a request: the vertices that cannot be the base of a free box of
 * given sides, as boxes of bases, from the busy list. S. Bani-Mohammad et al., "A fast and
 * efficient strategy for sub-mesh allocation with minimal allocation overhead in 3D mesh
 * connected multicomputers", section IV, in any number of dimensions and on the torus.
 */
#ifndef MESH_PROHIBITED_H
#define MESH_PROHIBITED_H

#include "boxes/busylist.h"

struct prohibited {
	const struct mesh *mesh;
	const struct busylist *list;
	const int *side;	 /* of the request */
	struct mesh_box *region; /* [count], one or more for each busy box (the ring is cut) */
	int count, room;
	int *active;		 /* regions that meet the plane at hand */
	struct mesh_box *stack;	 /* pieces of it, with how many active regions are done */
	int *done;
	int stack_room;
};

/* `list` is borrowed. 0, or -1 when memory is out. */
int prohibited_init(struct prohibited *p, const struct mesh *mesh, const struct busylist *list);
void prohibited_release(struct prohibited *p);

/* The regions for boxes of these sides (borrowed). False: more than there is room for. */
bool prohibited_make(struct prohibited *p, const int *side);

/* Is a vertex (all coordinates) in a region? The region's number, or -1. O(m). */
int prohibited_at(const struct prohibited *p, const int *base);

/*
 * A border plane: the bases of boxes that touch busy box i (-1: the edge of the machine) in
 * dimension d, with their low side when !high, else with their high side, as boxes of bases
 * inside the automatic bounds, into plane[] (room for 2^MESH_MAX_DIMS); how many.
 */
int prohibited_plane(const struct prohibited *p, int i, int d, bool high, struct mesh_box *plane);

/*
 * A plane minus all regions: visit() gets each piece that is left, lowest first, and returns
 * true to stop, which is then the result. O(m) pieces, O(m) each.
 */
bool prohibited_subtract(struct prohibited *p, const struct mesh_box *plane,
	bool (*visit)(void *arg, const struct mesh_box *piece), void *arg);

#endif
