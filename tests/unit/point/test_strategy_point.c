/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The point strategies against their plain references, node by node, and against the figures
 * of the paper.
 */
#include <stdlib.h>
#include <string.h>

#include "geometry/metrics.h"
#include "point/plain_point.h"
#include "conf/strategies.h"
#include "support.h"
#include "decide/strategy_decide.h"

static const char *const plain_names[] = {"mm", "gen-alg", "mm+inc", "mc1x1", "mc"};

struct scene {
	struct mesh *mesh;
	struct nodeset free_set, required;
	struct mesh_request request;
	struct mesh_answer answer;
	struct plain_answer plain;
};

static void open_scene(struct scene *s, struct mesh *mesh)
{
	*s = (struct scene){.mesh = mesh};
	assert_false(nodeset_init(&s->free_set, mesh->nnodes));
	assert_false(nodeset_init(&s->required, mesh->nnodes));
	s->answer.node = malloc((size_t)mesh->nnodes * sizeof(int));
	s->plain.node = malloc((size_t)mesh->nnodes * sizeof(int));
	assert_true(s->answer.node && s->plain.node);
}

static void close_scene(struct scene *s)
{
	nodeset_release(&s->free_set);
	nodeset_release(&s->required);
	free(s->answer.node);
	free(s->plain.node);
	mesh_free(s->mesh);
}

/* A state and a request that has an answer. */
static void fill_scene(struct scene *s, uint64_t *seed, int most)
{
	int nfree;

	random_set(seed, &s->free_set, random_int(seed, 0, 3) ? random_int(seed, 20, 100) : 100);
	if (!nodeset_count(&s->free_set))
		nodeset_add(&s->free_set, random_int(seed, 0, s->mesh->nnodes - 1));
	nfree = nodeset_count(&s->free_set);
	/* No more than a vertex may have, often. */
	if (random_int(seed, 0, 3) == 0)
		most = s->mesh->nodes_per_vertex;
	s->request = (struct mesh_request){
		.count = random_int(seed, 1, nfree < most ? nfree : most)};
	if (random_int(seed, 0, 3) == 0) {
		random_set(seed, &s->required, random_int(seed, 1, 20));
		nodeset_and(&s->required, &s->free_set);
		if (nodeset_count(&s->required) <= s->request.count)
			s->request.required = &s->required;
	}
	if (random_int(seed, 0, 2) == 0) {
		s->request.shape.ndims = s->mesh->ndims;
		s->request.shape.norotate = random_next(seed) & 1;
		for (int d = 0; d < s->mesh->ndims; d++)
			s->request.shape.side[d] = random_int(seed, 1, 4);
	}
}

static struct strategy *new_strategy(const char *name, const struct mesh *mesh)
{
	struct mesh_err err;
	struct strategy *strategy = strategy_new(strategy_find(name), mesh, &err);

	assert_non_null(strategy);
	return strategy;
}

static void ask(struct strategy *strategy, struct scene *s)
{
	struct mesh_state state = {.free = &s->free_set};

	assert_int_equal(strategy_decide(strategy, &state, &s->request, &s->answer), MESH_OK);
}

static void decide(const char *name, struct scene *s)
{
	struct strategy *strategy = new_strategy(name, s->mesh);

	ask(strategy, s);
	strategy_free(strategy);
}

static void compare(struct strategy *strategy, struct scene *s, int round)
{
	const char *name = strategy->ops->name;

	ask(strategy, s);
	plain_point(name, s->mesh, &s->free_set, &s->request, &s->plain);
	int64_t total = mesh_pairwise_hops(s->mesh, s->answer.node, s->answer.count);

	if (total == s->plain.total && (int64_t)s->answer.cost == s->plain.cost &&
		!memcmp(s->answer.node, s->plain.node, (size_t)s->request.count * sizeof(int)))
		return;
	fail_msg("%s, round %d: %dx%dx%d wrap %d%d%d, %d nodes, %d free, k %d: total %lld cost "
		 "%lld, plain %lld %lld",
		name, round, s->mesh->side[0], s->mesh->side[1], s->mesh->side[2], s->mesh->wrap[0],
		s->mesh->wrap[1], s->mesh->wrap[2], s->mesh->nnodes, nodeset_count(&s->free_set),
		s->request.count, (long long)total, (long long)s->answer.cost,
		(long long)s->plain.total, (long long)s->plain.cost);
}

