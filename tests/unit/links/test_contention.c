/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Routes, patterns, and the quick engine of tests/lab/simgrid against cases done by hand.
 */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filling.h"
#include "links/links.h"
#include "links/load.h"
#include "sim/comm_round.h"
#include "scenario.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

static void test_routes_are_minimal(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 40); rounds_next(&r);) {
		struct mesh *mesh = random_mesh(&r.seed, 4, 200);
		int *link = malloc(((size_t)links_longest(mesh) + 1) * sizeof(int));

		for (int i = 0; i < 200; i++) {
			int from = random_int(&r.seed, 0, mesh->nvertices - 1);
			int to = random_int(&r.seed, 0, mesh->nvertices - 1), n;

			n = links_route(mesh, from, to, link);
			assert_int_equal(n, mesh_hops(mesh, from, to));
			for (int j = 0; j < n; j++) {
				assert_in_range(link[j], 0, links_count(mesh) - 1);
				/* dimension after dimension, the first link where the message is */
				if (j)
					assert_true(link[j] / 2 % mesh->ndims >=
						    link[j - 1] / 2 % mesh->ndims);
				else
					assert_int_equal(link[j] / 2 / mesh->ndims, from);
			}
		}
		free(link);
		mesh_free(mesh);
	}
}

/* What SimGrid 3.32 does on a torus of 8 (tests/lab/simgrid): half way up, but 4 to 0 down. */
static void test_half_way_round(void **state)
{
	static const int side[] = {8};
	struct mesh *mesh = make_mesh(1, side, 1, 1);

	(void)state;
	for (int a = 0; a < 8; a++)
		assert_int_equal(links_up(mesh, 0, a, (a + 4) % 8), a != 4);
	assert_true(links_up(mesh, 0, 6, 1));
	assert_false(links_up(mesh, 0, 1, 6));
	mesh_free(mesh);
}

static void check_sides(int count, int ndims, const int *expected)
{
	int side[MESH_MAX_DIMS];

	comm_grid_sides(count, ndims, side);
	assert_memory_equal(side, expected, (size_t)ndims * sizeof(int));
}

static void test_grid_sides(void **state)
{
	(void)state;
	check_sides(64, 3, (int[]){4, 4, 4});
	check_sides(16, 3, (int[]){4, 2, 2});
	check_sides(128, 3, (int[]){8, 4, 4});
	check_sides(72, 3, (int[]){6, 4, 3});
	check_sides(12, 2, (int[]){4, 3});
	check_sides(17, 2, (int[]){17, 1});
	check_sides(1, 3, (int[]){1, 1, 1});
}

/* Everybody sends to others, each at most once, and in three patterns gets as much. */
static void check_round(const struct comm_spec *spec)
{
	struct comm_round round;
	int *got = calloc((size_t)spec->count + 1, sizeof(int));

	assert_int_equal(comm_round_init(&round, spec), 0);
	for (int rank = 0; rank < spec->count; rank++)
		for (int i = round.start[rank]; i < round.start[rank + 1]; i++) {
			assert_in_range(round.to[i], 0, spec->count - 1);
			assert_int_not_equal(round.to[i], rank);
			for (int j = round.start[rank]; j < i; j++)
				assert_int_not_equal(round.to[i], round.to[j]);
			got[round.to[i]]++;
		}
	for (int rank = 0; rank < spec->count; rank++)
		assert_int_equal(got[rank], round.start[rank + 1] - round.start[rank]);
	free(got);
	comm_round_release(&round);
}

static void test_rounds(void **state)
{
	(void)state;
	for (int pattern = 0; pattern < COMM_PATTERNS; pattern++) {
		assert_int_equal(comm_pattern_find(comm_pattern_name(pattern)), pattern);
		for (int count = 1; count < 70; count += count < 20 ? 1 : 7)
			for (int peers = 0; peers < 12; peers += 4) {
				const struct comm_spec spec = {
					(enum comm_pattern)pattern, count, 3, peers, 5};

				check_round(&spec);
			}
	}
	assert_int_equal(comm_pattern_find("neighbor"), -1);
	assert_null(comm_pattern_name(COMM_PATTERNS));
}

/* All nodes of some vertices, in any order. */
static int random_nodes(uint64_t *seed, const struct mesh *mesh, int *node)
{
	int count = random_int(seed, 1, mesh->nnodes), n = 0;

	for (int i = 0; i < mesh->nnodes; i++)
		if (random_int(seed, 1, mesh->nnodes) <= count)
			node[n++] = i;
	return n;
}

