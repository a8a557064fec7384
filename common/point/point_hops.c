/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The best centre by hops, without looking closely at most of them.
 *
 * Where balls are small enough to be looked up, the centre with the least sum of hops to its k
 * nearest nodes has nearly the least total, and is looked at first; otherwise, the best of a few
 * rows. A run of neighbouring centres at a time has its lower bounds worked out (point_run.h).
 * Centres that could still win are looked at as they come, and at the end those of the first rows,
 * if any, in order of their bounds.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "point/point_run.h"
#include "base/simd.h"

/* Machines up to so many vertices stay in the processor's cache, whatever the order. */
#define SMALL 8192
/* On larger ones a row in so many comes first; a prime, so that they lie on different planes. */
#define SAMPLE 13

/* ---- a heap of bounds ---- */

static bool before(const struct point_bound *a, const struct point_bound *b)
{
	return a->least < b->least || (a->least <= b->least && a->vertex < b->vertex);
}

static void sift(struct point_bound *heap, int n, int i)
{
	struct point_bound moving = heap[i];

	for (int child; (child = 2 * i + 1) < n; i = child) {
		child += child + 1 < n && before(&heap[child + 1], &heap[child]);
		if (!before(&heap[child], &moving))
			break;
		heap[i] = heap[child];
	}
	heap[i] = moving;
}

bool point_is_centre(const struct point *point, const struct point_search *search, int v)
{
	const struct mesh *mesh = point->mesh;

	if (search->free_only) {
		if (point->space.weight[v])
			return true;
		for (int i = mesh->first[v]; point->nrequired && i < mesh->first[v + 1]; i++)
			if (nodeset_has(point->required, mesh->node_at[i]))
				return true;
		return false;
	}
	for (int d = 0; search->grid && d < mesh->ndims; d++)
		if (!nodeset_has(&point->used[d], mesh->coord[v][d]))
			return false;
	return true;
}

/* Where a lane's numbers are still at hand: run's, or NULL. */
static void look(struct point *point, struct point_search *search, const struct point_bound *b,
	struct point_run *run)
{
	bool tie_wins = search->vertex < 0 || b->vertex < search->vertex;
	int64_t limit = search->total - !tie_wins, *known = point_alike(point, b), total;

	if (!point_alike_total(known, limit, &total))
		total = run ? point_run_total(point, run, b->vertex - run->first, limit)
			    : point_total(point, b->vertex, b->radius, limit);
	point_alike_keep(known, total, limit);
	if (total > limit)
		return;
	search->total = search->cost = total;
	search->vertex = b->vertex;
}

/* ---- all centres ---- */

/* Totals are whole numbers, and a tie goes to the lower vertex. */
static bool can_win(const struct point_search *search, const struct point_bound *b)
{
	if (search->vertex < 0)
		return true;
	return b->least <= (double)search->total - (b->vertex > search->vertex);
}

/* What bounds of centres from this vertex on may be at most to win. */
static float limit_from(const struct point_search *search, int vertex)
{
	float limit;

	if (search->vertex < 0)
		return FLT_MAX;
	limit = (float)(search->total - (vertex > search->vertex));
	return limit < 1e6f ? limit : limit * (1 + 4 * FLT_EPSILON);
}

/* Bounds at the run's radius; are centres left to go on with? */
static bool end_run(struct point *point, struct point_search *search, struct point_run *run,
	struct point_bound *best)
{
	unsigned ends;
	bool open;

	if (!point_run_bound(point, run))
		return false;
	if (search->vertex >= 0 && !point_run_improve(point, run))
		return false;
	ends = point_run_settle(point, run, &open);
	for (; ends; ends &= ends - 1) {
		int l = __builtin_ctz(ends);
		struct point_bound b = {run->least[l], run->first + l, run->radius, run->next[l]};

		if (!can_win(search, &b))
			continue;
		if (run->settled) {
			look(point, search, &b, run);
			search->out_of_time |= point_late(point);
			continue;
		}
		point->bound[point->nbound++] = b;
		if (best->vertex < 0 || before(&b, best))
			*best = b;
	}
	return open;
}

static bool open_run(struct point *point, const struct point_search *search, struct point_run *run)
{
	int open = 0;

	point_run_open(point, run);
	if (point->anywhere)
		return true;
	for (int l = 0; l < run->n; l++) {
		run->open[l] = point_is_centre(point, search, run->first + l) ? -1 : 0;
		open |= run->open[l];
	}
	return open;
}

