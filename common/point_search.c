/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The best of all centres without looking closely at most of them.
 *
 * Hops. With B the last ball that is smaller than the request, u nodes to go, all of them r
 * hops from the centre or more, and f_d(q) the hops from coordinate q to all of B along
 * dimension d,
 *
 *     total >= total(B) + u * min over such vertices of sum f_d + least(u)
 *           >= total(B) + u * (sum over d of min over q of (f_d(q) - slope*|q-c|) + slope*r)
 *              + least(u)
 *
 * for any slope >= 0. That takes the marginals of B only, and is worked out for a run of
 * centres at once in plain loops over floats, rounded down at the end by more than the
 * rounding of the sums. The centres are then looked at in order of their bounds until those
 * left cannot win.
 *
 * Boxes. The cost of every centre comes from the counts of its cubes; only ties for the least
 * cost have their totals worked out.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "point.h"
#include "vector.h"

#define LANES BALL_LANES

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

struct run {
	int x, n;     /* centres x..x+n-1 of the row */
	int radius;   /* of the ball B */
	int count[LANES]; /* nodes in B, without required ones */
	int next[LANES];  /* nodes within one more hop */
	bool open[LANES]; /* still of interest */
	float total[LANES], slope[LANES], nearest[LANES]; /* see above */
	double slack[LANES];
};

/* One dimension: adds to total and nearest. places of marginal[] by coordinate, away[] each. */
struct axis {
	const int *marginal; /* [places][LANES] */
	const float *away;   /* [places] */
	float *far;	     /* [places][LANES] hops to all of B, made here */
	int places, width;   /* lanes in use, rounded up */
};

MESH_VECTORISE
static void bound_line(const struct axis *axis, float *restrict total, const float *restrict slope,
	float *restrict nearest)
{
	float n[LANES], far[LANES], least[LANES];
	int width = axis->width;

	for (int l = 0; l < width; l++) {
		n[l] = far[l] = 0;
		least[l] = FLT_MAX;
	}
	for (int q = 0; q < axis->places; q++) {
		const int *here = axis->marginal + q * LANES;

		for (int l = 0; l < width; l++) {
			n[l] += (float)here[l];
			far[l] += (float)q * (float)here[l];
		}
	}
	for (int l = 0; l < width; l++)
		n[l] = -n[l];
	for (int q = 0; q < axis->places; q++) {
		const int *here = axis->marginal + q * LANES;
		float away = axis->away[q];

		for (int l = 0; l < width; l++) {
			float m = (float)here[l], g = far[l] - slope[l] * away;

			axis->far[q * LANES + l] = far[l];
			total[l] += m * far[l];
			least[l] = g < least[l] ? g : least[l];
			/* n: nodes up to here less those beyond. */
			n[l] += 2 * m;
			far[l] += n[l];
		}
	}
	for (int l = 0; l < width; l++)
		nearest[l] += least[l];
}

MESH_VECTORISE
static void bound_ring(const struct axis *axis, float *restrict total, const float *restrict slope,
	float *restrict nearest)
{
	float n[LANES], far[LANES], least[LANES], ahead[LANES];
	int width = axis->width, side = axis->places, half = side / 2;

	for (int l = 0; l < width; l++) {
		n[l] = far[l] = ahead[l] = 0;
		least[l] = FLT_MAX;
	}
	for (int q = 0; q < side; q++) {
		const int *here = axis->marginal + q * LANES;
		float hops = (float)(2 * q > side ? side - q : q), near = q && q <= half;

		for (int l = 0; l < width; l++) {
			float m = (float)here[l];

			n[l] += m;
			far[l] += hops * m;
			ahead[l] += near * m;
		}
	}
	for (int q = 0; q < side; q++) {
		const int *here = axis->marginal + q * LANES;
		const int *next = axis->marginal + (q + 1) % side * LANES;
		const int *in = axis->marginal + (q + 1 + half) % side * LANES;
		float away = axis->away[q], stays = (float)(side % 2);

		for (int l = 0; l < width; l++) {
			float g = far[l] - slope[l] * away, f = (float)in[l];

			axis->far[q * LANES + l] = far[l];
			total[l] += (float)here[l] * far[l];
			least[l] = g < least[l] ? g : least[l];
			far[l] += n[l] - 2 * ahead[l] - stays * f;
			ahead[l] += f - (float)next[l];
		}
	}
	for (int l = 0; l < width; l++)
		nearest[l] += least[l];
}

