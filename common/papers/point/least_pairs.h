/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lower bounds, our own, of the sum of hops over all pairs of any t nodes: what the bounds of
 * point_centres.h add for the nodes still to be chosen. With T(t) the least total:
 *   - each pair of t nodes is in t-2 of the sets that one of them has left:
 *     T(t) >= T(t-1) * t / (t-2);
 *   - each node is at least as far from the others as from the t-1 nearest to it:
 *     T(t) >= t/2 * the least such sum.
 */
#ifndef MESH_LEAST_PAIRS_H
#define MESH_LEAST_PAIRS_H

#include "base/arena.h"
#include "base/mesh.h"

/* For t = 0 .. nnodes; the arena frees it. NULL when memory is out. */
float *least_pairs_new(const struct mesh *mesh, struct arena *arena);

#endif
