/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sets near each other by cables: they are what was asked for, their figures are right, small ones
 * are as good as the best of all sets or nearly, and no pod is opened where another has room.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "cables/graphfind.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

static int load(struct graphfind *find, const struct mesh *mesh, uint64_t *seed)
{
	int nfree = 0, must = 0, percent = random_int(seed, 20, 100);

	for (int v = 0; v < mesh->nvertices; v++) {
		find->nfree[v] = random_int(seed, 1, 100) <= percent;
		find->must[v] = find->nfree[v] && !random_int(seed, 0, 39);
		nfree += find->nfree[v];
		must += find->must[v];
	}
	find->count = nfree ? random_int(seed, must > 0 ? must : 1, nfree) : 0;
	return must;
}

static int64_t sum_of(struct linkgraph *graph, const int *vertex, int n)
{
	int64_t sum = 0;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			sum += linkgraph_hops(graph, vertex[i], vertex[j]);
	return sum;
}

static void check_set(struct graphfind *find, const struct graphfind_set *set, int must)
{
	int nodes = 0;

	for (int i = 0; i < set->n; i++) {
		int v = set->vertex[i];

		assert_true(set->taken[i] > 0 && set->taken[i] <= find->nfree[v]);
		nodes += set->taken[i];
		must -= find->must[v];
		for (int j = 0; j < i; j++)
			assert_int_not_equal(set->vertex[j], v);
	}
	assert_int_equal(nodes, find->count);
	assert_int_equal(must, 0);
	assert_int_equal(set->hops, sum_of(find->graph, set->vertex, set->n));
}

/* The least sum of all sets of `left` more vertices from v on, and those in set[n]. */
static int64_t plain_least(struct graphfind *find, int *set, int n, int v)
{
	int64_t with, without;

	if (v == find->graph->real)
		return n == find->count ? sum_of(find->graph, set, n) : INT64_MAX;
	without = find->must[v] ? INT64_MAX : plain_least(find, set, n, v + 1);
	if (!find->nfree[v] || n == find->count)
		return without;
	set[n] = v;
	with = plain_least(find, set, n + 1, v + 1);
	return with < without ? with : without;
}

static void check_pods(const struct graphfind *find)
{
	const struct linkgraph *g = find->graph;
	int *pod_free = calloc((size_t)g->npods, sizeof(int));
	bool room = false, opened = false;

	assert_non_null(pod_free);
	for (int v = 0; v < g->real; v++)
		pod_free[g->pod[v]] += find->nfree[v];
	for (int pod = 0; pod < g->npods; pod++)
		room |= pod_free[pod] < g->pod_nodes[pod] && pod_free[pod] >= find->count;
	for (int i = 0; i < find->kept[0].n; i++) {
		int pod = g->pod[find->kept[0].vertex[i]];

		opened |= pod_free[pod] == g->pod_nodes[pod];
	}
	assert_false(g->npods > 1 && room && opened);
	free(pod_free);
}

static void sets(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 300); rounds_next(&r); r.seed++) {
		uint64_t seed = r.seed;
		struct mesh *mesh = random_cables(&seed, 300);
		struct graphfind find;
		int must;

		assert_int_equal(graphfind_init(&find, mesh->graph, &arena), 0);
		must = load(&find, mesh, &seed);
		if (find.count) {
			graphfind_sets(&find);
			assert_true(find.nkept >= 1);
			for (int i = 0; i < find.nkept; i++)
				check_set(&find, &find.kept[i], must);
			if (!must)
				check_pods(&find);
		}
		arena_release(&arena);
		mesh_free(mesh);
	}
}

static void small_ones(void **state)
{
	double gaps = 0;
	int n = 0;

	(void)state;
	for (struct rounds r = rounds(1, 200); rounds_next(&r); r.seed++) {
		uint64_t seed = r.seed;
		struct mesh *mesh = random_cables(&seed, 14);
		int set[14];
		struct graphfind find;

		assert_int_equal(graphfind_init(&find, mesh->graph, &arena), 0);
		load(&find, mesh, &seed);
		if (find.count > 1)
			graphfind_sets(&find);
		if (find.count > 1 && graphfind_is_joined(&find) && find.whole_too) {
			double gap = (double)find.kept[0].hops /
				(double)plain_least(&find, set, 0, 0);

			assert_true(gap <= 1.5);
			gaps += gap;
			n++;
		}
		arena_release(&arena);
		mesh_free(mesh);
	}
	assert_true(gaps <= 1.005 * n);
}

/* On a long chain the best set is nearly as good as the best of all rows of free hosts. */
static void chains(void **state)
{
	double gaps = 0;

	(void)state;
	for (struct rounds r = rounds(3, 40); rounds_next(&r); r.seed++) {
		enum { N = 400 };
		struct mesh_spec spec = {.name = "c", .ndims = 1, .side = {N},
			.nodes_per_vertex = 1, .nnodes = N, .cabled = true};
		struct mesh *mesh = mesh_new(&spec, NULL);
		struct linkgraph_cable cable[N - 1];
		uint64_t seed = r.seed;
		struct graphfind find;
		int64_t least = INT64_MAX;
		int at[N], n = 0;

		for (int i = 0; i < N - 1; i++)
			cable[i] = (struct linkgraph_cable){{0, 0}, {i, i + 1}, 1, 1};
		assert_false(linkgraph_join(&mesh, 1, cable, N - 1, NULL));
		assert_int_equal(graphfind_init(&find, mesh->graph, &arena), 0);
		for (int v = 0; v < N; v++)
			if ((find.nfree[v] = random_int(&seed, 0, 1)))
				at[n++] = v;
		find.count = random_int(&seed, 2, 40);
		graphfind_sets(&find);
		for (int i = 0; i + find.count <= n; i++) {
			int64_t sum = sum_of(mesh->graph, &at[i], find.count);

			least = sum < least ? sum : least;
		}
		assert_true(find.kept[0].hops >= least);
		gaps += (double)find.kept[0].hops / (double)least - 1;
		arena_release(&arena);
		mesh_free(mesh);
	}
	assert_true(gaps < 0.01);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets),
		cmocka_unit_test(small_ones),
		cmocka_unit_test(chains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
