/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/grids.h"

#include <string.h>

#include "sim/need.h"

void grids_init(struct grids *grids, int nvertices)
{
	grids->nvertices = nvertices;
	need_array(&grids->arena, grids->grid_of, nvertices);
	need_array(&grids->arena, grids->at, nvertices);
	memset(grids->grid_of, -1, (size_t)nvertices * sizeof(int));
}

struct grid *grids_add(struct grids *grids)
{
	return grids->ngrids < MESH_MAX_MESHES ? need_next(&grids->arena, &grids->grid,
		&grids->ngrids, sizeof(*grids->grid)) : NULL;
}

int grid_next(const struct grid *grid, int d, int at, int sign)
{
	int next = at + sign, side = grid->side[d];

	if (next >= 0 && next < side)
		return next;
	return grid->wrap[d] && side > 2 ? (next + side) % side : -1;
}

int grid_up(const struct grid *grid, int cell, int d)
{
	int stride = 1, at, up;

	for (int i = 0; i < d; i++)
		stride *= grid->side[i];
	at = cell / stride % grid->side[d];
	up = grid_next(grid, d, at, 1);
	return up < 0 ? -1 : cell + (up - at) * stride;
}

int grid_along(const struct grid *grid, const int *a, const int *b)
{
	int differ = 0, d = 0;

	for (int i = 0; i < grid->ndims; i++)
		if (a[i] != b[i]) {
			differ++;
			d = i;
		}
	return differ == 1 && (grid_next(grid, d, a[d], 1) == b[d] ||
				      grid_next(grid, d, a[d], -1) == b[d]) ? d : -1;
}

int grids_along(const struct grids *grids, int a, int b)
{
	int of = grids->grid_of[a];

	return of >= 0 && of == grids->grid_of[b]
		? grid_along(&grids->grid[of], grids->at[a], grids->at[b]) : -1;
}

int grid_cell(const struct grid *grid, const int *at)
{
	int cell = 0;

	for (int d = grid->ndims - 1; d >= 0; d--)
		cell = cell * grid->side[d] + at[d];
	return cell;
}

int grid_cells(const struct grid *grid, int most)
{
	int64_t cells = 1;

	for (int d = 0; d < grid->ndims && cells <= most; d++)
		cells *= grid->side[d];
	return cells <= most ? (int)cells : -1;
}

int *grids_cells(const struct grids *grids, int number, struct arena *arena)
{
	const struct grid *grid = &grids->grid[number];
	int n = grid_cells(grid, MESH_MAX_VERTICES), *cell = need_get(arena, n, sizeof(*cell));

	memset(cell, -1, (size_t)n * sizeof(*cell));
	for (int v = 0; v < grids->nvertices; v++)
		if (grids->grid_of[v] == number)
			cell[grid_cell(grid, grids->at[v])] = v;
	return cell;
}
