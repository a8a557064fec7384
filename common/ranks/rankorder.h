/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The nodes of a job in an order that suits ranks as a resource manager deals them out: each near
 * the one before, or near those that an unknown program's ranks may talk to.
 */
#ifndef MESH_RANKORDER_H
#define MESH_RANKORDER_H

#include "base/err.h"
#include "base/mesh.h"
#include "walk/walk.h"

struct rankmix;

/*
 * Into order[i]: the index into node[n] of the i-th node. One hop from each to the next where the
 * nodes fill a box; otherwise by local search, for as long as that takes (assign.h). 0, or -1 with
 * text.
 */
int rankorder(const struct mesh *mesh, const int *node, int n, int *order, struct mesh_err *err);

/*
 * Into order[i]: the index into node[] of the node that gets what the i-th of them has (a block of
 * ranks), for a program of which nothing is known: the mixture of rankmix.h has few hops a byte.
 * The first node keeps its own, and so do all where an order is hardly better (rankorder.c). 0, or
 * -1 with text. O(n + ranks log ranks) and a search that is bounded, of processor time 4 ms with
 * up to 128 nodes, 7 with 512 and 70 with 8,192, on a busy machine.
 */
int rankorder_mix(const struct mesh *mesh, const int *node, const struct rankmix *mix, int *order,
	struct mesh_err *err);

/*
 * As rankorder(), along a line or a ring of all of them (walk/walk.h): 1 where none is found. No
 * longer than a search for one that a strategy has found.
 */
int rankorder_walk(
	const struct mesh *mesh, const int *node, int n, enum walk_kind kind, int *order);

#endif
