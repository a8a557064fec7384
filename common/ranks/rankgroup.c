/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ranks/rankgroup.h"

int rankgroup_blocks(struct rankgroup *grouping, int n, int size, struct arena *arena)
{
	*grouping = (struct rankgroup){.group = arena_get(arena, n, sizeof(int))};
	for (int i = 0; grouping->group && i < n; i++)
		grouping->group[i] = i / size;
	return grouping->group ? 0 : -1;
}

/* --- tiles ------------------------------------------------------------------------ */

struct tile {
	int side[MESH_MAX_DIMS];
	double cut; /* weight of the faces between tiles; < 0: no tile */
};

static double tile_cut(const struct traffic_grid *grid, const int *side)
{
	double cut = 0;

	for (int d = 0; d < grid->ndims; d++) {
		int tiles = grid->side[d] / side[d];
		double faces = grid->weight[d] * (tiles - 1 + (grid->wrap[d] && tiles > 1));

		for (int e = 0; e < grid->ndims; e++)
			faces *= e == d ? 1 : grid->side[e];
		cut += faces;
	}
	return cut;
}

/* Try sides d and on of a tile of `left` ranks, and keep the tile with the least cut. */
static void find_tiles(const struct traffic_grid *grid, int d, int left, struct tile *now,
	struct tile *best)
{
	if (d == grid->ndims) {
		now->cut = tile_cut(grid, now->side);
		if (left == 1 && (best->cut < 0 || now->cut < best->cut))
			*best = *now;
		return;
	}
	for (int side = 1; side <= left && side <= grid->side[d]; side++)
		if (left % side == 0 && grid->side[d] % side == 0) {
			now->side[d] = side;
			find_tiles(grid, d + 1, left / side, now, best);
		}
}

/* The number of a place in a grid of tiles, which counts like the grid of ranks. */
static int tile_at(const struct traffic_grid *coarse, const struct tile *tile, const int *coord)
{
	int at = 0;

	for (int j = coarse->ndims - 1; j >= 0; j--) {
		int d = coarse->first_fastest ? j : coarse->ndims - 1 - j;

		at = at * coarse->side[d] + coord[d] / tile->side[d];
	}
	return at;
}

static int make_tiles(struct rankgroup *grouping, const struct rankgroup_grid *order,
	const struct tile *tile, struct arena *arena)
{
	const struct traffic_grid *grid = order->grid;
	int n = traffic_grid_size(grid, NULL);

	*grouping = (struct rankgroup){arena_get(arena, n, sizeof(int)), *grid};
	if (!grouping->group)
		return -1;
	for (int d = 0; d < grid->ndims; d++) {
		grouping->coarse.side[d] = grid->side[d] / tile->side[d];
		for (int e = 0; e < grid->ndims; e++)
			grouping->coarse.weight[d] *= e == d ? 1 : tile->side[e];
	}
	for (int i = 0; i < n; i++) {
		int coord[MESH_MAX_DIMS];

		traffic_grid_coord(grid, order->cell ? order->cell[i] : i, coord);
		grouping->group[i] = tile_at(&grouping->coarse, tile, coord);
	}
	return 0;
}

int rankgroup_tiles(struct rankgroup *grouping, const struct rankgroup_grid *order, int size,
	struct arena *arena)
{
	struct tile best = {.cut = -1}, now = {{0}, 0};

	find_tiles(order->grid, 0, size, &now, &best);
	return best.cut < 0 ? 1 : make_tiles(grouping, order, &best, arena);
}
