/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point/point_cube.h"

#include <stdlib.h>
#include <string.h>

#include "point/point.h"

/* Offsets along one dimension, in the order of coordinates, and steps in vertex numbers. */
struct beside {
	int n, offset[3], step[3];
};

/* Of a dimension's three offsets, how many there are: a ring of two has one neighbour. */
static int places(const struct mesh *mesh, int d)
{
	return mesh->side[d] < 3 && (mesh->wrap[d] || mesh->side[d] < 2) ? mesh->side[d] : 3;
}

/* The lowest of them. */
static int lowest(const struct mesh *mesh, int d)
{
	return places(mesh, d) < 3 ? 0 : -1;
}

static struct beside beside(const struct mesh *mesh, int d, int c)
{
	struct beside to = {.n = 0};
	int side = mesh->side[d], low = lowest(mesh, d);

	for (int by = low; by < low + places(mesh, d); by++) {
		int q = c + by, i;

		if (!mesh->wrap[d] && (q < 0 || q >= side))
			continue;
		q += q < 0 ? side : q >= side ? -side : 0;
		/* Around a ring the last offset may be the lowest coordinate. */
		for (i = to.n++; i && to.step[i - 1] > (q - c) * mesh->stride[d]; i--) {
			to.step[i] = to.step[i - 1];
			to.offset[i] = to.offset[i - 1];
		}
		to.step[i] = (q - c) * mesh->stride[d];
		to.offset[i] = by;
	}
	return to;
}

/* ---- the table ---- */

/* The cell's offset along dimension d. */
static int offset_of(const struct mesh *mesh, int cell, int d)
{
	for (int e = 0; e < d; e++)
		cell /= places(mesh, e);
	return lowest(mesh, d) + cell % places(mesh, d);
}

static int cell_hops(const struct mesh *mesh, int a, int b)
{
	int sum = 0;

	for (int d = 0; d < mesh->ndims; d++) {
		int hops = abs(offset_of(mesh, a, d) - offset_of(mesh, b, d));

		sum += mesh->wrap[d] && 2 * hops > mesh->side[d] ? mesh->side[d] - hops : hops;
	}
	return sum;
}

static int centre_cell(const struct mesh *mesh)
{
	int cell = 0;

	for (int d = mesh->ndims - 1; d >= 0; d--)
		cell = cell * places(mesh, d) - lowest(mesh, d);
	return cell;
}

int point_cube_init(struct point_cube *cube, const struct mesh *mesh)
{
	int n = 1;

	memset(cube, 0, sizeof(*cube));
	cube->row_of = -1;
	for (int d = 0; d < mesh->ndims; d++)
		n *= places(mesh, d);
	if (n > CUBE_CELLS)
		return 0;
	cube->along = places(mesh, 0);
	cube->nrows = n / cube->along;
	cube->pitch = (n + LANES_MAX - 1) / LANES_MAX * LANES_MAX;
	cube->centre = centre_cell(mesh);
	cube->hops = calloc((size_t)n * (size_t)cube->pitch, 1);
	cube->middle = malloc((size_t)n);
	if (!cube->hops || !cube->middle)
		return -1;
	for (int a = 0; a < n; a++) {
		cube->middle[a] = (uint8_t)cell_hops(mesh, a, cube->centre);
		for (int b = 0; b < n; b++)
			cube->hops[a * cube->pitch + b] = (uint8_t)cell_hops(mesh, a, b);
	}
	cube->n = n;
	return 0;
}

void point_cube_release(struct point_cube *cube)
{
	free(cube->hops);
	free(cube->middle);
	memset(cube, 0, sizeof(*cube));
}

/* ---- one centre ---- */

bool point_cube_serves(const struct point *point, int radius)
{
	const struct mesh *mesh = point->mesh;

	if (!point->cube.n || radius > 1 || !point->ordered || point->nrequired || !point_keys_serve(point))
		return false;
	for (int d = 0; d < mesh->ndims; d++)
		if (point->space.below[d] || point->space.above[d])
			return false;
	return true;
}

/* The rows of the cubes around this row's centres. */
static void turn_cube(struct point *point, int centre)
{
	const struct mesh *mesh = point->mesh;
	struct point_cube *cube = &point->cube;
	int n = 1, cells = cube->n;

	cube->row_of = centre / mesh->side[0];
	cube->here[0].step = cube->here[0].cell = 0;
	/* The last dimension changes last: each of the rows so far becomes some. */
	for (int d = mesh->ndims - 1; d > 0; d--) {
		struct beside to = beside(mesh, d, mesh->coord[centre][d]);

		cells /= places(mesh, d);
		for (int i = n - 1; i >= 0; i--)
			for (int j = to.n - 1; j >= 0; j--) {
				cube->here[i * to.n + j].step = cube->here[i].step + to.step[j];
				cube->here[i * to.n + j].cell = cube->here[i].cell +
					(to.offset[j] - lowest(mesh, d)) * cells;
			}
		n *= to.n;
	}
	cube->nhere = n;
}

/* All cells into the scan as point_choose_keys() takes them. */
static void load_cube(struct point *point, int centre)
{
	const struct mesh *mesh = point->mesh;
	const struct point_cube *cube = &point->cube;
	const int *weight = point->space.weight + centre;
	struct point_scan *scan = point->scan;
	struct beside to = beside(mesh, 0, mesh->coord[centre][0]);
	int n = 0, far = *weight * POINT_SCAN;

	scan->hops = cube->hops;
	scan->pitch = cube->pitch;
	for (int i = 0; cube->nhere * to.n < cube->n && i < cube->n; i++)
		scan->key[i] = POINT_TAKEN; /* outside the mesh, some of them */
	for (int r = 0; r < cube->nhere; r++)
		for (int i = 0; i < to.n; i++, n++) {
			int cell = cube->here[r].cell + to.offset[i] - lowest(mesh, 0);
			int free = weight[cube->here[r].step + to.step[i]];

			scan->order[n] = cell;
			scan->key[cell] = far * cube->middle[cell] + n + (POINT_TAKEN & -(free == 0));
			scan->rest[cell] = free;
		}
	scan->key[cube->centre] = POINT_TAKEN;
}

int64_t point_cube_total(struct point *point, int centre, int64_t limit)
{
	int take = point->wanted - point->space.weight[centre];

	if (take <= 0)
		return 0;
	if (point->cube.row_of != centre / point->mesh->side[0])
		turn_cube(point, centre);
	load_cube(point, centre);
	return point_choose_keys(point, 1, point->cube.n, take, limit, NULL);
}
