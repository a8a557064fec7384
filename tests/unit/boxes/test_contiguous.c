/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Contiguous strategies: every row of the table that is contiguous gives free boxes of the
 * right shape; the complete ones find a box exactly when brute force does.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "tbl/box_cut.h"
#include "boxes/boxplan.h"
#include "boxes/contiguous.h"
#include "conf/strategies.h"
#include "support.h"
#include "decide/strategy_decide.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

/* ---- plain reference ---- */

struct plain {
	const struct mesh *mesh;
	const struct nodeset *free;
	const struct mesh_request *request;
	int base[MESH_MAX_DIMS], side[MESH_MAX_DIMS];
};

static bool vertex_free(const struct mesh *mesh, const struct nodeset *free_set, int v)
{
	if (mesh_nodes_on(mesh, v) != mesh->nodes_per_vertex)
		return false;
	for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++)
		if (!nodeset_has(free_set, mesh->node_at[i]))
			return false;
	return true;
}

/* Is v in the box? */
static bool inside(const struct plain *p, int v)
{
	for (int d = 0; d < p->mesh->ndims; d++) {
		int all = p->mesh->side[d];

		if ((p->mesh->coord[v][d] - p->base[d] + all) % all >= p->side[d])
			return false;
	}
	return true;
}

static bool box_is_free(const struct plain *p)
{
	for (int d = 0; d < p->mesh->ndims; d++)
		if (!p->mesh->wrap[d] && p->base[d] + p->side[d] > p->mesh->side[d])
			return false;
	for (int v = 0; v < p->mesh->nvertices; v++)
		if (inside(p, v) && !vertex_free(p->mesh, p->free, v))
			return false;
	if (p->request->required)
		nodeset_each(i, p->request->required)
			if (!inside(p, p->mesh->vertex_of[i]))
				return false;
	return true;
}

static bool any_base(struct plain *p)
{
	for (int v = 0; v < p->mesh->nvertices; v++) {
		for (int d = 0; d < p->mesh->ndims; d++)
			p->base[d] = p->mesh->coord[v][d];
		if (box_is_free(p))
			return true;
	}
	return false;
}

/* Do the sides suit the request? */
static bool sides_suit(const struct plain *p)
{
	const struct mesh_shape *shape = &p->request->shape;
	int mine[MESH_MAX_DIMS], wanted[MESH_MAX_DIMS];
	int64_t volume = 1;

	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		mine[d] = d < p->mesh->ndims ? p->side[d] : 1;
		wanted[d] = d < shape->ndims ? shape->side[d] : 1;
		volume *= mine[d];
		if (shape->torus && p->mesh->wrap[d] && mine[d] > 1 && mine[d] < p->mesh->side[d])
			return false;
	}
	if (!shape->ndims)
		return volume * p->mesh->nodes_per_vertex >= p->request->count;
	if (!shape->norotate) {
		sort_ints(mine, MESH_MAX_DIMS);
		sort_ints(wanted, MESH_MAX_DIMS);
	}
	return !memcmp(mine, wanted, sizeof(mine)) &&
		volume * p->mesh->nodes_per_vertex >= p->request->count;
}

/* Is there any free box, of any sides that suit? */
static bool plain_fit(struct plain *p, int d)
{
	if (d == p->mesh->ndims)
		return sides_suit(p) && any_base(p);
	for (p->side[d] = 1; p->side[d] <= p->mesh->side[d]; p->side[d]++)
		if (plain_fit(p, d + 1))
			return true;
	return false;
}

/* ---- answers ---- */

static bool has_node(const struct mesh *mesh, const struct mesh_answer *answer, int v)
{
	for (int i = 0; i < answer->count; i++)
		if (mesh->vertex_of[answer->node[i]] == v)
			return true;
	return false;
}

/* All nodes of the answer lie in some free box whose sides suit. */
static bool in_suitable_box(struct plain *p, const struct mesh_answer *answer, int d)
{
	if (d < p->mesh->ndims) {
		for (p->side[d] = 1; p->side[d] <= p->mesh->side[d]; p->side[d]++)
			if (in_suitable_box(p, answer, d + 1))
				return true;
		return false;
	}
	if (!sides_suit(p))
		return false;
	for (int b = 0; b < p->mesh->nvertices; b++) {
		bool all = true;

		for (int e = 0; e < p->mesh->ndims; e++)
			p->base[e] = p->mesh->coord[b][e];
		for (int v = 0; all && v < p->mesh->nvertices; v++)
			all = inside(p, v) || !has_node(p->mesh, answer, v);
		if (all && box_is_free(p))
			return true;
	}
	return false;
}

