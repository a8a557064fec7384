/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The best centre by hops, with a close look at few of them.
 *
 * The first centre to look at is the one with the least sum of hops to its k nearest nodes, if
 * balls are small enough for the tables: it has nearly the least total. Then lower bounds are
 * computed for a batch of neighbouring centres at a time (point_centres.h), and centres that could
 * still win are looked at as they come.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "point/point_centres.h"
#include "base/simd.h"

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
	for (int d = 0; d < mesh->ndims; d++)
		if (!nodeset_has(&point->used[d], mesh->coord[v][d]))
			return false;
	return true;
}

/* ---- all centres ---- */

/* The most that a bound of a centre from this vertex on may be for the centre to win. */
static float limit_from(const struct point_search *search, int vertex)
{
	float limit = (float)point_limit(search, vertex);

	return limit < 1e6f ? limit : limit * (1 + 4 * FLT_EPSILON);
}

/* Has the ball of an open centre as many nodes as are wanted? */
static bool is_filled(const struct point_centres *centres, int wanted)
{
	bool filled = false;

	for (int l = 0; l < centres->n; l++)
		filled |= centres->open[l] && centres->count[l] >= wanted;
	return filled;
}

/* Mark open centres whose nodes all lie within the next shell (`ends`). Is there one? */
static bool mark_ends(struct point_centres *centres, int wanted)
{
	bool some = false;

	for (int l = 0; l < centres->n; l++)
		some |= centres->ends[l] = centres->open[l] && centres->next[l] >= wanted;
	return some;
}

/* Bound the centres at this radius, and look at those that could win. Do any go on? */
static bool end_centres(
	struct point *point, struct point_search *search, struct point_centres *centres)
{
	bool open = false;

	if (!point_centres_bound(point, centres))
		return false;
	if (search->vertex >= 0)
		point_centres_improve(point, centres);
	for (int l = 0; l < centres->n && !search->out_of_time; l++) {
		int64_t limit = point_limit(search, centres->first + l);

		centres->open[l] &= !centres->ends[l];
		open |= centres->open[l];
		if (!centres->ends[l] || (double)centres->least[l] > (double)limit)
			continue;
		/* This lane's numbers are still loaded. */
		point_improve(point, search, centres->first + l,
			point_centres_total(point, centres, l, limit));
		search->out_of_time = point_late(point);
	}
	return open && !search->out_of_time;
}

/*
 * Centres with only free nodes up to the shell in which they end, and no border of the mesh in the
 * way, all get the same nodes, as seen from the centre, if nodes are numbered along the mesh. The
 * first of them wins the tie; close the others.
 */
static bool close_full(
	const struct point *point, struct point_search *search, struct point_centres *centres)
{
	int radius = centres->radius + 1;
	bool open = false;

	for (int l = 0; l < centres->n; l++) {
		const int16_t *c = point->mesh->coord[centres->first + l];
		bool full = point->ordered && !point->nrequired && centres->ends[l] &&
			centres->next[l] == point->volume[radius];

		for (int d = 0; full && d < point->mesh->ndims; d++)
			full = c[d] >= radius && c[d] + radius < point->mesh->side[d];
		if (full && search->seen_full)
			centres->open[l] = centres->ends[l] = 0;
		search->seen_full |= full;
		open |= centres->open[l];
	}
	return open;
}

/*
 * For a few nodes the shells alone bound the total: nodes on shells a and b are at least |a - b|
 * hops apart, and different vertices of a shell one hop, or two where no ring is odd.
 */
static bool close_scattered(const struct point *point, struct point_centres *centres)
{
	bool open = false;

	for (int l = 0; l < centres->n; l++) {
		int k = point->wanted, next = centres->next[l] < k ? centres->next[l] : k;
		int here = next - centres->count[l];

		centres->apart[l] += point->shell_pair * here * (here - 1) / 2 + next * (k - next);
		centres->open[l] &= (float)centres->apart[l] + point->batch.least_pairs[k - next] <=
			centres->limit;
		open |= centres->open[l];
	}
	return open;
}

static bool open_centres(
	struct point *point, const struct point_search *search, struct point_centres *centres)
{
	bool open = false;

	for (int l = 0; l < BATCH; l++) {
		centres->open[l] = l < centres->n &&
			(point->anywhere || point_is_centre(point, search, centres->first + l));
		open |= centres->open[l];
	}
	return open;
}

/* Look at open centres whose balls are larger than the tables, one by one. */
static void look_each(
	struct point *point, struct point_search *search, const struct point_centres *centres)
{
	for (int l = 0; l < centres->n && !search->out_of_time; l++) {
		if (!centres->open[l])
			continue;
		point_look(point, search,
			&(struct point_bound){centres->first + l, centres->radius, false});
		search->out_of_time = point_late(point);
	}
}

/* Can a centre still win, by its ball so far? */
static bool is_worth_growing(struct point *point, struct point_centres *centres)
{
	for (int l = 0; l < centres->n; l++)
		centres->next[l] = point->wanted;
	return centres->radius < 0 || point_centres_bound(point, centres);
}

