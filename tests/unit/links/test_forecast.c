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
	const double load = (9.0 + 16 + 9) / 10 / 3;

	(void)state;
	/* The last rank's message goes back over all links. */
	assert_near(time_of(f, vertex, 4, COMM_RING), 1);
	/* The ends send all they have to one neighbour. */
	assert_near(time_of(f, vertex, 4, COMM_GRID), 1);
	/* Links carry 3, 4 and 3 of 12 pairs each way, a third of a message each. */
	assert_near(time_of(f, vertex, 4, COMM_RANDOM), 1 + 1.25 * load);
	assert_near(time_of(f, vertex, 4, COMM_ALL_TO_ALL), 1.2 * load + 0.35 * 4 / 3);
	/* Neighbours in pairs, and then each with the next but one: 1, 2 and 1 on the links. */
	assert_near(time_of(f, vertex, 4, COMM_NONE), ((2 + 1) + (2 * 6.0 / 4 + 2)) / 2);
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
	/* Who sends to all does not care. */
	assert_near(time_of(f, mixed, 16, COMM_ALL_TO_ALL), time_of(f, block, 16, COMM_ALL_TO_ALL));
	arena_release(&arena);
	mesh_free(mesh);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
