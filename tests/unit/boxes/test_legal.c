/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lists of legal placements: every contiguous strategy answers legal boxes, and finds one exactly
 * when brute force does; torus3d is held against a plain account of what Slurm's plugin does.
 */
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "boxes/boxplan.h"
#include "conf/shape.h"
#include "boxes/contiguous.h"
#include "geometry/legal.h"
#include "geometry/metrics_meter.h"
#include "conf/strategies.h"
#include "support.h"
#include "decide/strategy_decide.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

enum { MOST_PLACES = 4096 };

/* ---- plain reference ---- */

/* A place of a placement. */
struct place {
	int base[MESH_MAX_DIMS];
};

/* Where it may begin along one dimension, in order. */
static int along(const struct mesh *mesh, const struct mesh_placement *p, int d, int *at)
{
	int n = 0;

	for (int c = p->seed[d];; c += p->step[d]) {
		if (mesh->wrap[d])
			c %= mesh->side[d];
		else if (c + p->side[d] > mesh->side[d])
			return n;
		for (int i = 0; i < n; i++)
			if (at[i] == c)
				return n;
		at[n++] = c;
	}
}

/* Those that begin as part does in the dimensions before d; how many. */
static int list_places(const struct mesh *mesh, const struct mesh_placement *p, int d,
	struct place part, struct place *place)
{
	int at[64], count, n = 0;

	if (d == mesh->ndims) {
		*place = part;
		return 1;
	}
	count = along(mesh, p, d, at);
	for (int i = 0; i < count; i++) {
		part.base[d] = at[i];
		n += list_places(mesh, p, d + 1, part, place + n);
	}
	return n;
}

static int places_of(const struct mesh *mesh, const struct mesh_placement *p, struct place *place)
{
	assert_true(mesh->nvertices <= MOST_PLACES);
	return list_places(mesh, p, 0, (struct place){{0}}, place);
}

static bool inside(const struct mesh *mesh, const int *side, const struct place *at, int v)
{
	for (int d = 0; d < mesh->ndims; d++)
		if ((mesh->coord[v][d] - at->base[d] + mesh->side[d]) % mesh->side[d] >= side[d])
			return false;
	return true;
}

static bool is_free(const struct mesh *mesh, const struct nodeset *set, const int *side,
	const struct place *at)
{
	for (int v = 0; v < mesh->nvertices; v++) {
		if (!inside(mesh, side, at, v))
			continue;
		if (mesh_nodes_on(mesh, v) != mesh->nodes_per_vertex)
			return false;
		for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++)
			if (!nodeset_has(set, mesh->node_at[i]))
				return false;
	}
	return true;
}

static int64_t nodes_of(const struct mesh *mesh, const struct mesh_placement *p)
{
	return box_volume(mesh->ndims, p->side) * mesh->nodes_per_vertex;
}

/* May the request have boxes of these sides? */
static bool suits(const struct mesh *mesh, const struct mesh_placement *p,
	const struct mesh_request *request)
{
	int64_t nodes = nodes_of(mesh, p);
	int mine[MESH_MAX_DIMS], wanted[MESH_MAX_DIMS];

	if (!request->shape.ndims)
		return mesh->legal_exact ? nodes == request->count : nodes >= request->count;
	memcpy(mine, p->side, sizeof(mine));
	memcpy(wanted, request->shape.side, sizeof(wanted));
	if (!request->shape.norotate) {
		sort_ints(mine, MESH_MAX_DIMS);
		sort_ints(wanted, MESH_MAX_DIMS);
	}
	return !memcmp(mine, wanted, sizeof(mine)) && nodes >= request->count;
}

/* A free legal box that suits, and that holds these nodes (of the answer), or NULL: any. */
static bool plain_fit(const struct mesh *mesh, const struct nodeset *set,
	const struct mesh_request *request, const struct nodeset *nodes)
{
	static struct place place[MOST_PLACES];

	for (int i = 0; i < mesh->nlegal; i++) {
		const struct mesh_placement *p = &mesh->legal[i];
		int n = suits(mesh, p, request) ? places_of(mesh, p, place) : 0;

		for (int j = 0; j < n; j++) {
			bool all = is_free(mesh, set, p->side, &place[j]);

			for (int node = 0; all && node < mesh->nnodes; node++)
				all = inside(mesh, p->side, &place[j], mesh->vertex_of[node]) ||
					((!nodes || !nodeset_has(nodes, node)) &&
						(!request->required ||
							!nodeset_has(request->required, node)));
			if (all)
				return true;
		}
	}
	return false;
}

