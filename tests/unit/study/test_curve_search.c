/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The cost of an order, its bound, and the search, against brute force.
 */
#include "study/curve_search.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/curve.h"
#include "support.h"

/* All pairs, from the definition. */
static double plain_cost(const struct curve_goal *goal, const int *order, int n)
{
	double cost = 0;

	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++) {
			int d = j - i;

			if (goal->ring && n - d < d)
				d = n - d;
			if (d <= goal->reach)
				cost += goal->weight[d] * mesh_hops(goal->mesh, order[i], order[j]);
		}
	return cost;
}

static bool close_to(double a, double b)
{
	return a - b < 1e-6 && b - a < 1e-6;
}

static void shuffle(uint64_t *seed, int *order, int n)
{
	for (int i = n - 1; i > 0; i--) {
		int j = random_int(seed, 0, i), v = order[i];

		order[i] = order[j];
		order[j] = v;
	}
}

static int *numbers(int n)
{
	int *order = malloc((size_t)n * sizeof(*order));

	assert_non_null(order);
	for (int i = 0; i < n; i++)
		order[i] = i;
	return order;
}

static void cost(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 300); rounds_next(&r);) {
		struct mesh *mesh = random_mesh(&r.seed, 4, 120);
		int *order = numbers(mesh->nvertices);
		struct curve_goal goal;

		shuffle(&r.seed, order, mesh->nvertices);
		curve_goal_init(
			&goal, mesh, random_int(&r.seed, 0, 1), random_int(&r.seed, 1, 9) / 10.0);
		int n = random_int(&r.seed, 1, mesh->nvertices);

		assert_true(close_to(curve_cost(&goal, order, n), plain_cost(&goal, order, n)));
		assert_true(curve_bound(&goal, order, n) <= plain_cost(&goal, order, n) + 1e-9);
		free(order);
		mesh_free(mesh);
	}
}

/* The next permutation by number; false after the last. */
static bool next_order(int *order, int n)
{
	int i = n - 2, j = n - 1;

	while (i >= 0 && order[i] > order[i + 1])
		i--;
	if (i < 0)
		return false;
	while (order[j] < order[i])
		j--;
	int v = order[i];

	order[i] = order[j];
	order[j] = v;
	for (int a = i + 1, b = n - 1; a < b; a++, b--) {
		v = order[a];
		order[a] = order[b];
		order[b] = v;
	}
	return true;
}

/* On machines of up to 7 vertices the search finds the least cost of all orders. */
static void small(void **state)
{
	static const int sides[][2] = {{2, 2}, {3, 2}, {5, 1}, {7, 1}, {2, 3}};

	(void)state;
	for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++)
		for (int ring = 0; ring < 2; ring++) {
			struct mesh *mesh = make_mesh(2, sides[i], (unsigned)i % 4, 1);
			int *order = numbers(mesh->nvertices), n = mesh->nvertices;
			struct curve_goal goal;
			struct curve_search search = {.seed = 3, .budget_ns = 30000000};
			double least = 1e9;

			curve_goal_init(&goal, mesh, ring, 0.5);
			do {
				double now = plain_cost(&goal, order, n);

				least = now < least ? now : least;
			} while (next_order(order, n));
			assert_true(curve_bound(&goal, order, n) <= least + 1e-9);
			assert_int_equal(curve_improve(&goal, &search, order, n), 0);
			assert_true(close_to(plain_cost(&goal, order, n), least));
			free(order);
			mesh_free(mesh);
		}
}

static int remember(void *data, double part, double cost_so_far)
{
	(void)part;
	*(double *)data = cost_so_far;
	return 0;
}

/* A large machine takes the path with differences of costs: they must add up. */
static void large(void **state)
{
	(void)state;
	for (int ring = 0; ring < 2; ring++) {
		struct mesh *mesh = make_mesh(3, (int[]){9, 8, 7}, 3, 1);
		int n = mesh->nvertices - 5, *order = numbers(mesh->nvertices),
		    *seen = numbers(n + 5);
		double told = -1;
		struct curve_goal goal;
		struct curve_search search = {.seed = 9, .budget_ns = 100000000,
			.progress = remember, .data = &told};

		curve_goal_init(&goal, mesh, ring, 0.5);
		assert_int_equal(curve_fill(mesh, CURVE_ROW, order), 0);
		double before = plain_cost(&goal, order, n);

		assert_int_equal(curve_improve(&goal, &search, order, n), 0);
		assert_true(plain_cost(&goal, order, n) < before);
		assert_true(plain_cost(&goal, order, n) <= told + 1e-6);
		for (int i = 0; i < n; i++) {
			assert_int_equal(seen[order[i]], order[i]);
			seen[order[i]] = -1;
		}
		free(order);
		free(seen);
		mesh_free(mesh);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cost),
		cmocka_unit_test(small),
		cmocka_unit_test(large),
	};

	return cmocka_run_group_tests_name("curve_search", tests, NULL, NULL);
}
