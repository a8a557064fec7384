/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "snug/snug_price.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Boxes with this many times the most compact one's hops suit nobody. */
static const double MOST_HOPS = 1.6;

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

static int init_ranks(const struct snug_price *p, struct snug_ranks *ranks)
{
	ranks->order = malloc(((size_t)p->mesh->nnodes + (size_t)p->mesh->nvertices) * sizeof(int));
	return ranks->order ? nodeset_init(&ranks->in, p->mesh->nvertices) : -1;
}

int snug_price_init(struct snug_price *p, const struct mesh *mesh)
{
	size_t n = (size_t)mesh->nvertices;

	p->mesh = mesh;
	p->forecast = forecast_new(mesh);
	for (int steps = 0; steps < 2; steps++)
		if (!(p->ideals[steps] = calloc(n + 1, sizeof(**p->ideals))))
			return -1;
	p->rank_of = malloc(n * sizeof(int));
	p->at_rank = malloc(n * sizeof(int));
	if (!p->forecast || !p->rank_of || !p->at_rank)
		return -1;
	rank_vertices(p);
	return init_ranks(p, &p->ranks[0]);
}

void snug_price_release(struct snug_price *p)
{
	forecast_free(p->forecast);
	free(p->ideals[0]);
	free(p->ideals[1]);
	free(p->rank_of);
	free(p->at_rank);
	for (int i = 0; i < FORECAST_ASKERS; i++) {
		free(p->ranks[i].order);
		nodeset_release(&p->ranks[i].in);
	}
}

/* --- ideals ----------------------------------------------------------------------------- */

/* The first vertices of a box in a corner, in the order of their numbers. */
static void fill_box(struct snug_price *p, const int *side, int vertices)
{
	for (int i = 0; i < vertices; i++) {
		int v = 0;

		for (int d = 0, rest = i; d < p->mesh->ndims; rest /= side[d++])
			v += rest % side[d] * p->mesh->stride[d];
		p->ranks[0].order[i] = v;
	}
}

/* All boxes of exactly so many vertices, up to TRIED. */
struct boxes {
	const struct mesh *mesh;
	double most_hops;
	int n;
	int side[TRIED][MESH_MAX_DIMS];
	struct forecast_times times[TRIED];
};

static void add_box(struct boxes *boxes, const int *side)
{
	for (int i = 0; i < boxes->n; i++)
		if (!memcmp(boxes->side[i], side, sizeof(boxes->side[i])))
			return;
	if (boxes->n < TRIED)
		memcpy(boxes->side[boxes->n++], side, sizeof(boxes->side[0]));
}

static void list_boxes(struct boxes *boxes, int *side, int d, int left, double hops)
{
	if (hops > boxes->most_hops || boxes->n == TRIED)
		return;
	if (d == boxes->mesh->ndims) {
		if (left == 1)
			add_box(boxes, side);
		return;
	}
	for (side[d] = 1; side[d] <= boxes->mesh->side[d] && side[d] <= left; side[d]++)
		if (left % side[d] == 0)
			list_boxes(boxes, side, d + 1, left / side[d],
				hops + snug_axis_hops(boxes->mesh, d, side[d]));
	side[d] = 1;
}

/*
 * The boxes that are a job's grid: the ranks of its last side lie along the first dimension, as
 * vertices are numbered, and so on with any dimensions left out. g: the grid's side that is next.
 */
static void list_grids(struct boxes *boxes, const struct comm_grid *grid, int *side, int d, int g)
{
	while (g >= 0 && grid->side[g] == 1)
		g--;
	if (d == boxes->mesh->ndims) {
		if (g < 0)
			add_box(boxes, side);
		return;
	}
	list_grids(boxes, grid, side, d + 1, g);
	if (g >= 0 && grid->side[g] <= boxes->mesh->side[d]) {
		side[d] = grid->side[g];
		list_grids(boxes, grid, side, d + 1, g - 1);
		side[d] = 1;
	}
}