/* The required nodes are in every set: into the marginals, for dimension 0 by offset. */
static void add_fixed(struct point *point, const struct run *run)
{
	const struct mesh *mesh = point->mesh;
	int side = mesh->side[0], first = ball_first_offset(&point->space);

	for (int d = 1; d < mesh->ndims; d++)
		for (int q = 0; q < mesh->side[d]; q++)
			for (int l = 0; l < run->n; l++)
				point->space.marginal[d][q * LANES + l] += point->fixed[d][q];
	for (int l = 0; l < run->n; l++)
		for (int q = 0; q < side; q++) {
			int at = q - run->x - l + first;

			if (mesh->wrap[0])
				at = (at % side + side) % side;
			point->space.marginal[0][at * LANES + l] += point->fixed[0][q];
		}
}

/* Hops from the centre to each place of marginal[d]. */
static void fill_away(const struct point *point, int d, float *away)
{
	const struct mesh *mesh = point->mesh;
	int first = ball_first_offset(&point->space);

	for (int q = 0; d && q < mesh->side[d]; q++)
		away[q] = (float)mesh_axis_hops(mesh, d, point->space.centre[d], q);
	for (int i = 0; !d && i < ball_offsets(&point->space); i++)
		away[i] = (float)(i < first ? first - i : i - first);
}

/* Lower bounds of the totals of a run's centres into least[]. */
static void bound_run(struct point *point, struct run *run, double *least)
{
	const struct mesh *mesh = point->mesh;
	int dims = 0, sides = 0;
	float part, *away = point->away;

	for (int d = 0; d < mesh->ndims; d++) {
		dims += mesh->side[d] > 1;
		sides += mesh->side[d];
	}
	/* In a full ball the nearest vertices of the shell have the radius shared out evenly: the
	 * slope there. */
	part = dims ? 1 - powf(1 - 1 / (float)dims, (float)dims) : 1;
	ball_marginals(&point->space, run->radius, run->x, run->n);
	if (point->nrequired)
		add_fixed(point, run);
	for (int l = 0; l < LANES; l++) {
		run->total[l] = run->nearest[l] = 0;
		run->slope[l] = part * (float)(l < run->n ? run->count[l] + point->nrequired : 0);
	}
	for (int d = 0; d < mesh->ndims; d++) {
		struct axis axis = {.marginal = point->space.marginal[d], .away = away,
			.far = point->lane_far[d],
			.places = d ? mesh->side[d] : ball_offsets(&point->space),
			.width = (run->n + 15) / 16 * 16};

		fill_away(point, d, away);
		(mesh->wrap[d] ? bound_ring : bound_line)(&axis, run->total, run->slope,
			run->nearest);
	}
	for (int l = 0; l < run->n; l++) {
		int u = point->wanted - run->count[l];
		double far = run->nearest[l] + run->slope[l] * (double)(run->radius + 1);
		double total = run->total[l] / 2;
		double slack = (total + (double)(u > 0 ? u : -u) * (run->count[l] + point->nrequired) * sides) *
			6e-8 * (2 * sides + 30);

		far = far > 0 ? far : 0;
		run->slack[l] = slack;
		least[l] = total + u * far + (u > 0 ? point->least[u] : 0) - slack;
	}
}

/* ---- bounds from the last shell ---- */

#define GUESSES 3

/*
 * The t least of w(s) over the shell's nodes s add at least  t * w0 + sum of min(0, w(s) - w0),
 * whatever w0: a few guesses of it at once. w is the hops to all of B, times sign (-1: the most
 * instead of the least).
 */
