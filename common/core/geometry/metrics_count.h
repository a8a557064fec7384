/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Steps of a measurement that metrics.c and metrics_meter.c share.
 */
#ifndef MESH_METRICS_COUNT_H
#define MESH_METRICS_COUNT_H

#include "base/mesh.h"

/*
 * Count the nodes at each coordinate, dimension by dimension, in marginal[sum of sides]. Quickest
 * with ascending vertices.
 */
void metrics_marginals(const struct mesh *mesh, const int *node, int count, int *marginal);
/* Hops over all pairs on the grid, from these marginals. */
int64_t metrics_total(const struct mesh *mesh, const int *marginal);
/*
 * Set vertex[] to the vertices of node[count], each once, and taken[] (0 before) to the nodes on
 * each. Returns how many vertices.
 */
int metrics_vertices(const struct mesh *mesh, const int *node, int count, int *vertex, int *taken);
/* Hops over all pairs by the mesh's graph, which it must have; grid: metrics_total(). */
int64_t metrics_by_graph(
	const struct mesh *mesh, const int *vertex, int n, const int *taken, int64_t grid);

#endif
