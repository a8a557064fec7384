/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The traffic of a program of which nothing is known: a mixture of what programs do.
 *
 * - A ring of all ranks, with three times the weight of the rest.
 * - The grids of two and, with half the weight, of three dimensions that MPI_Dims_create() makes of
 *   the ranks, all periodic. MPI_Cart_create() numbers the last side fastest, which is the
 *   shortest: this order has 1.25 times the weight, the other one 0.75 times.
 * - In rows and columns of the grid of two: exchanges between ranks that differ in one binary
 *   digit.
 * - If that grid is a square, with half the weight: exchanges across its diagonal.
 */
#ifndef MESH_RANKMIX_H
#define MESH_RANKMIX_H

#include "base/err.h"
#include "ranks/traffic.h"

/* How ranks are dealt to nodes; nodes count in their order. */
struct rankmix {
	int nodes, per_node; /* >= 1 */
	bool cyclic;	     /* one rank to each node in turn; otherwise a block to each */
};

/*
 * Make the traffic between the nodes; traffic_release() it. For very many ranks it is that of
 * fewer ranks on each node. 0, or -1 with text. O(ranks).
 */
int rankmix_init(struct traffic *traffic, const struct rankmix *mix, struct mesh_err *err);

#endif