/* ---- torus3d, as its documentation has it ---- */

static int free_places_met(const struct mesh *mesh, const struct nodeset *set,
	const struct mesh_placement *next, const struct mesh_placement *p, const struct place *at)
{
	static struct place place[MOST_PLACES];
	int met = 0;

	for (int i = next ? places_of(mesh, next, place) : 0; i--;) {
		bool meets = false;

		for (int v = 0; v < mesh->nvertices && !meets; v++)
			meets = inside(mesh, p->side, at, v) &&
				inside(mesh, next->side, &place[i], v);
		met += meets && is_free(mesh, set, next->side, &place[i]);
	}
	return met;
}

/* Its vertices into box; false: none is free. */
static bool plain_torus3d(const struct mesh *mesh, const struct nodeset *set, int count, bool *box)
{
	static struct place place[MOST_PLACES];
	const struct mesh_placement *next = NULL;
	int64_t larger = INT64_MAX;

	for (int i = 0; i < mesh->nlegal; i++)
		if (nodes_of(mesh, &mesh->legal[i]) > count &&
			nodes_of(mesh, &mesh->legal[i]) < larger) {
			next = &mesh->legal[i];
			larger = nodes_of(mesh, next);
		}
	for (int i = 0; i < mesh->nlegal; i++) {
		const struct mesh_placement *p = &mesh->legal[i];
		int n = nodes_of(mesh, p) == count ? places_of(mesh, p, place) : 0, best = -1,
		    least = 0;

		for (int j = 0; j < n; j++) {
			int cost = is_free(mesh, set, p->side, &place[j])
				? free_places_met(mesh, set, next, p, &place[j]) : -1;

			if (cost >= 0 && (best < 0 || cost < least)) {
				best = j;
				least = cost;
			}
		}
		for (int v = 0; best >= 0 && v < mesh->nvertices; v++)
			box[v] = inside(mesh, p->side, &place[best], v);
		if (best >= 0)
			return true;
	}
	return false;
}

/* ---- random cases ---- */

static void add_list(uint64_t *seed, struct mesh *mesh)
{
	int n = random_int(seed, 1, 6);

	assert_non_null(arena_array(&mesh->arena, mesh->legal, n));
	mesh->legal_exact = random_int(seed, 0, 4) == 0;
	for (; mesh->nlegal < n; mesh->nlegal++) {
		struct mesh_placement *p = &mesh->legal[mesh->nlegal];

		*p = (struct mesh_placement){{1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1}, {0}};
		for (int d = 0; d < mesh->ndims; d++) {
			int all = mesh->side[d];

			p->side[d] = random_int(seed, 1, all < 4 ? all : 4);
			p->step[d] = random_int(seed, 0, 1) ? p->side[d] : random_int(seed, 1, all);
			p->seed[d] =
				random_int(seed, 0, mesh->wrap[d] ? all - 1 : all - p->side[d]);
		}
	}
}

static void random_request(uint64_t *seed, const struct mesh *mesh, struct mesh_request *request)
{
	const struct mesh_placement *p = &mesh->legal[random_int(seed, 0, mesh->nlegal - 1)];

	*request = (struct mesh_request){.count = random_int(seed, 0, 1)
		? (int)nodes_of(mesh, p) : random_int(seed, 1, mesh->nnodes)};
	if (random_int(seed, 0, 2))
		return;
	request->shape =
		(struct mesh_shape){.ndims = mesh->ndims, .norotate = random_int(seed, 0, 1)};
	memcpy(request->shape.side, p->side, sizeof(p->side));
	request->count = (int)nodes_of(mesh, p);
	/* Turned, or another one. */
	if (mesh->ndims > 1 && random_int(seed, 0, 1)) {
		request->shape.side[0] = p->side[1];
		request->shape.side[1] = p->side[0];
	}
}