static void check_answer(const struct plain *given, const struct mesh_answer *answer)
{
	struct plain p = *given;

	assert_int_equal(answer->count, p.request->count);
	for (int i = 0; i < answer->count; i++) {
		assert_true(nodeset_has(p.free, answer->node[i]));
		assert_true(!i || answer->node[i - 1] < answer->node[i]);
	}
	assert_true(in_suitable_box(&p, answer, 0));
}

/* ---- random states ---- */

#define MAX_RUNS 6

struct round {
	struct mesh *mesh;
	struct nodeset free, required;
	struct mesh_run run[MAX_RUNS];
	struct mesh_state state;
	struct mesh_request request;
	struct mesh_answer answer;
};

/* What is free in a box becomes a running job. */
static void start_job(struct round *r, const struct plain *p)
{
	struct mesh_run *run = &r->run[r->state.nruns];
	int *node = malloc((size_t)r->mesh->nnodes * sizeof(int));

	assert_non_null(node);
	*run = (struct mesh_run){.node = node};
	for (int i = 0; i < r->mesh->nnodes; i++)
		if (nodeset_has(&r->free, i) && inside(p, r->mesh->vertex_of[i])) {
			nodeset_del(&r->free, i);
			node[run->count++] = i;
		}
	r->state.run = r->run;
	r->state.nruns++;
}

/* Boxes taken one after another, as jobs would, then some vertices at random. */
static void random_state(uint64_t *seed, struct round *r)
{
	int boxes = random_int(seed, 0, MAX_RUNS), percent = random_int(seed, 0, 3) ? 0 : 15;
	struct nodeset noise;

	nodeset_set_all(&r->free);
	while (boxes--) {
		struct plain p = {.mesh = r->mesh};

		for (int d = 0; d < r->mesh->ndims; d++) {
			p.base[d] = random_int(seed, 0, r->mesh->side[d] - 1);
			p.side[d] = random_int(seed, 1, 1 + r->mesh->side[d] / 2);
		}
		start_job(r, &p);
	}
	/* A caller may not know who runs. */
	if (random_int(seed, 0, 3) == 0)
		r->state.run = NULL;
	nodeset_init(&noise, r->mesh->nnodes);
	random_set(seed, &noise, percent);
	nodeset_remove(&r->free, &noise);
	nodeset_release(&noise);
}

static void random_request(uint64_t *seed, struct round *r)
{
	struct mesh_shape *shape = &r->request.shape;
	int volume = r->mesh->nodes_per_vertex;

	if (random_int(seed, 0, 2)) {
		shape->ndims = random_int(seed, 1, r->mesh->ndims);
		shape->norotate = random_int(seed, 0, 3) == 0;
		shape->torus = random_int(seed, 0, 5) == 0;
		for (int d = 0; d < shape->ndims; d++) {
			shape->side[d] = random_int(seed, 1, 4);
			volume *= shape->side[d];
		}
		for (int d = shape->ndims; d < MESH_MAX_DIMS; d++)
			shape->side[d] = 1;
		r->request.count = random_int(seed, 0, 3) ? volume : random_int(seed, 1, volume);
	} else
		r->request.count = random_int(seed, 1, 1 + r->mesh->nnodes / 2);
	if (random_int(seed, 0, 7) == 0) {
		random_set(seed, &r->required, random_int(seed, 0, 5));
		nodeset_and(&r->required, &r->free);
		r->request.required = &r->required;
	}
}

static void start_round(uint64_t *seed, struct round *r)
{
	memset(r, 0, sizeof(*r));
	r->mesh = random_mesh(seed, 3, 60);
	nodeset_init(&r->free, r->mesh->nnodes);
	nodeset_init(&r->required, r->mesh->nnodes);
	r->answer.node = malloc((size_t)r->mesh->nnodes * sizeof(int));
	assert_non_null(r->answer.node);
	r->state.free = &r->free;
	random_state(seed, r);
	if (!r->state.run)
		r->state.nruns = 0;
	random_request(seed, r);
	r->state.now = 1000;
	r->request.time_limit = random_int(seed, 0, 3) ? random_int(seed, 1, 50) : 0;
	for (int i = 0; i < r->state.nruns; i++)
		r->run[i].end =
			random_int(seed, 0, 3) ? r->state.now + random_int(seed, -5, 60) : 0;
}

