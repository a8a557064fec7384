/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/shell_cells.h"

#include <stdlib.h>
#include <string.h>

#define VECTOR 16 /* LANES_MAX */

static bool serve(const struct margins *margins, int radius)
{
	const struct mesh *mesh = margins->mesh;
	int around = mesh->wrap[0] ? (mesh->side[0] - 1) / 2 : mesh->side[0] - 1;

	return mesh->ndims <= 3 && radius <= SHELL_CELLS_MOST && radius <= margins->wide && radius <= around &&
		(mesh->ndims == 1 || radius <= margins->deep);
}

static void add_row(struct shell_cells *cells, const struct margins *margins, int left, int y, int z)
{
	int at = y * (int)margins->step[1] + z * (int)margins->step[2];

	cells->row[cells->nrows][0] = (int16_t)y;
	cells->row[cells->nrows][1] = (int16_t)z;
	for (int along = -left; along <= left; along += left ? 2 * left : 1)
		cells->cell[cells->n++] = (struct shell_cell){at + along, (int16_t)along,
			(int16_t)cells->nrows};
	cells->nrows++;
}

static int hops_along(const struct mesh *mesh, int d, int from, int to)
{
	int hops = abs(from - to);

	return d < mesh->ndims && mesh->wrap[d] && 2 * hops > mesh->side[d] ? mesh->side[d] - hops : hops;
}

static bool fill_hops(struct shell_cells *cells, const struct mesh *mesh)
{
	cells->pitch = (cells->n + VECTOR - 1) / VECTOR * VECTOR;
	cells->hops = calloc((size_t)cells->n * (size_t)cells->pitch, 1);
	for (int i = 0; cells->hops && i < cells->n; i++)
		for (int j = 0; j < cells->n; j++) {
			const struct shell_cell *a = &cells->cell[i], *b = &cells->cell[j];
			int hops = hops_along(mesh, 0, a->along, b->along);

			for (int d = 1; d < 3; d++)
				hops += hops_along(mesh, d, cells->row[a->row][d - 1],
					cells->row[b->row][d - 1]);
			cells->hops[i * cells->pitch + j] = (uint8_t)hops;
		}
	return cells->hops;
}

int shell_cells_init(struct shell_cells *cells, const struct margins *margins, int radius)
{
	int y = margins->mesh->ndims > 1 ? radius : 0, z = margins->mesh->ndims > 2 ? radius : 0;

	memset(cells, 0, sizeof(*cells));
	cells->radius = radius;
	if (!serve(margins, radius))
		return 0;
	cells->cell = malloc(2 * SHELL_ROWS_MOST * sizeof(*cells->cell));
	cells->row = malloc(SHELL_ROWS_MOST * sizeof(*cells->row));
	if (!cells->cell || !cells->row)
		return -1;
	for (int dz = -z; dz <= z; dz++) {
		cells->plane[z + dz] = cells->n;
		for (int dy = -y; dy <= y; dy++)
			if (abs(dz) + abs(dy) <= radius)
				add_row(cells, margins, radius - abs(dz) - abs(dy), dy, dz);
	}
	return fill_hops(cells, margins->mesh) ? 0 : -1;
}

void shell_cells_release(struct shell_cells *cells)
{
	free(cells->cell);
	free(cells->row);
	free(cells->hops);
	memset(cells, 0, sizeof(*cells));
}
