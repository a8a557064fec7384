/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Steps of a measurement, for metrics.c and metrics_meter.c.
 */
#ifndef MESH_METRICS_COUNT_H
#define MESH_METRICS_COUNT_H

#include "base/mesh.h"

/* Marginals of all dimensions side by side; marginal[] has room for the sum of sides. Quickest by
 * ascending vertices. */
void metrics_marginals(const struct mesh *mesh, const int *node, int count, int *marginal);
/* Hops over all pairs on the grid, by these marginals. */
int64_t metrics_total(const struct mesh *mesh, const int *marginal);
/* The vertices of node[count], each once, and in taken[] (0 elsewhere) the nodes on each. */
int metrics_vertices(const struct mesh *mesh, const int *node, int count, int *vertex, int *taken);
/* Hops over all pairs with the cables of the mesh, which has some; grid: metrics_total(). */
int64_t metrics_by_graph(
	const struct mesh *mesh, const int *vertex, int n, const int *taken, int64_t grid);

#endif
