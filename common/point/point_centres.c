/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point/point_centres.h"

#include <string.h>

#define LANES LANES_MAX

/* From this radius on, a look at each dimension is cheaper than one at the shell's vertices. */
#define SLICES 4

const struct point_kernel *point_kernel(const struct point *point)
{
#ifdef MESH_WIDE
	if (point->lanes.width == 16)
		return &point_kernel_16;
	if (point->lanes.width == 8)
		return &point_kernel_8;
#else
	(void)point;
#endif
	return &point_kernel_4;
}

void point_run_open(const struct point *point, struct point_run *run)
{
	point_kernel(point)->open(run);
}

bool point_run_filled(const struct point *point, const struct point_run *run)
{
	return point_kernel(point)->filled(run, point->wanted);
}

bool point_run_ends(const struct point *point, struct point_run *run)
{
	return point_kernel(point)->ends(run, point->wanted);
}

/* The balls around the run's centres, or with the next shell (outer). */
static void measure_balls(struct point *point, struct point_run *run, bool outer)
{
	const int *count = outer ? run->next : run->count;
	struct point_sphere *sphere = &run->sphere[outer];
	struct lanes_where where = {run->radius + outer, run->x, point->beyond};

	point_kernel(point)->begin(point, count, &sphere->spread);
	lanes_measure(&point->lanes, &point->lanes.ball[outer], &where, &sphere->spread);
	point_kernel(point)->slack(point, count, sphere);
}

/* The balls of the run's radius: they may have been the outer ones before. */
static void measure_run(struct point *point, struct point_run *run)
{
	struct lanes *lanes = &point->lanes;

	if (run->outer && lanes->ball[1].radius == run->radius) {
		struct lanes_ball ball = lanes->ball[0];

		lanes->ball[0] = lanes->ball[1];
		lanes->ball[1] = ball;
		run->sphere[0] = run->sphere[1];
	} else {
		measure_balls(point, run, false);
	}
	run->outer = false;
}

bool point_run_bound(struct point *point, struct point_run *run)
{
	measure_run(point, run);
	return point_kernel(point)->bound(point, run);
}

/* From the ball and the nearest nodes of the shell, or all of the shell less its farthest. */
static bool refine_run(struct point *point, struct point_run *run,
	const struct point_shares *shares, bool farthest, bool vertices)
{
	struct lanes *lanes = &point->lanes;
	const struct point_sphere *sphere = &run->sphere[farthest];
	struct lanes_take take = {&lanes->ball[farthest], farthest ? -1 : 1, sphere->spread.slope,
		farthest ? shares->left : shares->taken, shares->all};
	float added[LANES];

	if (vertices)
		lanes_shell(lanes, &take, run->x, added);
	else
		lanes_slices(lanes, &take, added);
	return point_kernel(point)->raise(point, run, &take, sphere, added);
}

bool point_run_improve(struct point *point, struct point_run *run)
{
	struct lanes *lanes = &point->lanes;

	for (int step = run->radius >= SLICES ? 0 : 2; step < 4; step++) {
		bool vertices = step >= 2, farthest;
		struct point_shares shares;

		if (!point_kernel(point)->shares(run, point->wanted, &shares))
			return true;
		/* The smaller part of the shell first. */
		farthest = shares.fewer_left ^ (step % 2);
		if (!run->outer && (!vertices || farthest)) {
			measure_balls(point, run, true);
			run->outer = true;
		}
		lanes->ball[1].radius = run->radius + 1;
		if (!refine_run(point, run, &shares, farthest, vertices))
			return false;
	}
	return true;
}

unsigned point_run_settle(const struct point *point, struct point_run *run, bool *open)
{
	return point_kernel(point)->settle(run, open);
}

void point_turn(struct point *point, int vertex)
{
	int centre[MESH_MAX_DIMS] = {0};

	for (int d = 1; d < point->mesh->ndims; d++)
		centre[d] = point->mesh->coord[vertex][d];
	lanes_turn(&point->lanes, centre);
}

/* The ball's total, and point->far[] by coordinate, in whole numbers. */
static int64_t spread_lane(struct point *point, int centre, int lane)
{
	const struct lanes *lanes = &point->lanes;
	const struct lanes_ball *ball = &lanes->ball[0];
	const struct mesh *mesh = point->mesh;
	int64_t total = 0;

	for (int d = 0; d < mesh->ndims; d++) {
		int side = mesh->side[d], from = mesh->coord[centre][d] - lanes->middle[d];

		memset(point->count[d], 0, (size_t)side * sizeof(int));
		for (int p = ball->from[d]; p <= ball->to[d]; p++) {
			int q = from + p, here = (int)ball->marginal[d][p * lanes->width + lane];

			if (here) /* places outside the mesh have none */
				point->count[d][q < 0 ? q + side : q >= side ? q - side : q] = here;
		}
		total += point_spread(point->count[d], side, mesh->wrap[d], point->far[d]);
	}
	return total;
}

int64_t point_run_total(struct point *point, const struct point_run *run, int lane, int64_t limit)
{
	struct point_ball ball = {run->first + lane, run->radius, point->wanted - run->count[lane],
		spread_lane(point, run->first + lane, lane)};

	return point_total_beyond(point, &ball, limit, NULL);
}
