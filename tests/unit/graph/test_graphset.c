/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Distances on meshes with broken and extra links, and what sets of nodes measure there, against
 * the plainest search.
 */
#include "support.h"

#include <stdlib.h>

#include "graph/linkgraph.h"
#include "geometry/metrics_meter.h"

/* hops[v * nvertices + w], by the plain search. */
static int *plain_table(const struct mesh *mesh)
{
	size_t n = (size_t)mesh->nvertices;
	int *hops = malloc(n * n * sizeof(*hops));

	assert_non_null(hops);
	for (int v = 0; v < mesh->nvertices; v++)
		plain_graph_hops(mesh, v, hops + (size_t)v * n);
	return hops;
}

static struct mesh *linked_mesh(uint64_t *seed)
{
	struct mesh *mesh = random_mesh(seed, 4, 120);

	random_links(seed, mesh, random_int(seed, 0, 2) * 15, random_int(seed, 0, 3));
	return mesh;
}

/* Without its table the graph searches. */
static void drop_table(struct linkgraph *graph)
{
	graph->table = NULL;
}

static void test_hops(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 200); rounds_next(&r); r.seed++) {
		uint64_t seed = r.seed;
		struct mesh *mesh = linked_mesh(&seed);
		int *hops = plain_table(mesh), n = mesh->nvertices;

		for (int pass = 0; pass < 2; pass++) {
			for (int i = 0; i < n * n; i++)
				assert_int_equal(
					linkgraph_mesh_hops(mesh, i / n, i % n), hops[i]);
			for (int i = 0; i < 50; i++) {
				int v = random_int(&seed, 0, n - 1);
				int w = random_int(&seed, 0, n - 1);

				assert_int_equal(linkgraph_mesh_hops(mesh, v, w), hops[v * n + w]);
			}
			drop_table(mesh->graph);
		}
		free(hops);
		mesh_free(mesh);
	}
}

/* Pieces: of nodes that are one hop apart, one after another. */
static int plain_pieces(const struct mesh *mesh, const int *hops, const int *node, int count)
{
	int piece[1024], pieces = 0;
	bool joined = true;

	for (int i = 0; i < count; i++)
		piece[i] = i;
	while (joined) {
		joined = false;
		for (int i = 0; i < count; i++)
			for (int j = 0; j < count; j++) {
				int v = mesh->vertex_of[node[i]], w = mesh->vertex_of[node[j]];

				if (piece[j] <= piece[i] || hops[v * mesh->nvertices + w] > 1)
					continue;
				piece[j] = piece[i];
				joined = true;
			}
	}
	for (int i = 0; i < count; i++)
		pieces += piece[i] == i;
	return pieces;
}

static void check_set(const struct mesh *mesh, const int *hops, const int *node, int count)
{
	struct mesh_metrics m;
	int64_t total = 0;
	int most = 0;

	for (int i = 0; i < count; i++)
		for (int j = 0; j < i; j++) {
			int far = hops[mesh->vertex_of[node[i]] * mesh->nvertices +
				mesh->vertex_of[node[j]]];

			total += far;
			most = far > most ? far : most;
		}
	assert_int_equal(mesh_measure(mesh, node, count, &m), 0);
	assert_int_equal(m.pairwise_hops, total);
	assert_int_equal(mesh_pairwise_hops(mesh, node, count), total);
	assert_int_equal(m.diameter, most);
	assert_int_equal(m.components, plain_pieces(mesh, hops, node, count));
}

static void test_measures(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 200); rounds_next(&r); r.seed++) {
		uint64_t seed = r.seed;
		struct mesh *mesh = linked_mesh(&seed);
		int *hops = plain_table(mesh), *node = malloc((size_t)mesh->nnodes * sizeof(int));
		struct nodeset set;

		assert_non_null(node);
		assert_int_equal(nodeset_init(&set, mesh->nnodes), 0);
		for (int i = 0; i < 6; i++) {
			random_set(&seed, &set, random_int(&seed, 1, 60));
			if (i == 3)
				drop_table(mesh->graph);
			check_set(mesh, hops, node, nodeset_members(&set, node));
		}
		nodeset_release(&set);
		free(node);
		free(hops);
		mesh_free(mesh);
	}
}

/* Without a broken or an extra link all is as on the grid. */
static void test_whole(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 60); rounds_next(&r); r.seed++) {
		uint64_t seed = r.seed;
		struct mesh *mesh = random_mesh(&seed, 4, 120);
		struct mesh_err err;
		struct nodeset set;
		struct mesh_metrics before, after;
		int *node = malloc((size_t)mesh->nnodes * sizeof(int)), n;

		assert_non_null(node);
		assert_int_equal(nodeset_init(&set, mesh->nnodes), 0);
		random_set(&seed, &set, 40);
		n = nodeset_members(&set, node);
		assert_int_equal(mesh_measure(mesh, node, n, &before), 0);
		assert_int_equal(linkgraph_join(&mesh, 1, NULL, 0, &err), 0);
		for (int v = 0; v < mesh->nvertices; v++)
			assert_int_equal(linkgraph_mesh_hops(mesh, 0, v), mesh_hops(mesh, 0, v));
		assert_int_equal(mesh_measure(mesh, node, n, &after), 0);
		assert_memory_equal(&before, &after, sizeof(before));
		nodeset_release(&set);
		free(node);
		mesh_free(mesh);
	}
}

