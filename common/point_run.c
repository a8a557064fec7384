/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point_run.h"

#include <string.h>

#include "vector.h"

#define LANES LANES_MAX

/* From this radius on, a look at each dimension is cheaper than one at the shell's vertices. */
#define SLICES 4

MESH_VECTORISE
static void begin_spread(struct lanes_spread *spread, const int *count, int required, float slope)
{
	for (int l = 0; l < LANES; l++) {
		spread->n[l] = (float)(count[l] + required);
		spread->slope[l] = slope * spread->n[l];
	}
}

/* Rounding of sums over a ball, and to the u nodes that it lacks or has too many. */
MESH_VECTORISE
static void find_slack(struct point_sphere *sphere, const int *count, int wanted, float sides, float rounding)
{
	for (int l = 0; l < LANES; l++) {
		float u = (float)(wanted - count[l]);

		u = u < 0 ? -u : u;
		sphere->slack[l] = (sphere->spread.total[l] + u * sphere->spread.n[l] * sides) *
			rounding;
	}
}

/*
 * The nodes to go are no nearer to the ball than its nearest vertex `reach` hops away, and what
 * the next shell does not have is one hop more away at least.
 */
MESH_VECTORISE
static void first_bounds(float *least, const struct point_sphere *sphere, const int *count,
	const int *next, int wanted, float reach)
{
	for (int l = 0; l < LANES; l++) {
		float slope = sphere->spread.slope[l];
		float far = sphere->spread.nearest[l] + slope * reach;
		int beyond = wanted - next[l];

		far = far > 0 ? far : 0;
		beyond = beyond > 0 ? beyond : 0;
		least[l] = sphere->spread.total[l] + far * (float)(wanted - count[l]) +
			slope * (float)beyond - sphere->slack[l];
	}
}

MESH_VECTORISE
static void raise_bounds(float *least, const struct point_sphere *sphere, const float *added,
	const float *pairs, const float *slack)
{
	for (int l = 0; l < LANES; l++) {
		float bound = sphere->spread.total[l] + added[l] + pairs[l] -
			2 * (slack[l] + sphere->slack[l]);

		least[l] = bound > least[l] ? bound : least[l];
	}
}

MESH_VECTORISE
int point_run_filled(const struct point_run *run, int wanted)
{
	int any = 0;

	for (int l = 0; l < LANES; l++)
		any |= run->open[l] & (run->count[l] >= wanted);
	return any;
}

/* Those that cannot win are closed; is one left? */
MESH_VECTORISE
static int close_lost(struct point_run *run)
{
	int any = 0;

	for (int l = 0; l < LANES; l++) {
		run->open[l] &= run->least[l] <= run->limit;
		run->ends[l] &= run->open[l];
		any |= run->open[l];
	}
	return any;
}

MESH_VECTORISE
int point_run_ends(struct point_run *run, int wanted)
{
	int any = 0;

	for (int l = 0; l < LANES; l++) {
		run->ends[l] = run->open[l] & (run->next[l] >= wanted);
		any |= run->ends[l];
	}
	return any;
}

/* How many nodes centres that end take of the next shell, how many they leave, and of how many. */
MESH_VECTORISE
static void find_shares(const struct point_run *run, int wanted, int *taken, int *left, int *all)
{
	for (int l = 0; l < LANES; l++) {
		taken[l] = run->ends[l] * (wanted - run->count[l]);
		left[l] = run->ends[l] * (run->next[l] - wanted);
		all[l] = taken[l] + left[l];
	}
}

/* What t nodes have among themselves at least: on the next shell where centres end there. */
static void find_pairs(const struct lanes *lanes, const struct point_run *run, const int *t, float *pairs)
{
	int n, last = lanes->mesh->nnodes;
	const float *table = shell_pairs_of(&lanes->pairs, run->radius + 1, &n);

	for (int l = 0; l < run->n; l++) {
		int here = run->open[l] ? t[l] : 0;

		here = here < 0 ? 0 : here > last ? last : here;
		pairs[l] = *(run->ends[l] && here < n ? &table[here] : &lanes->pairs.least[here]);
	}
}

MESH_VECTORISE
static void add_pairs(float *least, const float *pairs)
{
	for (int l = 0; l < LANES; l++)
		least[l] += pairs[l];
}

/* The balls of this radius around the run's centres; count[] is how many nodes are inside. */
static void measure_balls(struct point *point, const struct point_run *run, int which, int radius,
	const int *count, struct point_sphere *sphere)
{
	begin_spread(&sphere->spread, count, point->nrequired, point->slope);
	lanes_measure(&point->lanes, &point->lanes.ball[which], radius, run->x, point->beyond,
		&sphere->spread);
	find_slack(sphere, count, point->wanted, (float)point->sides, point->rounding);
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
	float pairs[LANES] = {0};
	int togo[LANES];

	measure_run(point, run);
	first_bounds(run->least, &run->sphere[0], run->count, run->next, point->wanted,
		(float)(run->radius + 1));
	if (!close_lost(run))
		return false;
	for (int l = 0; l < LANES; l++)
		togo[l] = point->wanted - run->count[l];
	find_pairs(&point->lanes, run, togo, pairs);
	add_pairs(run->least, pairs);
	return close_lost(run);
}

/*
 * Better bounds for those whose last shell is the next one: the ball and the nearest nodes of
 * the shell, or all of the shell less its farthest.
 */
static void refine_run(struct point *point, struct point_run *run, struct lanes_take *take,
	bool farthest, bool vertices)
{
	struct lanes *lanes = &point->lanes;
	const struct point_sphere *sphere = &run->sphere[farthest];
	float added[LANES], pairs[LANES] = {0};

	take->from = &lanes->ball[farthest];
	take->sign = farthest ? -1 : 1;
	find_pairs(lanes, run, take->t, pairs);
	memcpy(take->slope, sphere->spread.slope, sizeof(take->slope));
	if (vertices)
		lanes_shell(lanes, take, run->x, added);
	else
		lanes_slices(lanes, take, added);
	/* With nothing to take, the bound is that of the ball alone: right for the others too. */
	raise_bounds(run->least, sphere, added, pairs, run->sphere[0].slack);
	run->walked = vertices && !farthest;
}

static int sum(const int *value)
{
	int all = 0;

	for (int l = 0; l < LANES; l++)
		all += value[l];
	return all;
}

bool point_run_improve(struct point *point, struct point_run *run)
{
	struct lanes *lanes = &point->lanes;

	for (int step = run->radius >= SLICES ? 0 : 2; step < 4; step++) {
		bool vertices = step >= 2, farthest;
		struct lanes_take take;
		int left[LANES], taken;

		find_shares(run, point->wanted, take.t, left, take.all);
		taken = sum(take.t);
		if (!taken)
			return true;
		/* The smaller part of the shell first. */
		farthest = (sum(left) < taken) ^ (step % 2);
		if (farthest)
			memcpy(take.t, left, sizeof(left));
		if (!run->outer && (!vertices || farthest)) {
			measure_balls(point, run, 1, run->radius + 1, run->next, &run->sphere[1]);
			run->outer = true;
		}
		lanes->ball[1].radius = run->radius + 1;
		refine_run(point, run, &take, farthest, vertices);
		if (!close_lost(run))
			return false;
	}
	return true;
}

int64_t point_run_total(struct point *point, struct point_run *run, int lane, int64_t limit)
{
	struct point_lane at = {run->first + lane, lane, run->x, run->radius,
		point->wanted - run->count[lane], &run->sphere[0].spread, run->walked};
	int64_t total = point_lane_choose(point, &at, limit);

	run->walked = at.walked;
	return total;
}
