/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The process grid behind traffic that is only known pair by pair, with the ranks in any order.
 */
#ifndef MESH_GRIDFIND_H
#define MESH_GRIDFIND_H

#include "ranks/traffic.h"

/*
 * 0: the ranks that send each other much form a grid. *grid has its sides and the mean weights
 * along them, cell[rank] the place of each rank in it, numbered as the grid numbers its ranks. 1:
 * no grid was found. -1: memory is out.
 *
 * Prime factors of a Cartesian product of graphs by the relation of its squares (J. Feigenbaum,
 * J. Hershberger and A. Schaeffer, "A polynomial time algorithm for finding the prime factors of
 * Cartesian-product graphs", 1985), where each factor has to be a path or a ring. Lesser traffic
 * besides (corners of a stencil, now and then all to all) is left out by its weight. O(edges *
 * degree^3), degree <= 12.
 */
int gridfind(const struct traffic *traffic, struct traffic_grid *grid, int *cell);

#endif
