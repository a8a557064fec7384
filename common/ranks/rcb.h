/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Recursive coordinate bisection (M. Berger and S. Bokhari, "A partitioning strategy for nonuniform
 * problems on multiprocessors", 1987): points with integer coordinates, halved again and again.
 * Points are ranks of a process grid, groups of them, or nodes of an allocation.
 */
#ifndef MESH_RCB_H
#define MESH_RCB_H

#include "base/mesh.h"
#include "ranks/traffic.h"

struct rcb_points {
	int n, ndims;
	int (*pos)[MESH_MAX_DIMS]; /* [n] */
};

/* 0, or -1 when memory is out. rcb_points_release() it; a zeroed struct is fine. */
int rcb_points_init(struct rcb_points *set, int n, int ndims);
void rcb_points_release(struct rcb_points *set);

/* Ranks at their coordinates in the grid. */
int rcb_points_init_grid(struct rcb_points *set, const struct traffic_grid *grid);
/* Ranks of any graph; their coordinates are distances, in edges, from ranks that are far apart in
 * it. */
int rcb_points_init_traffic(struct rcb_points *set, const struct traffic *traffic);
/* Nodes at their vertices; a dimension that wraps is cut open at its longest empty stretch. */
int rcb_points_init_nodes(struct rcb_points *set, const struct mesh *mesh, const int *node, int n);
/* Groups at the middle of their members (in half units). */
int rcb_points_init_groups(
	struct rcb_points *set, const struct rcb_points *members, const int *group, int ngroups);

/* The order in which points are cut. */
struct rcb_key {
	int along;     /* the side that is cut */
	uint64_t rest; /* the other sides */
	int point;
};

/*
 * Cut n >= 2 points of the set, point[], across their longest side: sorts them, and says how many
 * are in the first part. scratch[n]. O(n log n).
 */
int rcb_halve(const struct rcb_points *set, int *point, int n, struct rcb_key *scratch);

/*
 * Halve the set along its longest side until parts have `unit` points (n is a multiple):
 * part[i] numbers them 0.. in the order of the halving, so that near numbers are near.
 * 0, or -1 when memory is out. O(n log^2 n).
 */
int rcb_split(const struct rcb_points *set, int unit, int *part);

/*
 * Halve two sets of the same n in step: match[i] is the point of `b` for point i of `a`.
 * 0, or -1 when memory is out. O(n log^2 n).
 */
int rcb_match(const struct rcb_points *a, const struct rcb_points *b, int *match);

#endif