static void least_times(struct forecast_times *least, const struct forecast_times *times)
{
	for (int i = 0; i < COMM_PATTERNS; i++)
		least->time[i] = fmin(least->time[i], times->time[i]);
}

/* A box for a job that sends this: by the time against the least. Where boxes are alike, for the mix. */
static double worth(enum comm_pattern pattern, const struct forecast_times *times,
	const struct forecast_times *least)
{
	static const double others = 0.001;
	double sum = 0;

	for (int i = 0; i < COMM_PATTERNS; i++) {
		double share = pattern == COMM_NONE || (int)pattern == i ? 1 : others;

		sum += least->time[i] > 0 ? share * times->time[i] / least->time[i] : 0;
	}
	return sum;
}

/* The best boxes of those tried, one after another. */
static void pick_boxes(struct snug_ideal *ideal, enum comm_pattern pattern, const struct boxes *boxes)
{
	bool gone[TRIED] = {false};

	for (int n = 0; n < ideal->nshapes; n++) {
		double least = HUGE_VAL;
		int best = -1;

		for (int i = 0; i < boxes->n; i++) {
			double cost = worth(pattern, &boxes->times[i], &ideal->times);

			if (!gone[i] && cost < least) {
				least = cost;
				best = i;
			}
		}
		gone[best] = true;
		for (int d = 0; d < MESH_MAX_DIMS; d++)
			ideal->side[pattern][n][d] = (int16_t)boxes->side[best][d];
	}
}

/* What is looked for: an ideal for so many vertices. */
struct wanted {
	const struct snug_plan *plan;
	const struct comm_grid *grid;
	int vertices;
	bool steps; /* of an all-to-all, looked at one by one: where it is known that the job sends nothing else */
};

static void find_ideal(struct snug_price *p, struct snug_ideal *ideal, const struct wanted *wanted)
{
	const struct snug_plan *plan = wanted->plan;
	const struct comm_grid *grid = wanted->grid;
	int vertices = wanted->vertices;
	struct boxes boxes = {.mesh = p->mesh, .most_hops = plan->hops * MOST_HOPS + 0.1};
	int side[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1};
	const struct forecast_set set = {p->ranks[0].order, vertices, 0};

	*ideal = (struct snug_ideal){.known = true};
	forecast_grid(p->forecast, grid);
	fill_box(p, plan->chain[0].level[0].side, vertices);
	forecast_alone(p->forecast, &set, wanted->steps, &ideal->times);
	if (vertices > SNUG_IDEAL_MOST)
		return;
	if (comm_grid_ranks(grid) == vertices)
		list_grids(&boxes, grid, side, 0, grid->ndims - 1);
	list_boxes(&boxes, side, 0, vertices, 0);
	for (int i = 0; i < boxes.n; i++) {
		fill_box(p, boxes.side[i], vertices);
		forecast_alone(p->forecast, &set, wanted->steps, &boxes.times[i]);
		least_times(&ideal->times, &boxes.times[i]);
	}
	ideal->nshapes = boxes.n < SNUG_IDEAL_SHAPES ? boxes.n : SNUG_IDEAL_SHAPES;
	for (int pattern = COMM_NONE; pattern < COMM_PATTERNS; pattern++)
		pick_boxes(ideal, (enum comm_pattern)pattern, &boxes);
}

/* --- prices ----------------------------------------------------------------------------- */

/* Where the job's ideal is kept, if it is known. */
static struct snug_ideal *ideal_slot(struct snug_price *p, const struct wanted *wanted)
{
	struct snug_ideal *ideal = &p->own;

	if (!wanted->grid->ndims)
		return &p->ideals[wanted->steps][wanted->vertices];
	if (p->own_vertices != wanted->vertices || p->own_steps != wanted->steps ||
		memcmp(&p->own_grid, wanted->grid, sizeof(p->own_grid)) != 0)
		ideal->known = false;
	p->own_vertices = wanted->vertices;
	p->own_steps = wanted->steps;
	p->own_grid = *wanted->grid;
	return ideal;
}

