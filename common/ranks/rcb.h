/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Recursive coordinate bisection (M. Berger and S. Bokhari, "A partitioning strategy for nonuniform
 * problems on multiprocessors", 1987): the nodes of an allocation, halved again and again by their
 * coordinates.
 */
#ifndef MESH_RCB_H
#define MESH_RCB_H

#include "base/mesh.h"

struct rcb_points {
	int n, ndims;
	int (*pos)[MESH_MAX_DIMS]; /* [n] */
};

/*
 * n nodes at their vertices; a dimension that wraps is cut open at its longest empty stretch. 0, or
 * -1 when memory is out. rcb_points_release() it; a zeroed struct is fine.
 */
int rcb_points_init_nodes(struct rcb_points *set, const struct mesh *mesh, const int *node, int n);
void rcb_points_release(struct rcb_points *set);

/* The order in which points are cut. */
struct rcb_key {
	int along; /* the side that is cut */
	int point;
};

/*
 * Cut n >= 2 points of the set, point[], across their longest side: sorts them, and says how many
 * are in the first part. scratch[n]. O(n log n).
 */
int rcb_halve(const struct rcb_points *set, int *point, int n, struct rcb_key *scratch);

#endif