static void end_round(struct round *r)
{
	nodeset_release(&r->free);
	nodeset_release(&r->required);
	for (int i = 0; i < MAX_RUNS; i++)
		free((void *)(uintptr_t)r->run[i].node);
	free(r->answer.node);
	mesh_free(r->mesh);
}

/* A request that is refused for its numbers alone never reaches a strategy. */
static bool numbers_fit(const struct round *r)
{
	return r->request.count <= nodeset_count(&r->free) &&
		(!r->request.required || nodeset_count(&r->required) <= r->request.count);
}

static void one_round(uint64_t *seed, int *fits)
{
	struct nodeset all;
	struct round r;

	start_round(seed, &r);
	nodeset_init(&all, r.mesh->nnodes);
	nodeset_set_all(&all);
	struct plain p = {.mesh = r.mesh, .free = &r.free, .request = &r.request};
	struct plain idle = {.mesh = r.mesh, .free = &all, .request = &r.request};
	bool fit = numbers_fit(&r) && plain_fit(&p, 0), ever = fit || plain_fit(&idle, 0);
	const struct strategy_ops *ops;

	*fits += fit;
	for (int i = 0; (ops = strategy_at(i)); i++) {
		struct mesh_err err;

		if (!(ops->flags & STRATEGY_CONTIGUOUS))
			continue;
		bool complete = ops->flags & STRATEGY_COMPLETE;
		struct strategy *s = strategy_new(ops, r.mesh, &err);

		assert_non_null(s);
		enum mesh_result result = strategy_decide(s, &r.state, &r.request, &r.answer);

		assert_int_not_equal(result, MESH_ERROR);
		if (result == MESH_OK)
			check_answer(&p, &r.answer);
		if (complete && (result == MESH_OK) != fit)
			fail_msg("%s: %s, brute force says %d", ops->name,
				mesh_result_name(result), fit);
		if (complete && numbers_fit(&r) && (result == MESH_NEVER) != !ever)
			fail_msg("%s: %s, brute force says ever %d", ops->name,
				mesh_result_name(result), ever);
		strategy_free(s);
	}
	nodeset_release(&all);
	end_round(&r);
}

static void complete(void **state)
{
	int all = 0, fits = 0;

	(void)state;
	for (struct rounds cases = rounds(5, 10000); rounds_next(&cases); all++)
		one_round(&cases.seed, &fits);
	/* Both answers must be common, or the test says little. */
	assert_in_range(fits, all / 5, all * 4 / 5);
}

/* ---- bitmaps of bases on long rows and rings ---- */

static void bases_on(uint64_t *seed, struct mesh *mesh)
{
	struct mesh_request none = {.count = 0};
	struct nodeset free_set;
	struct bitbox bits;
	int side[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1};
	struct plain p = {.mesh = mesh, .free = &free_set, .request = &none};

	nodeset_init(&free_set, mesh->nnodes);
	assert_int_equal(bitbox_init(&bits, mesh, &arena), 0);
	random_set(seed, &free_set, random_int(seed, 90, 100));
	bitbox_load(&bits, &free_set);
	for (int d = 0; d < mesh->ndims; d++) {
		int most = mesh->side[d] < 9 || !random_int(seed, 0, 9) ? mesh->side[d] : 9;

		side[d] = p.side[d] = random_int(seed, 1, most);
	}
	int first = bitbox_first(&bits, side), found = 0;

	bitbox_bases(&bits, side);
	assert_int_equal(first, bitbox_next(&bits, 0));

	for (int v = 0; v < mesh->nvertices; v++) {
		for (int d = 0; d < mesh->ndims; d++)
			p.base[d] = mesh->coord[v][d];
		bool is = bitbox_is_base(&bits, bitbox_bit(&bits, p.base));

		found += is;
		assert_int_equal(is, box_is_free(&p));
	}
	/* Nothing in the padding. */
	for (int bit = -1; (bit = bitbox_next(&bits, bit + 1)) >= 0;)
		found--;
	assert_int_equal(found, 0);
	arena_release(&arena);
	nodeset_release(&free_set);
}