/* Decisions of one object, so that what it keeps of one state must not show in the next. */
static void compare_all(struct mesh *mesh, uint64_t *seed, int decisions, int round)
{
	struct scene s;

	open_scene(&s, mesh);
	for (size_t i = 0; i < sizeof(plain_names) / sizeof(*plain_names); i++) {
		struct strategy *strategy = new_strategy(plain_names[i], mesh);

		for (int n = 0; n < decisions; n++) {
			fill_scene(&s, seed, 40);
			compare(strategy, &s, round);
		}
		strategy_free(strategy);
	}
	close_scene(&s);
}

static void equal_to_plain(void **state)
{
	(void)state;
	for (struct rounds r = rounds(5, 800); rounds_next(&r);) {
		int round = random_int(&r.seed, 0, 799);

		compare_all(random_mesh(&r.seed, 6, round % 50 ? 30 : 120), &r.seed, 3, round);
	}
}

/* Few dimensions, some with a side of 1 or 2, and several nodes on each vertex. */
static void equal_to_plain_on_lines(void **state)
{
	(void)state;
	for (struct rounds r = rounds(15, 300); rounds_next(&r);) {
		int round = random_int(&r.seed, 0, 299);
		int side[3] = {random_int(&r.seed, 1, 40), random_int(&r.seed, 1, 2),
			random_int(&r.seed, 1, 2)},
		    first = random_int(&r.seed, 0, 2), swap = side[first];

		side[first] = side[0];
		side[0] = swap;
		compare_all(make_mesh(random_int(&r.seed, 1, 3), side,
				    (unsigned)random_int(&r.seed, 0, 7), random_int(&r.seed, 1, 5)),
			&r.seed, 3, round);
	}
}

/* Free and busy nodes in blocks, as streams leave them, so that centres are alike, and shells
 * large. */
static void fill_blocks(struct scene *s, uint64_t *seed)
{
	const struct mesh *mesh = s->mesh;
	int nfree;

	nodeset_set_all(&s->free_set);
	for (int block = random_int(seed, 0, 6); block; block--) {
		int from[MESH_MAX_DIMS], past[MESH_MAX_DIMS];
		bool busy = random_int(seed, 0, 4);

		for (int d = 0; d < mesh->ndims; d++) {
			from[d] = random_int(seed, 0, mesh->side[d] - 1);
			past[d] = from[d] + random_int(seed, 1, mesh->side[d] / 2 + 1);
		}
		for (int i = 0; i < mesh->nnodes; i++) {
			const int16_t *at = mesh->coord[mesh->vertex_of[i]];
			bool inside = true;

			for (int d = 0; d < mesh->ndims; d++)
				inside &= at[d] >= from[d] && at[d] < past[d];
			if (inside && busy)
				nodeset_del(&s->free_set, i);
			else if (inside)
				nodeset_add(&s->free_set, i);
		}
	}
	if (!nodeset_count(&s->free_set))
		nodeset_add(&s->free_set, 0);
	nfree = nodeset_count(&s->free_set);
	s->request =
		(struct mesh_request){.count = random_int(seed, 1, random_int(seed, 1, nfree))};
}

static void one_round_of_blocks(uint64_t *seed, const char *name, int most, int decisions)
{
	int least = random_int(seed, 0, 1) ? 2 : most - 2;
	int side[] = {random_int(seed, least, most), random_int(seed, least, most),
		random_int(seed, 2, most)};
	unsigned wrap = random_int(seed, 0, 1) ? (unsigned)random_int(seed, 0, 7) : 0;
	struct scene s;

	open_scene(&s,
		make_mesh(most > 7 ? 2 : 3, side, wrap,
			random_int(seed, 0, 3) ? 1 : random_int(seed, 2, 3)));
	struct strategy *strategy = new_strategy(name, s.mesh);
	for (int i = 0; i < decisions; i++) {
		fill_blocks(&s, seed);
		compare(strategy, &s, i);
	}
	strategy_free(strategy);
	close_scene(&s);
}

static void equal_to_plain_beside_blocks(void **state)
{
	(void)state;
	for (struct rounds r = rounds(77, 6); rounds_next(&r);) {
		one_round_of_blocks(&r.seed, "mm", 18, 12);
		one_round_of_blocks(&r.seed, "mm", 7, 2);
		one_round_of_blocks(&r.seed, "mc1x1", 13, 4);
		one_round_of_blocks(&r.seed, "mc1x1", 9, 20);
		one_round_of_blocks(&r.seed, "mc1x1", 7, 2);
		one_round_of_blocks(&r.seed, "mc", 6, 1);
	}
}

