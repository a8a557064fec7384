/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The box or walk that a job wants, and its hint.
 */
#ifndef MESH_ASK_MESH_SHAPE_H
#define MESH_ASK_MESH_SHAPE_H

#include <string.h>

#include "ask/walk_kind.h"
#include "base/mesh.h"

/*
 * The box of vertices that a job wants: AxBxC[:norotate][:torus][:fold][:chips][:anylinks]; or its
 * walk: ring:N[:lanes=L]. Either may have TYPE: before it.
 */
struct mesh_shape {
	char type[MESH_MAX_TYPE]; /* only meshes of this type; "": any. Zeros to its end */
	enum walk_kind walk; /* a line or ring of side[0] nodes, ndims is 1; else WALK_NONE */
	int lanes; /* the least lanes of each link of the walk; 0: any */
	int ndims; /* 0: no shape; otherwise 1..MESH_MAX_DIMS, sides beyond are 1 */
	int side[MESH_MAX_DIMS];
	bool norotate; /* side[d] is along dimension d; otherwise the box may be turned */
	/* The box must be a torus itself: in each dimension that wraps, its side is the machine's
	 * or 1. */
	bool torus;
	/* Boxes will do, too, into which the shape (a mesh, or with `torus` a torus) can be folded
	 * so that its neighbours are one hop apart (boxes/fold.h). */
	bool fold;
	/* Sides count chips; a node is itself a box of chips (mesh->node_side). With a type: only
	 * where its meshes have chips. */
	bool chips;
	bool any_links; /* links inside the box may be broken */
};

/*
 * Is the mesh of the shape's type, and has the mesh boxes if the shape is a box? Also for a
 * request without a shape. False with text.
 */
static inline bool mesh_shape_suits(
	const struct mesh *mesh, const struct mesh_shape *shape, struct mesh_err *err)
{
	if (mesh->cabled && shape->ndims && !shape->walk)
		return !err_printf(err, "mesh %s has cables (Cables=), and no boxes",
			mesh->name);
	return !*shape->type || !strcmp(shape->type, mesh->type) ||
		!err_printf(err, "the mesh is not of Type=%s", shape->type);
}

/* How many chips of a shape's side d are one node; 0: not known. */
static inline int mesh_shape_chips(const struct mesh *mesh, const struct mesh_shape *shape, int d)
{
	return shape->chips && (mesh->node_side[0] || !*shape->type) ? mesh->node_side[d] : 1;
}

/*
 * The nodes of the whole box, if a shape has no count: as many as its chips make if it is in
 * chips. For a walk its nodes. nnodes + 1 if that is more than the machine has.
 */
int mesh_shape_nodes(const struct mesh *mesh, const struct mesh_shape *shape);

enum mesh_hint {
	MESH_HINT_COMPACT, /* the default: the job communicates */
	MESH_HINT_SCATTER, /* the job does not communicate: leave good places to others */
	MESH_HINT_ISOLATED /* a box that no other job's minimal routes cross */
};

#endif
