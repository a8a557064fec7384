/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "snug/snug_price.h"

#include <math.h>
#include <string.h>

/* Boxes with more than this many times the hops of the most compact one are no ideal. */
static const double MOST_HOPS = 1.6;

/* Where boxes are compared, this many hops count as much as a time of 1. */
static const double ALIKE = 1e-4;

/* Of so many boxes the best are found; those more have long sides. */
enum { TRIED = 64 };

/* --- memory ----------------------------------------------------------------------------- */

static void rank_vertices(struct snug_price *p)
{
	int n = 0;

	memset(p->rank_of, -1, (size_t)p->mesh->nvertices * sizeof(int));
	for (int i = 0; i < p->mesh->nnodes; i++) {
		int v = p->mesh->vertex_of[i];

		if (p->rank_of[v] >= 0)
			continue;
		p->at_rank[n] = v;
		p->rank_of[v] = n++;
	}
}

int snug_price_init(struct snug_price *p, const struct mesh *mesh, struct arena *arena)
{
	int n = mesh->nvertices;

	p->mesh = mesh;
	for (int i = 0; i < COMM_PATTERNS; i++)
		arena_array(arena, p->ideals[i], n + 1);
	arena_array(arena, p->rank_of, n);
	arena_array(arena, p->at_rank, n);
	arena_array(arena, p->order, mesh->nnodes);
	arena_array(arena, p->taken, n);
	if (nodeset_get(&p->in, n, arena) || !(p->meter = load_meter_new(mesh, arena)))
		return -1;
	rank_vertices(p);
	return 0;
}

/* --- ideals ----------------------------------------------------------------------------- */

/* Take the first vertices of a box in a corner, in the order of their numbers. */
static void fill_box(struct snug_price *p, const int *side, int vertices)
{
	for (int i = 0; i < vertices; i++) {
		int v = 0;

		for (int d = 0, rest = i; d < p->mesh->ndims; rest /= side[d++])
			v += rest % side[d] * p->mesh->stride[d];
		p->order[i] = v;
	}
}

/* All boxes of exactly that many vertices, up to TRIED. */
struct boxes {
	const struct mesh *mesh;
	double most_hops;
	int n;
	int side[TRIED][MESH_MAX_DIMS];
	double hops[TRIED];
};

/* There is room: list_boxes() sees to it, and a grid is in at most 20 boxes. */
static void add_box(struct boxes *boxes, const int *side, double hops)
{
	for (int i = 0; i < boxes->n; i++)
		if (!memcmp(boxes->side[i], side, sizeof(boxes->side[i])))
			return;
	boxes->hops[boxes->n] = hops;
	memcpy(boxes->side[boxes->n++], side, sizeof(boxes->side[0]));
}

static void list_boxes(struct boxes *boxes, int *side, int d, int left, double hops)
{
	if (hops > boxes->most_hops || boxes->n == TRIED)
		return;
	if (d == boxes->mesh->ndims) {
		if (left == 1)
			add_box(boxes, side, hops);
		return;
	}
	for (side[d] = 1; side[d] <= boxes->mesh->side[d] && side[d] <= left; side[d]++)
		if (left % side[d] == 0)
			list_boxes(boxes, side, d + 1, left / side[d],
				hops + snug_axis_hops(boxes->mesh, d, side[d]));
	side[d] = 1;
}

/*
 * List the boxes that are a job's grid. The ranks of the grid's last side lie along the first
 * dimension, as vertices are numbered, and so on; dimensions may be skipped. g: the next side of
 * the grid.
 */
static void list_grids(struct boxes *boxes, const struct comm_grid *grid, int *side, int d, int g)
{
	while (g >= 0 && grid->side[g] == 1)
		g--;
	if (d == boxes->mesh->ndims) {
		if (g < 0)
			add_box(boxes, side, 0);
		return;
	}
	list_grids(boxes, grid, side, d + 1, g);
	if (g >= 0 && grid->side[g] <= boxes->mesh->side[d]) {
		side[d] = grid->side[g];
		list_grids(boxes, grid, side, d + 1, g - 1);
		side[d] = 1;
	}
}

