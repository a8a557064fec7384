/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point/point_centres.h"

#include <string.h>

/* The balls around the centres, or with the next shell (outer). */
static void measure_balls(struct point *point, struct point_centres *centres, bool outer)
{
	const int *count = outer ? centres->next : centres->count;
	struct point_sphere *sphere = &centres->sphere[outer];
	struct batch_where where = {centres->radius + outer, centres->x, point->beyond};

	point->batch.kernel->begin(point, count, &sphere->spread);
	batch_measure(&point->batch, &point->batch.ball[outer], &where, &sphere->spread);
	point->batch.kernel->slack(point, count, sphere);
}

/* The balls of the centres' radius: they may have been the outer ones before. */
static void measure_centres(struct point *point, struct point_centres *centres)
{
	struct batch *batch = &point->batch;

	if (centres->outer && batch->ball[1].radius == centres->radius) {
		struct batch_ball ball = batch->ball[0];

		batch->ball[0] = batch->ball[1];
		batch->ball[1] = ball;
		centres->sphere[0] = centres->sphere[1];
	} else {
		measure_balls(point, centres, false);
	}
	centres->outer = false;
}

bool point_centres_bound(struct point *point, struct point_centres *centres)
{
	measure_centres(point, centres);
	return point->batch.kernel->bound(point, centres);
}

/* From the ball and the nearest nodes of the shell, or all of the shell less its farthest. */
static bool refine_centres(struct point *point, struct point_centres *centres,
	const struct point_shares *shares, bool farthest)
{
	struct batch *batch = &point->batch;
	const struct point_sphere *sphere = &centres->sphere[farthest];
	struct batch_take take = {&batch->ball[farthest], farthest ? -1 : 1,
		farthest ? shares->left : shares->taken, shares->all};
	float added[BATCH_MAX];

	batch->kernel->shell(batch, &take, centres->x, added);
	return batch->kernel->raise(point, centres, &take, sphere, added);
}

bool point_centres_improve(struct point *point, struct point_centres *centres)
{
	for (int step = 0; step < 2; step++) {
		struct point_shares shares;
		bool farthest;

		if (!point->batch.kernel->shares(centres, point->wanted, &shares))
			return true;
		/* The smaller part of the shell first. */
		farthest = shares.fewer_left ^ step;
		if (farthest && !centres->outer) {
			measure_balls(point, centres, true);
			centres->outer = true;
		}
		point->batch.ball[1].radius = centres->radius + 1;
		if (!refine_centres(point, centres, &shares, farthest))
			return false;
	}
	return true;
}

/* The ball's total, and point->far[] by coordinate, in whole numbers. */
static int64_t spread_lane(struct point *point, int centre, int lane)
{
	const struct batch *batch = &point->batch;
	const struct batch_ball *ball = &batch->ball[0];
	const struct mesh *mesh = point->mesh;
	int64_t total = 0;

	for (int d = 0; d < mesh->ndims; d++) {
		int side = mesh->side[d], from = mesh->coord[centre][d] - batch->middle[d];

		memset(point->count[d], 0, (size_t)side * sizeof(int));
		for (int p = ball->from[d]; p <= ball->to[d]; p++) {
			int q = from + p, here = (int)ball->marginal[d][p * batch->width + lane];

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
		point->wanted - centres->count[lane],
		spread_lane(point, centres->first + lane, lane)};

	return point_total_beyond(point, &ball, limit, NULL);
}
