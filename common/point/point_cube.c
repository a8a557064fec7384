/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sets of nodes around a centre that take some of the cube with its neighbours: for point_boxes.c, where
 * requests of a few nodes end around very many centres, which are looked at one by one. The ball is
 * the centre's vertex, so that hops to all of it are those of the offset.
 */
#include <stdlib.h>

#include "point/point_centres.h"

/* The centre's coordinate and its neighbours', ascending: a ring of two has one neighbour. */
struct beside {
	int n, at[3];
};

static struct beside beside(const struct mesh *mesh, int d, int c)
{
	struct beside to = {.n = 0};
	int side = mesh->side[d];

	for (int by = -1; by <= 1; by++) {
		int q = c + by, i;

		if (mesh->wrap[d])
			q += q < 0 ? side : q >= side ? -side : 0;
		if (q < 0 || q >= side || (side < 3 && mesh->wrap[d] && by < 0) || (by && q == c))
			continue;
		for (i = to.n++; i && to.at[i - 1] > q; i--)
			to.at[i] = to.at[i - 1];
		to.at[i] = q;
	}
	return to;
}

bool point_cube_serves(const struct point *point, int radius)
{
	const struct mesh *mesh = point->mesh;

	if (radius > 1 || !point->ordered || point->nrequired || mesh->ndims > 3)
		return false;
	for (int d = 0; d < mesh->ndims; d++)
		if (point->space.below[d] || point->space.above[d])
			return false;
	return (int64_t)point->wanted * point->batch.most < POINT_TAKEN / 2;
}

/* Cells without a free node are there too, beyond all others. */
static void load_cube(struct point *point, int centre)
{
	const struct mesh *mesh = point->mesh;
	const int *weight = point->space.weight;
	const int16_t *c = mesh->coord[centre];
	struct point_cells *cells = &point->cells;
	struct beside x = beside(mesh, 0, c[0]), y = beside(mesh, 1, c[1]), z = beside(mesh, 2, c[2]);
	int n = 0, far = weight[centre];

	for (int k = 0; k < z.n; k++)
		for (int j = 0; j < y.n; j++) {
			int row = y.at[j] * mesh->stride[1] + z.at[k] * mesh->stride[2];
			int hops = (y.at[j] != c[1]) + (z.at[k] != c[2]);

			for (int i = 0; i < x.n; i++, n++) {
				int free = weight[row + x.at[i]];

				cells->key[n] = far * (hops + (x.at[i] != c[0])) + (POINT_TAKEN & -(free == 0));
				cells->rest[n] = free;
				cells->at[0][n] = x.at[i];
				cells->at[1][n] = y.at[j];
				cells->at[2][n] = z.at[k];
				cells->key[n] |= POINT_TAKEN & -(row + x.at[i] == centre);
			}
		}
	cells->base = 0;
	cells->n = n;
	cells->lines.n = 0;
	point_cells_end(cells, n);
}

int64_t point_cube_total(struct point *point, int centre, int64_t limit)
{
	int take = point->wanted - point->space.weight[centre];
	struct point_choice choice = {.now = take, .take = take, .limit = limit,
		.least = point->batch.pairs.least, .chosen = point->chosen};

	if (take <= 0)
		return 0;
	load_cube(point, centre);
	return point->batch.kernel->cells->choose(&point->cells, point->mesh, &choice);
}
