/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The mesh, node sets and metrics against plain definitions.
 */
#include <stdlib.h>

#include "geometry/metrics_meter.h"
#include "support.h"

static void numbering(void **state)
{
	struct mesh *mesh = make_mesh(3, (int[]){4, 3, 2}, 0, 2);

	(void)state;
	assert_int_equal(mesh->nvertices, 24);
	assert_int_equal(mesh->nnodes, 48);
	assert_int_equal(mesh_vertex(mesh, (int[]){1, 2, 1}), 1 + 4 * (2 + 3 * 1));
	assert_int_equal(mesh->vertex_of[7], 3);
	for (int v = 0; v < mesh->nvertices; v++)
		assert_int_equal(mesh_nodes_on(mesh, v), 2);
	mesh_free(mesh);
}

static void refusals(void **state)
{
	struct mesh_err err;
	struct mesh_spec spec = {.name = "m", .ndims = 2, .side = {2, 2}, .nnodes = 5,
		.nodes_per_vertex = 1};

	(void)state;
	assert_null(mesh_new(&spec, &err));
	assert_string_equal(err.text, "node 4 is on vertex 4, not one of 0..3");
	spec.nnodes = 4;
	spec.order = (int[]){0, 1, 1, 3};
	assert_null(mesh_new(&spec, &err));
	spec.order = NULL;
	spec.side[1] = 0;
	assert_null(mesh_new(&spec, &err));
	spec.side[1] = 2;
	spec.ndims = 7;
	assert_null(mesh_new(&spec, &err));
	spec = (struct mesh_spec){.name = "m", .ndims = 1, .side = {MESH_MAX_SIDE + 1},
		.nnodes = 1, .nodes_per_vertex = 1};
	assert_null(mesh_new(&spec, &err));
	assert_string_equal(err.text, "side 32768 of dimension 1 is not in 1..32767");
	spec.side[0] = 4;
	spec.nnodes = 280000;
	spec.nodes_per_vertex = 70000;
	assert_null(mesh_new(&spec, &err));
	assert_string_equal(err.text, "more than 65535 nodes on vertex 0");
}

/* Hops by walking: breadth first from v. */
static void bfs(const struct mesh *mesh, int v, int *hops, int *queue)
{
	int head = 0, tail = 0;

	for (int w = 0; w < mesh->nvertices; w++)
		hops[w] = -1;
	hops[v] = 0;
	queue[tail++] = v;
	while (head < tail) {
		v = queue[head++];
		for (int d = 0; d < mesh->ndims; d++)
			for (int step = -1; step <= 1; step += 2) {
				int c = mesh->coord[v][d] + step;

				if (mesh->wrap[d])
					c = (c + mesh->side[d]) % mesh->side[d];
				if (c < 0 || c >= mesh->side[d])
					continue;
				int w = v + (c - mesh->coord[v][d]) * mesh->stride[d];

				if (hops[w] < 0) {
					hops[w] = hops[v] + 1;
					queue[tail++] = w;
				}
			}
	}
}

static void hops_are_walks(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 200); rounds_next(&r);) {
		struct mesh *mesh = random_mesh(&r.seed, 6, 300);
		int *hops = malloc((size_t)mesh->nvertices * sizeof(int));
		int *queue = malloc((size_t)mesh->nvertices * sizeof(int));
		int v = random_int(&r.seed, 0, mesh->nvertices - 1);

		bfs(mesh, v, hops, queue);
		for (int w = 0; w < mesh->nvertices; w++)
			assert_int_equal(mesh_hops(mesh, v, w), hops[w]);
		free(hops);
		free(queue);
		mesh_free(mesh);
	}
}

static int plain_diameter(const struct mesh *mesh, const int *node, int count)
{
	int most = 0;

	for (int i = 0; i < count; i++)
		for (int j = 0; j < i; j++) {
			int hops = mesh_hops(mesh, mesh->vertex_of[node[i]],
				mesh->vertex_of[node[j]]);

			most = hops > most ? hops : most;
		}
	return most;
}