/* What messages put on the links, one by one and hop by hop. */
static void plain_loads(const struct mesh *mesh, const struct comm_round *round, const int *vertex,
	double *load)
{
	int *link = malloc(((size_t)links_longest(mesh) + 1) * sizeof(int));

	memset(load, 0, (size_t)links_count(mesh) * sizeof(*load));
	for (int rank = 0; rank < round->count; rank++)
		for (int i = round->start[rank]; i < round->start[rank + 1]; i++)
			for (int n = links_route(mesh, vertex[rank], vertex[round->to[i]], link);
				n > 0; n--)
				load[load_number_of(mesh, link[n - 1])] +=
					1.0 / (round->start[rank + 1] - round->start[rank]);
	free(link);
}

/* No link is there twice, each with its load, and no other has any. */
static void check_loads(const struct mesh *mesh, const struct load_job *job, const double *load)
{
	double *left = malloc(((size_t)links_count(mesh) + 1) * sizeof(*left));

	memcpy(left, load, (size_t)links_count(mesh) * sizeof(*left));
	for (int i = 0; i < job->n; i++) {
		assert_true(job->load[i] > 0 && left[job->link[i]] > 0);
		assert_true(fabs(job->load[i] - left[job->link[i]]) < 1e-8);
		left[job->link[i]] = -1;
	}
	for (int l = 0; l < links_count(mesh); l++)
		assert_true(left[l] <= 0);
	free(left);
}

/* load[link] += the job's. */
static void add_load(const struct load_job *job, double *load)
{
	for (int i = 0; i < job->n; i++)
		load[job->link[i]] += job->load[i];
}

/* What ranks on n nodes put on the links by load_of(), and message by message. */
static void check_load_of(const struct mesh *mesh, struct load_meter *meter,
	enum comm_pattern pattern, const int *node, int n)
{
	const struct comm_spec spec = {pattern, n ? n : 1, mesh->ndims, 0, 1};
	double *load = calloc((size_t)links_count(mesh) + 1, sizeof(double));
	int *vertex = calloc((size_t)mesh->nnodes, sizeof(int));
	struct load_job job;
	struct comm_round round;

	for (int r = 0; r < n; r++)
		vertex[r] = mesh->vertex_of[node[r]];
	assert_int_equal(comm_round_init(&round, &spec), 0);
	plain_loads(mesh, &round, vertex, load);
	/* Again with what the first left behind. */
	for (int again = 0; again < 2; again++) {
		load_ranks(meter, vertex, n);
		load_of(meter, pattern, NULL, &job);
		check_loads(mesh, &job, load);
	}
	comm_round_release(&round);
	free(load);
	free(vertex);
}

static void test_load_is_that_of_messages(void **state)
{
	(void)state;
	for (struct rounds r = rounds(3, 240); rounds_next(&r);) {
		int i = random_int(&r.seed, 0, 239);
		struct mesh *mesh = random_mesh(&r.seed, 1 + i / 3 % 4, i % 2 ? 80 : 300);
		struct load_meter *meter = load_meter_new(mesh, &arena);
		int *node = calloc((size_t)mesh->nnodes, sizeof(int));

		check_load_of(mesh, meter, (enum comm_pattern)(COMM_RING + i % 2), node,
			random_nodes(&r.seed, mesh, node));
		free(node);
		arena_release(&arena);
		mesh_free(mesh);
	}
}

/* Ranks that exchange with rank ^ by: as two messages for each pair. */
static void check_pairs(
	const struct mesh *mesh, struct load_meter *meter, const int *node, int n, int by)
{
	int *to = malloc((size_t)n * sizeof(int)), *start = malloc(((size_t)n + 1) * sizeof(int)),
	    sent = 0;
	double *load = calloc((size_t)links_count(mesh) + 1, sizeof(double));
	struct comm_round round = {n, start, to};
	struct load_sums sums;

	for (int r = 0; r < n; r++) {
		start[r] = sent;
		if ((r ^ by) < n)
			to[sent++] = r ^ by;
	}
	start[n] = sent;
	plain_loads(mesh, &round, node, load);
	load_ranks(meter, node, n);
	load_of_pairs(meter, by, &sums);
	for (int l = 0; l < links_count(mesh); l++) {
		sums.all -= load[l];
		sums.squares -= load[l] * load[l];
	}
	assert_true(sums.all == 0 && sums.squares == 0);
	free(load);
	free(start);
	free(to);
}