/* A run of centres of the row turned to; *guess is a radius to start from, and the next one. */
static void bound_centres(struct point *point, struct point_search *search, struct point_run *run,
	int *guess, struct point_bound *best)
{
	int smallest = -2;
	bool open = open_run(point, search, run);

	if (!open)
		return;
	run->limit = limit_from(search, run->first);
	run->radius = *guess;
	run->outer = false;
	lanes_count(&point->lanes, run->radius, run->x, run->count);
	while (run->radius >= 0 && point_run_filled(point, run))
		lanes_count(&point->lanes, --run->radius, run->x, run->count);
	while (open) {
		lanes_count(&point->lanes, run->radius + 1, run->x, run->next);
		if (point_run_ends(point, run)) {
			smallest = smallest < -1 ? run->radius : smallest;
			open = end_run(point, search, run, best);
		}
		memcpy(run->count, run->next, sizeof(run->count));
		run->radius++;
	}
	if (smallest >= -1)
		*guess = smallest;
}

/* All runs of a row; *lowest is the least bound of those looked at first. */
static void bound_row(struct point *point, struct point_search *search, struct point_run *run,
	int *guess, double *lowest)
{
	int side = point->mesh->side[0], width = point->lanes.width;

	point_turn(point, run->row * side);
	for (run->x = 0; run->x < side && !search->out_of_time; run->x += width) {
		struct point_bound best = {.vertex = -1};

		run->n = side - run->x < width ? side - run->x : width;
		run->first = run->row * side + run->x;
		bound_centres(point, search, run, guess, &best);
		/* The promising ones at once: a low total prunes the others. */
		if (best.vertex >= 0 && (search->vertex < 0 || best.least < *lowest)) {
			*lowest = best.least;
			look(point, search, &best, NULL);
		}
		search->out_of_time |= search->vertex >= 0 && point_late(point);
	}
}

/* The answer when all centres have the same: the first one. */
static void first_centre(struct point *point, struct point_search *search)
{
	for (int v = 0; v < point->mesh->nvertices && search->vertex < 0; v++)
		if (point_is_centre(point, search, v))
			point_look(point, search, &(struct point_bound){0, v, -1, 0});
}

/* Is there a free node at every coordinate? */
static bool all_used(const struct point *point)
{
	for (int d = 0; d < point->mesh->ndims; d++)
		if (nodeset_count(&point->used[d]) < point->mesh->side[d])
			return false;
	return true;
}

static void set_constants(struct point *point)
{
	const struct mesh *mesh = point->mesh;
	int dims = 0;

	point->sides = 0;
	for (int d = 0; d < mesh->ndims; d++) {
		dims += mesh->side[d] > 1;
		point->sides += mesh->side[d];
	}
	/* In a full ball the nearest vertices of the shell have the radius shared out evenly: the
	 * slope there. */
	point->slope = dims ? 1 - powf(1 - 1 / (float)dims, (float)dims) : 1;
	point->step = point_scatter_step(point->space.nrows);
	point->rounding = 6e-8f * (float)(2 * point->sides + 30);
}

/*
 * The i-th row to look at: rows from all over the place first, for a low total that prunes the
 * others, unless there is one; but then in order, so that neighbours are still in the cache.
 */
static int row_in_order(const struct point *point, int i, bool ahead)
{
	int n = point->space.nrows, first = SAMPLE / 2, sampled = (n - first + SAMPLE - 1) / SAMPLE;

	if (point->mesh->nvertices <= SMALL)
		return (int)((int64_t)i * point->step % n);
	if (ahead)
		return i;
	if (i < sampled)
		return first + i * SAMPLE;
	i -= sampled;
	return i + (i < first ? 0 : 1 + (i - first) / (SAMPLE - 1));
}

/* ---- where to start ---- */

#define CHUNK 16 /* rows of counts are filled up to a multiple of it */

/* For a row's centres, sums of the counts up to this radius, none more than `wanted`; the most. */
MESH_VECTORISE
static int add_counts(const struct levels_view *view, const uint16_t *row, int radius, int wanted,
	int side, int *sum)
{
	int most = 0;

	for (int x = 0; x < side; x += CHUNK) {
		int sums[CHUNK] = {0};

		for (int r = 0; r <= radius; r++) {
			const uint16_t *count = row + (size_t)r * view->size + x;

			for (int i = 0; i < CHUNK; i++)
				sums[i] += count[i] < wanted ? count[i] : wanted;
		}
		memcpy(sum + x, sums, (size_t)(side - x < CHUNK ? side - x : CHUNK) * sizeof(int));
	}
	for (int x = 0; x < side; x++)
		most = sum[x] > most ? sum[x] : most;
	return most;
}

/*
 * The centre nearest to its k nearest nodes, all together: the sum of hops is that of k - (nodes
 * within r hops) over r. Where balls are looked up (levels.h) that takes an addition a radius.
 */
static struct point_bound nearest_centre(struct point *point, const struct point_search *search,
	int radius)
{
	const struct levels_view *view = &point->lanes.levels.ball;
	struct point_bound best = {.vertex = -1};
	int side = point->mesh->side[0], most = -1, *sum = point->vertex;

	for (int row = 0; row < point->space.nrows; row++) {
		if (add_counts(view, view->at + (size_t)row * view->pitch, radius, point->wanted, side,
			    sum) <= most)
			continue;
		for (int x = 0; x < side; x++)
			if (sum[x] > most && point_is_centre(point, search, row * side + x)) {
				most = sum[x];
				best.vertex = row * side + x;
			}
	}
	return best;
}

