/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Points with whole coordinates, halved again and again: ranks of a process grid, groups of
 * them, nodes of an allocation.
 */
#ifndef MESH_CLOUD_H
#define MESH_CLOUD_H

#include "base/mesh.h"
#include "ranks/traffic.h"

struct cloud {
	int n, ndims;
	int (*pos)[MESH_MAX_DIMS]; /* [n] */
};

/* 0, or -1 when memory is out. cloud_release() it; a zeroed struct is fine. */
int cloud_init(struct cloud *cloud, int n, int ndims);
void cloud_release(struct cloud *cloud);

/* Ranks at their coordinates in the grid. */
int cloud_init_grid(struct cloud *cloud, const struct rank_grid *grid);
/* Ranks of any graph, placed by their distances, in edges, from far points of it. */
int cloud_init_traffic(struct cloud *cloud, const struct traffic *traffic);
/* Nodes at their vertices; a dimension that wraps is cut open at its longest empty stretch. */
int cloud_init_nodes(struct cloud *cloud, const struct mesh *mesh, const int *node, int n);
/* Groups at the middle of their members (in half units). */
int cloud_init_groups(struct cloud *cloud, const struct cloud *members, const int *group,
	int ngroups);

/*
 * Halve the cloud along its longest side until parts have `unit` points (n is a multiple):
 * part[i] numbers them 0.. in the order of the halving, so that near numbers are near.
 * 0, or -1 when memory is out. O(n log^2 n).
 */
int cloud_split(const struct cloud *cloud, int unit, int *part);

/*
 * Halve two clouds of the same n in step: match[i] is the point of `b` for point i of `a`.
 * 0, or -1 when memory is out. O(n log^2 n).
 */
int cloud_match(const struct cloud *a, const struct cloud *b, int *match);

#endif
