/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm's topology/block and topology/torus3d know --segment: their segments are blocks, or boxes
 * of a list, wherever they are free. Here segments have any shape, and are near each other.
 *
 * O(k log(n/s)) decisions of the strategy for k segments of s among n nodes; of boxes, for each
 * shape and orientation that is tried.
 */
#include "decide/segments.h"

#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/limits.h"
#include "base/sort.h"
#include "geometry/legal.h"
#include "geometry/metrics.h"

struct work {
	struct strategy *strategy;
	const struct mesh_request *request;
	struct mesh_state state;    /* its `free` is `near` */
	struct mesh_budget budget;
	struct nodeset left, near;  /* free nodes in no segment yet; the nodes to ask about */
	struct nodeset required;    /* required nodes in no segment yet */
	struct nodeset one;	    /* one of them, which the next segment must have */
	struct mesh_shape shape;    /* of each segment; ndims 0: any */
	struct mesh_answer *answer; /* collects the segments */
	int *node;		    /* [nnodes] one segment */
	uint64_t *order;	    /* [nnodes] the nodes left, nearest first: hops and node */
	int64_t *sum;		    /* [longest side] hops to all segments, by coordinate */
	int count;		    /* in node[] */
	bool late, anywhere;	    /* anywhere: segments need not be near each other */
	struct arena arena;
};

static int prepare(struct work *w)
{
	int n = w->strategy->mesh->nnodes;

	arena_array(&w->arena, w->node, n);
	arena_array(&w->arena, w->order, n);
	arena_array(&w->arena, w->sum, mesh_longest_side(w->strategy->mesh));
	return nodeset_get(&w->left, n, &w->arena) || nodeset_get(&w->near, n, &w->arena) ||
	       nodeset_get(&w->required, n, &w->arena) || nodeset_get(&w->one, n, &w->arena);
}

static enum mesh_result out_of_memory(struct mesh_answer *answer)
{
	err_printf(&answer->err, "out of memory");
	return MESH_ERROR;
}

/* Ask for a segment among w->near; it goes to w->node[]. */
static enum mesh_result ask(struct work *w)
{
	struct mesh_request one = *w->request;
	struct mesh_answer answer = {.node = w->node};
	int member = nodeset_next(&w->required, 0);
	enum mesh_result result;

	one.count = w->request->segment;
	one.segment = 0;
	one.shape = w->shape;
	one.required = NULL;
	if (member >= 0) {
		nodeset_clear_all(&w->one);
		nodeset_add(&w->one, member);
		one.required = &w->one;
	}
	/* Half of the budget that is left, so that later segments have some. */
	if (w->request->budget_ns) {
		one.budget_ns = mesh_budget_left(&w->budget) / 2;
		one.budget_ns = one.budget_ns ? one.budget_ns : 1;
	}
	result = strategy_ask(w->strategy, &w->state, &one, &answer);
	w->late |= answer.out_of_time;
	w->count = answer.count;
	if (result == MESH_ERROR)
		w->answer->err = answer.err;
	return result == MESH_NEVER ? MESH_NO_FIT : result;
}

static void take(struct work *w)
{
	for (int i = 0; i < w->count; i++) {
		nodeset_del(&w->left, w->node[i]);
		nodeset_del(&w->required, w->node[i]);
		w->answer->node[w->answer->count++] = w->node[i];
	}
}

/* Set w->sum[] to the hops from each coordinate of dimension d to all nodes chosen. */
static void add_axis(struct work *w, int d)
{
	const struct mesh *mesh = w->strategy->mesh;

	memset(w->sum, 0, (size_t)mesh->side[d] * sizeof(*w->sum));
	for (int i = 0; i < w->answer->count; i++) {
		int at = mesh->coord[mesh->vertex_of[w->answer->node[i]]][d];

		for (int x = 0; x < mesh->side[d]; x++)
			w->sum[x] += mesh_axis_hops(mesh, d, at, x);
	}
}

#define NODE_BITS 24
MESH_HOLDS("hops and a node: 64 bits", INT64_C(1) << NODE_BITS, MESH_MAX_NODES);

static int node_of(uint64_t ordered)
{
	return (int)(ordered & ((1u << NODE_BITS) - 1));
}