/* A shell whose cells are nearer to each other round the ring than along the line. */
static void equal_to_plain_round_a_ring(void **state)
{
	(void)state;
	for (int side = 8; side < 12; side++)
		for (int k = 34; k < 48; k++) {
			struct strategy *strategy;
			struct scene s;

			open_scene(&s, make_mesh(2, (int[]){side, side}, 3, 1));
			for (int i = 0; i < s.mesh->nnodes; i++)
				if (i % side % 8 && i / side % 8 && i % side < 8 && i / side < 8)
					nodeset_add(&s.free_set, i);
			s.request.count = k;
			strategy = new_strategy("mc1x1", s.mesh);
			compare(strategy, &s, k);
			strategy_free(strategy);
			close_scene(&s);
		}
}

/* Most of one of two free boxes. The first is over the edge of the ring: its nodes are numbered
 * otherwise, and of the last shell others are chosen, with 10756 hops for 10747. */
static void equal_to_plain_over_the_edge(void **state)
{
	struct strategy *mc;
	struct scene s;

	(void)state;
	open_scene(&s, make_mesh(3, (int[]){10, 10, 10}, 7, 1));
	for (int x = 2; x < 7; x++)
		for (int y = 0; y < 4; y++)
			for (int z = 0; z < 5; z++) {
				nodeset_add(&s.free_set, x + (7 + y) % 10 * 10 + z * 100);
				nodeset_add(&s.free_set, x + (2 + y) * 10 + (5 + z) * 100);
			}
	s.request = (struct mesh_request){.count = 74,
		.shape = {.ndims = 3, .side = {5, 4, 5}, .norotate = true}};
	mc = new_strategy("mc", s.mesh);
	compare(mc, &s, 0);
	assert_int_equal(mesh_pairwise_hops(s.mesh, s.answer.node, s.answer.count), 10747);
	strategy_free(mc);
	close_scene(&s);
}

/* Shells so large that the clock is looked at while nodes are chosen from them. */
static void equal_to_plain_in_large_shells(void **state)
{
	static const int side[] = {24, 24};
	uint64_t seed = 11;
	struct mesh *mesh = make_mesh(2, side, 3, 1);
	struct strategy *strategy = new_strategy("mc", mesh);
	struct scene s;

	(void)state;
	open_scene(&s, mesh);
	random_set(&seed, &s.free_set, 98);
	s.request.count = 540;
	compare(strategy, &s, 0);
	strategy_free(strategy);
	close_scene(&s);
}

static void set_free(struct scene *s, const int *node, int n)
{
	nodeset_clear_all(&s->free_set);
	for (int i = 0; i < n; i++)
		nodeset_add(&s->free_set, node[i]);
}

/* More nodes on a vertex than wanted: the ball around a centre may have none. */
static void fewer_than_a_vertex_has(void **state)
{
	static const int many[] = {6, 9, 13, 16, 17, 20, 21, 22, 24, 25, 31, 32, 34, 35, 37, 41, 50,
		52, 59, 60, 61, 62}, few[] = {2, 1152, 1153, 1200};
	struct scene s;

	(void)state;
	open_scene(&s, make_mesh(1, (int[]){24}, 0, 3));
	set_free(&s, many, sizeof(many) / sizeof(*many));
	s.request = (struct mesh_request){.count = 3};
	decide("mm", &s);
	assert_int_equal((int)s.answer.cost, 0);
	close_scene(&s);
	open_scene(&s, make_mesh(3, (int[]){24, 24, 24}, 0, 2));
	set_free(&s, few, sizeof(few) / sizeof(*few));
	s.request = (struct mesh_request){.count = 2};
	decide("mm", &s);
	assert_int_equal((int)s.answer.cost, 0);
	close_scene(&s);
}

/* A decision between two equal ones, by one object, changes nothing. */
static void forgets(void **state)
{
	static const int some[] = {1, 5, 9, 12, 14, 20, 21, 22, 25, 27, 28, 32, 33, 35, 37, 39, 40,
		43, 48, 49, 50, 52, 54, 56, 57, 58, 60, 61, 64, 65, 66, 67};
	struct strategy *mm;
	struct scene s;

	(void)state;
	open_scene(&s, make_mesh(1, (int[]){18}, 0, 4));
	mm = new_strategy("mm", s.mesh);
	for (int i = 0; i < 3; i++) {
		set_free(&s, some, sizeof(some) / sizeof(*some));
		s.request = (struct mesh_request){.count = i == 1 ? 60 : 4};
		if (i == 1)
			nodeset_set_all(&s.free_set);
		compare(mm, &s, i);
	}
	strategy_free(mm);
	close_scene(&s);
}