static void ask(const struct strategy_ops *ops, const struct mesh *mesh,
	const struct mesh_state *state, const struct mesh_request *request, bool fit)
{
	bool listed = !strcmp(ops->name, "torus3d");
	struct mesh_answer answer = {.node = malloc((size_t)mesh->nnodes * sizeof(int))};
	struct mesh_err err;
	struct strategy *strategy = strategy_new(ops, mesh, &err);
	struct nodeset chosen;

	assert_non_null(strategy);
	assert_int_equal(nodeset_init(&chosen, mesh->nnodes), 0);
	enum mesh_result result = strategy_decide(strategy, state, request, &answer);

	assert_int_not_equal(result, MESH_ERROR);
	if ((result == MESH_OK) != fit && !(listed && !request->shape.ndims))
		fail_msg("%s: %s, brute force says %d", ops->name, mesh_result_name(result), fit);
	for (int i = 0; i < answer.count; i++)
		nodeset_add(&chosen, answer.node[i]);
	if (result == MESH_OK) {
		assert_int_equal(answer.count, request->count);
		assert_true(nodeset_subset(&chosen, state->free));
		if (!plain_fit(mesh, state->free, request, &chosen))
			fail_msg("%s: no legal box", ops->name);
	}
	if (listed && !request->shape.ndims && !request->required) {
		bool *box = calloc((size_t)mesh->nvertices, sizeof(*box));
		bool found = plain_torus3d(mesh, state->free, request->count, box);

		assert_int_equal(found, result == MESH_OK);
		for (int i = 0; found && i < mesh->nnodes; i++)
			assert_int_equal(nodeset_has(&chosen, i), box[mesh->vertex_of[i]]);
		free(box);
	}
	nodeset_release(&chosen);
	strategy_free(strategy);
	free(answer.node);
}

static void one_round(uint64_t *seed, int *fits)
{
	struct mesh *mesh = random_mesh(seed, 3, 60);
	struct nodeset free_set, required;
	struct mesh_state state = {.free = &free_set};
	struct mesh_request request;
	const struct strategy_ops *ops;
	bool fit;

	add_list(seed, mesh);
	assert_int_equal(nodeset_init(&free_set, mesh->nnodes), 0);
	assert_int_equal(nodeset_init(&required, mesh->nnodes), 0);
	random_set(seed, &free_set, random_int(seed, 0, 3) ? random_int(seed, 60, 100) : 100);
	random_request(seed, mesh, &request);
	if (random_int(seed, 0, 5) == 0) {
		random_set(seed, &required, 4);
		nodeset_and(&required, &free_set);
		request.required = &required;
	}
	fit = request.count <= nodeset_count(&free_set) &&
		nodeset_count(&required) <= request.count &&
		plain_fit(mesh, &free_set, &request, NULL);
	*fits += fit;
	for (int i = 0; (ops = strategy_at(i)); i++)
		if (ops->flags & STRATEGY_CONTIGUOUS)
			ask(ops, mesh, &state, &request, fit);
	nodeset_release(&free_set);
	nodeset_release(&required);
	mesh_free(mesh);
}

static void legal(void **unused)
{
	int all = 0, fits = 0;

	(void)unused;
	for (struct rounds r = rounds(11, 4000); rounds_next(&r); all++)
		one_round(&r.seed, &fits);
	assert_in_range(fits, all / 5, all * 4 / 5);
}

/* Places, in torus3d's order and number. */
static void walks(void **unused)
{
	static struct place place[MOST_PLACES];

	(void)unused;
	for (struct rounds r = rounds(3, 500); rounds_next(&r);) {
		struct mesh *mesh = random_mesh(&r.seed, 3, 200);

		add_list(&r.seed, mesh);
		for (int i = 0; i < mesh->nlegal; i++) {
			int n = places_of(mesh, &mesh->legal[i], place), at = 0;

			assert_int_equal(legal_places(mesh, &mesh->legal[i]), n);
			for (struct legal_walk w = legal_walk(mesh, &mesh->legal[i]); !w.done;
				legal_next(&w))
				assert_memory_equal(w.base, place[at++].base,
					(size_t)mesh->ndims * sizeof(int));
			assert_int_equal(at, n);
		}
		mesh_free(mesh);
	}
}

