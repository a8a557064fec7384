/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Centres that are alike. Around centres in balls without a busy node the same nodes are chosen, seen
 * from the centre, where the mesh looks the same and nodes are numbered in the same order. That
 * differs by where along each dimension the numbers begin, if that is in the ball; so a class is,
 * for each dimension, that place, or that it is not there. Where large parts of a machine are free
 * thousands of centres are equally good, and one of each class is looked at.
 */
#include <stdlib.h>
#include <string.h>

#include "point/point.h"

/* A look at a smaller ball takes no longer than the question whether one like it was looked at. */
#define ALIKE 3

/* Vertices within r hops of a vertex, as far as dimension d. */
static int hops_volume(const struct mesh *mesh, int v, int d, int r)
{
	int c = mesh->coord[v][d], side = mesh->side[d], sum = 0;
	int below = mesh->wrap[d] ? side / 2 : c, above = mesh->wrap[d] ? (side - 1) / 2 : side - 1 - c;

	below = below < r ? below : r;
	above = above < r ? above : r;
	if (!d)
		return below + above + 1;
	for (int by = -below; by <= above; by++)
		sum += hops_volume(mesh, v, d - 1, r - abs(by));
	return sum;
}

/* What lies from `below` under the centre's coordinate to `above` over it is inside the mesh. */
static bool is_whole(const struct mesh *mesh, int v, int d, int below, int above)
{
	int c = mesh->coord[v][d];

	return c >= below && c + above < mesh->side[d];
}

/* The same, worked out once for balls that no end of a line cuts; these are all alike. */
static int64_t ball_volume(struct point *point, int v, int r)
{
	const struct mesh *mesh = point->mesh;

	for (int d = 0; d < mesh->ndims; d++)
		if (!mesh->wrap[d] && !is_whole(mesh, v, d, r, r))
			return hops_volume(mesh, v, mesh->ndims - 1, r);
	if (point->volume_of != r) {
		point->volume = hops_volume(mesh, v, mesh->ndims - 1, r);
		point->volume_of = r;
	}
	return point->volume;
}

static int64_t box_volume(const struct point *point, int v, int r)
{
	const struct mesh *mesh = point->mesh;
	int64_t volume = 1;

	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[v][d], side = mesh->side[d];
		int low = c - point->space.below[d] - r, high = c + point->space.above[d] + r;

		if (!mesh->wrap[d]) {
			low = low > 0 ? low : 0;
			high = high < side ? high : side - 1;
		}
		volume *= high - low + 1 < side ? high - low + 1 : side;
	}
	return volume;
}

/* A quick no to most of the questions whether a ball has no busy node: some of those on its axes. */
static bool busy_on_axes(const struct point *point, int v, int r)
{
	const struct mesh *mesh = point->mesh;
	const int *weight = point->space.weight;
	int full = mesh->nodes_per_vertex;

	if (weight[v] < full)
		return true;
	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[v][d], side = mesh->side[d], step = mesh->stride[d];

		for (int by = 1; by <= r; by *= 2)
			if ((c >= by && weight[v - by * step] < full) ||
				(c + by < side && weight[v + by * step] < full))
				return true;
	}
	return false;
}

void point_alike_begin(struct point *point)
{
	if (point->alike)
		memset(point->alike, 0, point->nalike * sizeof(*point->alike));
	point->volume_of = -1;
}

int64_t *point_alike(struct point *point, const struct point_bound *b)
{
	const struct mesh *mesh = point->mesh;
	const struct ball_space *space = &point->space;
	int r = b->radius + !space->boxes, v = b->vertex;
	size_t at = 0;

	if (!point->alike || point->nrequired || (!space->boxes && r < ALIKE) || busy_on_axes(point, v, r) ||
		b->nodes < (space->boxes ? box_volume(point, v, r) : ball_volume(point, v, r)) *
				mesh->nodes_per_vertex)
		return NULL;
	for (int d = 0; d < mesh->ndims; d++) {
		int side = mesh->side[d];

		at = at * ((size_t)side + 1) +
			(size_t)(is_whole(mesh, v, d, space->below[d] + r, space->above[d] + r)
					? side : mesh->coord[v][d]);
	}
	return &point->alike[at];
}
