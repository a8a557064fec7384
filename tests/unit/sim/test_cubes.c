/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cubes joined by switches, against closed formulas and a machine small enough to look at.
 */
#include <math.h>
#include <stdlib.h>

#include "ranks/rankmap.h"
#include "geometry/box.h"
#include "sim/cubes.h"
#include "sim/engine.h"
#include "conf/strategies.h"
#include "support.h"
#include "decide/strategy_decide.h"

/* 4x4x4 chips, each a node, or four on a host: then 2x2x4 nodes. */
static const struct cubes chips = {.side = {4, 4, 4}}, hosts = {.side = {2, 2, 4}};

static double choose(int n, int k)
{
	return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1));
}

/* A cube of n nodes is lost with chance 1 - a^n. */
static void share_lost(const struct cubes *cubes, int nodes, double availability)
{
	enum { DRAWS = 100 };
	struct mesh *mesh = make_mesh(
		3, (int[]){8 * cubes->side[0], 8 * cubes->side[1], 8 * cubes->side[2]}, 7, 1);
	double wanted = 1 - pow(availability, nodes), sum = 0;
	int n = DRAWS * (mesh->nvertices / (int)box_volume(mesh->ndims, cubes->side));

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
static int hold(
	struct strategy *strategy, const struct nodeset *down, const struct mesh_shape *shape)
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
 * whole at 99% of 16 hosts: three slices of 16, one of 32 and one of 48, 75%, 50% and 75% of the
 * machine.
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
		formula +=
			choose(64, k) * pow(p, k) * pow(1 - p, 64 - k) * (k / cubes) * cubes / 64.0;
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
		fail_msg("slices of %d cubes: %g of the chips, %g by the formula, about %g", cubes,
			sum, formula, plain);
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
		{{.count = 128}, MESH_OK, 128}, {{.count = 65}, MESH_OK, 128}, /* whole cubes */
		{{.shape = {.ndims = 2, .side = {5, 2}}}, MESH_OK, 10},
		{{.shape = {.ndims = 2, .side = {5, 2}, .torus = true}}, MESH_OK, 128},
		{{.count = 64}, MESH_OK, 64}, {{.count = 5}, MESH_OK, 5},
		{{.shape = {.ndims = 3, .side = {4, 4, 4}, .torus = true}}, MESH_OK, 64},
		{{.shape = {.ndims = 3, .side = {4, 4, 2}, .torus = true}}, MESH_NEVER, 0},
		{{.shape = {.ndims = 3, .side = {8, 8, 4}}}, MESH_NO_FIT, 0},
		{{.shape = {.ndims = 3, .side = {9, 2, 2}, .norotate = true}}, MESH_NO_FIT,
			0},                                               /* three */
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

		if (strategy_decide(strategy, &now, &questions[i].request, &answer) !=
				questions[i].result ||
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
	int node[512];

	(void)state;
	for (struct rounds r = rounds(12, 300); rounds_next(&r);) {
		struct mesh_shape shape = {.ndims = 3,
			.side = {random_int(&r.seed, 1, 4), random_int(&r.seed, 1, 4),
				random_int(&r.seed, 1, 4)}};
		struct nodeset left, others;
		struct mesh_answer answer = {.node = node};
		struct mesh_state now = {.free = &left};
		int cubes = 0;

		assert_int_equal(nodeset_init(&left, 512), 0);
		assert_int_equal(nodeset_init(&others, 512), 0);
		random_set(&r.seed, &left, random_int(&r.seed, 30, 100));
		if (strategy_decide(strategy, &now, &(struct mesh_request){.shape = shape},
			    &answer) == MESH_OK) {
			assert_int_equal(
				answer.count, shape.side[0] * shape.side[1] * shape.side[2]);
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

/* What a job has of each cube of 8x8x16: the box around it, and how many vertices. */
struct share {
	int low[3], high[3], count;
};

static void add_share(struct share *share, const int16_t *at)
{
	struct share *s = &share[at[0] / 4 + 2 * (at[1] / 4) + 4 * (at[2] / 4)];

	for (int d = 0; d < 3; d++) {
		int x = at[d] % 4;

		s->low[d] = !s->count || x < s->low[d] ? x : s->low[d];
		s->high[d] = !s->count || x > s->high[d] ? x : s->high[d];
	}
	s->count++;
}

/* A box over several cubes has free vertices only, as many as asked for, and a box of each cube. */
static void shared(void **state)
{
	struct mesh *mesh = make_mesh(3, (int[]){8, 8, 16}, 7, 1);
	struct strategy_ops ops = cubes_strategy(&chips);
	struct mesh_err err = {{0}};
	struct strategy *strategy = strategy_new(&ops, mesh, &err);
	int node[1024], several = 0;

	(void)state;
	for (struct rounds r = rounds(48, 300); rounds_next(&r);) {
		struct mesh_request request = {.shape = {.ndims = 3,
			.side = {random_int(&r.seed, 1, 9), random_int(&r.seed, 1, 6),
				random_int(&r.seed, 1, 3)}, .fold = random_int(&r.seed, 0, 1)}};
		const int *side = request.shape.side;
		struct mesh_answer answer = {.node = node};
		struct share share[16] = {0};
		struct nodeset left;
		int used = 0;

		assert_int_equal(nodeset_init(&left, 1024), 0);
		random_set(&r.seed, &left, random_int(&r.seed, 700, 1024));
		strategy_decide(strategy, &(struct mesh_state){.free = &left}, &request, &answer);
		assert_true(!answer.count || answer.count == side[0] * side[1] * side[2]);
		for (int i = 0; i < answer.count; i++) {
			assert_true(nodeset_has(&left, node[i]));
			add_share(share, mesh->coord[mesh->vertex_of[node[i]]]);
		}
		for (int c = 0; c < 16; c++) {
			int volume = 1;

			for (int d = 0; d < 3; d++)
				volume *= share[c].high[d] - share[c].low[d] + 1;
			assert_true(!share[c].count || share[c].count == volume);
			used += share[c].count > 0;
		}
		several += used > 1;
		nodeset_release(&left);
	}
	assert_true(several > 0);
	strategy_free(strategy);
	mesh_free(mesh);
}

/* --- the network of a slice -------------------------------------------------------------- */

/* Hops along a side of n. */
static int along(int n, bool open, int a, int b)
{
	int far = abs(a - b);

	return open || far < n - far ? far : n - far;
}

/* Slices with rings and lines for sides: all pairs. */
static void networks(void **state)
{
	(void)state;
	for (struct rounds r = rounds(31, 200); rounds_next(&r);) {
		struct slice s = {.ndims = 3};
		struct engine_record record = {.diameter = -1};
		double sum = 0, n = 1;
		int diameter = 0;

		for (int d = 0; d < 3; d++) {
			s.side[d] = random_int(&r.seed, 1, 9);
			s.open[d] = random_int(&r.seed, 0, 1);
			n *= s.side[d];
		}
		for (int d = 0; d < 3; d++) {
			int side = s.side[d], far = 0;

			for (int a = 0; a < side; a++)
				for (int b = 0; b < side; b++) {
					int hops = along(side, s.open[d], a, b);

					sum += hops * (n / side) * (n / side);
					far = hops > far ? hops : far;
				}
			diameter += far;
		}
		measure_slice(&s, 1, &record);
		assert_int_equal(record.diameter, diameter);
		assert_true(fabs((double)record.pairwise_hops - sum / 2) <= 1);
		assert_true(n < 2 || fabs(record.mean_hops - sum / n / (n - 1)) < 1e-6);
	}
}

/* A job that has a part of a cube has no rings, and not the hops of the nodes that it has not. */
static void parts_of_cubes(void **state)
{
	struct mesh *mesh = make_mesh(3, (int[]){8, 8, 8}, 7, 1);
	struct strategy_ops ops = cubes_strategy(&chips);
	struct mesh_err err = {{0}};
	struct strategy *strategy = strategy_new(&ops, mesh, &err);
	struct nodeset left;
	int node[512];

	(void)state;
	assert_int_equal(nodeset_init(&left, 512), 0);
	nodeset_set_all(&left);
	for (int count = 1; count <= 130; count++) {
		struct mesh_answer answer = {.node = node};
		const struct slice *slice;
		int vertices = 1;

		assert_int_equal(strategy_decide(strategy, &(struct mesh_state){.free = &left},
				&(struct mesh_request){.count = count}, &answer), MESH_OK);
		slice = cubes_slice(strategy);
		for (int d = 0; slice && d < slice->ndims; d++)
			vertices *= slice->side[d];
		assert_int_equal(slice != NULL, count >= 64);
		assert_true(!slice || vertices == answer.count);
	}
	nodeset_release(&left);
	strategy_free(strategy);
	mesh_free(mesh);
}

/* A ring through all cubes may be longer than a side of a mesh: its square is no int. */
static void long_ring(void **state)
{
	const struct slice slice = {.ndims = 2, .side = {1 << 17, 1}};
	struct engine_record record = {.diameter = -1};

	(void)state;
	measure_slice(&slice, 1, &record);
	assert_int_equal(record.diameter, 1 << 16);
	assert_int_equal(record.pairwise_hops, INT64_C(1) << 48);
}

/* --- folded shapes ----------------------------------------------------------------------- */

/* Does the shape go onto a torus (or inside of a cube a mesh) of these sides, one hop a step? */
static bool one_hop(const struct mesh_shape *shape, const int *side, unsigned wrap)
{
	struct mesh *mesh = make_mesh(3, side, wrap, 1);
	struct traffic_grid grid = {.ndims = 3};
	struct traffic traffic = {0};
	struct mesh_err err;
	int node[512];
	struct rankmap_answer answer = {.place = malloc((size_t)mesh->nnodes * sizeof(int))};
	struct rankmap_input in = {.mesh = mesh,
		.node = node,
		.nnodes = mesh->nnodes,
		.per_node = 1,
		.traffic = &traffic,
		.grid = &grid,
		.fold_only = true};
	bool good;

	for (int i = 0; i < mesh->nnodes; i++)
		node[i] = i;
	for (int d = 0; d < 3; d++) {
		grid.side[d] = shape->side[d];
		grid.wrap[d] = shape->torus;
		grid.weight[d] = 1;
	}
	assert_int_equal(traffic_init_grid(&traffic, &grid, &err), 0);
	assert_int_equal(rankmap_solve(&in, &answer, &err), 0);
	good = answer.hop_bytes <= traffic_total(&traffic);
	traffic_release(&traffic);
	free(answer.place);
	mesh_free(mesh);
	return good;
}

static void folded(void **state)
{
	/* Sides 0: a box inside a cube. Unfolded they take 16, 4, 4, 4, 8, 2, 2 and 2 cubes. */
	static const struct {
		struct mesh_shape shape;
		int nodes, side[3];
	} of[] = {
		{{.ndims = 3, .side = {2, 2, 64}, .fold = true}, 256, {4, 8, 8}},
		{{.ndims = 3, .side = {2, 2, 16}, .fold = true, .torus = true}, 64, {4, 4, 4}},
		{{.ndims = 3, .side = {1, 4, 16}, .fold = true}, 64, {4, 4, 4}},
		{{.ndims = 3, .side = {1, 1, 16}, .fold = true}, 16, {0}},
		{{.ndims = 3, .side = {1, 1, 32}, .fold = true, .torus = true}, 32, {0}},
		{{.ndims = 3, .side = {2, 4, 8}, .fold = true}, 64, {4, 4, 4}},
		{{.ndims = 3, .side = {4, 4, 8}, .fold = true}, 128, {4, 4, 8}},
		{{.ndims = 3, .side = {3, 3, 5}, .fold = true}, 45, {3, 3, 5}}, /* has no fold */
		/* 83 is prime, a side of 168 is not. */
		{{.ndims = 3, .side = {1, 2, 166}, .fold = true}, 336, {4, 7, 12}},
	};
	struct mesh *mesh = make_mesh(3, (int[]){8, 8, 16}, 7, 1);
	struct strategy_ops ops = cubes_strategy(&chips);
	struct mesh_err err = {{0}};
	struct strategy *strategy = strategy_new(&ops, mesh, &err);
	struct nodeset all;
	int node[1024];

	(void)state;
	assert_int_equal(nodeset_init(&all, 1024), 0);
	nodeset_set_all(&all);
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		struct mesh_request request = {.shape = of[i].shape};
		struct mesh_answer answer = {.node = node};
		const struct slice *slice;
		int low[3] = {16, 16, 16}, high[3] = {0}, side[3];

		assert_int_equal(strategy_decide(strategy, &(struct mesh_state){.free = &all},
					 &request, &answer),
			MESH_OK);
		if (answer.count != of[i].nodes)
			fail_msg("shape %zu: %d nodes", i, answer.count);
		slice = cubes_slice(strategy);
		assert_int_equal(slice != NULL, of[i].side[0] > 0);
		for (int d = 0; d < 3; d++)
			if (of[i].side[0])
				assert_int_equal(slice->side[d], of[i].side[d]);
		for (int k = 0; k < answer.count; k++)
			for (int d = 0; d < 3; d++) {
				int c = mesh->coord[mesh->vertex_of[node[k]]][d];

				low[d] = c < low[d] ? c : low[d];
				high[d] = c > high[d] ? c : high[d];
			}
		for (int d = 0; d < 3; d++)
			side[d] = of[i].side[0] ? of[i].side[d] : high[d] - low[d] + 1;
		if (i < 7)
			assert_true(one_hop(&of[i].shape, side, of[i].side[0] ? 7 : 0));
	}
	nodeset_release(&all);
	strategy_free(strategy);
	mesh_free(mesh);
}

static void texts(void **state)
{
	static const char *const bad[] = {
		"4x4", "3x4x4", "4x4x4:torus", "4x4x4:chips", "4x4x16", "cubes", ""};
	struct mesh *mesh = make_mesh(3, (int[]){8, 8, 8}, 7, 1);
	struct mesh_err err = {{0}};
	struct cubes cubes;

	(void)state;
	assert_int_equal(cubes_parse("4x2x8", mesh, &cubes, &err), 0);
	assert_int_equal(box_volume(3, cubes.side), 64);
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
		cmocka_unit_test(networks),
		cmocka_unit_test(parts_of_cubes),
		cmocka_unit_test(long_ring),
		cmocka_unit_test(shared),
		cmocka_unit_test(folded),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