static int levels_count(const struct point *point, int vertex, int radius)
{
	const struct levels_view *view = &point->lanes.levels.ball;
	int side = point->mesh->side[0];

	return view->at[(size_t)radius * view->size + (size_t)(vertex / side) * view->pitch +
		(size_t)(vertex % side)];
}

/* Processor time for a radius of levels.h, and for all of cones.h and what comes before an answer: for
 * each vertex, on a machine that is not fast. */
#define RADIUS_NS 20
#define TABLES_NS 250

/* Where there is no time for tables: around the middle of the free nodes' coordinates. */
static int middle_centre(const struct point *point, const struct point_search *search)
{
	const struct mesh *mesh = point->mesh;
	int64_t least = INT64_MAX;
	int best = -1, middle[MESH_MAX_DIMS];

	for (int d = 0; d < mesh->ndims; d++) {
		int n = nodeset_count(&point->used[d]) / 2;

		middle[d] = nodeset_next(&point->used[d], 0);
		while (n-- > 0)
			middle[d] = nodeset_next(&point->used[d], middle[d] + 1);
	}
	if (!search->free_only)
		return mesh_vertex(mesh, middle);
	for (int v = 0; v < mesh->nvertices; v++)
		if (point_is_centre(point, search, v) &&
			mesh_hops(mesh, v, mesh_vertex(mesh, middle)) < least) {
			least = mesh_hops(mesh, v, mesh_vertex(mesh, middle));
			best = v;
		}
	return best;
}

/* A good centre to begin with, if balls that are large enough can be looked up. */
static bool look_ahead(struct point *point, struct point_search *search)
{
	struct levels *levels = &point->lanes.levels;
	struct point_bound b;
	int radius = 0, middle = 0;

	for (int d = 0; d < point->mesh->ndims; d++)
		middle += point->mesh->side[d] / 2 * point->mesh->stride[d];
	for (;; radius++) {
		if (!levels_serve(levels, radius) || !point_has_time(point, RADIUS_NS))
			return false;
		levels_extend(levels, radius);
		if (levels_count(point, middle, radius) >= point->wanted)
			break;
	}
	b = nearest_centre(point, search, radius);
	b.radius = radius;
	while (b.vertex >= 0 && b.radius >= 0 && levels_count(point, b.vertex, b.radius) >= point->wanted)
		b.radius--;
	if (b.vertex < 0 || b.radius == radius)
		return false;
	b.nodes = levels_count(point, b.vertex, b.radius + 1);
	look(point, search, &b, NULL);
	return true;
}

void point_best_hops(struct point *point, struct point_search *search)
{
	int guess = -1, nrows = point->space.nrows, kept = 0;
	struct point_run run = {.settled = false};
	bool ahead;
	double lowest = 0;

	point->nbound = 0;
	/* The required nodes alone, a single node, or all there are. */
	if (!point->wanted || point->wanted + point->nrequired == 1 ||
		point->wanted == point->space.total) {
		first_centre(point, search);
		return;
	}
	set_constants(point);
	point_alike_begin(point);
	point->beyond = point->nrequired ? point->fixed : NULL;
	point->anywhere = !search->free_only && (!search->grid || all_used(point));
	lanes_load(&point->lanes);
	ahead = look_ahead(point, search);
	if (!ahead && !point_has_time(point, TABLES_NS)) {
		search->vertex = middle_centre(point, search);
		search->out_of_time = true;
		return;
	}
	for (int i = 0; i < nrows && !search->out_of_time; i++) {
		run.row = row_in_order(point, i, ahead);
		/* A few rows for a good total; from then on centres are looked at as they come. */
		run.settled = ahead || i > nrows / SAMPLE;
		bound_row(point, search, &run, &guess, &lowest);
		search->out_of_time |= search->vertex >= 0 && point_late(point);
	}
	for (int i = 0; i < point->nbound; i++)
		if (can_win(search, &point->bound[i]))
			point->bound[kept++] = point->bound[i];
	point->nbound = kept;
	for (int i = point->nbound / 2 - 1; i >= 0; i--)
		sift(point->bound, point->nbound, i);
	while (point->nbound && point->bound[0].least <= (double)search->total &&
		!search->out_of_time) {
		struct point_bound b = point->bound[0];

		point->bound[0] = point->bound[--point->nbound];
		if (point->nbound)
			sift(point->bound, point->nbound, 0);
		if (b.vertex != search->vertex && can_win(search, &b))
			look(point, search, &b, NULL);
		search->out_of_time = point_late(point);
	}
}
