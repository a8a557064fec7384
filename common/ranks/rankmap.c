/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Maps ranks to nodes; see rankmap.h for what is tried, embed.h, drb.h and assign.h for the parts.
 * O(R log^2 R + N^2 d), and a number of exchanges that grows with the edges up to a limit. The
 * limits keep the time below five times that of Scotch with 4,096 ranks: tests/lab/bench/ranks.
 */
#include "ranks/rankmap.h"

#include <string.h>

#include "ranks/assign.h"
#include "ranks/drb.h"
#include "ranks/embed.h"
#include "ranks/gridfind.h"
#include "ranks/patternfind.h"
#include "ranks/peak.h"
#include "ranks/rankgroup.h"

/* Exchanges that annealing tries per node. One long annealing beats several short ones. */
enum { MOVES_PER_NODE = 60000 };
/*
 * Looks of the search at neighbours. With many ranks they grow with the edges, up to so many for
 * each, as the time of a multilevel partitioner does. On scattered nodes three times as many, as
 * no start is near the best there.
 */
enum {
	FEW_LOOKS = 37500000,
	MANY_RANKS = 2048,
	LOOKS_PER_EDGE = 625,
	DENSE = 8,
	MOST_LOOKS = 125000000,
	IN_CACHE = 1024,
	RANKS_SHARE = 5 /* of the looks, for single ranks */
};
/* For a lower peak: exchanges, and looks at neighbours. Programs ran no shorter with five times as
 * many (doc/lab/smpi.md). */
enum { PEAK_MOVES = 80000, PEAK_LOOKS = 800000 };
/* Of block order's load: an order that is hardly better may well be worse. */
static const double WORTH_IT = 0.98;
/* Dual bipartitioning: the most edges, and how often; once for many ranks. */
enum { DUAL_LIMIT = 1 << 18, DUAL_TRIES = 5 };

struct plan {
	const struct rankmap_input *input;
	struct rankmap_answer *answer;
	struct arena arena;
	int nranks;
	int *vertex;		  /* [nnodes] */
	struct peak_input peak;   /* the input for peak.h */
	struct assign_sites table;
	struct drb_points nodes;
	const struct traffic_grid *grid; /* the input's, or one that was found; NULL: none */
	struct traffic_grid found;
	int *cell;		  /* [ranks] with a grid that was found, otherwise NULL */
	struct embed_box box;	  /* the box that the nodes fill; ndims 0: they fill none */
	int low[MESH_MAX_DIMS];
	int *at;		  /* [nnodes] for each place in the box: an index into node[] */
	struct rankgroup tiles;	  /* of the grid, or blocks */
	struct rankgroup dual;	  /* by the traffic */
	const struct rankgroup *best; /* the grouping of the best start */
	int *start;		  /* [nnodes] for each of its groups: an index into node[] */
	double start_cost;
	int *place, *site;	  /* scratch: [ranks], [nnodes] */
	double least;		  /* the price of the answer so far; < 0: there is none */
};

/* --- the job's box ---------------------------------------------------------------- */

/* Find the box that the nodes fill, with as many on each vertex; ndims 0: there is none. */
static void find_box(struct plan *p)
{
	const struct drb_points *nodes = &p->nodes;
	const struct mesh *mesh = p->input->mesh;
	struct embed_box *box = &p->box;
	int64_t volume = 1;

	for (int d = 0; d < nodes->ndims; d++) {
		int low = nodes->pos[0][d], high = low;

		for (int i = 1; i < nodes->n; i++) {
			low = nodes->pos[i][d] < low ? nodes->pos[i][d] : low;
			high = nodes->pos[i][d] > high ? nodes->pos[i][d] : high;
		}
		p->low[d] = low;
		box->side[d] = high - low + 1;
		box->wrap[d] = mesh->wrap[d] && box->side[d] == mesh->side[d];
		volume *= box->side[d];
	}
	box->ndims = volume <= nodes->n && nodes->n % volume == 0 ? nodes->ndims : 0;
	if (box->ndims && nodes->n > volume) {
		box->side[box->ndims] = (int)(nodes->n / volume);
		box->shared[box->ndims++] = true;
	}
}

