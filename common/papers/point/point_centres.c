/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point/point_centres.h"

#include <stdlib.h>
#include <string.h>

/* Note a lower bound of an open lane, and close the lane if it is above the limit. Is it open? */
static bool bound_lane(struct point_centres *centres, int l, float least)
{
	centres->least[l] = least;
	centres->open[l] = least <= centres->limit;
	centres->ends[l] &= centres->open[l];
	return centres->open[l];
}

/*
 * The balls around the centres with count[] nodes, measured. slack: rounding in the sums, and in
 * sums to the nodes that the balls lack or have too many.
 */
static const struct point_sphere *measure_balls(
	struct point *point, struct point_centres *centres, int radius, const int *count)
{
	struct point_sphere *sphere = &centres->sphere[radius & 1];
	struct batch_spread *spread = &sphere->spread;
	struct batch_where where = {radius, centres->x, point->beyond};

	if (sphere->radius == radius)
		return sphere;
	sphere->radius = radius;
	for (int l = 0; l < BATCH; l++) {
		spread->n[l] = (float)(count[l] + point->nrequired);
		spread->slope[l] = spread->n[l] * point->slope;
		spread->steep[l] = spread->n[l] * point->steep;
	}
	batch_measure(&point->batch, &where, spread);
	for (int l = 0; l < BATCH; l++) {
		float apart = (float)abs(point->wanted - count[l]) * spread->n[l];

		sphere->slack[l] = point->rounding *
			(spread->total[l] + apart * (float)point->sides);
	}
	return sphere;
}

/*
 * Bound: the nodes still to choose are not nearer to the ball than its nearest vertex, and those
 * that the next shell lacks are at least one hop farther.
 */
bool point_centres_bound(struct point *point, struct point_centres *centres)
{
	const struct point_sphere *sphere =
		measure_balls(point, centres, centres->radius, centres->count);
	bool open = false;

	for (int l = 0; l < centres->n; l++) {
		int togo = point->wanted - centres->count[l];
		int beyond = point->wanted - centres->next[l];
		float slope = sphere->spread.slope[l];
		float far = sphere->spread.nearest[l] + slope * (float)(centres->radius + 1);

		if (centres->open[l])
			open |= bound_lane(centres, l, sphere->spread.total[l] - sphere->slack[l] +
				(far > 0 ? far : 0) * (float)togo +
				(beyond > 0 ? slope * (float)beyond : 0) +
				point->batch.least_pairs[togo]);
	}
	return open;
}

/* Improve the bound of an open lane. Is it still open? */
static bool improve_lane(struct point_centres *centres, int l, float bound)
{
	return centres->open[l] &&
		bound_lane(centres, l, bound > centres->least[l] ? bound : centres->least[l]);
}

/* Bound: the ball with all of the next shell, without nodes as far as its farthest vertex. */
static bool bound_outside(struct point *point, struct point_centres *centres)
{
	const struct point_sphere *sphere =
		measure_balls(point, centres, centres->radius + 1, centres->next);
	bool some = false;

	for (int l = 0; l < centres->n; l++) {
		int left = centres->next[l] - point->wanted;
		float far = sphere->spread.farthest[l] +
			sphere->spread.steep[l] * (float)(centres->radius + 1);

		some |= centres->ends[l] && improve_lane(centres, l, sphere->spread.total[l] -
			2 * sphere->slack[l] - far * (float)left + point->batch.least_pairs[left]);
	}
	return some;
}

/*
 * Bound: the ball and the nearest nodes of the shell, or all of the shell without its farthest
 * nodes.
 */
static bool bound_shell(struct point *point, struct point_centres *centres, bool farthest)
{
	int radius = centres->radius + farthest, t[BATCH] = {0}, all[BATCH] = {0};
	const struct point_sphere *sphere = &centres->sphere[radius & 1];
	struct batch_take take = {batch_ball(&point->batch, radius), centres->radius + 1,
		farthest ? -1 : 1, t, all, centres->x};
	float added[BATCH];
	bool some = false;

	for (int l = 0; l < centres->n; l++)
		if (centres->ends[l]) {
			t[l] = farthest ? centres->next[l] - point->wanted
					: point->wanted - centres->count[l];
			all[l] = centres->next[l] - centres->count[l];
		}
	batch_shell(&point->batch, &take, added);
	for (int l = 0; l < centres->n; l++)
		some |= centres->ends[l] && improve_lane(centres, l, sphere->spread.total[l] +
			added[l] - 4 * sphere->slack[l] + point->batch.least_pairs[t[l]]);
	return some;
}

/* Does a centre that ends here lack nodes? */
static bool lacks_nodes(const struct point_centres *centres, int wanted)
{
	bool some = false;

	for (int l = 0; l < centres->n; l++)
		some |= centres->ends[l] && centres->count[l] < wanted;
	return some;
}

/* The cheapest bound comes first. */
void point_centres_improve(struct point *point, struct point_centres *centres)
{
	if (lacks_nodes(centres, point->wanted) && bound_outside(point, centres) &&
		bound_shell(point, centres, false))
		bound_shell(point, centres, true);
}

/* The ball's total, and point->far[] by coordinate, in whole numbers. */
static int64_t spread_lane(struct point *point, const struct point_centres *centres, int lane)
{
	const struct batch_ball *ball = batch_ball(&point->batch, centres->radius);
	const struct mesh *mesh = point->mesh;
	const int16_t *centre = mesh->coord[centres->first + lane];
	int64_t total = 0;

	for (int d = 0; d < mesh->ndims; d++) {
		int side = mesh->side[d], from = centre[d] - point->batch.middle[d];

		memset(point->count[d], 0, (size_t)side * sizeof(int));
		for (int p = ball->from[d]; p <= ball->to[d]; p++) {
			int q = from + p, here = (int)ball->marginal[d][p * BATCH + lane];

			if (here) /* places outside the mesh have none */
				point->count[d][q < 0 ? q + side : q >= side ? q - side : q] = here;
		}
		total += axis_star_hops(point->count[d], side, mesh->wrap[d], point->far[d]);
	}
	return total;
}

int64_t point_centres_total(
	struct point *point, const struct point_centres *centres, int lane, int64_t limit)
{
	struct point_ball ball = {centres->first + lane, centres->radius,
		point->wanted - centres->count[lane], spread_lane(point, centres, lane)};

	if (!ball.take || ball.inside > limit)
		return ball.inside;
	return point_total_beyond(point, &ball,
		batch_list_shell(&point->batch, ball.radius + 1, centres->x + lane, point->vertex),
		limit, NULL);
}