/* The smallest box that is free and holds the nodes; without one, why. */
static void smallest(void **unused)
{
	struct mesh *mesh = make_mesh(2, (int[]){4, 4}, 0, 1);
	struct mesh_placement list[] = {{.side = {1, 1}, .step = {1, 1}},
		{.side = {2, 1}, .step = {2, 1}}, {.side = {2, 2}, .step = {2, 2}},
		{.side = {4, 4}, .step = {4, 4}}};
	struct mesh_request three = {.count = 3},
			    shape = {.count = 3, .shape = {.ndims = 2, .side = {3, 1}}};
	struct boxplan plan;
	struct mesh_err err;
	int one[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1};

	(void)unused;
	mesh->legal = arena_get(&mesh->arena, 1, sizeof(list));
	assert_non_null(mesh->legal);
	memcpy(mesh->legal, list, sizeof(list));
	mesh->nlegal = 4;
	assert_int_equal(boxplan_init(&plan, mesh, &arena), 0);
	assert_int_equal(boxplan_make(&plan, &three, one, &err), 0);
	assert_int_equal(plan.count, 2);
	assert_int_equal(plan.row[0].volume, 4);
	assert_int_equal(plan.row[1].volume, 16);
	assert_int_equal(boxplan_make(&plan, &shape, one, &err), -1);
	assert_string_equal(err.text,
		"a box of 3x1 is not one of Shapes=; these are: 1x1, 2x1, 2x2, 4x4");
	mesh->legal_exact = true;
	assert_int_equal(boxplan_make(&plan, &three, one, &err), -1);
	assert_string_equal(err.text, "no box of Shapes= has exactly 3 nodes");
	shape.shape.side[0] = 1;
	shape.shape.side[1] = 2;
	shape.count = 2;
	assert_int_equal(boxplan_make(&plan, &shape, one, &err), 0);
	assert_int_equal(plan.row[0].side[0], 2);
	shape.shape.norotate = true;
	assert_int_equal(boxplan_make(&plan, &shape, one, &err), -1);
	arena_release(&arena);
	mesh_free(mesh);
}

/* Groups that are boxes: each a legal one. */
static void segments(void **unused)
{
	struct mesh *mesh = make_mesh(2, (int[]){4, 4}, 0, 1);
	struct mesh_placement list = {.side = {2, 2}, .step = {2, 1}};
	struct mesh_request job = {.count = 8, .segment = 4};
	struct nodeset set;
	struct mesh_state state = {.free = &set};
	const struct strategy_ops *ops;
	int node[16];

	(void)unused;
	mesh->legal = arena_get(&mesh->arena, 1, sizeof(list));
	assert_non_null(mesh->legal);
	mesh->legal[0] = list;
	mesh->nlegal = 1;
	assert_int_equal(nodeset_init(&set, 16), 0);
	for (int i = 0; (ops = strategy_at(i)); i++) {
		struct mesh_answer answer = {.node = node};
		struct mesh_err err;
		struct strategy *s = strategy_new(ops, mesh, &err);

		assert_non_null(s);
		nodeset_set_all(&set);
		nodeset_del(&set, 1);
		nodeset_del(&set, 15);
		if (ops->flags & STRATEGY_CONTIGUOUS) {
			/* Two places are free on either side, one over the other: a box on each. */
			assert_int_equal(strategy_decide(s, &state, &job, &answer), MESH_OK);
			assert_int_equal(answer.count, 8);
			assert_true(nodeset_has(&set, 2) && answer.node[0] >= 2);
			nodeset_del(&set, 2);
			nodeset_del(&set, 10);
			assert_int_equal(strategy_decide(s, &state, &job, &answer), MESH_NO_FIT);
		}
		strategy_free(s);
	}
	nodeset_release(&set);
	mesh_free(mesh);
}

/* Without a list: powers of two. */
static void doubles(void **unused)
{
	struct mesh *mesh = make_mesh(3, (int[]){4, 4, 4}, 7, 1);
	const struct strategy_ops *ops = strategy_find("torus3d");
	struct nodeset all;
	struct mesh_state state = {.free = &all};
	int node[64];
	struct mesh_err err;
	struct strategy *s = strategy_new(ops, mesh, &err);

	(void)unused;
	assert_non_null(s);
	assert_int_equal(nodeset_init(&all, 64), 0);
	nodeset_set_all(&all);
	for (int n = 1; n <= 64; n++) {
		struct mesh_answer answer = {.node = node};

		assert_int_equal(
			strategy_decide(s, &state, &(struct mesh_request){.count = n}, &answer),
			n & (n - 1) ? MESH_NEVER : MESH_OK);
		if (n & (n - 1))
			assert_non_null(strstr(answer.err.text, "on the list of placements"));
	}
	nodeset_release(&all);
	strategy_free(s);
	mesh_free(mesh);
}

