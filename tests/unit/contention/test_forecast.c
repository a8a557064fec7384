/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Prices do not depend on what was asked before, and are what loads say.
 */
#include "contention/forecast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"

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

/* Up to 5 jobs on random nodes, ascending: job j has count[j] from node[j * nnodes] on. */
static int random_jobs(uint64_t *seed, const struct mesh *mesh, int *node, int *count)
{
	int njobs = 1 + (int)random_below(seed, 5);

	for (int j = 0; j < njobs; j++)
		count[j] = 0;
	for (int i = 0; i < mesh->nnodes; i++) {
		int j = (int)random_below(seed, 8);

		if (j < njobs)
			node[j * mesh->nnodes + count[j]++] = i;
	}
	return njobs;
}

static void tell(struct forecast *f, const struct mesh *mesh, const int *node, const int *count,
	int njobs)
{
	forecast_begin(f, NULL);
	for (int j = 0; j < njobs; j++)
		if (count[j])
			assert_true(forecast_run(f, node + j * mesh->nnodes, count[j]));
	assert_true(forecast_end(f));
}

/* One that has seen other states before gives the same price to the last bit. */
static void test_history_does_not_matter(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int m = 0; m < 12; m++) {
		struct mesh *mesh = new_mesh(1 + m % 3, 3 + m % 4, m % 2);
		struct forecast *used = forecast_new(mesh);
		int *node = calloc((size_t)mesh->nnodes * 6, sizeof(int)), count[6];
		const struct forecast_times ideal = {{0, 1, 1, 1, 1}};

		for (int turn = 0; turn < 20; turn++) {
			struct forecast *fresh = forecast_new(mesh);
			int njobs = random_jobs(&seed, mesh, node, count);

			tell(used, mesh, node, count, njobs);
			tell(fresh, mesh, node, count, njobs);
			if (count[0] > 1)
				assert_true(forecast_cost(used, node, count[0], &comm_mix_default, &ideal) ==
					forecast_cost(fresh, node, count[0], &comm_mix_default, &ideal));
			forecast_free(fresh);
		}
		free(node);
		forecast_free(used);
		mesh_free(mesh);
	}
}

/* A job alone in a row: by hand. */
static void test_row(void **state)
{
	static const int vertex[] = {0, 1, 2, 3};
	struct mesh *mesh = new_mesh(1, 9, false);
	struct forecast *f = forecast_new(mesh);
	struct forecast_times times;

	(void)state;
	forecast_alone(f, vertex, 4, &times);
	/* The last rank's message goes back over all links. */
	assert_float_equal(times.time[COMM_RING], 1, 1e-9);
	/* The ends send all they have to one neighbour. */
	assert_float_equal(times.time[COMM_GRID], 1, 1e-9);
	/* Links carry 3, 4 and 3 of 12 pairs each way, a third of a message each. */
	assert_float_equal(times.time[COMM_ALL_TO_ALL], (9.0 + 16 + 9) / 10 / 3, 1e-9);
	forecast_free(f);
	mesh_free(mesh);
}

/* Others on the way cost time, and more so the more they send. */
static void test_others_cost(void **state)
{
	static const int across[] = {0, 8}, beside[] = {3, 4};
	static const int vertex[] = {3, 4};
	const struct forecast_times ideal = {{0, 1, 1, 1, 1}};
	struct mesh *mesh = new_mesh(1, 9, false);
	struct forecast *f = forecast_new(mesh);
	double alone, with;

	(void)state;
	alone = forecast_cost(f, vertex, 2, &comm_mix_default, &ideal);
	forecast_begin(f, NULL);
	assert_true(forecast_run(f, across, 2));
	assert_true(forecast_end(f));
	with = forecast_cost(f, vertex, 2, &comm_mix_default, &ideal);
	assert_float_equal(alone, 1, 1e-9);
	/* Twice the load, and as much again for the other one, at what it is worth. */
	assert_true(with > 2);
	forecast_begin(f, NULL);
	assert_true(forecast_run(f, across, 2));
	assert_true(forecast_run(f, beside, 2));
	assert_true(forecast_end(f));
	assert_true(forecast_cost(f, vertex, 2, &comm_mix_default, &ideal) > with);
	forecast_begin(f, NULL);
	assert_true(forecast_end(f));
	assert_true(forecast_cost(f, vertex, 2, &comm_mix_default, &ideal) == alone);
	forecast_free(f);
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_history_does_not_matter),
		cmocka_unit_test(test_row),
		cmocka_unit_test(test_others_cost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
