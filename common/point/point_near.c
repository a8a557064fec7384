/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Small shells (shell_cells.h) by vertices for point_scan.c, in the order of these: around a ring
 * that begins anew within the shell, offsets from there on come first.
 */
#include <stdlib.h>

#include "point/point.h"

#define MOST SHELL_CELLS_MOST

struct near {
	struct point_scan *scan;
	const uint16_t *here; /* free nodes of the centre */
	const size_t *step;
	const struct shell_cells *cells;
	int ndims, radius, n;
	int first[3];	 /* offsets in the order of coordinates begin with it */
	int far[3][2 * MOST + 1]; /* half hops to all of the ball: sums of three are even */
};

/* Hops by offset along dimension d, from the lanes or (whole) from point->far[]. */
static void load_far(const struct point *point, const struct point_lane *at, bool whole, int d,
	struct near *near)
{
	const struct mesh *mesh = point->mesh;
	const struct lanes *lanes = &point->lanes;
	const struct lanes_ball *ball = &lanes->ball[0];
	const float *from = ball->far[d] + lanes->middle[d] * lanes->width + at->lane;
	float base = d ? 0 : ball->base[at->lane];
	int c = mesh->coord[at->centre][d], side = mesh->side[d], *to = near->far[d] + near->radius;
	int low = -near->radius, high = near->radius;

	/* What is outside the mesh stays nothing. */
	if (!mesh->wrap[d]) {
		low = low > -c ? low : -c;
		high = high < side - 1 - c ? high : side - 1 - c;
	}
	for (int by = low; !whole && by <= high; by++)
		to[by] = (int)(2 * (from[by * lanes->width] + base));
	for (int by = low; whole && by <= high; by++) {
		int q = c + by;

		to[by] = 2 * (int)point->far[d][q < 0 ? q + side : q >= side ? q - side : q];
	}
}

/* The offset of the lowest coordinate within the radius. */
static int first_offset(const struct mesh *mesh, int d, int c, int radius)
{
	int side = mesh->side[d];

	if (!mesh->wrap[d] || (c >= radius && c + radius < side))
		return -radius;
	return c < radius ? -c : side - c;
}

static void begin(struct point *point, const struct point_lane *at, int radius, bool whole,
	struct near *near)
{
	const struct mesh *mesh = point->mesh;
	const struct margins *weight = &point->lanes.levels.weight;

	*near = (struct near){point->scan, weight->at, weight->step,
		lanes_small_shell(&point->lanes, radius), mesh->ndims, radius, 0, {0}, {{0}}};
	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[at->centre][d];

		near->here += (size_t)c * weight->step[d];
		near->first[d] = first_offset(mesh, d, c, radius);
		load_far(point, at, whole, d, near);
	}
}

/* Those at (-left, y, z) and (left, y, z); the first of these is cell `at`. */
static inline void add_row(struct near *near, int left, int y, int z, int at)
{
	struct point_scan *scan = near->scan;
	int first = near->first[0], x = -left < first && left >= first ? left : -left;
	const uint16_t *here = near->here + y * (ptrdiff_t)near->step[1] + z * (ptrdiff_t)near->step[2];
	int far = near->far[1][near->radius + y] + near->far[2][near->radius + z];

	for (int i = 0; i < 1 + (left > 0); i++, x = -x) {
		int free = here[x], cell = at + (x > 0), half = near->far[0][near->radius + x] + far;

		scan->order[near->n] = cell;
		/* Which are free cannot be foretold: no branch. */
		scan->key[cell] = half * (POINT_SCAN / 2) + near->n + (POINT_TAKEN & -(free == 0));
		scan->rest[cell] = free;
		near->n++;
	}
}

/* Those at z, `left` hops from it. */
static void add_plane(struct near *near, int left, int z)
{
	int most = near->ndims > 1 ? left : 0, first = near->first[1];
	int at = near->cells->plane[near->ndims > 2 ? near->radius + z : 0];

	/* One cell in the first row, two in those that follow. */
	for (int y = first < -most ? -most : first; y <= most; y++)
		add_row(near, left - abs(y), y, z, y > -most ? at + 2 * (y + most) - 1 : at);
	for (int y = -most; y < first && y <= most; y++)
		add_row(near, left - abs(y), y, z, y > -most ? at + 2 * (y + most) - 1 : at);
}

/* Where no ring begins anew cells are in the order of vertices. */
static bool in_order(const struct near *near)
{
	for (int d = 0; d < near->ndims; d++)
		if (near->first[d] != -near->radius)
			return false;
	return true;
}

static void add_cells(struct near *near)
{
	const struct shell_cells *cells = near->cells;
	struct point_scan *scan = near->scan;
	int rows[SHELL_ROWS_MOST];

	for (int i = 0; i < cells->nrows; i++)
		rows[i] = near->far[1][near->radius + cells->row[i][0]] +
			near->far[2][near->radius + cells->row[i][1]];
	for (int i = 0; i < cells->n; i++) {
		const struct shell_cell *cell = &cells->cell[i];
		int free = near->here[cell->at];
		int half = near->far[0][near->radius + cell->along] + rows[cell->row];

		scan->order[i] = i;
		scan->key[i] = half * (POINT_SCAN / 2) + i + (POINT_TAKEN & -(free == 0));
		scan->rest[i] = free;
	}
	near->n = cells->n;
}

int point_load_near(struct point *point, const struct point_lane *at, bool whole)
{
	struct point_scan *scan = point->scan;
	struct near near;
	int radius = at->radius + 1, most = point->mesh->ndims > 2 ? radius : 0;

	begin(point, at, radius, whole, &near);
	scan->hops = near.cells->hops;
	scan->pitch = near.cells->pitch;
	if (in_order(&near)) {
		add_cells(&near);
		return near.n;
	}
	for (int z = near.first[2] < -most ? -most : near.first[2]; z <= most; z++)
		add_plane(&near, radius - abs(z), z);
	for (int z = -most; z < near.first[2]; z++)
		add_plane(&near, radius - abs(z), z);
	return near.n;
}
