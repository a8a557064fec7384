/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The mesh, node sets and metrics against plain definitions.
 */
#include <stdlib.h>
#include <string.h>

#include "geometry/box.h"
#include "geometry/metrics_meter.h"
#include "graph/linkgraph.h"
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

/* What is wrong with a spec whose other parts are right. */
static void specs(void **state)
{
	static const struct mesh_placement wide = {.side = {5, 1}, .step = {1, 1}};
	static const struct mesh_placement none = {.side = {1, 0}, .step = {1, 1}};
	static const struct mesh_placement far = {.side = {1, 1}, .step = {5, 1}};
	static const struct mesh_placement seed = {.side = {1, 1}, .step = {1, 1}, .seed = {-1}};
	static const struct mesh_placement late = {.side = {1, 1}, .step = {1, 1}, .seed = {4}};
	char longer[MESH_MAX_NAME + 1] = "";
	const struct {
		struct mesh_spec spec;
		const char *message;
	} cases[] = {
		{{.ndims = 0}, "a mesh has 1 to 6 dimensions, not 0"},
		{{.ndims = 2, .side = {2048, 1025}}, "more than 2097152 vertices"},
		{{.name = ""}, "the name of a mesh has 1 to 63 characters"},
		{{.name = longer}, "the name of a mesh has 1 to 63 characters"},
		{{.nnodes = -1}, "-1 nodes: not in 1..2097152"},
		{{.nnodes = MESH_MAX_NODES + 1}, "2097153 nodes: not in 1..2097152"},
		{{.nodes_per_vertex = -1}, "-1 nodes per vertex"},
		{{.vertex_of = (const int[]){-1}}, "node 0 is on vertex -1, not one of 0..15"},
		{{.order = (const int[]){-1}},
			"rank 0 of the order: vertex -1 is out of range or there twice"},
		{{.order = (const int[]){0, 16}},
			"rank 1 of the order: vertex 16 is out of range or there twice"},
		{{.nlegal = -1}, "more than 256 shapes"},
		{{.nlegal = MESH_MAX_PLACEMENTS + 1}, "more than 256 shapes"},
		{{.nlegal = 1, .legal = &wide}, "the machine has a side of 4 in dimension 1"},
		{{.nlegal = 1, .legal = &none}, "the machine has a side of 4 in dimension 2"},
		{{.nlegal = 1, .legal = &far},
			"places are 1 to 4 apart in dimension 1, from 0 to 3 on"},
		{{.nlegal = 1, .legal = &seed},
			"places are 1 to 4 apart in dimension 1, from 0 to 3 on"},
		{{.nlegal = 1, .legal = &late},
			"places are 1 to 4 apart in dimension 1, from 0 to 3 on"},
	};

	(void)state;
	memset(longer, 'm', MESH_MAX_NAME);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct mesh_spec spec = cases[i].spec;
		struct mesh_err err = {{0}};
		bool other = spec.side[0];

		spec.name = spec.name ? spec.name : "m";
		spec.nnodes = spec.nnodes ? spec.nnodes : 1;
		spec.nodes_per_vertex = spec.nodes_per_vertex ? spec.nodes_per_vertex : 1;
		if (!other) {
			spec.ndims = i ? 2 : spec.ndims;
			spec.side[0] = spec.side[1] = 4;
		}
		assert_null(mesh_new(&spec, &err));
		assert_string_equal(err.text, cases[i].message);
	}
	assert_null(mesh_new(&(const struct mesh_spec){.nnodes = 1}, NULL));
}

/* Nodes without names have none; sides that add up to more than usual are measured, too. */
static void long_sides(void **state)
{
	struct mesh *mesh = make_mesh(2, (int[]){600, 2}, 1, 1);
	static const int node[] = {0, 599, 600, 300, 910};

	(void)state;
	assert_int_equal(mesh_node(mesh, "n0"), -1);
	assert_int_equal(mesh_pairwise_hops(mesh, node, 5), plain_pairwise_hops(mesh, node, 5));
	mesh_free(mesh);
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

/* A box with too few nodes gives all that it has. */
static void small_boxes(void **state)
{
	struct mesh *mesh = make_mesh(2, (int[]){4, 4}, 0, 1);
	const struct mesh_box box = box_at(2, (int[]){1, 1}, (int[]){2, 2});
	struct nodeset set;

	(void)state;
	assert_int_equal(box_volume(3, (int[]){32767, 32767, 4}), INT32_MAX);
	assert_int_equal(nodeset_init(&set, 16), 0);
	box_take(mesh, &box, 5, NULL, &set);
	assert_int_equal(nodeset_count(&set), 4);
	assert_true(nodeset_has(&set, 5) && nodeset_has(&set, 10));
	nodeset_release(&set);
	mesh_free(mesh);
}

/* A meter reads hops alone, and what a mesh without nodes in use measures. */
static void meters(void **state)
{
	struct mesh *mesh = make_mesh(2, (int[]){4, 4}, 0, 1);
	static const int node[] = {0, 1, 4, 5};
	struct mesh_metrics metrics;
	struct arena arena = {0};
	struct mesh_meter *meter = mesh_meter_new(mesh, &arena);

	(void)state;
	assert_int_equal(mesh_meter_hops(meter, node, 4), 8);
	mesh_meter_read(meter, node, 0, &metrics);
	assert_int_equal(metrics.components, 0);
	arena_release(&arena);
	random_links(&(uint64_t){1}, mesh, 0, 0);
	assert_int_equal(mesh_break(mesh, 0, 0), 0);
	assert_int_equal(linkgraph_join(&mesh, 1, NULL, 0, NULL), 0);
	meter = mesh_meter_new(mesh, &arena);
	assert_int_equal(mesh_meter_hops(meter, node, 4), 10);
	arena_release(&arena);
	mesh_free(mesh);
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
	assert_false(nodeset_equal(&a, &b));
	nodeset_and(&a, &b);
	assert_true(nodeset_equal(&a, &b));
	b.n = 129;
	assert_false(nodeset_equal(&a, &b));
	nodeset_release(&a);
	nodeset_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbering),
		cmocka_unit_test(refusals),
		cmocka_unit_test(specs),
		cmocka_unit_test(long_sides),
		cmocka_unit_test(hops_are_walks),
		cmocka_unit_test(metrics_are_plain),
		cmocka_unit_test(boxes_and_components),
		cmocka_unit_test(small_boxes),
		cmocka_unit_test(meters),
		cmocka_unit_test(sets),
	};

	return cmocka_run_group_tests_name("mesh", tests, NULL, NULL);
}