/* Set p->at[place in the box] to the index of the node there; no box if vertices differ. */
static void fill_box(struct plan *p)
{
	const struct drb_points *nodes = &p->nodes;
	int n = nodes->n, stride = 1, vertices = 1;

	for (int i = 0; i < n; i++)
		p->at[i] = -1;
	for (int d = 0; d < nodes->ndims; d++)
		vertices *= p->box.side[d];
	for (int i = 0; i < n; i++) {
		int place = 0;

		stride = 1;
		for (int d = 0; d < nodes->ndims; d++) {
			place += stride * (nodes->pos[i][d] - p->low[d]);
			stride *= p->box.side[d];
		}
		while (place < n && p->at[place] >= 0)
			place += vertices;
		if (place >= n) {
			p->box.ndims = 0;
			return;
		}
		p->at[place] = i;
	}
}

/* --- groupings -------------------------------------------------------------------- */

static int make_tiles(struct plan *p)
{
	struct rankgroup_grid order = {p->grid, p->cell};
	int result = 1;

	if (p->grid)
		result = rankgroup_tiles(&p->tiles, &order, p->input->per_node, &p->arena);
	return result > 0 ? rankgroup_blocks(
		&p->tiles, p->nranks, p->input->per_node, &p->arena) : result;
}

/* --- candidates ------------------------------------------------------------------- */

/* The price of a place[] of the ranks. */
static double price(const struct plan *p, const int *place)
{
	struct peak_loads loads;

	if (p->input->objective == RANKMAP_HOPS)
		return assign_cost(p->input->traffic, &p->table, place);
	return peak_loads(&p->peak, place, &loads) ? -1 : loads.cost;
}

/* Keep place[] if it is the best answer so far. */
static void offer(struct plan *p, const int *place)
{
	double cost = price(p, place);

	if (p->least >= 0 && cost >= p->least)
		return;
	p->least = cost;
	memcpy(p->answer->place, place, (size_t)p->nranks * sizeof(int));
}

static void expand(struct plan *p, const struct rankgroup *g, const int *site)
{
	for (int i = 0; i < p->nranks; i++)
		p->place[i] = site[g->group[i]];
}

/* Fold the groups into the box, in p->site[]. 0; 1: that is impossible; or -1. */
static int start_fold(struct plan *p, const struct rankgroup *g)
{
	double cost;
	int result;

	if (!g->coarse.ndims || !p->box.ndims)
		return 1;
	result = embed_grid(&g->coarse, &p->box, p->site, &cost);
	for (int i = 0; !result && i < p->input->nnodes; i++)
		p->site[i] = p->at[p->site[i]];
	return result;
}

static int64_t looks_for(const struct plan *p)
{
	int64_t edges = (int64_t)(p->input->traffic->start[p->nranks] / 2), looks = FEW_LOOKS;

	if (p->nranks > MANY_RANKS)
		looks = LOOKS_PER_EDGE * (edges < DENSE * (int64_t)p->nranks ? edges
			: DENSE * (int64_t)p->nranks);
	looks *= p->box.ndims ? 1 : 3;
	looks = looks < MOST_LOOKS ? looks : MOST_LOOKS;
	/* For many nodes no cache holds the hops. */
	return p->input->nnodes > IN_CACHE ? looks / 4 : looks;
}

/* Keep the groups of g on p->site[] if they are the best start so far. */
static void try_start(struct plan *p, const struct rankgroup *g, const struct traffic *groups)
{
	double cost = assign_cost(groups, &p->table, p->site);

	if (p->best && cost >= p->start_cost)
		return;
	p->best = g;
	p->start_cost = cost;
	memcpy(p->start, p->site, (size_t)p->input->nnodes * sizeof(int));
}

/* Try groups in order on nodes in order, and folded. */
static int try_starts(struct plan *p, const struct rankgroup *g)
{
	struct traffic groups;
	int result;

	if (traffic_init_groups(&groups, p->input->traffic, g->group, p->input->nnodes, NULL))
		return -1;
	for (int node = 0; node < p->input->nnodes; node++)
		p->site[node] = node;
	try_start(p, g, &groups);
	result = start_fold(p, g);
	if (!result)
		try_start(p, g, &groups);
	traffic_release(&groups);
	if (result)
		return result < 0 ? -1 : 0;
	expand(p, g, p->site);
	offer(p, p->place);
	return 0;
}