/*
 * Bound neighbouring centres of the current row. *guess: a radius to begin with, and then the next
 * one.
 */
static void bound_centres(
	struct point *point, struct point_search *search, struct point_centres *centres, int *guess)
{
	const struct ball_counts *balls = &point->batch.balls;
	int smallest = -2;
	bool open = open_centres(point, search, centres);

	if (!open)
		return;
	centres->limit = limit_from(search, centres->first);
	centres->radius = point->shell_pair ? -1 : *guess;
	centres->sphere[0].radius = centres->sphere[1].radius = -2; /* none */
	memset(centres->apart, 0, sizeof(centres->apart));
	batch_count(&point->batch, centres->radius, centres->x, centres->count);
	while (centres->radius >= 0 && is_filled(centres, point->wanted))
		batch_count(&point->batch, --centres->radius, centres->x, centres->count);
	while (open) {
		if (!ball_counts_serve(balls, centres->radius + 1)) {
			look_each(point, search, centres);
			break;
		}
		/* Larger balls take time to compute. */
		if (centres->radius + 1 >= balls->n &&
			(!is_worth_growing(point, centres) ||
				(search->out_of_time = point_late(point))))
			break;
		batch_count(&point->batch, centres->radius + 1, centres->x, centres->next);
		if (point->shell_pair && !close_scattered(point, centres))
			break;
		if (mark_ends(centres, point->wanted)) {
			smallest = smallest < -1 ? centres->radius : smallest;
			open = close_full(point, search, centres) &&
				end_centres(point, search, centres);
		}
		memcpy(centres->count, centres->next, sizeof(centres->count));
		centres->radius++;
	}
	if (smallest >= -1)
		*guess = smallest;
}

static void bound_row(
	struct point *point, struct point_search *search, struct point_centres *centres, int *guess)
{
	int end = point->high[0] + 1;
	int row = ball_counts_vertex(&point->batch.balls, centres->row);

	batch_turn(&point->batch, centres->row);
	for (centres->x = point->low[0]; centres->x < end && !search->out_of_time;
		centres->x += BATCH) {
		centres->n = end - centres->x < BATCH ? end - centres->x : BATCH;
		centres->first = row + centres->x;
		bound_centres(point, search, centres, guess);
		search->out_of_time |= point_late(point);
	}
}

/* All centres have the same answer: take the first one. */
static void first_centre(struct point *point, struct point_search *search)
{
	for (int v = 0; v < point->mesh->nvertices && search->vertex < 0; v++)
		if (point_is_centre(point, search, v))
			point_look(point, search, &(struct point_bound){v, -1, false});
}

/* Mark the coordinates of free and required nodes. */
static void mark_used(struct point *point)
{
	const struct mesh *mesh = point->mesh;
	const struct ball_space *space = &point->space;
	int side = mesh->side[0];

	for (int d = 0; d < mesh->ndims; d++) {
		nodeset_clear_all(&point->used[d]);
		for (int q = 0; q < mesh->side[d]; q++)
			if (point->fixed[d][q])
				nodeset_add(&point->used[d], q);
	}
	for (int row = 0, v = 0; row < space->nrows; row++, v += side) {
		if (!space->along[(size_t)row * (size_t)space->pitch + 2 * (size_t)side])
			continue; /* no node of the row is free */
		for (int d = 1; d < mesh->ndims; d++)
			nodeset_add(&point->used[d], mesh->coord[v][d]);
		for (int x = 0; x < side; x++)
			if (space->weight[v + x])
				nodeset_add(&point->used[0], x);
	}
}

/* Set the range of centres. Is there a free node at every coordinate? Rings count as rows. */
static bool find_ends(struct point *point)
{
	bool all = true;

	for (int d = 0; d < point->mesh->ndims; d++) {
		struct nodeset *used = &point->used[d];
		int n = nodeset_count(used), last = nodeset_next(used, 0);

		point->low[d] = last;
		while (nodeset_next(used, last + 1) >= 0)
			last = nodeset_next(used, last + 1);
		point->high[d] = last;
		all &= n == (d && point->mesh->wrap[d] ? point->mesh->side[d]
						       : last - point->low[d] + 1);
	}
	return all;
}

/* Up to so many nodes, shells are looked at before balls. */
#define FEW 16

static void set_constants(struct point *point)
{
	const struct mesh *mesh = point->mesh;
	int dims = 0;

	point->sides = mesh_sum_of_sides(mesh);
	for (int d = 0; d < mesh->ndims; d++)
		dims += mesh->side[d] > 1;
	/* In a full ball the nearest vertices of the shell have the radius spread evenly over the
	 * dimensions: this is the slope there. */
	point->slope = dims ? 1 - powf(1 - 1 / (float)dims, (float)dims) : 1;
	/* From its centre to a corner hops grow by this, on average. */
	point->steep = (float)dims / (float)(dims + 1);
	point->shell_pair =
		mesh->nodes_per_vertex > 1 || point->nrequired || point->wanted > FEW ? 0 : 2;
	for (int d = 0; point->shell_pair && d < mesh->ndims; d++)
		if (mesh->wrap[d] && mesh->side[d] % 2)
			point->shell_pair = 1;
	point->rounding = 6e-8f * (float)(2 * point->sides + 30);
}

