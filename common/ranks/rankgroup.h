/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which ranks share a node: blocks of consecutive ranks, or tiles of the process grid.
 */
#ifndef MESH_RANKGROUP_H
#define MESH_RANKGROUP_H

#include "ranks/traffic.h"

/* A grid of ranks that may be numbered in any order. */
struct rankgroup_grid {
	const struct traffic_grid *grid;
	const int *cell; /* [ranks] place of each rank in the grid; NULL: the rank itself */
};

struct rankgroup {
	int *group; /* [ranks] 0.. */
	/* Tiles: the grid of the groups, numbered as the grid of ranks is, with what is sent
	 * between two tiles as weights; otherwise ndims = 0. */
	struct traffic_grid coarse;
};

/* A new grouping of n ranks into blocks of `size` consecutive ranks. 0, or -1 when memory is out.
 * The arena frees it. */
int rankgroup_blocks(struct rankgroup *grouping, int n, int size, struct arena *arena);
/*
 * A new grouping into equal tiles of the grid, those with the least weight of faces between tiles.
 * 0; 1: there are none of this size; or -1 when memory is out.
 */
int rankgroup_tiles(struct rankgroup *grouping, const struct rankgroup_grid *order, int size,
	struct arena *arena);

#endif
