/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a program sends of which nothing is known: a mixture of what programs do. A ring of all
 * ranks, with three times the weight of the rest; the grids of two and, with half the weight, of
 * three dimensions that MPI_Dims_create() makes of them, each with the first side the fastest and
 * with the last, all periodic; in the rows and columns of the grid of two, exchanges between ranks
 * that are a power of two apart in one binary digit; and where that grid is a square, with half the
 * weight, exchanges across its diagonal.
 */
#ifndef MESH_RANKMIX_H
#define MESH_RANKMIX_H

#include "base/err.h"
#include "ranks/traffic.h"

/* How ranks are dealt out to nodes, which are counted in their order. */
struct rankmix {
	int nodes, per_node; /* >= 1 */
	bool cyclic;	     /* one to each node in turn; otherwise a block to each */
};

/*
 * The traffic between the nodes; traffic_release() it. Of very many ranks it is that of fewer on
 * each node. 0, or -1 with text. O(ranks).
 */
int rankmix_init(struct traffic *traffic, const struct rankmix *mix, struct mesh_err *err);

#endif
