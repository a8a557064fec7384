/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One dimension of a mesh: a line of `side` coordinates, or a ring where it wraps. Hops between
 * vertices, and sums of them, are sums over the dimensions: each is worked out from marginal[side],
 * how many nodes have each coordinate, without looking at the nodes.
 */
#ifndef MESH_AXIS_H
#define MESH_AXIS_H

#include <stdbool.h>
#include <stdint.h>

/* Hops between coordinates a and b, the short way round a ring. */
static inline int axis_hops(int side, bool wrap, int a, int b)
{
	int hops = a < b ? b - a : a - b;

	return wrap && 2 * hops > side ? side - hops : hops;
}

/* Sum of hops over unordered pairs of nodes, marginal[side] of them at each coordinate. O(side). */
int64_t axis_pair_hops(const int *marginal, int side, bool wrap);

/* Into hops[side]: the sum of hops from each coordinate to all nodes. Returns axis_pair_hops().
 * O(side). */
int64_t axis_star_hops(const int *marginal, int side, bool wrap, int64_t *hops);

/*
 * The shortest stretch (round a ring it may run over the edge) that holds all nodes: how many
 * coordinates, from *first on, the lowest end of the line where a ring has several. 0 without a
 * node. O(side).
 */
int axis_stretch(const int *marginal, int side, bool wrap, int *first);

/* The dimensions 0..ndims-1 by key[], the least first, equal ones as they are, into dim[]. */
void axis_sort(int ndims, const int *key, int *dim);

#endif