bool snug_price_start(struct snug_price *p, const struct mesh_state *state,
	const struct mesh_request *request, const struct snug_plan *plan, struct mesh_budget *budget)
{
	int per_vertex = p->mesh->nodes_per_vertex;
	const struct wanted wanted = {plan, &request->grid, (request->count + per_vertex - 1) / per_vertex,
		request->pattern == COMM_ALL_TO_ALL};
	struct snug_ideal *ideal = ideal_slot(p, &wanted);
	bool fine = true;

	forecast_begin(p->forecast, budget);
	for (int i = 0; i < state->nruns && fine; i++)
		fine = forecast_run(p->forecast, state->run[i].node, state->run[i].count);
	if (!fine || !forecast_end(p->forecast))
		return false;
	if (!ideal->known)
		find_ideal(p, ideal, &wanted);
	forecast_grid(p->forecast, &request->grid);
	p->ideal = ideal;
	p->pattern = request->pattern;
	p->goal = (struct forecast_goal){comm_mix_of(request->pattern), &ideal->times, wanted.steps};
	ideal->known = !forecast_late(p->forecast);
	return ideal->known;
}

/* The job's ranks go in the order of its nodes, and so from vertex to vertex. */
static struct forecast_set order_ranks(struct snug_price *p, const struct snug_kept *set, int who)
{
	struct snug_ranks *ranks = &p->ranks[who];
	int *order = ranks->order, *taken = order + p->mesh->nnodes, n = 0;

	for (int i = 0; i < set->n; i++) {
		nodeset_add(&ranks->in, p->rank_of[set->vertex[i]]);
		taken[set->vertex[i]] = set->taken[i];
	}
	for (int w = 0; w < nodeset_words(ranks->in.n); w++) {
		for (uint64_t word = ranks->in.word[w]; word; word &= word - 1) {
			int v = p->at_rank[64 * w + __builtin_ctzll(word)];

			for (int i = 0; i < taken[v]; i++)
				order[n++] = v;
		}
		ranks->in.word[w] = 0;
	}
	return (struct forecast_set){order, n, who};
}

bool snug_price_part(struct snug_price *p, const struct snug_kept *set, double least, double most,
	struct forecast_part *part)
{
	const struct forecast_set ranks = order_ranks(p, set, 0);

	forecast_part(p->forecast, &ranks, &p->goal, most, part);
	if (part->cost < least)
		forecast_expect(p->forecast, &ranks);
	return !forecast_late(p->forecast);
}

/* One of two sets, by one of two threads. */
struct one {
	struct snug_price *price;
	const struct snug_kept *set;
	struct forecast_set *ranks;
	struct forecast_part *part;
	int who;
};

static void price_one(void *data)
{
	const struct one *one = data;

	*one->ranks = order_ranks(one->price, one->set, one->who);
	forecast_part(one->price->forecast, one->ranks, &one->price->goal, HUGE_VAL, one->part);
}

bool snug_price_two(struct snug_price *p, const struct snug_kept *set, struct mesh_aside *aside,
	struct forecast_part *part)
{
	struct one one[2];

	if ((!p->ranks[1].order && init_ranks(p, &p->ranks[1])) || forecast_two(p->forecast))
		return false;
	for (int i = 0; i < 2; i++)
		one[i] = (struct one){p, &set[i], &p->two[i], &part[i], i};
	aside_begin(aside, price_one, &one[1]);
	price_one(&one[0]);
	aside_end(aside);
	return true;
}

void snug_price_expect(struct snug_price *p, int which)
{
	forecast_expect(p->forecast, &p->two[which]);
}

bool snug_price_rest(struct snug_price *p, const struct snug_kept *set, double most,
	struct forecast_part *part)
{
	const struct forecast_set ranks = order_ranks(p, set, 0);

	part->cost = forecast_rest(p->forecast, &ranks, &p->goal, most, part);
	part->steps = -1;
	return !forecast_late(p->forecast);
}