/* Pieces: numbers that spread from neighbour to neighbour until nothing changes. */
static int plain_components(const struct mesh *mesh, const int *node, int count)
{
	int *piece = malloc((size_t)mesh->nnodes * sizeof(*piece)), pieces = 0;
	bool changed = true;

	for (int i = 0; i < count; i++)
		piece[i] = i;
	while (changed) {
		changed = false;
		for (int i = 0; i < count; i++)
			for (int j = 0; j < count; j++)
				if (piece[j] < piece[i] &&
					mesh_hops(mesh, mesh->vertex_of[node[i]],
						mesh->vertex_of[node[j]]) <= 1) {
					piece[i] = piece[j];
					changed = true;
				}
	}
	for (int i = 0; i < count; i++)
		pieces += piece[i] == i;
	free(piece);
	return pieces;
}

static void metrics_are_plain(void **state)
{
	(void)state;
	for (struct rounds r = rounds(2, 2000); rounds_next(&r);) {
		int round = random_int(&r.seed, 0, 1999);
		struct mesh *mesh = random_mesh(&r.seed, 6, 200);
		int *node = malloc((size_t)mesh->nnodes * sizeof(int));
		struct nodeset set;
		struct mesh_metrics m;

		assert_int_equal(nodeset_init(&set, mesh->nnodes), 0);
		random_set(&r.seed, &set, random_int(&r.seed, 1, 99));
		int count = nodeset_members(&set, node);
		int64_t total = plain_pairwise_hops(mesh, node, count);

		assert_int_equal(count, nodeset_count(&set));
		assert_int_equal(mesh_pairwise_hops(mesh, node, count), total);
		assert_int_equal(mesh_measure(mesh, node, count, &m), 0);
		assert_int_equal(m.pairwise_hops, total);
		assert_int_equal(m.diameter, plain_diameter(mesh, node, count));
		if (round % 4 == 0 && count)
			assert_int_equal(m.components, plain_components(mesh, node, count));
		nodeset_release(&set);
		free(node);
		mesh_free(mesh);
	}
}

static void boxes_and_components(void **state)
{
	struct mesh *torus = make_mesh(2, (int[]){8, 8}, 3, 1);
	struct mesh_metrics m;

	(void)state;
	/* Four corners of a torus are a 2x2 block. */
	assert_int_equal(mesh_measure(torus, (int[]){0, 7, 56, 63}, 4, &m), 0);
	assert_int_equal(m.box[0], 2);
	assert_int_equal(m.box[1], 2);
	assert_int_equal(m.components, 1);
	assert_int_equal(m.diameter, 2);
	assert_int_equal(m.pairwise_hops, 8);
	assert_int_equal(mesh_measure(torus, (int[]){0, 18}, 2, &m), 0);
	assert_int_equal(m.components, 2);
	mesh_free(torus);
}

static void sets(void **state)
{
	struct nodeset a, b;

	(void)state;
	assert_int_equal(nodeset_init(&a, 130), 0);
	assert_int_equal(nodeset_init(&b, 130), 0);
	nodeset_set_all(&a);
	assert_int_equal(nodeset_count(&a), 130);
	nodeset_add(&b, 0);
	nodeset_add(&b, 64);
	nodeset_add(&b, 129);
	assert_true(nodeset_subset(&b, &a));
	nodeset_remove(&a, &b);
	assert_int_equal(nodeset_count(&a), 127);
	assert_int_equal(nodeset_next(&b, 1), 64);
	assert_int_equal(nodeset_next(&b, 65), 129);
	assert_int_equal(nodeset_next(&b, 130), -1);
	assert_false(nodeset_subset(&b, &a));
	nodeset_or(&a, &b);
	assert_int_equal(nodeset_count(&a), 130);
	nodeset_release(&a);
	nodeset_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbering),
		cmocka_unit_test(refusals),
		cmocka_unit_test(hops_are_walks),
		cmocka_unit_test(metrics_are_plain),
		cmocka_unit_test(boxes_and_components),
		cmocka_unit_test(sets),
	};

	return cmocka_run_group_tests_name("mesh", tests, NULL, NULL);
}