/* More than there is a table for: sums are near the exact ones. */
static void test_estimate(void **state)
{
	const int side[] = {60, 80};
	struct mesh *mesh = make_mesh(2, side, 3, 1);
	uint64_t seed = 5;
	int *node = malloc((size_t)mesh->nnodes * sizeof(int)), n = mesh->nnodes / 2;
	int64_t exact, estimate;

	(void)state;
	assert_non_null(node);
	for (int i = 0; i < n; i++)
		node[i] = 2 * i;
	exact = mesh_pairwise_hops(mesh, node, n);
	random_links(&seed, mesh, 0, 0);
	assert_null(mesh->graph->table);
	estimate = mesh_pairwise_hops(mesh, node, n);
	assert_true(estimate > exact - exact / 100 && estimate < exact + exact / 100);
	free(node);
	mesh_free(mesh);
}

struct walk {
	const int *hops;
	int visited, last, stop;
};

static bool visit(void *arg, int v, int hops)
{
	struct walk *w = arg;

	assert_int_equal(hops, w->hops[v]);
	assert_true(hops >= w->last);
	w->last = hops;
	return ++w->visited == w->stop;
}

static void test_walk(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 100); rounds_next(&r); r.seed++) {
		uint64_t seed = r.seed;
		struct mesh *mesh = linked_mesh(&seed);
		int *hops = plain_table(mesh), n = mesh->nvertices, reached = 0;
		struct walk walk = {.hops = hops};

		for (int v = 0; v < n; v++)
			reached += hops[v] < LINKGRAPH_CUT;
		linkgraph_walk(mesh->graph, 0, visit, &walk);
		assert_int_equal(walk.visited, reached);
		walk = (struct walk){.hops = hops, .stop = (reached + 1) / 2};
		linkgraph_walk(mesh->graph, 0, visit, &walk);
		assert_int_equal(walk.visited, walk.stop);
		free(hops);
		mesh_free(mesh);
	}
}

/* On the middle one of three meshes in a row: what is beyond its ends is not of the set. */
static void test_joined(void **state)
{
	static const struct linkgraph_cable cable[] = {
		{{0, 1}, {3, 0}, 1, 0}, {{1, 2}, {3, 0}, 1, 0}};
	struct mesh *mesh[3];
	struct mesh_metrics metrics;

	(void)state;
	for (int i = 0; i < 3; i++)
		mesh[i] = make_mesh(1, (const int[]){4}, 0, 1);
	assert_int_equal(linkgraph_join(mesh, 3, cable, 2, NULL), 0);
	assert_int_equal(mesh_measure(mesh[1], (const int[]){0, 1, 3}, 3, &metrics), 0);
	assert_int_equal(metrics.components, 2);
	assert_int_equal(metrics.diameter, 3);
	assert_int_equal(metrics.pairwise_hops, 6);
	for (int i = 0; i < 3; i++)
		mesh_free(mesh[i]);
}

/* A cable to a machine that is its cables counts its lanes as one between two grids does. */
static void test_lanes(void **state)
{
	static const struct linkgraph_cable cable[] = {
		{{0, 1}, {0, 0}, 4, 2}, {{0, 0}, {0, 1}, 1, 3}};
	struct mesh *mesh[] = {
		make_mesh(1, (const int[]){2}, 0, 1), make_mesh(1, (const int[]){2}, 0, 1)};

	(void)state;
	mesh[0]->cabled = true;
	assert_int_equal(linkgraph_join(mesh, 2, cable, 2, NULL), 0);
	assert_int_equal(mesh[0]->graph->lanes, 8);
	assert_int_equal(linkgraph_lanes(mesh[0]->graph, 0, 1), 3);
	assert_int_equal(linkgraph_lanes(mesh[0]->graph, 2, 3), 8);
	mesh_free(mesh[0]);
	mesh_free(mesh[1]);
}

/* Together they have more vertices than a machine may have: none gets a graph. */
static void test_too_large(void **state)
{
	struct mesh *mesh[] = {make_mesh(2, (const int[]){1100, 1024}, 0, 1), NULL, NULL};
	struct mesh_err err;

	(void)state;
	mesh[1] = make_mesh(2, (const int[]){1100, 1024}, 0, 1);
	mesh[2] = make_mesh(1, (const int[]){2}, 0, 1);
	assert_int_equal(linkgraph_join(mesh, 3, NULL, 0, &err), -1);
	assert_string_equal(err.text,
		"more than 2097152 vertices of meshes that are joined by links");
	for (int i = 0; i < 3; i++) {
		assert_null(mesh[i]->graph);
		mesh_free(mesh[i]);
	}
}

/* More vertices than a table is made for, and a set of which a part is looked at. */
static void test_large(void **state)
{
	struct mesh *mesh = make_mesh(2, (const int[]){65, 64}, 0, 1);
	struct mesh_metrics metrics;
	int *node = malloc((size_t)mesh->nnodes * sizeof(int));

	(void)state;
	assert_non_null(node);
	for (int i = 0; i < mesh->nnodes; i++)
		node[i] = i;
	assert_int_equal(mesh_break(mesh, 2000, 0), 0);
	assert_int_equal(linkgraph_join(&mesh, 1, NULL, 0, NULL), 0);
	assert_null(mesh->graph->table);
	assert_int_equal(mesh_measure(mesh, node, 2100, &metrics), 0);
	assert_int_equal(metrics.diameter, 64 + 32);
	assert_int_equal(metrics.components, 1);
	free(node);
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hops),
		cmocka_unit_test(test_measures),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_estimate),
		cmocka_unit_test(test_walk),
		cmocka_unit_test(test_joined),
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