static void bases(void **state)
{
	static const int machine[][3] = {{130, 3, 1}, {100, 5, 2}, {64, 4, 2}, {63, 5, 1},
		{7, 70, 1}, {9, 9, 5}, {16, 16, 2}, {8, 8, 8}, {4, 5, 20}, {1, 300, 1}, {1, 1, 128},
		{200, 1, 1}, {2, 3, 65}, {5, 1, 40}};
	uint64_t seed = 8;

	(void)state;
	for (size_t m = 0; m < sizeof(machine) / sizeof(*machine); m++)
		for (unsigned wrap = 0; wrap < 8; wrap++) {
			struct mesh *mesh = make_mesh(3, machine[m], wrap, 1);

			for (int round = 0; round < 3; round++)
				bases_on(&seed, mesh);
			mesh_free(mesh);
		}
}

/* ---- plans ---- */

static const int one[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1};

static void shape_of(struct mesh_request *request, int ndims, const int *side)
{
	request->shape = (struct mesh_shape){.ndims = ndims};
	request->count = 1;
	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		request->shape.side[d] = d < ndims ? side[d] : 1;
		request->count *= request->shape.side[d];
	}
}

static void orientations(void **state)
{
	static const int order[6][3] = {{2, 3, 4}, {2, 4, 3}, {3, 2, 4}, {3, 4, 2}, {4, 2, 3},
		{4, 3, 2}};
	struct mesh *mesh = make_mesh(3, (int[]){8, 8, 8}, 7, 1);
	struct mesh_request request = {0};
	struct boxplan plan;
	struct mesh_err err;

	(void)state;
	assert_int_equal(boxplan_init(&plan, mesh, &arena), 0);
	shape_of(&request, 3, (int[]){2, 3, 4});
	assert_int_equal(boxplan_make(&plan, &request, one, &err), 0);
	assert_int_equal(plan.count, 6);
	for (int i = 0; i < 6; i++)
		assert_memory_equal(plan.row[i].side, order[i], sizeof(order[i]));
	shape_of(&request, 3, (int[]){4, 4, 2});
	assert_int_equal(boxplan_make(&plan, &request, one, &err), 0);
	assert_int_equal(plan.count, 3);
	request.shape.norotate = true;
	assert_int_equal(boxplan_make(&plan, &request, one, &err), 0);
	assert_int_equal(plan.count, 1);
	/* 4 does not close a ring of 8: a torus needs 8 or 1. */
	request.shape.torus = true;
	assert_int_equal(boxplan_make(&plan, &request, one, &err), -1);
	shape_of(&request, 3, (int[]){8, 8, 1});
	request.shape.torus = true;
	assert_int_equal(boxplan_make(&plan, &request, one, &err), 0);
	assert_int_equal(plan.count, 3);
	arena_release(&arena);
	mesh_free(mesh);
}

/* The best box for 8 of 8x8x8 is 2x2x2, for 7 it is that box less one. */
static void minimal_boxes(void **state)
{
	struct mesh *mesh = make_mesh(3, (int[]){8, 8, 8}, 0, 1);
	struct boxplan plan;
	struct mesh_err err;

	(void)state;
	assert_int_equal(boxplan_init(&plan, mesh, &arena), 0);
	for (int k = 1; k <= 512; k++) {
		assert_int_equal(boxplan_make(&plan, &(struct mesh_request){.count = k},
			one, &err), 0);
		for (int i = 0; i < plan.count; i++) {
			const struct boxplan_row *row = &plan.row[i];

			assert_true(row->volume >= k);
			for (int d = 0; d < 3; d++)
				assert_true(row->volume / row->side[d] * (row->side[d] - 1) < k);
			assert_true(!i || row[-1].hops < row->hops ||
				(row[-1].hops == row->hops && row[-1].volume <= row->volume));
		}
	}
	for (int k = 7; k <= 8; k++) {
		assert_int_equal(boxplan_make(&plan, &(struct mesh_request){.count = k},
			one, &err), 0);
		assert_memory_equal(plan.row[0].side, ((int[]){2, 2, 2}), 3 * sizeof(int));
	}
	arena_release(&arena);
	mesh_free(mesh);
}

