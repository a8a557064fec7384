/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Times and costs are what loads say.
 */
#include "links/forecast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

/* Of what the tests take; each gives it back. */
static struct arena arena;

static void assert_near(double a, double b)
{
	assert_true(fabs(a - b) < 1e-9);
}

static struct mesh *new_mesh(int ndims, int side, bool wrap)
{
	struct mesh_spec spec = {.name = "m", .ndims = ndims, .nnodes = 1, .nodes_per_vertex = 1};
	struct mesh_err err;

	for (int d = 0; d < ndims; d++) {
		spec.side[d] = side + d % 2;
		spec.wrap[d] = wrap;
		spec.nnodes *= spec.side[d];
	}
	return mesh_new(&spec, &err);
}

static double time_of(struct load_meter *f, const int *vertex, int count, enum comm_pattern pattern)
{
	return forecast_time(f, &(struct forecast_job){vertex, count, pattern, NULL});
}

/* A job alone in a row: by hand. */
static void test_row(void **state)
{
	static const int vertex[] = {0, 1, 2, 3};
	struct mesh *mesh = new_mesh(1, 9, false);
	struct load_meter *f = load_meter_new(mesh, &arena);

	(void)state;
	/* The last rank's message goes back over all links. */
	assert_near(time_of(f, vertex, 4, COMM_RING), 1);
	/* The ends send all they have to one neighbour. */
	assert_near(time_of(f, vertex, 4, COMM_GRID), 1);
	/* Neighbours in pairs, and then each with the next but one: 1, 2 and 1 on the links. */
	for (int pattern = COMM_NONE; pattern < COMM_PATTERNS; pattern++)
		if (pattern != COMM_RING && pattern != COMM_GRID)
			assert_near(time_of(f, vertex, 4, (enum comm_pattern)pattern),
				((2 + 1) + (2 * 6.0 / 4 + 2)) / 2);
	/* Nobody to send to. */
	assert_near(time_of(f, vertex, 1, COMM_NONE), 0);
	arena_release(&arena);
	mesh_free(mesh);
}

/* A grid that is given is the one that is looked at. */
static void test_grid(void **state)
{
	static const int vertex[] = {0, 1, 2, 3, 4, 5};
	const struct comm_grid row = {1, {6}}, plane = {2, {2, 3}};
	struct mesh *mesh = new_mesh(1, 9, false);
	struct load_meter *f = load_meter_new(mesh, &arena);

	(void)state;
	assert_near(forecast_time(f, &(struct forecast_job){vertex, 6, COMM_GRID, &row}), 1);
	assert_true(forecast_time(f, &(struct forecast_job){vertex, 6, COMM_GRID, &plane}) > 1);
	arena_release(&arena);
	mesh_free(mesh);
}

/* Ranks near each other at every scale take less time than the same vertices in another order. */
static void test_order(void **state)
{
	struct mesh *mesh = new_mesh(2, 8, false);
	struct load_meter *f = load_meter_new(mesh, &arena);
	int block[16], mixed[16], apart[16];

	(void)state;
	for (int i = 0; i < 16; i++) {
		block[i] = i % 4 + i / 4 * mesh->stride[1];
		mixed[i] = i * 7 % 16 % 4 + i * 7 % 16 / 4 * mesh->stride[1];
		apart[i] = i % 4 * 2 + i / 4 * 2 * mesh->stride[1];
	}
	assert_true(time_of(f, mixed, 16, COMM_NONE) > time_of(f, block, 16, COMM_NONE));
	/* Twice as far: hops count, not loads alone. */
	assert_true(time_of(f, apart, 16, COMM_NONE) > time_of(f, block, 16, COMM_NONE));
	arena_release(&arena);
	mesh_free(mesh);
}

/* Who sends nothing loads nothing, and so does who is on one vertex with all others. */
static void test_nothing(void **state)
{
	static const int vertex[] = {3, 3, 3}, row[] = {0, 1, 2};
	struct mesh *mesh = new_mesh(1, 9, false);
	struct load_meter *f = load_meter_new(mesh, &arena);
	struct load_job job;

	(void)state;
	assert_near(time_of(f, vertex, 3, COMM_RING), 1);
	assert_near(time_of(f, vertex, 3, COMM_NONE), 0);
	load_ranks(f, row, 3);
	load_of(f, COMM_RING, NULL, &job);
	assert_int_equal(job.n, 4);
	load_ranks(f, row, 1);
	load_of(f, COMM_RING, NULL, &job);
	assert_int_equal(job.n, 0);
	assert_null(comm_pattern_name(-1));
	assert_null(comm_pattern_name(COMM_PATTERNS));
	assert_int_equal(comm_pattern_find("star"), -1);
	assert_int_equal(comm_grid_ranks(&(const struct comm_grid){3, {1024, 2048, 2}}), 0);
	assert_int_equal(comm_grid_ranks(&(const struct comm_grid){0}), 0);
	arena_release(&arena);
	mesh_free(mesh);
}