/* Does each byte between nodes go one hop? No answer can be better. */
static bool at_bound(const struct plan *p)
{
	const struct rankmap_input *in = p->input;

	return in->objective == RANKMAP_HOPS && in->per_node == 1 &&
		in->mesh->nodes_per_vertex == 1 &&
		p->least <= traffic_total(in->traffic) * (1 + 1e-12);
}

/* Halve ranks and nodes together, with several seeds; the best result is a grouping of its own. */
static int start_dual(struct plan *p)
{
	const struct traffic *t = p->input->traffic;
	struct drb_input in = {.traffic = t, .nodes = &p->nodes, .mesh = p->input->mesh,
		.per_node = p->input->per_node};
	double least = -1;

	if (t->start[t->n] / 2 >= DUAL_LIMIT || p->input->nnodes < 2)
		return 0;
	if (rankgroup_blocks(&p->dual, p->nranks, p->input->per_node, &p->arena))
		return -1;
	for (int i = 0; i < (p->nranks > MANY_RANKS ? 1 : DUAL_TRIES); i++) {
		double cost;

		in.seed = p->input->seed + (uint64_t)i;
		if (drb_map(&in, p->place))
			return -1;
		cost = assign_cost(t, &p->table, p->place);
		offer(p, p->place);
		if (least < 0 || cost < least) {
			least = cost;
			memcpy(p->dual.group, p->place, (size_t)p->nranks * sizeof(int));
		}
	}
	return try_starts(p, &p->dual);
}

/* Exchange single ranks between nodes, downhill. */
static int exchange_ranks(struct plan *p)
{
	struct assign_effort effort = {.looks = looks_for(p) / RANKS_SHARE};

	if (p->input->per_node == 1)
		return 0;
	return assign_improve(p->input->traffic, &p->table, p->place, &effort) < 0 ? -1 : 0;
}

/* Search from the best start, first with groups of ranks and then with single ranks. */
static int search(struct plan *p)
{
	struct assign_effort effort = {.seed = p->input->seed, .looks = looks_for(p),
		.moves = (int64_t)p->input->nnodes * MOVES_PER_NODE};
	struct traffic groups;
	double cost;

	if (traffic_init_groups(&groups, p->input->traffic, p->best->group, p->input->nnodes,
		NULL))
		return -1;
	cost = assign_improve(&groups, &p->table, p->start, &effort);
	traffic_release(&groups);
	expand(p, p->best, p->start);
	if (cost < 0 || exchange_ranks(p))
		return -1;
	offer(p, p->place);
	return 0;
}

/* --- the whole -------------------------------------------------------------------- */

/* Is the traffic a grid along which ranks are numbered, with diagonal neighbours too? */
static bool is_numbered_grid(const struct traffic *traffic, struct traffic_grid *grid)
{
	char pattern[PATTERN_TEXT];
	struct mesh_err err;

	patternfind(traffic, traffic->n, pattern);
	return !strncmp(pattern, "grid:", 5) && !traffic_grid_parse(grid, pattern + 5, &err);
}

/* Find the grid of the ranks: the caller's, or the one behind the traffic. */
static int find_grid(struct plan *p)
{
	int result;

	p->grid = p->input->grid;
	if (p->grid)
		return 0;
	if (!arena_array(&p->arena, p->cell, p->nranks))
		return -1;
	result = gridfind(p->input->traffic, &p->found, p->cell);
	if (result == 1 && is_numbered_grid(p->input->traffic, &p->found)) {
		p->cell = NULL;
		result = 0;
	}
	if (!result)
		p->grid = &p->found;
	return result < 0 ? -1 : 0;
}

/* Make what measure() needs. */
static int plan_sites(struct plan *p)
{
	const struct rankmap_input *input = p->input;
	int nodes = input->nnodes;

	arena_array(&p->arena, p->vertex, nodes);
	if (!arena_array(&p->arena, p->place, p->nranks))
		return -1;
	for (int i = 0; i < nodes; i++)
		p->vertex[i] = input->mesh->vertex_of[input->node[i]];
	p->peak = (struct peak_input){input->mesh, input->traffic, p->vertex};
	return assign_sites_init(&p->table, input->mesh, p->vertex, nodes, &p->arena);
}