/* The closed form for hops in snake order is the sum over the nodes taken. */
static void snake_hops(void **state)
{
	uint64_t seed = 4;

	(void)state;
	for (int round = 0; round < 300; round++) {
		unsigned wrap = (unsigned)random_int(&seed, 0, 7);
		struct mesh *mesh = make_mesh(3, (int[]){5, 6, 4}, wrap, 1);
		struct mesh_box box = {{0}, {1, 1, 1, 1, 1, 1}};
		int side[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1};
		struct boxplan plan;
		struct nodeset set;
		int node[120], count;

		assert_int_equal(boxplan_init(&plan, mesh, &arena), 0);
		nodeset_init(&set, 120);
		for (int d = 0; d < 3; d++)
			side[d] = box.side[d] = random_int(&seed, 1, mesh->side[d]);
		count = random_int(&seed, 1, (int)box_volume(3, box.side));
		box_take(mesh, &box, count, NULL, &set);
		assert_int_equal(nodeset_members(&set, node), count);
		assert_int_equal(boxplan_hops(&plan, side, count),
			plain_pairwise_hops(mesh, node, count));
		nodeset_release(&set);
		arena_release(&arena);
		mesh_free(mesh);
	}
}

/* from minus what: disjoint, together all of it, at most two a dimension, the lowest last. */
static void difference(void **state)
{
	uint64_t seed = 6;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		struct mesh_box box[2], piece[6];
		int count[5 * 5 * 5] = {0}, pieces, lowest = -1;

		for (int i = 0; i < 2; i++)
			for (int d = 0; d < 3; d++) {
				box[i].base[d] = random_int(&seed, 0, 4);
				box[i].side[d] = random_int(&seed, 1, 5 - box[i].base[d]);
			}
		pieces = box_subtract(3, &box[0], &box[1], piece);
		assert_in_range(pieces, 0, 6);
		for (int v = 0; v < 125; v++) {
			struct mesh_box at = {{v % 5, v / 5 % 5, v / 25}, {1, 1, 1}};

			for (int i = 0; i < pieces; i++) {
				count[v] += box_meets(3, &at, &piece[i]);
				if (lowest < 0 && box_holds(3, &piece[i], &at))
					lowest = i;
			}
			assert_int_equal(count[v],
				box_meets(3, &at, &box[0]) && !box_meets(3, &at, &box[1]));
		}
		assert_int_equal(lowest, pieces - 1);
	}
}

/* ---- best fit ---- */

/* Steps out of a set of vertices, by what they meet: a vertex's worth, or a wall. */
static int plain_worth(const struct plain *p, const bool *in, const int *worth, int wall)
{
	const struct mesh *mesh = p->mesh;
	int value = 0;

	for (int v = 0; v < mesh->nvertices; v++)
		for (int i = 0; in[v] && i < 2 * mesh->ndims; i++) {
			int d = i / 2, all = mesh->side[d],
			    c = mesh->coord[v][d] + (i % 2 ? 1 : -1);
			int w = v + ((c + all) % all - mesh->coord[v][d]) * mesh->stride[d];

			if (!mesh->wrap[d] && (c < 0 || c >= all))
				value += wall;
			else
				value += in[w] ? 0 : worth[w];
		}
	return value;
}

static int plain_value(const struct plain *p, const bool *in)
{
	int worth[64];

	for (int v = 0; v < p->mesh->nvertices; v++)
		worth[v] = !vertex_free(p->mesh, p->free, v);
	return plain_worth(p, in, worth, 1);
}

static int plain_best(struct plain *p, int d)
{
	bool in[64];
	int best = -1;

	if (d < p->mesh->ndims) {
		for (p->side[d] = 1; p->side[d] <= p->mesh->side[d]; p->side[d]++) {
			int value = plain_best(p, d + 1);

			best = value > best ? value : best;
		}
		return best;
	}
	for (int b = 0; sides_suit(p) && b < p->mesh->nvertices; b++) {
		for (int e = 0; e < p->mesh->ndims; e++)
			p->base[e] = p->mesh->coord[b][e];
		for (int v = 0; v < p->mesh->nvertices; v++)
			in[v] = inside(p, v);
		int value = box_is_free(p) ? plain_value(p, in) : -1;

		best = value > best ? value : best;
	}
	return best;
}

