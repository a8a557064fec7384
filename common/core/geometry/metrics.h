/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How near the nodes of a set are, whoever chose it. If the mesh has a graph (graph/linkgraph.h),
 * hops follow its links, at the cost that graphset.h says.
 */
#ifndef MESH_METRICS_H
#define MESH_METRICS_H

#include "base/mesh.h"

/*
 * The sum of hops over unordered pairs of node[count]. Allocates only if the sides add up to more
 * than 512 or the mesh has a graph; -1: memory is out. O(count*d + sum of sides).
 */
int64_t mesh_pairwise_hops(const struct mesh *mesh, const int *node, int count);

/* pairwise_hops divided by the number of pairs of count nodes; 0 for one node. */
double mesh_mean_hops(int64_t pairwise_hops, int count);

#endif