static int plan_init(struct plan *p)
{
	const struct rankmap_input *input = p->input;
	int nodes = input->nnodes;

	arena_array(&p->arena, p->start, nodes);
	arena_array(&p->arena, p->site, nodes);
	arena_array(&p->arena, p->at, nodes);
	if (plan_sites(p) ||
		drb_points_init(&p->nodes, input->mesh, input->node, nodes, &p->arena))
		return -1;
	find_box(p);
	if (p->box.ndims)
		fill_box(p);
	return find_grid(p);
}

/* The number of neighbours of all ranks; half of those of steps, which take twice as long. */
static int64_t neighbours(const struct traffic *t)
{
	size_t sum = 0;

	for (int step = 0; step < t->steps; step++)
		sum += t->step[step].start[t->n] / 2;
	return (int64_t)(sum > t->start[t->n] ? sum : t->start[t->n]);
}

/* Improve the answer by the load of links. */
static int lower_peak(struct plan *p)
{
	int64_t moves = PEAK_LOOKS / (neighbours(p->input->traffic) + 1) * p->nranks;

	moves = moves < PEAK_MOVES ? moves : PEAK_MOVES;
	if (p->input->objective != RANKMAP_PEAK || p->nranks < 2)
		return 0;
	memcpy(p->place, p->answer->place, (size_t)p->nranks * sizeof(int));
	if (peak_improve(&p->peak, moves, p->input->seed, p->place))
		return -1;
	offer(p, p->place);
	return 0;
}

static void put_block(struct plan *p)
{
	for (int i = 0; i < p->nranks; i++)
		p->place[i] = i / p->input->per_node;
}

/* Compute the figures of the answer, and of block order. */
static int measure(struct plan *p)
{
	const struct traffic *t = p->input->traffic;
	struct rankmap_answer *a = p->answer;
	struct peak_loads ours, block;

	put_block(p);
	a->hop_bytes = assign_cost(t, &p->table, a->place);
	a->block_hop_bytes = assign_cost(t, &p->table, p->place);
	if (peak_loads(&p->peak, a->place, &ours) || peak_loads(&p->peak, p->place, &block))
		return -1;
	a->peak_load = ours.highest;
	a->block_peak_load = block.highest;
	return 0;
}

static int solve(struct plan *p)
{
	const struct rankmap_input *input = p->input;
	double block;

	put_block(p);
	offer(p, p->place);
	block = p->least;
	if (block < 0)
		return -1;
	if (make_tiles(p) || try_starts(p, &p->tiles))
		return -1;
	if (input->fold_only || at_bound(p))
		return 0;
	if (start_dual(p) || search(p) || lower_peak(p))
		return -1;
	if (input->objective == RANKMAP_PEAK && p->least > WORTH_IT * block) {
		p->least = -1;
		put_block(p);
		offer(p, p->place);
	}
	return 0;
}

static int check(const struct rankmap_input *input, struct mesh_err *err)
{
	if (input->nnodes < 1 || input->per_node < 1 ||
		(int64_t)input->nnodes * input->per_node != input->traffic->n)
		return err_printf(err, "%d nodes with %d ranks each do not make %d ranks",
			input->nnodes, input->per_node, input->traffic->n);
	if (input->grid && traffic_grid_size(input->grid, err) != input->traffic->n)
		return err_printf(err, "the grid has another number of ranks than %d",
			input->traffic->n);
	return 0;
}

int rankmap_solve(const struct rankmap_input *input, struct rankmap_answer *answer,
	struct mesh_err *err)
{
	struct plan plan = {
		.input = input, .answer = answer, .nranks = input->traffic->n, .least = -1};
	int result;

	if (check(input, err))
		return -1;
	result = plan_init(&plan);
	if (!result)
		result = solve(&plan) || measure(&plan);
	arena_release(&plan.arena);
	return result ? err_printf(err, "out of memory") : 0;
}

int rankmap_measure(const struct rankmap_input *input, struct rankmap_answer *answer,
	struct mesh_err *err)
{
	struct plan plan = {.input = input, .answer = answer, .nranks = input->traffic->n};
	int result;

	if (check(input, err))
		return -1;
	result = plan_sites(&plan) || measure(&plan);
	arena_release(&plan.arena);
	return result ? err_printf(err, "out of memory") : 0;
}
