/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point/point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

/* Are nodes numbered in the order of their vertices? */
static bool is_ordered(const struct mesh *mesh)
{
	for (int i = 1; i < mesh->nnodes; i++)
		if (mesh->vertex_of[i] < mesh->vertex_of[i - 1])
			return false;
	return true;
}

/* A ball is a stack of balls of one dimension less. */
static void fill_volumes(struct point *point, int n)
{
	for (int r = 0; r < n; r++)
		point->volume[r] = point->mesh->nodes_per_vertex;
	for (int d = 0; d < point->mesh->ndims; d++)
		for (int64_t r = 1, below = point->volume[0]; r < n; r++) {
			int64_t slice = point->volume[r];

			point->volume[r] = point->volume[r - 1] + slice + below;
			below = slice;
		}
}

int point_init(struct point *point, const struct mesh *mesh, bool boxes, struct arena *arena)
{
	*point = (struct point){.mesh = mesh, .ordered = is_ordered(mesh)};
	for (int d = 0; d < mesh->ndims; d++) {
		arena_array(arena, point->fixed[d], mesh->side[d]);
		arena_array(arena, point->count[d], mesh->side[d]);
		arena_array(arena, point->far[d], mesh->side[d]);
		nodeset_get(&point->used[d], mesh->side[d], arena);
	}
	arena_array(arena, point->vertex, mesh->nvertices + 1);
	arena_array(arena, point->bound, mesh->nvertices);
	if (arena_array(arena, point->volume, mesh_sum_of_sides(mesh) + 1))
		fill_volumes(point, mesh_sum_of_sides(mesh) + 1);
	return ball_init(&point->space, mesh, boxes, arena) ||
		batch_init(&point->batch, mesh, arena) ||
		point_cells_init(&point->cells, mesh, point->ordered, arena) ? -1 : 0;
}

bool point_late(struct point *point)
{
	return mesh_budget_late(&point->budget);
}

bool point_has_time(const struct point *point, int ns)
{
	return mesh_budget_left(&point->budget) > (int64_t)ns * point->mesh->nvertices;
}

/*
 * Set time aside for what follows the search: listing the nodes of the best ball, and choosing
 * some of the next shell, which has about k^(2/3) vertices. At most half of the budget.
 */
static void reserve_time(struct point *point)
{
	double k = point->wanted;
	int64_t ns = (int64_t)(60 * k + cbrt(k) * k), half = mesh_budget_left(&point->budget) / 2;

	if (!point->budget.look)
		return;
	point->reserved = ns < half ? ns : half;
	point->budget.look -= point->reserved;
	point->budget.end -= point->reserved;
}

void point_load(struct point *point, const struct mesh_state *state,
	const struct mesh_request *request)
{
	const struct mesh *mesh = point->mesh;

	point->free = state->free;
	point->required = request->required;
	point->nrequired = request->required ? nodeset_count(request->required) : 0;
	point->wanted = request->count - point->nrequired;
	mesh_budget_start(&point->budget, request->budget_ns);
	point->reserved = 0;
	reserve_time(point);
	ball_load(&point->space, state->free, request->required);
	for (int d = 0; d < mesh->ndims; d++)
		memset(point->fixed[d], 0, (size_t)mesh->side[d] * sizeof(int));
	for (int i = point->nrequired ? nodeset_next(point->required, 0) : -1; i >= 0;
		i = nodeset_next(point->required, i + 1))
		for (int d = 0; d < mesh->ndims; d++)
			point->fixed[d][mesh->coord[mesh->vertex_of[i]][d]]++;
}

/* ---- one centre ---- */

/* The radius of the last whole shell (-1: none), and how many nodes are inside. */
static int fill_radius(struct point *point, int x, int guess, int *inside)
{
	struct ball_space *space = &point->space;
	int radius = guess, count = 0, next = 0;

	for (; radius >= 0; radius--, next = count, count = 0) {
		ball_count(space, radius, x, 1, &count);
		if (count <= point->wanted)
			break;
	}
	while (count < point->wanted && next <= point->wanted) {
		/* The lists of near rows end at the radius that was asked for. */
		if (radius + 1 > space->cap)
			ball_row(space, space->row, 2 * radius + 3);
		ball_count(space, radius + 1, x, 1, &next);
		if (next > point->wanted)
			break;
		count = next;
		radius++;
	}
	*inside = count;
	return radius;
}

/*
 * Compute the marginals of the ball and the required nodes around x, and far[]. Returns the total.
 */