struct shell_sum {
	float sign;
	float guess[GUESSES][LANES];
	float sum[GUESSES][LANES]; /* of the min() */
	float row[LANES];	   /* what the dimensions other than the first add to w */
	int width;
};

/* Free nodes at one offset from each centre: sums before[l+1] - before[l]. */
/* To what the dimensions other than the first add. */
MESH_VECTORISE
static void add_far(float *restrict to, const float *restrict far, int width)
{
	for (int l = 0; l < width; l++)
		to[l] += far[l];
}

MESH_VECTORISE
static void add_cells(struct shell_sum *restrict s, const int *restrict before, const float *restrict far)
{
	for (int l = 0; l < s->width; l++) {
		float w = s->sign * (far[l] + s->row[l]), here = (float)(before[l + 1] - before[l]);

		for (int g = 0; g < GUESSES; g++) {
			float over = w - s->guess[g][l];

			s->sum[g][l] += here * (over < 0 ? over : 0);
		}
	}
}

static void add_shell_row(struct point *point, const struct run *run, struct shell_sum *s, int row,
	int out)
{
	const struct mesh *mesh = point->mesh;
	const struct ball_space *space = &point->space;
	const int16_t *coord = mesh->coord[(size_t)row * (size_t)mesh->side[0]];
	const int *before = space->along + (size_t)row * (size_t)space->pitch + mesh->side[0] + run->x;
	int first = ball_first_offset(space);

	memset(s->row, 0, (size_t)s->width * sizeof(float));
	for (int d = 1; d < mesh->ndims; d++)
		add_far(s->row, point->lane_far[d] + coord[d] * LANES, s->width);
	/* On a ring, half way round is one place. */
	if (out <= first)
		add_cells(s, before - out, point->lane_far[0] + (first - out) * LANES);
	if (out && first + out < ball_offsets(space))
		add_cells(s, before + out, point->lane_far[0] + (first + out) * LANES);
}

/* Lower bounds of what t[l] nodes of the shell around the ball `radius` add, into added[]. */
static void bound_shell(struct point *point, const struct run *run, int shell, float sign,
	const int *t, double *added)
{
	const struct ball_space *space = &point->space;
	struct shell_sum s = {.sign = sign, .width = run->n};

	for (int l = 0; l < run->n; l++) {
		int all = run->next[l] - run->count[l];
		float part = (float)(sign > 0 ? t[l] : all - t[l]) / (float)(all > 0 ? all : 1);
		float low = run->nearest[l] + run->slope[l] * (float)shell;

		for (int g = 0; g < GUESSES; g++)
			s.guess[g][l] = sign * low * (1 + part * 0.07f * (float)(1 + g));
	}
	for (int i = 0; i < space->nnear; i++)
		if (space->near[i].used <= shell)
			add_shell_row(point, run, &s, space->near[i].row,
				shell - space->near[i].used);
	for (int l = 0; l < run->n; l++) {
		added[l] = -DBL_MAX;
		for (int g = 0; g < GUESSES; g++) {
			double sum = (double)t[l] * s.guess[g][l] + (double)s.sum[g][l];

			added[l] = sum > added[l] ? sum : added[l];
		}
	}
}

/*
 * Better bounds for the centres whose last shell is the next one: the ball and the nearest of
 * the shell; or all of the shell less its farthest.
 */
static void refine_bounds(struct point *point, struct run *run, double *least)
{
	struct run whole = *run;
	double added[LANES], other[LANES];
	int t[LANES];

	for (int l = 0; l < run->n; l++)
		t[l] = point->wanted - run->count[l];
	bound_shell(point, run, run->radius + 1, 1, t, added);
	for (int l = 0; l < run->n; l++) {
		bool ends = run->open[l] && run->next[l] >= point->wanted;
		double bound = run->total[l] / 2 + added[l] + point->least[ends ? t[l] : 0] -
			2 * run->slack[l];

		if (ends && bound > least[l])
			least[l] = bound;
	}
	whole.radius++;
	memcpy(whole.count, run->next, sizeof(whole.count));
	bound_run(point, &whole, other);
	memcpy(whole.count, run->count, sizeof(whole.count));
	for (int l = 0; l < run->n; l++)
		t[l] = run->open[l] && run->next[l] >= point->wanted ? run->next[l] - point->wanted : 0;
	bound_shell(point, &whole, run->radius + 1, -1, t, added);
	for (int l = 0; l < run->n; l++) {
		bool ends = run->open[l] && run->next[l] >= point->wanted;
		double bound = whole.total[l] / 2 + added[l] + point->least[t[l]] -
			2 * (run->slack[l] + whole.slack[l]);

		if (ends && bound > least[l])
			least[l] = bound;
	}
}

