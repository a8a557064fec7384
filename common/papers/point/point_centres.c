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
 * Measure the balls around the centres, with the next shell if `outer`. slack: rounding in the
 * sums, and in sums to the nodes that the balls lack or have too many.
 */
static void measure_balls(struct point *point, struct point_centres *centres, bool outer)
{
	const int *count = outer ? centres->next : centres->count;
	struct point_sphere *sphere = &centres->sphere[outer];
	struct batch_where where = {centres->radius + outer, centres->x, point->beyond};

	for (int l = 0; l < point->batch.width; l++) {
		sphere->spread.n[l] = (float)(count[l] + point->nrequired);
		sphere->spread.slope[l] = sphere->spread.n[l] * point->slope;
	}
	batch_measure(&point->batch, &point->batch.ball[outer], &where, &sphere->spread);
	for (int l = 0; l < point->batch.width; l++) {
		float apart = (float)abs(point->wanted - count[l]) * sphere->spread.n[l];

		sphere->slack[l] = point->rounding *
			(sphere->spread.total[l] + apart * (float)point->sides);
	}
}

/* Measure the balls of the centres' radius; they may have been the outer ones before. */
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

/*
 * Bound: the nodes still to choose are not nearer to the ball than its nearest vertex, and those
 * that the next shell lacks are at least one hop farther.
 */
bool point_centres_bound(struct point *point, struct point_centres *centres)
{
	const struct point_sphere *sphere = &centres->sphere[0];
	bool open = false;

	measure_centres(point, centres);
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

/* The nodes of the next shell, for centres that end there. */
struct shares {
	int taken[BATCH_MAX], left[BATCH_MAX], all[BATCH_MAX];
	bool fewer_left; /* all centres together */
};

/* What centres that end take of the shell, and leave; false: there is no node to take. */
static bool share(const struct point_centres *centres, int wanted, struct shares *shares)
{
	bool some = false;
	int more = 0;

	memset(shares, 0, sizeof(*shares));
	for (int l = 0; l < centres->n; l++) {
		if (!centres->ends[l])
			continue;
		shares->taken[l] = wanted - centres->count[l];
		shares->left[l] = centres->next[l] - wanted;
		shares->all[l] = shares->taken[l] + shares->left[l];
		more += shares->left[l] - shares->taken[l];
		some |= shares->taken[l] > 0;
	}
	shares->fewer_left = more < 0;
	return some;
}

/*
 * Bound: the ball and the nearest nodes of the shell, or all of the shell without its farthest
 * nodes. If there is nothing to take, the bound of the ball alone holds for centres that go on.
 */
static bool refine_centres(struct point *point, struct point_centres *centres,
	const struct shares *shares, bool farthest)
{
	struct batch *batch = &point->batch;
	const struct point_sphere *sphere = &centres->sphere[farthest];
	struct batch_take take = {&batch->ball[farthest], farthest ? -1 : 1,
		farthest ? shares->left : shares->taken, shares->all};
	float added[BATCH_MAX];
	bool open = false;

	batch_shell(batch, &take, centres->x, added);
	for (int l = 0; l < centres->n; l++) {
		float slack = centres->sphere[0].slack[l] + sphere->slack[l], bound;

		if (!centres->open[l])
			continue;
		bound = sphere->spread.total[l] + added[l] - 2 * slack +
			batch->least_pairs[take.t[l]];
		open |= bound_lane(
			centres, l, bound > centres->least[l] ? bound : centres->least[l]);
	}
	return open;
}

bool point_centres_improve(struct point *point, struct point_centres *centres)
{
	for (int step = 0; step < 2; step++) {
		struct shares shares;
		bool farthest;

		if (!share(centres, point->wanted, &shares))
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

	if (!ball.take || ball.inside > limit)
		return ball.inside;
	return point_total_beyond(point, &ball,
		batch_list_shell(&point->batch, ball.radius + 1, centres->x + lane, point->vertex),
		limit, NULL);
}
