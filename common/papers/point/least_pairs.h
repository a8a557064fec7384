/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lower bounds, our own, of the sum of hops over all pairs of any t nodes. The bounds of
 * point_centres.h add them for the nodes still to be chosen. With T(t) the least total:
 *   - t sets of t-1 nodes each lack one of t nodes, and each pair is in t-2 of them:
 *     T(t) >= T(t-1) * t / (t-2);
 *   - each node is at least as far from the others as from the t-1 nearest ones:
 *     T(t) >= t/2 * the least such sum.
 */
#ifndef MESH_LEAST_PAIRS_H
#define MESH_LEAST_PAIRS_H

#include "base/arena.h"
#include "base/mesh.h"

/* The bounds for t = 0 .. nnodes, owned by the arena. NULL when memory is out. */
float *least_pairs_new(const struct mesh *mesh, struct arena *arena);

#endif
