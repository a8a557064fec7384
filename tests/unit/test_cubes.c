/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cubes joined by switches, against closed formulas and a machine small enough to look at.
 */
#include <math.h>
#include <stdlib.h>

#include "sim/cubes.h"
#include "support.h"

/* 4x4x4 chips, each a node, or four on a host: then 2x2x4 nodes. */
static const struct cubes chips = {{4, 4, 4}}, hosts = {{2, 2, 4}};

static double choose(int n, int k)
{
	return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1));
}

/* A cube of n nodes is lost with chance 1 - a^n. */
static void share_lost(const struct cubes *cubes, int nodes, double availability)
{
	enum { DRAWS = 100 };
	struct mesh *mesh = make_mesh(3, (int[]){8 * cubes->side[0], 8 * cubes->side[1], 8 * cubes->side[2]}, 7, 1);
	double wanted = 1 - pow(availability, nodes), sum = 0;
	int n = DRAWS * cubes_count(mesh, cubes);

	assert_int_equal(n, DRAWS * 512);
	for (int i = 0; i < DRAWS; i++) {
		struct nodeset down;

		assert_int_equal(nodeset_init(&down, mesh->nnodes), 0);
		cubes_draw(&down, availability, (uint64_t)i);
		sum += cubes_lost(mesh, cubes, &down) / DRAWS;
		nodeset_release(&down);
	}
	/* Four standard deviations. */
	if (fabs(sum - wanted) > 4 * sqrt(wanted * (1 - wanted) / n))
		fail_msg("%g of the cubes are lost at %g, not %g", sum, availability, wanted);
	mesh_free(mesh);
}

static void lost(void **state)
{
	static const double availability[] = {0.99, 0.995, 0.999, 0.9999};

	(void)state;
	for (int i = 0; i < 4; i++) {
		share_lost(&chips, 64, availability[i]);
		share_lost(&hosts, 16, availability[i]);
	}
}

/* How many jobs of that shape the machine holds at once, without the nodes that are down. */
static int hold(struct strategy *strategy, const struct nodeset *down, const struct mesh_shape *shape)
{
	const struct mesh *mesh = strategy->mesh;
	struct nodeset left;
	struct mesh_state state = {.free = &left};
	struct mesh_request request = {.shape = *shape};
	struct mesh_answer answer = {.node = malloc((size_t)mesh->nnodes * sizeof(int))};
	int n = 0;

	assert_int_equal(nodeset_init(&left, mesh->nnodes), 0);
	nodeset_set_all(&left);
	nodeset_remove(&left, down);
	for (; strategy_decide(strategy, &state, &request, &answer) == MESH_OK; n++)
		for (int i = 0; i < answer.count; i++) {
			assert_true(nodeset_has(&left, answer.node[i]));
			nodeset_del(&left, answer.node[i]);
		}
	nodeset_release(&left);
	free(answer.node);
	return n;
}

/*
 * The share of 4,096 chips in slices of one size: of 64 cubes of which each is whole with chance p,
 * sum over k of C(64, k) p^k (1-p)^(64-k) floor(k / cubes of a slice) slices. Some 54.5 cubes are
 * whole at 99% of 16 hosts: three slices of 16, one of 32 and one of 48, 75%, 50% and 75% of the machine.
 */
static void goodput(int sides, int cubes, double plain)
{
	enum { DRAWS = 60 };
	struct mesh *mesh = make_mesh(3, (int[]){8, 8, 16}, 7, 1);
	struct strategy_ops ops = cubes_strategy(&hosts);
	struct mesh_err err = {{0}};
	struct strategy *ours = strategy_new(&ops, mesh, &err);
	struct strategy *boxes = strategy_new(strategy_find("bf"), mesh, &err);
	struct mesh_shape shape = {.ndims = 3, .side = {8, 8, sides}};
	double p = pow(0.99, 16), formula = 0, sum = 0, squares = 0, torus = 0;

	for (int k = 0; k <= 64; k++)
		formula += choose(64, k) * pow(p, k) * pow(1 - p, 64 - k) * (k / cubes) * cubes / 64.0;
	for (int i = 0; i < DRAWS; i++) {
		struct nodeset down;
		double share;

		assert_int_equal(nodeset_init(&down, mesh->nnodes), 0);
		cubes_draw(&down, 0.99, (uint64_t)i + 7);
		share = hold(ours, &down, &shape) * cubes / 64.0;
		torus += hold(boxes, &down, &shape) * cubes / 64.0 / DRAWS;
		sum += share / DRAWS;
		squares += share * share / DRAWS;
		nodeset_release(&down);
	}
	double margin = 4 * sqrt(fmax(squares - sum * sum, 0) / DRAWS) + 0.01;

	if (fabs(sum - formula) > margin || fabs(formula - plain) > 0.02)
		fail_msg("slices of %d cubes: %g of the chips, %g by the formula, about %g", cubes, sum,
			formula, plain);
	/* Ten nodes in the wrong places leave a static torus hardly any large box. */
	assert_true(torus < sum / 2);
	strategy_free(ours);
	strategy_free(boxes);
	mesh_free(mesh);
}