/* ---- where to start ---- */

#define CHUNK 16 /* rows of counts are filled up to a multiple of it */

/* Add, for a row's centres, the counts at this radius, each at most `wanted`. Returns the most. */
MESH_VECTORISE
static int add_counts(const struct point *point, int row, int radius, int *sum)
{
	const struct ball_counts_view *view = &point->batch.balls.ball;
	const uint16_t *counts = view->at + (size_t)row * view->pitch;
	int side = point->mesh->side[0], wanted = point->wanted, most = 0;

	for (int x = 0; x < side; x += CHUNK) {
		int sums[CHUNK] = {0};

		for (int r = 0; r <= radius; r++) {
			const uint16_t *count = counts + (size_t)r * view->size + x;

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
 * The centre with the least sum of hops to its k nearest nodes: the sum over r of k - (nodes
 * within r hops). With tables (ball_counts.h) that takes one addition a radius.
 */
static int nearest_centre(struct point *point, const struct point_search *search, int radius)
{
	const struct ball_counts *balls = &point->batch.balls;
	int side = point->mesh->side[0], best = -1, most = -1, *sum = point->vertex;

	for (int row = 0; row < balls->grid.nvertices / side; row++) {
		int first = ball_counts_vertex(balls, row);

		if (add_counts(point, row, radius, sum) <= most)
			continue;
		for (int x = 0; x < side; x++)
			if (sum[x] > most && point_is_centre(point, search, first + x)) {
				most = sum[x];
				best = first + x;
			}
	}
	return best;
}

/* CPU time of one radius of ball_counts.h for each vertex, on a machine that is not fast. */
#define RADIUS_NS 20

/* Without time for balls: the centre in the middle of the free nodes' coordinates. */
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

/*
 * How large balls are looked up to begin with: until the middle one has all nodes wanted, as far
 * as there are tables and time. -1: no size.
 */
static int radius_ahead(struct point *point)
{
	struct ball_counts *balls = &point->batch.balls;
	int side = point->mesh->side[0], middle = 0;

	for (int d = 1; d < point->mesh->ndims; d++)
		middle += balls->grid.side[d] / 2 * (balls->grid.stride[d] / side);
	for (int radius = 0;; radius++) {
		if (radius >= balls->whole_to || !point_has_time(point, RADIUS_NS))
			return radius - 1;
		ball_counts_extend(balls, radius);
		if (balls->ball.at[(size_t)radius * balls->ball.size +
			    (size_t)middle * balls->ball.pitch +
			    (size_t)(point->low[0] + point->high[0]) / 2] >= point->wanted)
			return radius;
	}
}

/*
 * Go from the best centre so far to a better neighbour as long as there is one. It helps if there
 * may be no time for all centres; otherwise it costs what it saves.
 */
static void descend(struct point *point, struct point_search *search)
{
	const struct mesh *mesh = point->mesh;

	for (int from = -1; from != search->vertex && !search->out_of_time;) {
		from = search->vertex;
		for (int i = 0; i < 2 * mesh->ndims && !search->out_of_time; i++) {
			int c[MESH_MAX_DIMS], d = i / 2, side = mesh->side[d];

			for (int e = 0; e < mesh->ndims; e++)
				c[e] = mesh->coord[from][e];
			c[d] += i % 2 ? 1 : -1;
			if (mesh->wrap[d])
				c[d] = (c[d] + side) % side;
			if (c[d] < 0 || c[d] >= side ||
				!point_is_centre(point, search, mesh_vertex(mesh, c)))
				continue;
			point_look(point, search,
				&(struct point_bound){mesh_vertex(mesh, c), point->radius, false});
			search->out_of_time = point_late(point);
		}
	}
}

void point_best_hops(struct point *point, struct point_search *search)
{
	const struct mesh *grid = point->batch.mesh;
	struct point_centres centres;
	int guess;

	mark_used(point);
	/* Only the required nodes, a single node, or all that are free. */
	if (!point->wanted || point->wanted + point->nrequired == 1 ||
		point->wanted == point->space.total) {
		first_centre(point, search);
		return;
	}
	set_constants(point);
	point->beyond = point->nrequired ? point->fixed : NULL;
	point->anywhere = find_ends(point) && !search->free_only;
	batch_load(&point->batch, point->space.weight, point->low, point->high);
	guess = radius_ahead(point);
	point_look(point, search, &(struct point_bound){guess < 0 ? middle_centre(point, search)
			: nearest_centre(point, search, guess), guess, false});
	search->out_of_time = point_late(point);
	if (point->budget.look)
		descend(point, search);
	for (centres.row = 0; centres.row < grid->nvertices / grid->side[0] && !search->out_of_time;
		centres.row++)
		bound_row(point, search, &centres, &guess);
}
