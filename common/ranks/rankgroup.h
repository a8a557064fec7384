/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Groups the ranks that share a node: blocks of consecutive ranks, or tiles of the process grid.
 */
#ifndef MESH_RANKGROUP_H
#define MESH_RANKGROUP_H

#include "ranks/traffic.h"

/* A grid of ranks that may be numbered in any order. */
struct rankgroup_grid {
	const struct traffic_grid *grid;
	const int *cell; /* [ranks] the place of each rank in the grid; NULL: the rank itself */
};

struct rankgroup {
	int *group; /* [ranks] 0.. */
	/* For tiles: the grid of the groups, numbered like the grid of ranks; a weight is what two
	 * neighbouring tiles send. Otherwise ndims = 0. */
	struct traffic_grid coarse;
};

/*
 * Group n ranks into blocks of `size` consecutive ranks. 0, or -1 when memory is out. The arena
 * owns all memory.
 */
int rankgroup_blocks(struct rankgroup *grouping, int n, int size, struct arena *arena);
/*
 * Group ranks into equal tiles of the grid, with the least weight of faces between tiles. 0; 1:
 * there are no tiles of this size; -1: memory is out.
 */
int rankgroup_tiles(struct rankgroup *grouping, const struct rankgroup_grid *order, int size,
	struct arena *arena);

#endif