static void slices(void **state)
{
	(void)state;
	goodput(4, 16, 0.75);
	goodput(8, 32, 0.50);
	goodput(12, 48, 0.75);
}

struct question {
	struct mesh_request request;
	enum mesh_result result;
	int nodes;
};

/* 8x8x8, of whose eight cubes only two that touch in a corner are free. */
static void any_cubes(void **state)
{
	const struct question questions[] = {
		{{.shape = {.ndims = 3, .side = {8, 4, 4}, .torus = true}}, MESH_OK, 128},
		{{.shape = {.ndims = 3, .side = {4, 4, 8}}}, MESH_OK, 128},
		{{.count = 128}, MESH_OK, 128},
		{{.count = 65}, MESH_OK, 128},			 /* whole cubes */
		{{.shape = {.ndims = 2, .side = {5, 2}}}, MESH_OK, 128},
		{{.count = 64}, MESH_OK, 64},
		{{.count = 5}, MESH_OK, 5},
		{{.shape = {.ndims = 3, .side = {4, 4, 4}, .torus = true}}, MESH_OK, 64},
		{{.shape = {.ndims = 3, .side = {4, 4, 2}, .torus = true}}, MESH_NEVER, 0},
		{{.shape = {.ndims = 3, .side = {8, 8, 4}}}, MESH_NO_FIT, 0},
		{{.shape = {.ndims = 3, .side = {9, 2, 2}, .norotate = true}}, MESH_NO_FIT, 0}, /* three */
		{{.shape = {.ndims = 2, .side = {9, 9}}}, MESH_NEVER, 0}, /* nine */
	};
	struct mesh *mesh = make_mesh(3, (int[]){8, 8, 8}, 7, 1);
	struct strategy_ops ops = cubes_strategy(&chips);
	struct mesh_err err = {{0}};
	struct strategy *strategy = strategy_new(&ops, mesh, &err);
	struct nodeset left;
	int node[512];

	(void)state;
	assert_int_equal(nodeset_init(&left, 512), 0);
	for (int i = 0; i < 512; i++) {
		const int16_t *at = mesh->coord[mesh->vertex_of[i]];

		if (at[0] / 4 == at[1] / 4 && at[0] / 4 == at[2] / 4)
			nodeset_add(&left, i);
	}
	for (unsigned i = 0; i < sizeof(questions) / sizeof(*questions); i++) {
		struct mesh_state now = {.free = &left};
		struct mesh_answer answer = {.node = node};

		if (strategy_decide(strategy, &now, &questions[i].request, &answer) != questions[i].result ||
			answer.count != questions[i].nodes)
			fail_msg("question %u: %d nodes, %s", i, answer.count, answer.err.text);
	}
	nodeset_release(&left);
	strategy_free(strategy);
	mesh_free(mesh);
}

/* A small job is inside one cube and in a box; it goes where the least is free. */
static void small_jobs(void **state)
{
	struct mesh *mesh = make_mesh(3, (int[]){8, 8, 8}, 7, 1);
	struct strategy_ops ops = cubes_strategy(&chips);
	struct mesh_err err = {{0}};
	struct strategy *strategy = strategy_new(&ops, mesh, &err);
	uint64_t seed = 12;
	int node[512];

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct mesh_shape shape = {.ndims = 3, .side = {random_int(&seed, 1, 4), random_int(&seed, 1, 4),
			random_int(&seed, 1, 4)}};
		struct nodeset left, others;
		struct mesh_answer answer = {.node = node};
		struct mesh_state now = {.free = &left};
		int cubes = 0;

		assert_int_equal(nodeset_init(&left, 512), 0);
		assert_int_equal(nodeset_init(&others, 512), 0);
		random_set(&seed, &left, random_int(&seed, 30, 100));
		if (strategy_decide(strategy, &now, &(struct mesh_request){.shape = shape}, &answer) == MESH_OK) {
			assert_int_equal(answer.count, shape.side[0] * shape.side[1] * shape.side[2]);
			for (int i = 0; i < answer.count; i++) {
				assert_true(nodeset_has(&left, node[i]));
				nodeset_add(&others, node[i]);
			}
			cubes = (int)(cubes_lost(mesh, &chips, &others) * 8 + 0.5);
			assert_int_equal(cubes, 1);
		}
		nodeset_release(&left);
		nodeset_release(&others);
	}
	strategy_free(strategy);
	mesh_free(mesh);
}

static void texts(void **state)
{
	static const char *const bad[] = {"4x4", "3x4x4", "4x4x4:torus", "4x4x4:chips", "4x4x16", "cubes", ""};
	struct mesh *mesh = make_mesh(3, (int[]){8, 8, 8}, 7, 1);
	struct mesh_err err = {{0}};
	struct cubes cubes;

	(void)state;
	assert_int_equal(cubes_parse("4x2x8", mesh, &cubes, &err), 0);
	assert_int_equal(cubes_count(mesh, &cubes), 8);
	for (unsigned i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(cubes_parse(bad[i], mesh, &cubes, &err), -1);
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lost),
		cmocka_unit_test(slices),
		cmocka_unit_test(any_cubes),
		cmocka_unit_test(small_jobs),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
