/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The best centre by hops, without looking closely at most of them.
 *
 * With B the last ball that is smaller than the request, u nodes to go, all of them r hops from
 * the centre or more, f_d(q) the hops from coordinate q to all of B along dimension d, and
 * pairs(u) what u nodes have at least among themselves,
 *
 *     total >= total(B) + u * min over such vertices of sum f_d + pairs(u)
 *           >= total(B) + u * (sum over d of min over q of (f_d(q) - slope*|q-c|) + slope*r)
 *              + pairs(u)
 *
 * for any slope >= 0. That takes the marginals of B only, and is worked out for a run of
 * neighbouring centres at once (lanes.h), rounded down at the end by more than the rounding of
 * the sums. Runs that could win get a better bound from the vertices of the shell themselves.
 * The centres are then looked at in order of their bounds until those left cannot win.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "point.h"

#define LANES LANES_MAX

/* From this radius on, a look at each dimension is cheaper than one at the shell's vertices. */
#define SLICES 5

/* Machines up to so many vertices stay in the processor's cache, whatever the order. */
#define SMALL 65536
/* On larger ones a row in so many comes first; a prime, so that they lie on different planes. */
#define SAMPLE 13

/* Balls around the centres of a run, by the lanes. */
struct sphere {
	struct lanes_spread spread;
	double slack[LANES];
};

struct run {
	int x, n;	  /* centres x..x+n-1 of the row */
	int radius;	  /* of the ball B */
	int count[LANES]; /* nodes in B, without required ones */
	int next[LANES];  /* nodes within one more hop */
	bool open[LANES]; /* still of interest */
	bool outer;	  /* the lanes' second ball is this run's */
	struct sphere sphere[2]; /* B, and B with the next shell */
};

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

/* ---- bounds of a run of centres ---- */

/* How far sums over a ball of n nodes, and to u more, may be off. */
static double rounding(const struct point *point, double total, int n, int u)
{
	return (total + (double)abs(u) * (n + point->nrequired) * point->sides) * point->rounding;
}

/* All totals of the balls, from their marginals; count[] is how many nodes are inside. */
static void spread_run(struct point *point, const struct run *run, int which, const int *count,
	struct sphere *sphere)
{
	for (int l = 0; l < LANES; l++) {
		sphere->spread.n[l] = (float)(count[l] + point->nrequired);
		sphere->spread.slope[l] = point->slope * sphere->spread.n[l];
	}
	lanes_spread(&point->lanes, &point->lanes.ball[which], &sphere->spread);
	for (int l = 0; l < run->n; l++)
		sphere->slack[l] = rounding(point, sphere->spread.total[l], count[l],
			point->wanted - count[l]);
}

static bool ends(const struct point *point, const struct run *run, int l)
{
	return run->open[l] && run->next[l] >= point->wanted;
}

/* Lower bounds of the totals of a run's centres into least[]. */
static void bound_run(struct point *point, struct run *run, double *least)
{
	struct lanes *lanes = &point->lanes;
	struct sphere *inner = &run->sphere[0];

	if (run->outer && lanes->ball[1].radius == run->radius) {
		struct lanes_ball ball = lanes->ball[0];

		lanes->ball[0] = lanes->ball[1];
		lanes->ball[1] = ball;
	} else {
		lanes_marginals(lanes, &lanes->ball[0], run->radius, run->x, point->beyond);
	}
	run->outer = false;
	spread_run(point, run, 0, run->count, inner);
	for (int l = 0; l < run->n; l++) {
		int u = point->wanted - run->count[l];
		double far = inner->spread.nearest[l] +
			inner->spread.slope[l] * (double)(run->radius + 1);
		double pairs = ends(point, run, l) ? lanes_pairs(lanes, run->radius + 1, u)
						  : lanes->least[u > 0 ? u : 0];

		least[l] = inner->spread.total[l] + (far > 0 ? far * u : 0) + pairs -
			inner->slack[l];
	}
}

/*
 * Better bounds for those whose last shell is the next one: the ball and the nearest nodes of
 * the shell, or all of the shell less its farthest.
 */
static void refine_run(struct point *point, struct run *run, bool farthest, bool vertices,
	double *least)
{
	struct lanes *lanes = &point->lanes;
	const struct sphere *sphere = &run->sphere[farthest];
	struct lanes_take take = {.from = &lanes->ball[farthest], .sign = farthest ? -1 : 1};
	float added[LANES];

	for (int l = 0; l < run->n; l++)
		if (ends(point, run, l))
			take.t[l] = farthest ? run->next[l] - point->wanted
					     : point->wanted - run->count[l];
	memcpy(take.slope, sphere->spread.slope, sizeof(take.slope));
	if (vertices)
		lanes_shell(lanes, &take, run->x, added);
	else
		lanes_slices(lanes, &take, added);
	for (int l = 0; l < run->n; l++) {
		double bound = sphere->spread.total[l] + added[l] +
			lanes_pairs(lanes, run->radius + 1, take.t[l]) -
			2 * (run->sphere[0].slack[l] + (farthest ? sphere->slack[l] : 0));

		if (ends(point, run, l) && bound > least[l])
			least[l] = bound;
	}
}