static void best_round(struct round *r)
{
	struct plain p = {.mesh = r->mesh, .free = &r->free, .request = &r->request};
	bool in[64];

	for (int v = 0; v < r->mesh->nvertices; v++)
		in[v] = has_node(r->mesh, &r->answer, v);
	assert_int_equal(plain_value(&p, in), plain_best(&p, 0));
}

/* bf takes the largest boundary value there is, over all bases and orientations. */
static void best_boundary(void **state)
{
	int found = 0;

	(void)state;
	for (struct rounds cases = rounds(12, 600); rounds_next(&cases);) {
		struct mesh_err err;
		struct round r;

		start_round(&cases.seed, &r);
		struct strategy *s = strategy_new(strategy_find("bf"), r.mesh, &err);

		r.request.required = NULL;
		r.request.count = 0;
		if (r.request.shape.ndims &&
			strategy_decide(s, &r.state, &r.request, &r.answer) == MESH_OK) {
			found++;
			best_round(&r);
		}
		strategy_free(s);
		end_round(&r);
	}
	assert_in_range(found, 100, 600);
}

/* ---- snug-box ---- */

/* What a vertex that is busy now stays of the job's time, in 64ths; 0 for a free one. */
static void plain_stay(const struct round *r, int *worth)
{
	int64_t limit = r->request.time_limit;

	for (int v = 0; v < r->mesh->nvertices; v++)
		worth[v] = 64;
	for (int i = 0; i < r->state.nruns; i++) {
		const struct mesh_run *run = &r->run[i];
		int64_t left = run->end > r->state.now ? run->end - r->state.now : 0;

		for (int j = 0; run->end && left < limit && j < run->count; j++)
			worth[r->mesh->vertex_of[run->node[j]]] =
				64 - (int)((limit - left) * 64 / limit);
	}
	nodeset_each(i, &r->free)
		worth[r->mesh->vertex_of[i]] = 0;
}

/* Free when the job is half over. */
static void plain_then(const struct round *r, struct nodeset *then)
{
	nodeset_copy(then, &r->free);
	for (int i = 0; i < r->state.nruns; i++) {
		const struct mesh_run *run = &r->run[i];

		if (run->end && r->request.time_limit > 0 &&
			2 * (run->end - r->state.now) <= r->request.time_limit)
			for (int j = 0; j < run->count; j++)
				nodeset_add(then, run->node[j]);
	}
}

/* Cubes of this side that are free then, and those of them that have something of `in`. */
static int plain_cubes(const struct round *r, const struct nodeset *then, int side, const bool *in,
	int *taken)
{
	struct mesh_request any = {.count = 1};
	struct plain p = {.mesh = r->mesh, .free = then, .request = &any};
	int n = 0;

	*taken = 0;
	for (int b = 0; b < r->mesh->nvertices; b++) {
		bool meets = false;

		for (int d = 0; d < r->mesh->ndims; d++) {
			p.base[d] = r->mesh->coord[b][d];
			p.side[d] = side < r->mesh->side[d] ? side : r->mesh->side[d];
		}
		if (!box_is_free(&p))
			continue;
		for (int v = 0; in && v < r->mesh->nvertices; v++)
			meets |= in[v] && inside(&p, v);
		n++;
		*taken += meets;
	}
	return n;
}

/* The share of the box's faces that touch, less the shares of large cubes that it takes. */
static double plain_keep(const struct round *r, const struct plain *p, const bool *in)
{
	int worth[64], volume = 1, taken, largest = 0;
	double faces = 0, value;
	struct nodeset then;

	nodeset_init(&then, r->mesh->nnodes);
	plain_stay(r, worth);
	plain_then(r, &then);
	for (int d = 0; d < r->mesh->ndims; d++)
		volume *= p->side[d];
	for (int d = 0; d < r->mesh->ndims; d++)
		faces += 2.0 * volume / p->side[d];
	value = plain_worth(p, in, worth, 64) / faces / 64;
	for (int side = 1; side <= 64; side++)
		if (plain_cubes(r, &then, side, NULL, &taken))
			for (int d = 0; d < r->mesh->ndims; d++)
				largest = side <= r->mesh->side[d] ? side : largest;
	for (int i = 4; i > 1; i--) {
		int all = plain_cubes(r, &then, (int)ceil(largest * i / 4.0), in, &taken);

		value -= (double)taken / all;
	}
	nodeset_release(&then);
	return value;
}