static void set_line(struct scene *s, const char *line, int count)
{
	for (int i = 0; i < s->mesh->nnodes; i++)
		(line[i] == '1' ? nodeset_add : nodeset_del)(&s->free_set, i);
	s->request = (struct mesh_request){.count = count};
}

/* A box that no other one ties with has the cost of this state, not of the one before. */
static void forgets_boxes(void **state)
{
	struct strategy *mc;
	struct scene s;

	(void)state;
	open_scene(&s, make_mesh(2, (int[]){4, 4}, 0, 1));
	mc = new_strategy("mc", s.mesh);
	set_line(&s, "1011110011011101", 4);
	compare(mc, &s, 0);
	set_line(&s, "1110111101111001", 6);
	compare(mc, &s, 1);
	strategy_free(mc);
	close_scene(&s);
}

/* The longest side there may be: nothing overflows, and budgets hold. */
static void longest_line(void **state)
{
	static const int side[] = {1, MESH_MAX_SIDE};
	struct scene s;

	(void)state;
	open_scene(&s, make_mesh(2, side, 0, 1));
	for (int node = 30000; node <= 30120; node += 40)
		nodeset_add(&s.free_set, node);
	s.request = (struct mesh_request){.count = 4};
	decide("mm", &s);
	assert_int_equal((int)s.answer.cost, 400);
	/* Not a step for each pair of coordinates: that took more than a second. */
	s.request.budget_ns = 400000000;
	decide("mm+inc", &s);
	assert_false(s.answer.out_of_time);
	s.request.budget_ns = 0;
	set_free(&s, (int[]){0, 1, 32765, 32766}, 4);
	decide("mm", &s);
	assert_int_equal((int)s.answer.cost, 131062);
	close_scene(&s);
}

/* Hops to all that is chosen do not fit keys of 32 bits: 5,002 vertices with 200 nodes, and 100 of
 * one more. */
static void hops_beyond_keys(void **state)
{
	static const char *const names[] = {"mm", "gen-alg"};
	double s = 5002;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct scene line;

		open_scene(&line, make_mesh(1, (int[]){5100}, 0, 200));
		for (int node = 0; node < 200 * (int)(s + 1); node++)
			nodeset_add(&line.free_set, node);
		line.request = (struct mesh_request){.count = 200 * (int)s + 100};
		decide(names[i], &line);
		assert_true(
			line.answer.cost == 40000 * (s * s * s - s) / 6 + 20000 * s * (s + 1) / 2);
		close_scene(&line);
	}
}

static double cost_of(uint64_t seed, int heavy, int vertices)
{
	struct scene s;
	double cost;

	open_scene(&s, make_mesh(2, (int[]){20, 20}, 1, heavy));
	for (int v = 0; v < s.mesh->nvertices; v++)
		for (int i = 0, taken = random_int(&seed, 0, 2); taken && i < heavy; i++)
			nodeset_add(&s.free_set, v * heavy + i);
	s.request = (struct mesh_request){.count = vertices * heavy};
	decide("mm", &s);
	cost = s.answer.cost;
	close_scene(&s);
	return cost;
}

/* Balls of more nodes than 16 bits count: a thousand on each vertex, a million times the hops. */
static void balls_beyond_counters(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++)
		assert_true(cost_of(seed, 1000, 60 * (int)seed) ==
			1e6 * cost_of(seed, 1, 60 * (int)seed));
}

/* Bender et al., figure 2: the least totals on an empty 16x16 mesh. */
static void published_optima(void **state)
{
	static const int optimum[] = {0, 0, 1, 4, 8, 16, 25, 38, 54, 72, 96, 124, 152, 188, 227,
		272, 318, 374, 433, 496, 563, 632};
	struct scene s;

	(void)state;
	open_scene(&s, make_mesh(2, (int[]){16, 16}, 0, 1));
	nodeset_set_all(&s.free_set);
	for (int k = 2; k <= 21; k++) {
		s.request = (struct mesh_request){.count = k};
		decide("mm+inc", &s);
		assert_int_equal((int)s.answer.cost, optimum[k]);
	}
	close_scene(&s);
}