/* A machine of cables without time, and with two messages of a ring that have no way. */
static void test_late_cables(void **state)
{
	static const struct linkgraph_cable cable[] = {
		{.vertex = {0, 1}, .weight = 1}, {.vertex = {2, 3}, .weight = 1}};
	struct mesh *mesh = new_mesh(1, 4, false);
	static const int vertex[] = {0, 1, 2, 3};
	struct mesh_budget budget;
	struct load_meter *f;
	struct load_job job;

	(void)state;
	mesh->cabled = true;
	assert_int_equal(linkgraph_join(&mesh, 1, cable, 2, NULL), 0);
	f = load_meter_new(mesh, &arena);
	load_ranks(f, vertex, 4);
	load_of(f, COMM_RING, NULL, &job);
	assert_int_equal(job.n, 2);
	mesh_budget_start(&budget, 1);
	while (!mesh_budget_late(&budget))
		;
	load_meter_budget(f, &budget);
	load_of(f, COMM_RING, NULL, &job);
	assert_true(load_meter_late(f));
	assert_int_equal(job.n, 0);
	arena_release(&arena);
	mesh_free(mesh);
}

/* Ways between meshes, and where there is none. */
static void test_steps(void **state)
{
	enum { LONG = 300 };
	struct mesh *mesh[] = {
		new_mesh(1, 4, false), new_mesh(1, 4, false), new_mesh(1, LONG, false)};
	static const struct linkgraph_cable joins = {{0, 1}, {1, 1}, 1, 0};
	struct linkgraph_cable chain[LONG - 1];
	struct links_place next, at = {mesh[0], 0};
	int link[LONG];

	(void)state;
	assert_int_equal(links_step(at, (struct links_place){mesh[1], 0}, &next), LINKS_NO_WAY);
	assert_int_equal(linkgraph_join(mesh, 2, &joins, 1, NULL), 0);
	assert_int_equal(links_step(at, (struct links_place){mesh[2], 0}, &next), LINKS_NO_WAY);
	assert_int_equal(links_step(at, (struct links_place){mesh[1], 0}, &next), 1);
	assert_int_equal(links_step(next, (struct links_place){mesh[1], 0}, &next), LINKS_CABLE);
	assert_true(next.mesh == mesh[1] && next.vertex == 1);
	assert_int_equal(links_step(next, at, &next), LINKS_CABLE);
	assert_true(next.mesh == mesh[0] && next.vertex == 1);
	assert_int_equal(links_to(mesh[0], links_grid(mesh[0])), -1); /* to another mesh */
	assert_int_equal(links_to(mesh[1], links_grid(mesh[1])), -1);
	/* Farther than hops are counted: the way there is not known. */
	mesh[2]->cabled = true;
	for (int i = 0; i < LONG - 1; i++)
		chain[i] = (struct linkgraph_cable){
			.vertex = {i, i + 1}, .weight = LINKGRAPH_WEIGHT};
	assert_int_equal(linkgraph_join(&mesh[2], 1, chain, LONG - 1, NULL), 0);
	assert_int_equal(links_to(mesh[2], 1), -1);
	assert_int_equal(linkgraph_mesh_hops(mesh[2], 0, LONG - 1), LINKGRAPH_CUT - 1);
	assert_int_equal(links_route(mesh[2], 0, LONG - 1, link), 0);
	assert_int_equal(links_route(mesh[2], 0, 100, link), 100);
	for (int i = 0; i < 3; i++)
		mesh_free(mesh[i]);
}

/* Broken links on the only way of a mesh: the way goes over its neighbour, and is not followed. */
static void test_leaves(void **state)
{
	struct mesh *mesh[] = {new_mesh(1, 4, false), new_mesh(1, 4, false)};
	static const struct linkgraph_cable joins[] = {
		{{0, 1}, {1, 1}, 1, 0}, {{1, 0}, {2, 2}, 1, 0}};
	int link[16];

	(void)state;
	assert_int_equal(mesh_break(mesh[0], 1, 0), 0);
	assert_int_equal(linkgraph_join(mesh, 2, joins, 2, NULL), 0);
	assert_int_equal(linkgraph_mesh_hops(mesh[0], 0, 3), 5);
	assert_int_equal(links_route(mesh[0], 0, 3, link), 2);
	assert_int_equal(link[1], links_grid(mesh[0]) + 1);
	assert_int_equal(links_route(mesh[0], 3, 0, link), 2);
	assert_int_equal(link[1], links_grid(mesh[0]) + 2);
	mesh_free(mesh[0]);
	mesh_free(mesh[1]);
}

/* Without time it says so, and what came before does not matter after it. */
static void test_late(void **state)
{
	struct mesh *mesh = new_mesh(2, 40, true);
	struct load_meter *f = load_meter_new(mesh, &arena);
	struct mesh_budget budget;
	int *vertex = calloc((size_t)mesh->nvertices, sizeof(int));
	double time;

	(void)state;
	for (int v = 0; v < mesh->nvertices; v++)
		vertex[v] = v;
	time = time_of(f, vertex, mesh->nvertices, COMM_NONE);
	assert_false(load_meter_late(f));
	mesh_budget_start(&budget, 1);
	load_meter_budget(f, &budget);
	time_of(f, vertex, mesh->nvertices, COMM_NONE);
	assert_true(load_meter_late(f));
	load_meter_budget(f, NULL);
	assert_true(time_of(f, vertex, mesh->nvertices, COMM_NONE) == time);
	free(vertex);
	arena_release(&arena);
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_row),
		cmocka_unit_test(test_grid),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_late_cables),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_leaves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
