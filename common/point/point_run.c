/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point/point_run.h"

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

/* The balls of this radius around the run's centres; count[] is how many nodes are inside. */
static void measure_balls(struct point *point, const struct point_run *run, int which, int radius,
	const int *count, struct point_sphere *sphere)
{
	point_kernel(point)->begin(point, count, &sphere->spread);
	lanes_measure(&point->lanes, &point->lanes.ball[which], radius, run->x, point->beyond,
		&sphere->spread);
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
		measure_balls(point, run, 0, run->radius, run->count, &run->sphere[0]);
	}
	run->outer = run->walked = false;
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

	run->walked = vertices && lanes_shell(lanes, &take, run->x, added);
	if (!vertices)
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
			measure_balls(point, run, 1, run->radius + 1, run->next, &run->sphere[1]);
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

int64_t point_run_total(struct point *point, struct point_run *run, int lane, int64_t limit)
{
	struct point_lane at = {run->first + lane, lane, run->x, run->radius,
		point->wanted - run->count[lane], &run->sphere[0].spread, run->walked};
	int64_t total = point_lane_choose(point, &at, limit);

	run->walked = at.walked;
	return total;
}