/* Keep a box if it is among the best few: by its time, and by hops where times are equal. */
static void note_box(struct snug_ideal *ideal, const struct boxes *boxes, int which, double time)
{
	double cost = time + ALIKE * boxes->hops[which];
	int at = ideal->nshapes;

	ideal->time = fmin(ideal->time, time);
	for (; at > 0 && cost < ideal->cost[at - 1]; at--)
		if (at < SNUG_IDEAL_SHAPES) {
			ideal->cost[at] = ideal->cost[at - 1];
			memcpy(ideal->side[at], ideal->side[at - 1], sizeof(ideal->side[at]));
		}
	if (at == SNUG_IDEAL_SHAPES)
		return;
	ideal->nshapes += ideal->nshapes < SNUG_IDEAL_SHAPES;
	ideal->cost[at] = cost;
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		ideal->side[at][d] = (int16_t)boxes->side[which][d];
}

/* The ideal that is wanted: for so many vertices. */
struct wanted {
	const struct snug_plan *plan;
	const struct comm_grid *grid;
	enum comm_pattern pattern;
	int vertices;
};

/* The time in a box of these sides. */
static double box_time(struct snug_price *p, const struct wanted *wanted, const int *side)
{
	const struct forecast_job job = {p->order, wanted->vertices, wanted->pattern, wanted->grid};

	fill_box(p, side, wanted->vertices);
	return forecast_time(p->meter, &job);
}

static void find_ideal(struct snug_price *p, struct snug_ideal *ideal, const struct wanted *wanted)
{
	const struct comm_grid *grid = wanted->grid;
	struct boxes boxes = {.mesh = p->mesh, .most_hops = wanted->plan->hops * MOST_HOPS + 0.1};
	int side[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1};

	*ideal = (struct snug_ideal){.known = true};
	ideal->time = box_time(p, wanted, wanted->plan->chain[0].level[0].side);
	if (wanted->vertices > SNUG_IDEAL_MOST)
		return;
	if (comm_grid_ranks(grid) == wanted->vertices)
		list_grids(&boxes, grid, side, 0, grid->ndims - 1);
	list_boxes(&boxes, side, 0, wanted->vertices, 0);
	for (int i = 0; i < boxes.n; i++)
		note_box(ideal, &boxes, i, box_time(p, wanted, boxes.side[i]));
}

/* --- prices ----------------------------------------------------------------------------- */

/* Where the job's ideal is kept. */
static struct snug_ideal *ideal_slot(struct snug_price *p, const struct wanted *wanted)
{
	struct snug_ideal *ideal = &p->own;

	if (!wanted->grid->ndims)
		return &p->ideals[wanted->pattern][wanted->vertices];
	if (p->own_vertices != wanted->vertices || p->own_pattern != wanted->pattern ||
		memcmp(&p->own_grid, wanted->grid, sizeof(p->own_grid)) != 0)
		ideal->known = false;
	p->own_vertices = wanted->vertices;
	p->own_pattern = wanted->pattern;
	p->own_grid = *wanted->grid;
	return ideal;
}

bool snug_price_start(struct snug_price *p, const struct mesh_request *request,
	const struct snug_plan *plan, struct mesh_budget *budget)
{
	int per_vertex = p->mesh->nodes_per_vertex;
	const struct wanted wanted = {plan, &request->grid, request->pattern,
		(request->count + per_vertex - 1) / per_vertex};
	struct snug_ideal *ideal = ideal_slot(p, &wanted);

	load_meter_budget(p->meter, budget);
	if (!ideal->known)
		find_ideal(p, ideal, &wanted);
	p->ideal = ideal;
	p->request = request;
	ideal->known = !load_meter_late(p->meter);
	return ideal->known;
}

/* Order the job's ranks like its nodes, and so from vertex to vertex. Returns how many. */
static int order_ranks(struct snug_price *p, const struct snug_kept *set)
{
	int n = 0;

	for (int i = 0; i < set->n; i++) {
		nodeset_add(&p->in, p->rank_of[set->vertex[i]]);
		p->taken[set->vertex[i]] = set->taken[i];
	}
	for (int w = 0; w < nodeset_words(p->in.n); w++) {
		for (uint64_t word = p->in.word[w]; word; word &= word - 1) {
			int v = p->at_rank[64 * w + __builtin_ctzll(word)];

			for (int i = 0; i < p->taken[v]; i++)
				p->order[n++] = v;
		}
		p->in.word[w] = 0;
	}
	return n;
}

bool snug_price_of(struct snug_price *p, const struct snug_kept *set, double *price)
{
	const struct forecast_job job = {p->order, order_ranks(p, set), p->request->pattern,
		&p->request->grid};

	*price = forecast_time(p->meter, &job) / (p->ideal->time > 0 ? p->ideal->time : 1);
	return !load_meter_late(p->meter);
}