/* ---- centres that are alike ---- */

/* Vertices within r hops of a vertex, as far as dimension d. */
static int ball_volume(const struct mesh *mesh, int v, int d, int r)
{
	int c = mesh->coord[v][d], side = mesh->side[d], sum = 0;
	int below = mesh->wrap[d] ? side / 2 : c, above = mesh->wrap[d] ? (side - 1) / 2 : side - 1 - c;

	below = below < r ? below : r;
	above = above < r ? above : r;
	if (!d)
		return below + above + 1;
	for (int by = -below; by <= above; by++)
		sum += ball_volume(mesh, v, d - 1, r - abs(by));
	return sum;
}

/*
 * Around centres in balls without a busy node the same nodes are chosen, seen from the centre,
 * where the mesh looks the same and nodes are numbered in the same order. That differs by where
 * along each dimension the numbers begin, if that is in the ball; so a class is, for each
 * dimension, that place, or that it is not there. alike[] holds a total that any centre of the
 * class has at least, twice, and one more if it has just that; 0: not known.
 */
static int64_t *class_of(const struct point *point, const struct point_bound *b)
{
	const struct mesh *mesh = point->mesh;
	int r = b->radius + 1;
	size_t at = 0;

	if (!point->alike || point->nrequired ||
		b->nodes < ball_volume(mesh, b->vertex, mesh->ndims - 1, r) * mesh->nodes_per_vertex)
		return NULL;
	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[b->vertex][d], side = mesh->side[d];

		at = at * ((size_t)side + 1) + (size_t)(c - r < 0 || c + r >= side ? c : side);
	}
	return &point->alike[at];
}

static void look(struct point *point, struct point_search *search, const struct point_bound *b)
{
	bool tie_wins = search->vertex < 0 || b->vertex < search->vertex;
	int64_t limit = search->total - !tie_wins, *known = class_of(point, b);

	if (known && *known / 2 > limit)
		return;
	if (known && *known % 2) {
		search->total = search->cost = *known / 2;
		search->vertex = b->vertex;
		return;
	}
	point_look(point, search, b);
	if (known)
		*known = search->vertex == b->vertex ? search->total * 2 + 1 : (limit + 1) * 2;
}

/* ---- all centres ---- */

/* Totals are whole numbers, and a tie goes to the lower vertex. */
static bool can_win(const struct point_search *search, const struct point_bound *b)
{
	if (search->vertex < 0)
		return true;
	return b->least <= (double)search->total - (b->vertex > search->vertex);
}

/* Does a centre that ends here need a better bound? */
static bool promising(const struct point *point, const struct point_search *search,
	const struct run *run, const double *least, int row)
{
	for (int l = 0; search->vertex >= 0 && l < run->n; l++)
		if (ends(point, run, l) && can_win(search, &(struct point_bound){least[l],
				row * point->mesh->side[0] + run->x + l, 0, 0}))
			return true;
	return false;
}

/* Better bounds as long as a centre that ends here could win, the cheapest first. */
static void improve_bounds(struct point *point, const struct point_search *search,
	struct run *run, int row, double *least)
{
	bool slices = run->radius >= SLICES;

	for (int step = slices ? 0 : 2; step < 4; step++) {
		bool farthest = step % 2, vertices = step >= 2;

		if (!promising(point, search, run, least, row))
			return;
		if (!run->outer && (!vertices || farthest)) {
			lanes_marginals(&point->lanes, &point->lanes.ball[1], run->radius + 1, run->x,
				point->beyond);
			run->outer = true;
		}
		point->lanes.ball[1].radius = run->radius + 1;
		if (farthest && vertices != slices)
			spread_run(point, run, 1, run->next, &run->sphere[1]);
		refine_run(point, run, farthest, vertices, least);
	}
}

/* Bounds at the run's radius; how many are left to go on with. */
static int end_run(struct point *point, const struct point_search *search, struct run *run,
	int row, struct point_bound *best)
{
	double least[LANES];
	int open = 0;

	bound_run(point, run, least);
	improve_bounds(point, search, run, row, least);
	for (int l = 0; l < run->n; l++) {
		struct point_bound b = {least[l], row * point->mesh->side[0] + run->x + l,
			run->radius, run->next[l]};

		if (!run->open[l])
			continue;
		if (!can_win(search, &b)) {
			run->open[l] = false;
		} else if (run->next[l] >= point->wanted) {
			run->open[l] = false;
			point->bound[point->nbound++] = b;
			if (best->vertex < 0 || before(&b, best))
				*best = b;
		}
		open += run->open[l];
	}
	return open;
}