/* Sort the nodes left into w->order[], those nearest to all segments first. Returns how many. */
static int sort_left(struct work *w)
{
	const struct mesh *mesh = w->strategy->mesh;
	int n = 0;

	nodeset_each(i, &w->left)
		w->order[n++] = (uint64_t)i;
	for (int d = 0; d < mesh->ndims; d++) {
		add_axis(w, d);
		for (int i = 0; i < n; i++) {
			int v = mesh->vertex_of[node_of(w->order[i])];

			w->order[i] += (uint64_t)w->sum[mesh->coord[v][d]] << NODE_BITS;
		}
	}
	sort_u64(w->order, n);
	return n;
}

/* Find the next segment: near the others, and little less compact than the best one. */
static enum mesh_result next(struct work *w)
{
	const struct mesh *mesh = w->strategy->mesh;
	int n = w->answer->count && !w->anywhere ? sort_left(w) : 0;
	int64_t least = 0;
	enum mesh_result result;

	nodeset_copy(&w->near, &w->left);
	result = ask(w);
	if (result != MESH_OK || !n)
		return result;
	least = mesh_pairwise_hops(mesh, w->node, w->count);
	for (int64_t among = 2 * (int64_t)w->request->segment; among < n; among *= 2) {
		nodeset_clear_all(&w->near);
		for (int i = 0; i < among; i++)
			nodeset_add(&w->near, node_of(w->order[i]));
		nodeset_or(&w->near, &w->required);
		if (ask(w) == MESH_OK &&
			mesh_pairwise_hops(mesh, w->node, w->count) <= least + least / 8)
			return MESH_OK;
	}
	nodeset_copy(&w->near, &w->left);
	return ask(w);
}

static enum mesh_result one_by_one(struct work *w, const struct nodeset *all, bool anywhere)
{
	enum mesh_result result = MESH_OK;

	w->anywhere = anywhere;
	w->answer->count = 0;
	nodeset_copy(&w->left, all);
	nodeset_clear_all(&w->required);
	if (w->request->required)
		nodeset_copy(&w->required, w->request->required);
	w->state.free = &w->near;
	while (result == MESH_OK && w->answer->count < w->request->count)
		if ((result = next(w)) == MESH_OK)
			take(w);
	if (result == MESH_OK && nodeset_next(&w->required, 0) >= 0)
		result = MESH_NO_FIT;
	return result;
}

enum { SHAPES = 256 }; /* more are not tried */

struct shapes {
	struct mesh_shape shape[SHAPES];
	int n;
};

/* List all boxes of that many vertices that the machine has room for, in each orientation. */
static void list_shapes(const struct mesh *mesh, int vertices, struct mesh_shape *part,
	struct shapes *all)
{
	if (part->ndims == mesh->ndims) {
		if (vertices == 1 && all->n < SHAPES && legal_sides(mesh, part->side))
			all->shape[all->n++] = *part;
		return;
	}
	for (int side = 1; side <= mesh->side[part->ndims] && side <= vertices; side++) {
		if (vertices % side)
			continue;
		part->side[part->ndims++] = side;
		list_shapes(mesh, vertices / side, part, all);
		part->ndims--;
	}
}

static int half_girth(const struct mesh_shape *shape)
{
	int sum = 0;

	for (int d = 0; d < shape->ndims; d++)
		sum += shape->side[d];
	return sum;
}

static int by_girth(const void *a, const void *b)
{
	const struct mesh_shape *x = a, *y = b;
	int differs = half_girth(x) - half_girth(y);

	for (int d = 0; !differs && d < x->ndims; d++)
		differs = y->side[d] - x->side[d];
	return differs;
}

/* Are the two the same box in different orientations? */
static bool turned(struct mesh_shape x, struct mesh_shape y)
{
	sort_ints(x.side, x.ndims);
	sort_ints(y.side, y.ndims);
	return !memcmp(x.side, y.side, (size_t)x.ndims * sizeof(*x.side));
}

static bool seen_turned(const struct shapes *all, int i)
{
	for (int j = i - 1; j >= 0; j--)
		if (turned(all->shape[i], all->shape[j]))
			return true;
	return false;
}

/*
 * A strategy may use more room than a segment fills (3x3 for 8 nodes), and leave none for the last
 * segment. So try boxes that a segment fills, the roundest first, in rounds `from` to `to`. Round
 * 0: segments may differ in orientation. 1: all have the same. 2: the same, and they need not be
 * near each other; this tiles every box whose sides are multiples of the segment's.
 */