/* mm is within 2 - 1/(2d) of the least total on a mesh. */
static void mm_ratio(void **state)
{
	(void)state;
	for (struct rounds r = rounds(21, 300); rounds_next(&r);) {
		struct scene s;
		int d = random_int(&r.seed, 1, 3);
		int side[3] = {random_int(&r.seed, 3, 6), random_int(&r.seed, 3, 6),
			random_int(&r.seed, 3, 4)};

		open_scene(&s, make_mesh(d, side, 0, 1));
		random_set(&r.seed, &s.free_set, random_int(&r.seed, 10, 60));
		nodeset_add(&s.free_set, 0);
		while (nodeset_count(&s.free_set) > 18)
			nodeset_del(&s.free_set, nodeset_next(&s.free_set, 1));
		int most = nodeset_count(&s.free_set);

		s.request.count = random_int(&r.seed, 1, most < 6 ? most : 6);
		decide("mm", &s);
		double least = (double)plain_least_total(s.mesh, &s.free_set, &s.request);

		assert_true(s.answer.cost >= least);
		assert_true(s.answer.cost * 2 * d <= least * (4 * d - 1));
		close_scene(&s);
	}
}

/* The paper's worst case, lemma 1: k/2 nodes on each of two vertices `apart` hops apart, and k/8
 * on six that are one hop nearer to one of them. Their total over the best one. */
static double worst_ratio(int apart, int k)
{
	const int place[8][2] = {{0, 0}, {apart, 0}, {0, apart - 1}, {0, 1 - apart},
		{apart, apart - 1}, {apart, 1 - apart}, {2 * apart - 1, 0}, {1 - apart, 0}};
	struct mesh_spec spec = {.name = "worst", .ndims = 2,
		.side = {3 * apart - 1, 2 * apart - 1}};
	int *vertex_of = malloc((size_t)(2 * k) * sizeof(int));
	struct mesh_err err;
	struct scene s;
	double ratio;

	assert_non_null(vertex_of);
	for (int i = 0; i < 8; i++)
		for (int j = 0; j < (i < 2 ? k / 2 : k / 8); j++)
			vertex_of[spec.nnodes++] = place[i][0] + apart - 1 +
				spec.side[0] * (place[i][1] + apart - 1);
	spec.vertex_of = vertex_of;
	open_scene(&s, mesh_new(&spec, &err));
	nodeset_set_all(&s.free_set);
	s.request = (struct mesh_request){.count = k};
	decide("mm", &s);
	ratio = s.answer.cost / ((double)k / 2 * k / 2 * apart);
	close_scene(&s);
	free(vertex_of);
	return ratio;
}

static void mm_worst_case(void **state)
{
	double before = 1;

	(void)state;
	for (int apart = 4; apart <= 64; apart *= 4) {
		double ratio = worst_ratio(apart, 64);

		assert_true(ratio > before && ratio <= 1.75);
		before = ratio;
	}
	assert_true(before > 1.7);
}

/* An expired budget still gives a placement, and says so. */
static void budget(void **state)
{
	struct scene s;

	(void)state;
	open_scene(&s, make_mesh(3, (int[]){24, 24, 24}, 0, 1));
	nodeset_set_all(&s.free_set);
	for (int i = 0; i < 24 * 24 * 24; i += 3)
		nodeset_del(&s.free_set, i);
	for (size_t i = 0; i < sizeof(plain_names) / sizeof(*plain_names); i++) {
		s.request = (struct mesh_request){.count = 500, .budget_ns = 1};
		decide(plain_names[i], &s);
		assert_int_equal(s.answer.count, 500);
		assert_true(s.answer.out_of_time);
	}
	close_scene(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mm_worst_case),
		cmocka_unit_test(budget),
		cmocka_unit_test(published_optima),
		cmocka_unit_test(mm_ratio),
		cmocka_unit_test(equal_to_plain),
		cmocka_unit_test(equal_to_plain_on_lines),
		cmocka_unit_test(equal_to_plain_over_the_edge),
		cmocka_unit_test(equal_to_plain_in_large_shells),
		cmocka_unit_test(fewer_than_a_vertex_has),
		cmocka_unit_test(equal_to_plain_beside_blocks),
		cmocka_unit_test(equal_to_plain_round_a_ring),
		cmocka_unit_test(forgets),
		cmocka_unit_test(forgets_boxes),
		cmocka_unit_test(longest_line),
		cmocka_unit_test(hops_beyond_keys),
		cmocka_unit_test(balls_beyond_counters),
	};

	return cmocka_run_group_tests_name("strategy_point", tests, NULL, NULL);
}