static bool any(const struct point *point, const struct run *run, const int *count)
{
	for (int l = 0; l < run->n; l++)
		if (run->open[l] && count[l] >= point->wanted)
			return true;
	return false;
}

/* A run of centres of the row turned to; *guess is a radius to start from, and the next one. */
static void bound_centres(struct point *point, const struct point_search *search, struct run *run,
	int row, int *guess, struct point_bound *best)
{
	int open = 0, smallest = -2;

	for (int l = 0; l < run->n; l++) {
		run->open[l] = point->anywhere || point_is_centre(point, search,
			row * point->mesh->side[0] + run->x + l);
		open += run->open[l];
	}
	if (!open)
		return;
	run->radius = *guess;
	lanes_count(&point->lanes, run->radius, run->x, run->count);
	while (run->radius >= 0 && any(point, run, run->count))
		lanes_count(&point->lanes, --run->radius, run->x, run->count);
	while (open) {
		lanes_count(&point->lanes, run->radius + 1, run->x, run->next);
		if (any(point, run, run->next)) {
			smallest = smallest < -1 ? run->radius : smallest;
			open = end_run(point, search, run, row, best);
		}
		memcpy(run->count, run->next, sizeof(run->count));
		run->radius++;
	}
	if (smallest >= -1)
		*guess = smallest;
}

static void bound_row(struct point *point, struct point_search *search, int row, int *guess,
	double *lowest)
{
	const struct mesh *mesh = point->mesh;
	int centre[MESH_MAX_DIMS] = {0};

	for (int d = 1; d < mesh->ndims; d++)
		centre[d] = mesh->coord[(size_t)row * (size_t)mesh->side[0]][d];
	lanes_turn(&point->lanes, centre);
	for (int x = 0; x < mesh->side[0]; x += point->lanes.width) {
		struct run run = {.x = x, .n = mesh->side[0] - x};
		struct point_bound best = {.vertex = -1};

		run.n = run.n < point->lanes.width ? run.n : point->lanes.width;
		bound_centres(point, search, &run, row, guess, &best);
		/* The promising ones at once: a low total prunes the others. */
		if (best.vertex >= 0 && (search->vertex < 0 || best.least < *lowest)) {
			*lowest = best.least;
			look(point, search, &best);
		}
	}
}

/* The answer when nothing has to be chosen but the required nodes: the first centre. */
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

/* A number with no divisor in common with n, about 0.618 n: steps of it go all over the place. */
static int scatter_step(int n)
{
	int step = (int)(0.618 * n) + 1;

	for (;; step++) {
		int a = step, b = n;

		while (b) {
			int rest = a % b;

			a = b;
			b = rest;
		}
		if (a == 1)
			return step;
	}
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
	point->step = scatter_step(point->space.nrows);
	point->rounding = 6e-8 * (2 * point->sides + 30);
}

/*
 * The i-th row to look at: rows from all over the place first, for a low total that prunes the
 * others.
 */
static int row_in_order(const struct point *point, int i)
{
	int n = point->space.nrows, first = SAMPLE / 2, sampled = (n - first + SAMPLE - 1) / SAMPLE;

	if (point->mesh->nvertices <= SMALL)
		return (int)((int64_t)i * point->step % n);
	if (i < sampled)
		return first + i * SAMPLE;
	/* The others in order, so that neighbours are still in the cache. */
	i -= sampled;
	return i + (i < first ? 0 : 1 + (i - first) / (SAMPLE - 1));
}

void point_best_hops(struct point *point, struct point_search *search)
{
	int guess = -1, nrows = point->space.nrows;
	double lowest = 0;

	point->nbound = 0;
	if (!point->wanted) {
		first_centre(point, search);
		return;
	}
	set_constants(point);
	if (point->alike)
		memset(point->alike, 0, point->nalike * sizeof(*point->alike));
	point->beyond = point->nrequired ? point->fixed : NULL;
	point->anywhere = !search->free_only && (!search->grid || all_used(point));
	lanes_load(&point->lanes, point->wanted);
	for (int i = 0; i < nrows && !search->out_of_time; i++) {
		bound_row(point, search, row_in_order(point, i), &guess, &lowest);
		search->out_of_time = search->vertex >= 0 && point_late(point);
	}
	for (int i = point->nbound / 2 - 1; i >= 0; i--)
		sift(point->bound, point->nbound, i);
	while (point->nbound && point->bound[0].least <= (double)search->total &&
		!search->out_of_time) {
		struct point_bound b = point->bound[0];

		point->bound[0] = point->bound[--point->nbound];
		if (point->nbound)
			sift(point->bound, point->nbound, 0);
		if (b.vertex != search->vertex && can_win(search, &b))
			look(point, search, &b);
		search->out_of_time = point_late(point);
	}
}