static enum mesh_result full_boxes(struct work *w, const struct nodeset *all, int from, int to)
{
	const struct mesh *mesh = w->strategy->mesh;
	struct mesh_shape part = {.any_links = w->request->shape.any_links};
	struct shapes *shapes = arena_get(&w->arena, 1, sizeof(*shapes));
	enum mesh_result result = MESH_NO_FIT;

	if (!shapes)
		return out_of_memory(w->answer);
	if (w->request->segment % mesh->nodes_per_vertex)
		return MESH_NO_FIT;
	shapes->n = 0;
	list_shapes(mesh, w->request->segment / mesh->nodes_per_vertex, &part, shapes);
	qsort(shapes->shape, (size_t)shapes->n, sizeof(part), by_girth);
	for (int i = from * shapes->n; i < to * shapes->n && result == MESH_NO_FIT; i++) {
		if ((i < shapes->n && seen_turned(shapes, i)) || mesh_budget_late(&w->budget))
			continue;
		w->shape = shapes->shape[i % shapes->n];
		w->shape.norotate = i >= shapes->n;
		result = one_by_one(w, all, i >= 2 * shapes->n);
	}
	return result;
}

/*
 * The job is a box. Parts of equal size always fill a whole box: its sides have divisors for them.
 * If the job has fewer nodes than the box, its segments are inside the box.
 */
static enum mesh_result in_box(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	struct mesh_request box = *request, parts = *request;
	struct mesh_state inside = *state;
	struct mesh_budget budget;
	struct nodeset nodes;
	enum mesh_result result;

	mesh_budget_start(&budget, request->budget_ns);
	box.segment = box.count = 0;
	result = strategy_ask(strategy, state, &box, answer);
	if (result != MESH_OK || answer->count == request->count)
		return result;
	if (nodeset_init(&nodes, strategy->mesh->nnodes))
		return out_of_memory(answer);
	for (int i = 0; i < answer->count; i++)
		nodeset_add(&nodes, answer->node[i]);
	inside.free = &nodes;
	parts.shape.ndims = 0;
	if (parts.budget_ns)
		parts.budget_ns = mesh_budget_left(&budget) + 1;
	result = segments_wanted(strategy, &parts)
		? segments_decide(strategy, &inside, &parts, answer)
		: strategy_ask(strategy, &inside, &parts, answer);
	nodeset_release(&nodes);
	if (result != MESH_NO_FIT || answer->out_of_time)
		return result;
	err_printf(&answer->err, "no %d segments of %d nodes in such a box",
		request->count / request->segment, request->segment);
	return MESH_NEVER;
}

bool segments_wanted(const struct strategy *strategy, const struct mesh_request *request)
{
	return request->segment > 0 && request->segment < request->count &&
	       (!(strategy->ops->flags & STRATEGY_SEGMENTS) || request->shape.ndims);
}

enum mesh_result segments_decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	struct work w = {
		.strategy = strategy, .request = request, .state = *state, .answer = answer};
	bool boxes = strategy->ops->flags & STRATEGY_CONTIGUOUS;
	enum mesh_result result = MESH_NO_FIT;

	if (request->count % request->segment) {
		err_printf(&answer->err, "segments of %d nodes do not make %d", request->segment,
			request->count);
		return MESH_NEVER;
	}
	if (boxes && request->shape.ndims)
		return in_box(strategy, state, request, answer);
	mesh_budget_start(&w.budget, request->budget_ns);
	if (prepare(&w)) {
		arena_release(&w.arena);
		return out_of_memory(answer);
	}
	if (boxes)
		result = full_boxes(&w, state->free, 0, 2);
	if (result == MESH_NO_FIT) {
		w.shape = request->shape;
		result = one_by_one(&w, state->free, false);
	}
	if (boxes && result == MESH_NO_FIT)
		result = full_boxes(&w, state->free, 2, 3);
	arena_release(&w.arena);
	answer->out_of_time = w.late || mesh_budget_late(&w.budget);
	answer->cost = result == MESH_OK ?
		(double)mesh_pairwise_hops(strategy->mesh, answer->node, answer->count) : 0;
	return result;
}
