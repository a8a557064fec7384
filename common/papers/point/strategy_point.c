/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Point strategies take, for each candidate centre, the k free nodes nearest to it, and keep the
 * set with the best score. M. Bender et al., "Communication-aware processor allocation for
 * supercomputers", sections 2.1 (MM, Gen-Alg), 1 (MC, MC1x1, after Mache, Lo and Windisch) and 5
 * (MM+Inc).
 *
 * mm        centres: every crossing of free nodes' coordinates; hops; least total
 * gen-alg   centres: the free nodes
 * mm+inc    mm, then refine.h
 * mc1x1     centres: the free nodes; cubes; least sum of shell numbers
 * mc        shell 0 is a box of the requested shape, else of the most cube-like box with k
 *           vertices or more: the shortest side grows by one, the lowest dimension first, until
 *           it is large enough. A shape may be turned (unless norotate): the first in ascending
 *           order of its sides that fits the machine wins a tie. The centre has
 *           (side - 1) / 2 of the box below it and the rest above.
 *
 * On a cabled machine all of them take the nodes that are nearest to a centre by the cables
 * (graph/graphpick.h).
 *
 * point.h has the exact rules. Cost: O(n r) for n vertices and balls of radius r in 3-D and 2-D,
 * O(n b) for balls of b rows in more dimensions, in loops over neighbouring centres (batch.h), and
 * a close look at a few centres. A plain evaluation of every centre takes O(n (n + k^2)).
 */
#include "ask/strategy.h"

#include <string.h>

#include "base/sort.h"
#include "graph/graphpick.h"
#include "point/point.h"
#include "point/refine.h"

enum { PRESET_FREE_ONLY = 1, PRESET_CUBES = 2, PRESET_SHAPE = 4, PRESET_REFINE = 8 };

/* CPU time for a vertex that refine.h takes before it can look at the clock, on a slow machine. */
#define REFINE_NS 40

struct scratch {
	struct point point;
	struct refine refine;
	struct graphpick pick; /* if the mesh is cabled; all else is zero then */
};

static unsigned preset(const struct strategy *strategy)
{
	return *(const unsigned *)strategy->ops->preset;
}

static int init(struct strategy *strategy, struct mesh_err *err)
{
	const struct mesh *mesh = strategy->mesh;
	struct arena *arena = &strategy->arena;
	struct scratch *s = strategy->scratch = arena_get(arena, 1, sizeof(*s));
	unsigned flags = preset(strategy);

	(void)err;
	if (s && mesh->cabled)
		return graphpick_init(&s->pick, mesh->graph, arena);
	return !s || (flags & PRESET_REFINE && refine_init(&s->refine, mesh, arena)) ||
		point_init(&s->point, mesh, flags & PRESET_CUBES, arena) ? -1 : 0;
}

/* Make the box that is nearest to a cube. */
static void cube_like(const struct mesh *mesh, int count, int *side)
{
	int64_t need = (count + mesh->nodes_per_vertex - 1) / mesh->nodes_per_vertex, room = 1;

	for (int d = 0; d < MESH_MAX_DIMS; d++)
		side[d] = 1;
	while (room < need) {
		int grow = -1;

		for (int d = 0; d < mesh->ndims; d++)
			if (side[d] < mesh->side[d] && (grow < 0 || side[d] < side[grow]))
				grow = d;
		if (grow < 0)
			break; /* the whole machine */
		room = room / side[grow] * (side[grow] + 1);
		side[grow]++;
	}
}

/* Go to the next order of the sides, in ascending order; false after the last. */
static bool next_order(int *side, int n)
{
	int i = n - 2, j = n - 1, swap;

	while (i >= 0 && side[i] >= side[i + 1])
		i--;
	if (i < 0)
		return false;
	while (side[j] <= side[i])
		j--;
	swap = side[i], side[i] = side[j], side[j] = swap;
	for (i++, j = n - 1; i < j; i++, j--)
		swap = side[i], side[i] = side[j], side[j] = swap;
	return true;
}

static bool fits(const struct mesh *mesh, const int *side)
{
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		if (side[d] > mesh->side[d])
			return false;
	return true;
}

static void set_box(struct point *point, const int *side)
{
	int below[MESH_MAX_DIMS], above[MESH_MAX_DIMS];

	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		below[d] = (side[d] - 1) / 2;
		above[d] = side[d] - 1 - below[d];
	}
	ball_boxes(&point->space, below, above);
}

/*
 * Search with all orders of the sides that fit; if none does, with the given one. Sets the best
 * one.
 */
static void search_shapes(struct point *point, const struct mesh_request *request,
	struct point_search *search)
{
	const struct mesh *mesh = point->mesh;
	int side[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1}, best[MESH_MAX_DIMS];
	bool any = false;

