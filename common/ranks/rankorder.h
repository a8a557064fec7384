/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The nodes of a job in an order in which each is near the one before: for ranks in the order that
 * a resource manager gives them, a block on each node.
 */
#ifndef MESH_RANKORDER_H
#define MESH_RANKORDER_H

#include "base/err.h"
#include "base/mesh.h"
#include "walk/walk.h"

/*
 * Into order[i]: the index into node[n] of the i-th node. One hop from each to the next where the
 * nodes fill a box; otherwise by local search, for as long as that takes (assign.h). 0, or -1 with
 * text.
 */
int rankorder(const struct mesh *mesh, const int *node, int n, int *order, struct mesh_err *err);

/*
 * The same along a line or a ring of all of them (walk/walk.h): 1 where none is found. No longer
 * than a search for one that a strategy has found.
 */
int rankorder_walk(
	const struct mesh *mesh, const int *node, int n, enum walk_kind kind, int *order);

#endif
