/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Boxes that are moved, compared and cut, for strategies with lists of boxes.
 */
#ifndef MESH_BOX_CUT_H
#define MESH_BOX_CUT_H

#include "geometry/box.h"

/* The coordinate just beyond the box along dimension d. */
static inline int box_end(const struct mesh_box *box, int d)
{
	return box->base[d] + box->side[d];
}

/* Move the low face of a box, or the high face, and leave the other where it is. */
static inline void box_set_base(struct mesh_box *box, int d, int base)
{
	box->side[d] += box->base[d] - base;
	box->base[d] = base;
}

static inline void box_set_end(struct mesh_box *box, int d, int end)
{
	box->side[d] = end - box->base[d];
}

/* The box that is the whole machine. */
struct mesh_box box_of_mesh(const struct mesh *mesh);
/* A box of side[ndims] in a corner of another: at its high end where bit d of `corner` is set. */
struct mesh_box box_in_corner(int ndims, const struct mesh_box *box, int corner, const int *side);

/* For flat boxes, like the three functions below: have two boxes a vertex in common? */
static inline bool box_meets(int ndims, const struct mesh_box *a, const struct mesh_box *b)
{
	for (int d = 0; d < ndims; d++)
		if (box_end(a, d) <= b->base[d] || box_end(b, d) <= a->base[d])
			return false;
	return true;
}

/* Is the inner box part of the outer one? */
static inline bool box_holds(
	int ndims, const struct mesh_box *outer, const struct mesh_box *inner)
{
	for (int d = 0; d < ndims; d++)
		if (inner->base[d] < outer->base[d] || box_end(inner, d) > box_end(outer, d))
			return false;
	return true;
}

/* Set *out to what two boxes have in common; false if nothing. */
bool box_common(int ndims, const struct mesh_box *a, const struct mesh_box *b,
	struct mesh_box *out);

/*
 * Cut the vertices of `from` that are not in `what` into disjoint boxes piece[] (room for
 * 2*ndims), the one with the lowest vertex last. Returns how many. In two dimensions these are the
 * cases of Bani-Mohammad et al. (tbl/prohibited.h), figure 2.
 */
int box_subtract(int ndims, const struct mesh_box *from, const struct mesh_box *what,
	struct mesh_box *piece);

#endif