	if (request->shape.ndims)
		memcpy(side, request->shape.side, (size_t)request->shape.ndims * sizeof(*side));
	else
		cube_like(mesh, request->count, side);
	for (int d = 0; request->shape.chips && mesh->node_side[0] && d < mesh->ndims; d++)
		side[d] = (side[d] + mesh->node_side[d] - 1) / mesh->node_side[d];
	memcpy(best, side, sizeof(best));
	if (!request->shape.norotate) {
		sort_ints(side, MESH_MAX_DIMS);
		do {
			if (!fits(mesh, side))
				continue;
			struct point_search before = *search;

			any = true;
			set_box(point, side);
			point_best_boxes(point, search);
			if (search->vertex != before.vertex || search->cost != before.cost ||
				search->total != before.total)
				memcpy(best, side, sizeof(best));
		} while (!search->out_of_time && next_order(side, MESH_MAX_DIMS));
	}
	set_box(point, best);
	if (!any)
		point_best_boxes(point, search);
}

/*
 * Take the nodes nearest to a centre, required ones included; if too few can be reached, the
 * lowest.
 */
static enum mesh_result decide_cables(struct graphpick *pick, const struct mesh *mesh,
	const struct mesh_state *state, const struct mesh_request *request,
	struct mesh_answer *answer)
{
	int first = mesh->graph_first, spare = request->count;
	const struct nodeset *required = request->required;
	bool found;

	memset(pick->nfree, 0, (size_t)pick->graph->real * sizeof(int));
	memset(pick->must, 0, (size_t)pick->graph->real * sizeof(int));
	pick->count = request->count;
	pick->nmust = required ? nodeset_count(required) : 0;
	nodeset_each(i, state->free) {
		pick->nfree[first + mesh->vertex_of[i]]++;
		pick->must[first + mesh->vertex_of[i]] += required && nodeset_has(required, i);
	}
	found = graphpick_find(pick);
	for (int v = 0; v < pick->graph->real; v++)
		pick->nfree[v] = found ? -pick->must[v] : pick->nfree[v];
	for (int i = 0; found && i < pick->n; i++)
		pick->nfree[pick->vertex[i]] += pick->taken[i];
	spare -= pick->nmust;
	nodeset_each(j, state->free) {
		int *left = &pick->nfree[first + mesh->vertex_of[j]];
		bool must = required && nodeset_has(required, j);

		if (!must && (*left <= 0 || !spare))
			continue;
		*left -= !must;
		spare -= !must;
		answer->node[answer->count++] = j;
	}
	answer->cost = found ? (double)pick->least : 0;
	return MESH_OK;
}

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	unsigned flags = preset(strategy);
	struct scratch *s = strategy->scratch;
	struct point *point = &s->point;
	struct point_search search = {.free_only = flags & (PRESET_FREE_ONLY | PRESET_CUBES),
		.cost = INT64_MAX, .total = INT64_MAX, .vertex = -1};
	int64_t total;

	if (strategy->mesh->cabled)
		return decide_cables(&s->pick, strategy->mesh, state, request, answer);
	point_load(point, state, request);
	if (flags & PRESET_SHAPE) {
		search_shapes(point, request, &search);
	} else if (flags & PRESET_CUBES) {
		set_box(point, (int[MESH_MAX_DIMS]){1, 1, 1, 1, 1, 1});
		point_best_boxes(point, &search);
	} else {
		ball_hops(&point->space);
		point_best_hops(point, &search);
	}
	answer->count = point_take(point, search.vertex, answer->node, &total);
	search.out_of_time |= point_late(point);
	if (flags & PRESET_REFINE && !point_has_time(point, REFINE_NS)) {
		search.out_of_time = true;
	} else if (flags & PRESET_REFINE) {
		struct refine_set set = {
			state, request->required, answer->node, answer->count, total,
			&point->budget};

		search.out_of_time |= !refine_run(&s->refine, &set);
		total = set.total;
	}
	answer->cost = (double)(flags & (PRESET_CUBES | PRESET_SHAPE) ? search.cost : total);
	answer->out_of_time = search.out_of_time;
	return MESH_OK;
}

#define SOURCE "Bender et al. 2005"
#define ROW(NAME, FLAGS, SUMMARY, FROM)                                                       \
	{                                                                                     \
		.name = NAME, .summary = SUMMARY, .source = FROM,                             \
		.time = "O(n r) for balls of radius r", .flags = STRATEGY_NO_RUNS,             \
		.preset = &(const unsigned){FLAGS},                                             \
		.init = init, .decide = decide,                                                \
	}

const struct strategy_ops strategy_point_family[] = {
	ROW("mm", 0, "Manhattan Median: the k nodes nearest to the best grid point", SOURCE),
	ROW("mm+inc", PRESET_REFINE, "mm, then the best swaps of two nodes to a local minimum",
		SOURCE),
	ROW("gen-alg", PRESET_FREE_ONLY, "as mm, but centres are free nodes only",
		"Krumke et al. 1997"),
	ROW("mc1x1", PRESET_CUBES,
		"least sum of shell numbers around a free node, shells being cubes", SOURCE),
	ROW("mc", PRESET_CUBES | PRESET_SHAPE,
		"least sum of shell numbers around a box of the requested shape",
		"Mache, Lo and Windisch 1997"),
	{0},
};