/* Shapes in chips: node by node in each position that is made of whole ones. */
static void chips(void **unused)
{
	struct mesh *mesh = make_mesh(3, (int[]){8, 8, 8}, 7, 1);
	struct mesh_request job = {
		.shape = {.ndims = 3, .side = {4, 4, 8, 1, 1, 1}, .chips = true}};
	struct boxplan plan;
	struct mesh_err err;
	int one[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1};

	(void)unused;
	assert_int_equal(boxplan_init(&plan, mesh, &arena), 0);
	assert_int_equal(boxplan_make(&plan, &job, one, &err), -1);
	assert_string_equal(err.text, "chips: topology.conf has no NodeShape= for the mesh");
	mesh->node_side[0] = mesh->node_side[1] = 2;
	mesh->node_side[2] = 1;
	assert_int_equal(mesh_shape_nodes(mesh, &job.shape), 32);
	assert_int_equal(boxplan_shape_nodes(mesh, &job.shape, &err), 32);
	assert_int_equal(boxplan_make(&plan, &job, one, &err), 0);
	assert_int_equal(plan.count, 3);
	assert_memory_equal(plan.row[0].side, ((int[]){2, 2, 8}), 3 * sizeof(int));
	assert_memory_equal(plan.row[1].side, ((int[]){2, 4, 4}), 3 * sizeof(int));
	assert_memory_equal(plan.row[2].side, ((int[]){4, 2, 4}), 3 * sizeof(int));
	/* 3 chips lie along the third dimension only. */
	job.shape.side[2] = 3;
	assert_int_equal(boxplan_make(&plan, &job, one, &err), 0);
	assert_int_equal(plan.count, 1);
	job.shape.side[1] = 3;
	assert_int_equal(boxplan_make(&plan, &job, one, &err), -1);
	assert_string_equal(err.text, "a box of 4x3x3 chips is not one of whole nodes");
	arena_release(&arena);
	mesh_free(mesh);
}

/* TYPE: before a shape: chips, on meshes of that type, or nodes where nobody knows of chips. */
static void types(void **unused)
{
	static const char *const wrong[] = {
		":4x4", "t:", "t:x", "t:4x4:chipz", "t:t:4x4", "2t:4x4", "t t:4x4",
		"a12345678901234567890123:4x4"};
	struct mesh *mesh = make_mesh(2, (int[]){8, 8}, 3, 1);
	struct mesh_shape shape;
	struct mesh_err err;

	(void)unused;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_int_equal(shape_parse(wrong[i], &shape, &err), -1);
	assert_false(shape_parse("v5e-2.x_y:4x4", &shape, &err));
	assert_string_equal(shape.type, "v5e-2.x_y");
	assert_int_equal(boxplan_shape_nodes(mesh, &shape, &err), 0);
	assert_string_equal(err.text, "the mesh is not of Type=v5e-2.x_y");
	strcpy(mesh->type, "v5e-2.x_y");
	assert_int_equal(boxplan_shape_nodes(mesh, &shape, &err), 16);
	mesh->node_side[0] = mesh->node_side[1] = 2;
	assert_int_equal(boxplan_shape_nodes(mesh, &shape, &err), 4);
	assert_false(shape_parse("v6e:ring:8", &shape, &err));
	assert_int_equal(boxplan_shape_nodes(mesh, &shape, &err), 0);
	strcpy(mesh->type, "v6e");
	assert_int_equal(boxplan_shape_nodes(mesh, &shape, &err), 8);
	mesh_free(mesh);
}

/* The box around some nodes: its sides are those of the metrics, and it holds them. */
static void around(void **unused)
{
	(void)unused;
	for (struct rounds r = rounds(7, 500); rounds_next(&r);) {
		struct mesh *mesh = random_mesh(&r.seed, 3, 100);
		int *node = malloc((size_t)mesh->nnodes * sizeof(*node));
		int count = random_int(&r.seed, 1, mesh->nnodes < 6 ? mesh->nnodes : 6);
		struct mesh_metrics metrics;
		struct mesh_box box;
		struct place base;

		assert_non_null(node);
		for (int i = 0; i < count; i++)
			node[i] = random_int(&r.seed, 0, mesh->nnodes - 1);
		box = box_around(mesh, node, count);
		memcpy(base.base, box.base, sizeof(base.base));
		assert_int_equal(mesh_measure(mesh, node, count, &metrics), 0);
		assert_memory_equal(box.side, metrics.box, (size_t)mesh->ndims * sizeof(int));
		for (int i = 0; i < count; i++)
			assert_true(inside(mesh, box.side, &base, mesh->vertex_of[node[i]]));
		free(node);
		mesh_free(mesh);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(walks),
		cmocka_unit_test(smallest),
		cmocka_unit_test(doubles),
		cmocka_unit_test(segments),
		cmocka_unit_test(chips),
		cmocka_unit_test(types),
		cmocka_unit_test(around),
		cmocka_unit_test(legal),
	};

	return cmocka_run_group_tests_name("legal", tests, NULL, NULL);
}