static int64_t measure(struct point *point, int radius, int x)
{
	const struct mesh *mesh = point->mesh;
	int64_t total = 0;

	for (int d = 0; d < mesh->ndims; d++)
		memcpy(point->count[d], point->fixed[d], (size_t)mesh->side[d] * sizeof(int));
	ball_add_marginals(&point->space, radius, x, point->count);
	for (int d = 0; d < mesh->ndims; d++)
		total += axis_star_hops(
			point->count[d], mesh->side[d], mesh->wrap[d], point->far[d]);
	return total;
}

/*
 * List the space's rows near the centre, up to the shell after this radius. A list for a centre in
 * the same row is used again.
 */
static void list_near(struct point *point, int centre, int guess)
{
	struct ball_space *space = &point->space;
	int row = centre / point->mesh->side[0], cap = guess + 2;

	if (space->row != row || space->cap < cap || space->cap > cap + 2)
		ball_row(space, row, cap);
}

int64_t point_total_beyond(struct point *point, const struct point_ball *ball, int n,
	int64_t limit, int *node)
{
	struct point_shell shell = {ball->centre, ball->radius + 1, n, ball->take};

	return ball->inside + point_choose(point, &shell, limit - ball->inside, node);
}

/* The same, listing the shell. */
static int64_t total_beyond(
	struct point *point, const struct point_ball *ball, int64_t limit, int *node)
{
	if (!ball->take || ball->inside > limit)
		return ball->inside;
	list_near(point, ball->centre, ball->radius);
	return point_total_beyond(point, ball,
		ball_shell(&point->space, ball->radius + 1, point->mesh->coord[ball->centre][0],
			point->vertex), limit, node);
}

/* The ball around a centre, and its marginals. */
static struct point_ball measure_ball(struct point *point, int centre, int guess)
{
	struct point_ball ball = {.centre = centre};
	int x = point->mesh->coord[centre][0], inside;

	list_near(point, centre, guess);
	ball.radius = fill_radius(point, x, guess, &inside);
	point->radius = ball.radius;
	ball.take = point->wanted - inside;
	ball.inside = measure(point, ball.radius, x);
	return ball;
}

/* The hops over all pairs of n nodes. */
static int64_t total_of(struct point *point, const int *node, int n)
{
	const struct mesh *mesh = point->mesh;
	int64_t total = 0;

	for (int d = 0; d < mesh->ndims; d++) {
		memset(point->count[d], 0, (size_t)mesh->side[d] * sizeof(int));
		for (int i = 0; i < n; i++)
			point->count[d][mesh->coord[mesh->vertex_of[node[i]]][d]]++;
		total += axis_star_hops(
			point->count[d], mesh->side[d], mesh->wrap[d], point->far[d]);
	}
	return total;
}

int point_take(struct point *point, int centre, int *node, int64_t *total)
{
	const struct mesh *mesh = point->mesh;
	struct point_ball ball = measure_ball(point, centre, 0);
	int n, got = ball.take;

	point->budget.look += point->reserved;
	point->budget.end += point->reserved;
	total_beyond(point, &ball, INT64_MAX / 4, node);
	n = ball.radius < 0
		? 0
		: ball_inside(&point->space, ball.radius, mesh->coord[centre][0], point->vertex);
	for (int i = 0; i < n; i++)
		for (int at = mesh->first[point->vertex[i]],
			 left = point->space.weight[point->vertex[i]];
			left; left--, at++) {
			at = point_next_node(point, at);
			node[got++] = mesh->node_at[at];
		}
	for (int i = point->nrequired ? nodeset_next(point->required, 0) : -1; i >= 0;
		i = nodeset_next(point->required, i + 1))
		node[got++] = i;
	*total = total_of(point, node, got);
	return got;
}

int64_t point_total(struct point *point, int centre, int guess, int64_t limit)
{
	struct point_ball ball = measure_ball(point, centre, guess);

	return total_beyond(point, &ball, limit, NULL);
}

int64_t point_limit(const struct point_search *search, int vertex)
{
	if (search->vertex < 0)
		return INT64_MAX / 4;
	/* a tie goes to the lower number */
	return search->total - (vertex >= search->vertex);
}

void point_improve(struct point *point, struct point_search *search, int vertex, int64_t total)
{
	bool better = total <= point_limit(search, vertex);

	if (better)
		search->total = total;
	/* When time is up, any centre is better than none. */
	if (better || (search->vertex < 0 && point_late(point)))
		search->vertex = vertex;
}

void point_look(struct point *point, struct point_search *search, const struct point_bound *b)
{
	int64_t limit = point_limit(search, b->vertex);

	point_improve(point, search, b->vertex, point_total(point, b->vertex, b->radius, limit));
}