/* The most that a free box can have that suits, and what the one has that was chosen. */
static void keep_round(struct round *r, struct plain *p, int d, double *best, double *chosen)
{
	if (d < p->mesh->ndims) {
		for (p->side[d] = 1; p->side[d] <= p->mesh->side[d]; p->side[d]++)
			keep_round(r, p, d + 1, best, chosen);
		return;
	}
	for (int b = 0; sides_suit(p) && b < p->mesh->nvertices; b++) {
		bool in[64], same = true;

		for (int e = 0; e < p->mesh->ndims; e++)
			p->base[e] = p->mesh->coord[b][e];
		for (int v = 0; v < p->mesh->nvertices; v++) {
			in[v] = inside(p, v);
			same &= in[v] == has_node(p->mesh, &r->answer, v);
		}
		if (!box_is_free(p))
			continue;
		*best = fmax(*best, plain_keep(r, p, in));
		if (same)
			*chosen = plain_keep(r, p, in);
	}
}

static void keeps_large_boxes(void **state)
{
	int found = 0;

	(void)state;
	for (struct rounds cases = rounds(5, 400); rounds_next(&cases);) {
		struct mesh_err err;
		struct round r;

		start_round(&cases.seed, &r);
		struct strategy *s = strategy_new(strategy_find("snug-box"), r.mesh, &err);
		struct plain p = {.mesh = r.mesh, .free = &r.free, .request = &r.request};
		double best = -HUGE_VAL, chosen = -HUGE_VAL;

		r.request.required = NULL;
		r.request.count = 0;
		if (r.request.shape.ndims &&
			strategy_decide(s, &r.state, &r.request, &r.answer) == MESH_OK) {
			found++;
			keep_round(&r, &p, 0, &best, &chosen);
			assert_true(fabs(best - chosen) < 1e-9);
		}
		strategy_free(s);
		end_round(&r);
	}
	assert_in_range(found, 70, 400);
}

/*
 * A ring of 8 with jobs on 0 and 4, both for a node: next to that which stays, as the other
 * leaves a long stretch behind.
 */
static void beside_what_stays(void **state)
{
	struct mesh *mesh = make_mesh(1, (int[]){8}, 1, 1);
	struct nodeset free_set;
	int first = 0, second = 4, node[8];
	struct mesh_run run[2] = {{&first, 1, 0, 0}, {&second, 1, 0, 0}};
	struct mesh_state s = {.free = &free_set, .run = run, .nruns = 2, .now = 100};
	struct mesh_request request = {.shape = {.ndims = 1, .side = {1, 1, 1, 1, 1, 1}},
		.time_limit = 100};
	struct mesh_answer answer = {.node = node};
	struct mesh_err err;
	struct strategy *strategy = strategy_new(strategy_find("snug-box"), mesh, &err);

	(void)state;
	nodeset_init(&free_set, mesh->nnodes);
	nodeset_set_all(&free_set);
	nodeset_del(&free_set, first);
	nodeset_del(&free_set, second);
	for (int stays = 0; stays < 2; stays++) {
		run[stays].end = 1000;
		run[!stays].end = 110;
		assert_int_equal(strategy_decide(strategy, &s, &request, &answer), MESH_OK);
		assert_true(node[0] == (stays ? 3 : 1) || node[0] == (stays ? 5 : 7));
	}
	strategy_free(strategy);
	nodeset_release(&free_set);
	mesh_free(mesh);
}

/* ---- restart ---- */

/*
 * Jobs come and go for a while; each decision is asked of one strategy that has seen it all
 * and of a new one, as after a restart of the daemon.
 */