/* ---- hops: all centres ---- */

/* Look closely at one centre. */
static void look(struct point *point, struct point_search *search, const struct point_bound *b)
{
	int64_t limit = search->total, total;

	/* A tie goes to the lower number. */
	if (search->vertex >= 0 && b->vertex >= search->vertex)
		limit--;
	total = point_total(point, b->vertex, b->radius, limit);
	if (total > limit)
		return;
	search->total = search->cost = total;
	search->vertex = b->vertex;
}

/* Totals are whole numbers, and a tie goes to the lower vertex. */
static bool can_win(const struct point_search *search, const struct point_bound *b)
{
	if (search->vertex < 0)
		return true;
	return b->least <= (double)search->total - (b->vertex > search->vertex);
}

/* Does a centre that ends here need a better bound? */
static bool promising(const struct point_search *search, const struct run *run,
	const double *least, int wanted)
{
	for (int l = 0; l < run->n; l++)
		if (run->open[l] && run->next[l] >= wanted && search->vertex >= 0 &&
			least[l] <= (double)search->total)
			return true;
	return false;
}

static int end_run(struct point *point, const struct point_search *search, struct run *run,
	int row, struct point_bound *best)
{
	double least[LANES];
	int open = 0;

	bound_run(point, run, least);
	if (promising(search, run, least, point->wanted))
		refine_bounds(point, run, least);
	for (int l = 0; l < run->n; l++) {
		struct point_bound b = {least[l], row * point->mesh->side[0] + run->x + l,
			run->radius};

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

static bool any_ends(const struct point *point, const struct run *run)
{
	for (int l = 0; l < run->n; l++)
		if (run->open[l] && run->next[l] >= point->wanted)
			return true;
	return false;
}

static void count_within(struct point *point, int radius, const struct run *run, int *count)
{
	if (radius > point->space.cap)
		ball_row(&point->space, point->space.centre, 2 * radius + 2);
	if (radius < 0)
		memset(count, 0, LANES * sizeof(*count));
	else
		ball_count(&point->space, radius, run->x, run->n, count);
}

/* A run of centres of the row turned to; *guess is a radius to start from, and the next one. */
static void bound_centres(struct point *point, const struct point_search *search, struct run *run,
	int row, int *guess, struct point_bound *best)
{
	bool more;
	int open = 0, smallest = INT32_MAX;

	for (int l = 0; l < run->n; l++) {
		run->open[l] = point_is_centre(point, search, row * point->mesh->side[0] +
			run->x + l);
		open += run->open[l];
	}
	run->radius = *guess;
	do {
		more = false;
		count_within(point, run->radius, run, run->count);
		for (int l = 0; run->radius >= 0 && l < run->n; l++)
			more |= run->count[l] >= point->wanted;
		run->radius -= more;
	} while (more);
	while (open) {
		count_within(point, run->radius + 1, run, run->next);
		if (any_ends(point, run)) {
			smallest = smallest < run->radius ? smallest : run->radius;
			open = end_run(point, search, run, row, best);
		}
		memcpy(run->count, run->next, sizeof(run->count));
		run->radius++;
	}
	if (smallest != INT32_MAX)
		*guess = smallest > 0 ? smallest - 1 : -1;
}

static void bound_row(struct point *point, struct point_search *search, int row, int *guess,
	double *lowest)
{
	const struct mesh *mesh = point->mesh;
	int centre[MESH_MAX_DIMS];

	for (int d = 0; d < MESH_MAX_DIMS; d++)
		centre[d] = mesh->coord[(size_t)row * (size_t)mesh->side[0]][d];
	for (int x = 0; x < mesh->side[0]; x += LANES) {
		struct run run = {.x = x, .n = mesh->side[0] - x};
		struct point_bound best = {.vertex = -1};

		run.n = run.n < LANES ? run.n : LANES;
		ball_row(&point->space, centre, *guess + 3);
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
			look(point, search, &(struct point_bound){0, v, -1});
}

void point_best_hops(struct point *point, struct point_search *search)
{
	double lowest = 0;
	int guess = -1;

	point->nbound = 0;
	if (!point->wanted) {
		first_centre(point, search);
		return;
	}
	for (int row = 0; row < point->space.nrows && !search->out_of_time; row++) {
		bound_row(point, search, row, &guess, &lowest);
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

/* ---- boxes: all centres ---- */

/* Sum of the required nodes' shell numbers. */
static int64_t required_shells(const struct point *point, int centre)
{
	const struct mesh *mesh = point->mesh;
	int64_t sum = 0;

	for (int i = point->nrequired ? nodeset_next(point->required, 0) : -1; i >= 0;
		i = nodeset_next(point->required, i + 1)) {
		int shell = 0;

		for (int d = 0; d < mesh->ndims; d++) {
			int used = ball_axis(&point->space, d, mesh->coord[centre][d],
				mesh->coord[mesh->vertex_of[i]][d]);

			shell = used > shell ? used : shell;
		}
		sum += shell;
	}
	return sum;
}

/* The costs of a run of centres; those that are no more than the least so far are kept. */
static void cost_run(struct point *point, struct point_search *search, int first, struct run *run)
{
	int64_t cost[LANES];
	int open = 0, vertex = first + run->x;

	for (int l = 0; l < run->n; l++) {
		run->open[l] = point_is_centre(point, search, vertex + l);
		cost[l] = run->open[l] ? required_shells(point, vertex + l) : 0;
		open += run->open[l];
	}
	for (int radius = 0; open; radius++) {
		ball_count(&point->space, radius, run->x, run->n, run->count);
		for (int l = 0; l < run->n; l++) {
			if (!run->open[l])
				continue;
			if (run->count[l] < point->wanted)
				cost[l] += point->wanted - run->count[l];
			bool over = cost[l] > search->cost;

			if (!over && run->count[l] < point->wanted)
				continue;
			run->open[l] = false;
			open--;
			if (over)
				continue;
			if (cost[l] < search->cost) {
				search->cost = cost[l];
				search->total = INT64_MAX;
				search->vertex = -1;
				point->nbound = 0;
			}
			point->bound[point->nbound++] = (struct point_bound){
				(double)cost[l], vertex + l, radius};
		}
	}
}

void point_best_boxes(struct point *point, struct point_search *search)
{
	const struct mesh *mesh = point->mesh;
	bool late = false;

	point->nbound = 0;
	for (int row = 0; row < point->space.nrows && !late; row++) {
		int centre[MESH_MAX_DIMS];

		for (int d = 0; d < MESH_MAX_DIMS; d++)
			centre[d] = mesh->coord[(size_t)row * (size_t)mesh->side[0]][d];
		/* Boxes are counted without lists of rows. */
		ball_row(&point->space, centre, -1);
		for (int x = 0; x < mesh->side[0]; x += LANES) {
			struct run run = {.x = x, .n = mesh->side[0] - x};

			run.n = run.n < LANES ? run.n : LANES;
			cost_run(point, search, row * mesh->side[0], &run);
		}
		late = (point->nbound || search->vertex >= 0) && point_late(point);
	}
	for (int i = 0; i < point->nbound; i++) {
		const struct point_bound *b = &point->bound[i];
		int64_t cost = search->cost;

		if (late && search->vertex >= 0)
			break;
		look(point, search, b);
		search->cost = cost;
		late |= point_late(point);
	}
	search->out_of_time |= late;
}
