/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One dimension of a mesh: a line of `side` coordinates, or a ring where it wraps. Hops between
 * vertices, and sums of hops, are sums over the dimensions. For each dimension they follow from
 * marginal[side], the number of nodes at each coordinate, without a look at the nodes.
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

/*
 * The sum of hops over unordered pairs of nodes; marginal[side]: nodes at each coordinate.
 * O(side).
 */
int64_t axis_pair_hops(const int *marginal, int side, bool wrap);

/*
 * Set hops[side] to the sum of hops from each coordinate to all nodes. Returns axis_pair_hops().
 * O(side).
 */
int64_t axis_star_hops(const int *marginal, int side, bool wrap, int64_t *hops);

/*
 * The length of the shortest stretch that holds all nodes; on a ring it may run over the edge. 0
 * without a node. *first: its first coordinate, the lowest one where several stretches are as
 * short. O(side).
 */
int axis_stretch(const int *marginal, int side, bool wrap, int *first);

/*
 * Sort the dimensions 0..ndims-1 into dim[] by key[], the least first; equal ones keep their
 * order.
 */
void axis_sort(int ndims, const int *key, int *dim);

#endif