static void one_life(const struct strategy_ops *ops, uint64_t *seed)
{
	struct mesh *mesh = make_mesh(2, (int[]){9, 8}, (unsigned)random_int(seed, 0, 3), 1);
	struct mesh_run run[80];
	struct nodeset free_set;
	struct mesh_state state = {.free = &free_set, .run = run};
	struct mesh_err err;
	struct strategy *old = strategy_new(ops, mesh, &err);
	int node[72], again[72];

	nodeset_init(&free_set, mesh->nnodes);
	nodeset_set_all(&free_set);
	for (int step = 0; step < 60; step++) {
		struct mesh_answer a = {.node = node}, b = {.node = again};
		struct mesh_request request = {.shape = {.ndims = 2}, .time_limit = 50};
		struct strategy *new = strategy_new(ops, mesh, &err);

		for (int d = 0; d < MESH_MAX_DIMS; d++)
			request.shape.side[d] = d < 2 ? random_int(seed, 1, 4) : 1;
		enum mesh_result result = strategy_decide(old, &state, &request, &a);

		assert_int_equal(strategy_decide(new, &state, &request, &b), result);
		assert_int_equal(a.count, b.count);
		assert_memory_equal(node, again, (size_t)a.count * sizeof(int));
		strategy_free(new);
		if (result == MESH_OK) {
			int *mine = malloc((size_t)a.count * sizeof(int));

			assert_non_null(mine);
			memcpy(mine, node, (size_t)a.count * sizeof(int));
			for (int i = 0; i < a.count; i++)
				nodeset_del(&free_set, node[i]);
			run[state.nruns++] = (struct mesh_run){.node = mine, .count = a.count,
				.end = random_int(seed, 1, 100)};
		}
		if (state.nruns && (result != MESH_OK || random_int(seed, 0, 2) == 0)) {
			int leaves = random_int(seed, 0, state.nruns - 1);

			for (int i = 0; i < run[leaves].count; i++)
				nodeset_add(&free_set, run[leaves].node[i]);
			free((void *)(uintptr_t)run[leaves].node);
			memmove(&run[leaves], &run[leaves + 1],
				(size_t)(--state.nruns - leaves) * sizeof(*run));
		}
	}
	while (state.nruns--)
		free((void *)(uintptr_t)run[state.nruns].node);
	strategy_free(old);
	nodeset_release(&free_set);
	mesh_free(mesh);
}

static void restart(void **unused)
{
	const struct strategy_ops *ops;

	(void)unused;
	for (int i = 0; (ops = strategy_at(i)); i++) {
		struct rounds all =
			rounds(17 + (uint64_t)i, ops->flags & STRATEGY_CONTIGUOUS ? 10 : 0);

		for (all.what = ops->name; rounds_next(&all);)
			one_life(ops, &all.seed);
	}
}

/* ---- budget ---- */

/* A budget of 1 ns ends every search: a box found so far, or "no fit" for want of time. */
static void budget(void **unused)
{
	struct mesh *mesh = make_mesh(3, (int[]){12, 12, 12}, 0, 1);
	struct nodeset free_set;
	struct mesh_state state = {.free = &free_set};
	const struct strategy_ops *ops;
	uint64_t seed = 3;
	int node[12 * 12 * 12], late = 0;

	(void)unused;
	nodeset_init(&free_set, mesh->nnodes);
	random_set(&seed, &free_set, 60);
	for (int i = 0; (ops = strategy_at(i)); i++) {
		struct mesh_request request = {.shape = {.ndims = 3, .side = {3, 4, 5, 1, 1, 1}},
			.budget_ns = 1};
		struct mesh_answer answer = {.node = node};
		struct mesh_err err;

		/* Others (torus3d) go through a list, which does not last. */
		if ((ops->flags & (STRATEGY_CONTIGUOUS | STRATEGY_STUDY)) != STRATEGY_CONTIGUOUS)
			continue;
		struct strategy *s = strategy_new(ops, mesh, &err);

		/* On this state nothing fits, so that every search goes on to its end. */
		assert_int_equal(strategy_decide(s, &state, &request, &answer), MESH_NO_FIT);
		assert_true(answer.out_of_time);
		late += answer.out_of_time;
		request.budget_ns = 0;
		assert_int_equal(strategy_decide(s, &state, &request, &answer), MESH_NO_FIT);
		assert_false(answer.out_of_time);
		strategy_free(s);
	}
	assert_true(late >= 5);
	nodeset_release(&free_set);
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(difference),
		cmocka_unit_test(orientations),
		cmocka_unit_test(minimal_boxes),
		cmocka_unit_test(snake_hops),
		cmocka_unit_test(bases),
		cmocka_unit_test(complete),
		cmocka_unit_test(best_boundary),
		cmocka_unit_test(keeps_large_boxes),
		cmocka_unit_test(beside_what_stays),
		cmocka_unit_test(restart),
		cmocka_unit_test(budget),
	};

	return cmocka_run_group_tests_name("contiguous", tests, NULL, NULL);
}
