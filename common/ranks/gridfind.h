/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Finds the process grid behind traffic that is known only pair by pair, with the ranks in any
 * order.
 */
#ifndef MESH_GRIDFIND_H
#define MESH_GRIDFIND_H

#include "ranks/traffic.h"

/*
 * 0: ranks that send each other much form a grid. *grid has its sides and the mean weights along
 * them, and cell[rank] the place of each rank in it, numbered as the grid numbers its ranks. 1: no
 * grid was found. -1: memory is out.
 *
 * Prime factors of a Cartesian product of graphs, by the relation of its squares (J. Feigenbaum,
 * J. Hershberger and A. Schaeffer, "A polynomial time algorithm for finding the prime factors of
 * Cartesian-product graphs", 1985). Each factor must be a path or a ring. Traffic of less weight
 * (corners of a stencil, an occasional all-to-all) is ignored. O(edges * degree^3), degree <= 12.
 */
int gridfind(const struct traffic *traffic, struct traffic_grid *grid, int *cell);

#endif