static void test_load_of_pairs(void **state)
{
	uint64_t seed = 8;

	(void)state;
	for (int i = 0; i < 120; i++) {
		struct mesh *mesh = random_mesh(&seed, 1 + i / 3 % 4, i % 2 ? 80 : 300);
		struct load_meter *meter = load_meter_new(mesh, &arena);
		int *node = calloc((size_t)mesh->nnodes, sizeof(int)),
		    n = random_nodes(&seed, mesh, node);

		for (int r = 0; r < n; r++)
			node[r] = mesh->vertex_of[node[r]];
		for (int by = 1; by < n; by *= 2)
			check_pairs(mesh, meter, node, n, by);
		free(node);
		arena_release(&arena);
		mesh_free(mesh);
	}
}

/* Rows longer than two words of bits, lines that differ only far from their beginning; and no time
 * for any of it. */
static void test_load_on_long_rows(void **state)
{
	(void)state;
	for (int wrap = 0; wrap < 2; wrap++) {
		struct mesh_spec spec = {.name = "m",
			.ndims = 2,
			.side = {wrap ? 256 : 150, 8},
			.wrap = {wrap, wrap},
			.nnodes = wrap ? 2048 : 1200,
			.nodes_per_vertex = 1};
		struct mesh_err err;
		struct mesh *mesh = mesh_new(&spec, &err);
		struct load_meter *meter = load_meter_new(mesh, &arena);
		int *node = calloc((size_t)mesh->nnodes, sizeof(int)), n = 0;

		for (int i = 0; i < mesh->nnodes; i++)
			if (i != 3 * spec.side[0] + 120)
				node[n++] = i;
		for (enum comm_pattern pattern = COMM_RING; pattern <= COMM_GRID; pattern++) {
			struct mesh_budget budget;
			struct load_job job;

			mesh_budget_start(&budget, 1);
			load_meter_budget(meter, &budget);
			load_ranks(meter, node, n);
			load_of(meter, pattern, NULL, &job);
			assert_true(load_meter_late(meter));
			load_meter_budget(meter, NULL);
			check_load_of(mesh, meter, pattern, node, n - 1);
		}
		/* From the second vertex on, too: pairs lie across the ends of rows then. */
		for (int by = 1; by < n; by *= 2) {
			check_pairs(mesh, meter, node, n, by);
			check_pairs(mesh, meter, node + 1, n - 1, by);
		}
		free(node);
		arena_release(&arena);
		mesh_free(mesh);
	}
}

/* What the first link along the first side of a mesh carries, upwards, of a grid. */
static double first_link(int side, int other_side, const struct comm_grid *grid)
{
	int n = side * other_side;
	struct mesh_spec spec = {.name = "m", .ndims = 2, .side = {side, other_side}, .nnodes = n,
		.nodes_per_vertex = 1};
	int *vertex = calloc((size_t)n, sizeof(*vertex));
	double *load = calloc(4 * (size_t)n, sizeof(*load)), result;
	struct mesh_err err;
	struct mesh *mesh = mesh_new(&spec, &err);
	struct load_meter *meter = load_meter_new(mesh, &arena);
	struct load_job job;

	for (int i = 0; i < n; i++)
		vertex[i] = i;
	load_ranks(meter, vertex, n);
	load_of(meter, COMM_GRID, grid, &job);
	add_load(&job, load);
	result = load[load_number(mesh, 0, 0, true)];
	free(vertex);
	free(load);
	arena_release(&arena);
	mesh_free(mesh);
	return result;
}

static void test_given_grid(void **state)
{
	(void)state;
	/* Two ranks on each vertex: the first sends half to rank 4, the second a third each to 2
	 * and 5. */
	assert_float_equal(first_link(4, 1, &(struct comm_grid){2, {2, 4}}), 7.0F / 12, 1e-6);
	/* That cannot be shared evenly: a row, whose first sends all it has to the next. */
	assert_float_equal(first_link(4, 1, &(struct comm_grid){2, {3, 3}}), 1, 1e-6);
	/* More ranks than a given grid may have; both of the first's partners are in its row. */
	assert_float_equal(first_link(1025, 1024, NULL), 1, 1e-6);
	assert_int_equal(comm_grid_ranks(&(struct comm_grid){2, {1024, 1025}}), 0);
	assert_int_equal(comm_grid_ranks(&(struct comm_grid){2, {1024, 1024}}), 1024 * 1024);
}

/* Capacity 3. Flows over links 0-1, 1-2, 2 and 1: 1, 1, 2, 1. With weight 2 on 1 for the last:
 * all at 3/4 there, and 9/4 for the third. */
static void test_filling(void **state)
{
	static const double heavy[] = {2};
	struct filling_flow a = {(int[]){0, 1}, NULL, 2, 0}, b = {(int[]){1, 2}, NULL, 2, 0};
	struct filling_flow c = {(int[]){2}, NULL, 1, 0}, d = {(int[]){1}, NULL, 1, 0};
	struct filling_flow *flow[] = {&d, &a, &c, &b};
	struct filling *f = filling_new(3, 3);

	(void)state;
	for (int again = 0; again < 2; again++) {
		const float low = again ? 0.75F : 1.0F, high = again ? 2.25F : 2.0F;

		d.weight = again ? heavy : NULL;
		assert_int_equal(filling_solve(f, flow, 4), 0);
		assert_float_equal(a.rate, low, 1e-6F);
		assert_float_equal(b.rate, low, 1e-6F);
		assert_float_equal(c.rate, high, 1e-6F);
		assert_float_equal(d.rate, low, 1e-6F);
	}
	filling_free(f);
}

static bool at_once;

/* Seconds of a round of one job, or two, on a ring of 8. */
static void run_ring(enum comm_pattern pattern, int rounds, const struct scenario_nodes *jobs,
	int n, double *seconds)
{
	static const int side[] = {8};
	const struct engine_settings engine = {0, ""};
	const struct scenario_settings settings = {pattern, 0, 1, rounds, at_once};
	struct mesh *mesh = make_mesh(1, side, 1, 1);
	struct scenario scenario;

	assert_int_equal(scenario_init(&scenario, mesh, &settings, jobs, n), 0);
	engine_fluid.prepare(mesh, &engine);
	engine_fluid.run(&scenario, seconds);
	scenario_release(&scenario);
	mesh_free(mesh);
}

static void test_fluid(void **state)
{
	static const int near[] = {0, 1}, far[] = {0, 2}, between[] = {1, 3}, three[] = {0, 1, 3};
	double s[2];

	(void)state;
	/* Two ranks on a link each way: 1 MB at 1 MB/s. */
	run_ring(COMM_RING, 3, &(struct scenario_nodes){near, 2}, 1, s);
	assert_float_equal(s[0], 1, 1e-6);
	/* 0-2 and 1-3 share the link 1-2 in both directions. */
	run_ring(COMM_RING, 3, (struct scenario_nodes[]){{far, 2}, {between, 2}}, 2, s);
	assert_float_equal(s[0], 2, 1e-6);
	assert_float_equal(s[1], 2, 1e-6);
	/* 0-1 and 1-3 alone, 3-0 over all three links back: no sharing. */
	run_ring(COMM_RING, 3, &(struct scenario_nodes){three, 3}, 1, s);
	assert_float_equal(s[0], 1, 1e-6);
	/* 0-1, 1-3, 3-0, then 0-3, 1-0, 3-1, half as much each: 0-3 and 1-3 never meet. */
	run_ring(COMM_ALL_TO_ALL, 1, &(struct scenario_nodes){three, 3}, 1, s);
	assert_float_equal(s[0], 1, 1e-6);
}

static void test_at_once(void **state)
{
	static const int four[] = {0, 2, 4, 6}, near[] = {0, 1};
	double s[1];

	(void)state;
	/* A third to the next, a third half way round, two on a link, a third to the last. */
	run_ring(COMM_ALL_TO_ALL, 3, &(struct scenario_nodes){four, 4}, 1, s);
	assert_float_equal(s[0], 4.0 / 3, 1e-6);
	at_once = true;
	/* Three of these are on the fullest link. */
	run_ring(COMM_ALL_TO_ALL, 3, &(struct scenario_nodes){four, 4}, 1, s);
	assert_float_equal(s[0], 1, 1e-6);
	run_ring(COMM_ALL_TO_ALL, 1, &(struct scenario_nodes){four, 4}, 1, s);
	assert_float_equal(s[0], 1, 1e-6);
	run_ring(COMM_RANDOM, 3, &(struct scenario_nodes){near, 2}, 1, s);
	assert_float_equal(s[0], 1, 1e-6);
	at_once = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_routes_are_minimal),
		cmocka_unit_test(test_half_way_round),
		cmocka_unit_test(test_grid_sides),
		cmocka_unit_test(test_rounds),
		cmocka_unit_test(test_load_is_that_of_messages),
		cmocka_unit_test(test_load_of_pairs),
		cmocka_unit_test(test_load_on_long_rows),
		cmocka_unit_test(test_given_grid),
		cmocka_unit_test(test_filling),
		cmocka_unit_test(test_fluid),
		cmocka_unit_test(test_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
