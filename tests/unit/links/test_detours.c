/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Messages on meshes with broken and extra links: no broken link carries any, and ways are as long
 * as the graph's.
 */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "graph/linkgraph.h"
#include "links/load.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

/* Is the link, a number of links.h, broken? */
static bool is_broken(const struct mesh *mesh, int link)
{
	int v = link / 2 / mesh->ndims, d = link / 2 % mesh->ndims;

	return mesh_is_down(mesh, link % 2 ? v : links_to(mesh, link), d);
}

static void check_route(const struct mesh *mesh, int from, int to, int *link)
{
	int n = links_route(mesh, from, to, link), v = from, walked = 0;
	int hops = linkgraph_mesh_hops(mesh, from, to);

	assert_true(n <= links_longest(mesh));
	for (int i = 0; i < n; i++) {
		bool cable = link[i] >= links_grid(mesh);

		assert_in_range(link[i], 0, links_count(mesh) - 1);
		if (cable) {
			assert_true(links_to(mesh, link[i] ^ 1) == v);
		} else {
			assert_false(is_broken(mesh, link[i]));
			assert_int_equal(link[i] / 2 / mesh->ndims, v);
		}
		walked += cable ? mesh->graph->cable[(link[i] - links_grid(mesh)) / 2].weight : 1;
		v = links_to(mesh, link[i]);
	}
	assert_int_equal(n ? walked : 0, hops == LINKGRAPH_CUT ? 0 : hops);
	assert_int_equal(v, hops == LINKGRAPH_CUT ? from : to);
}

/* A grid with broken and extra links, or one time in three no grid. */
static struct mesh *linked_mesh(uint64_t *seed)
{
	struct mesh *mesh;

	if (!random_int(seed, 0, 2))
		return random_cables(seed, 100);
	mesh = random_mesh(seed, 4, 100);
	random_links(seed, mesh, random_int(seed, 0, 25), random_int(seed, 0, 2));
	return mesh;
}

static void test_routes(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 150); rounds_next(&r); r.seed++) {
		uint64_t seed = r.seed;
		struct mesh *mesh = linked_mesh(&seed);
		int *link;

		link = malloc(((size_t)links_longest(mesh) + 1) * sizeof(int));
		assert_non_null(link);
		for (int i = 0; i < 200; i++)
			check_route(mesh, random_int(&seed, 0, mesh->nvertices - 1),
				random_int(&seed, 0, mesh->nvertices - 1), link);
		free(link);
		mesh_free(mesh);
	}
}

/* Step by step: as many hops as there are, over no broken link. */
static void check_steps(const struct mesh *mesh, int from, int to)
{
	struct links_place at = {mesh, from}, end = {mesh, to}, next;
	int hops = linkgraph_mesh_hops(mesh, from, to), walked = 0;

	while (hops != LINKGRAPH_CUT && at.vertex != to) {
		int step = links_step(at, end, &next);

		assert_int_not_equal(step, LINKS_NO_WAY);
		if (step >= 0) {
			assert_int_equal(step / 2 / mesh->ndims, at.vertex);
			assert_int_equal(links_to(mesh, step), next.vertex);
			assert_false(is_broken(mesh, step));
		}
		walked += step >= 0 ? 1 : mesh->graph->cable[LINKS_CABLE - step].weight;
		assert_true(walked <= hops);
		at = next;
	}
	if (hops == LINKGRAPH_CUT)
		assert_int_equal(links_step(at, end, &next), LINKS_NO_WAY);
	else
		assert_int_equal(walked, hops);
}

static void test_steps(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 150); rounds_next(&r); r.seed++) {
		uint64_t seed = r.seed;
		struct mesh *mesh = random_mesh(&seed, 4, 100);

		for (int i = 0; i < 400; i++) {
			if (i == 200)
				random_links(&seed, mesh, random_int(&seed, 0, 25),
					random_int(&seed, 0, 9));
			check_steps(mesh, random_int(&seed, 0, mesh->nvertices - 1),
				random_int(&seed, 0, mesh->nvertices - 1));
		}
		mesh_free(mesh);
	}
}

/* What the same job puts on each link, by load_number(), where no link is broken. */
static double *whole_loads(const struct mesh *mesh, const int *vertex, int count,
	enum comm_pattern pattern)
{
	struct mesh whole = *mesh;
	double *load = calloc((size_t)links_count(mesh), sizeof(*load));
	struct load_meter *meter;
	struct load_job job;

	whole.down = NULL;
	whole.graph = NULL;
	meter = load_meter_new(&whole, &arena);
	assert_true(load && meter);
	load_ranks(meter, vertex, count);
	load_of(meter, pattern, NULL, &job);
	for (int i = 0; i < job.n; i++)
		load[job.link[i]] = job.load[i];
	arena_release(&arena);
	return load;
}

/* Each broken link's load is moved, all of it, to the ways of links_route(). */
static void move_loads(const struct mesh *mesh, double *load)
{
	int *way = malloc(((size_t)links_longest(mesh) + 1) * sizeof(int));

	assert_non_null(way);
	for (int l = 0; l < links_count(mesh); l++) {
		int v = l / 2 / mesh->ndims, d = l / 2 % mesh->ndims, w = links_to(mesh, l), n;
		double *at = &load[load_number(mesh, v, d, l % 2)];

		if (w < 0 || !is_broken(mesh, l))
			continue;
		n = links_route(mesh, v, w, way);
		for (int i = 0; i < n; i++)
			load[load_number(mesh, way[i] / 2 / mesh->ndims, way[i] / 2 % mesh->ndims,
				way[i] % 2)] += *at;
		*at = 0;
	}
	free(way);
}

static void test_loads(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 150); rounds_next(&r); r.seed++) {
		uint64_t seed = r.seed;
		struct mesh *mesh = random_mesh(&seed, 3, 100);
		int count = mesh->nnodes < 30 ? mesh->nnodes : 30, vertex[30];
		enum comm_pattern pattern = random_int(&seed, 0, 1) ? COMM_RING : COMM_GRID;
		struct load_meter *meter;
		struct load_job job;
		double *load;

		random_links(&seed, mesh, random_int(&seed, 0, 25), 0);
		for (int i = 0; i < count; i++)
			vertex[i] = mesh->vertex_of[random_int(&seed, 0, mesh->nnodes - 1)];
		load = whole_loads(mesh, vertex, count, pattern);
		move_loads(mesh, load);
		meter = load_meter_new(mesh, &arena);
		assert_non_null(meter);
		for (int pass = 0; pass < 2; pass++) {
			load_ranks(meter, vertex, count);
			load_of(meter, pattern, NULL, &job);
		}
		for (int i = 0; i < job.n; i++) {
			assert_true(job.load[i] > 0);
			assert_true(fabs(load[job.link[i]] - job.load[i]) <
				1e-9 * (1 + job.load[i]));
			load[job.link[i]] = 0;
		}
		for (int l = 0; l < links_count(mesh); l++)
			assert_true(load[l] == 0);
		free(load);
		arena_release(&arena);
		mesh_free(mesh);
	}
}

/* Round a broken link over a cable of one lane, where another cable has four. */
static void test_slow_cable(void **state)
{
	static const struct linkgraph_cable cable[] = {
		{{0, 0}, {1, 2}, 1, 1}, {{0, 0}, {0, 3}, 1, 4}};
	static const int vertex[] = {1, 2};
	struct mesh *mesh = make_mesh(1, (const int[]){4}, 0, 1);
	double *load, whole;
	struct load_meter *meter;
	struct load_job job;

	(void)state;
	load = whole_loads(mesh, vertex, 2, COMM_RING);
	whole = load[load_number(mesh, 1, 0, true)];
	assert_false(mesh_break(mesh, 1, 0));
	assert_false(linkgraph_join(&mesh, 1, cable, 2, NULL));
	meter = load_meter_new(mesh, &arena);
	assert_non_null(meter);
	load_ranks(meter, vertex, 2);
	load_of(meter, COMM_RING, NULL, &job);
	assert_int_equal(job.n, 2);
	for (int i = 0; i < 2; i++)
		assert_true(job.link[i] >= links_grid(mesh) && job.load[i] == 4 * whole);
	free(load);
	arena_release(&arena);
	mesh_free(mesh);
}

/* On a machine that is its cables, message by message, those of few lanes counting more. */
static void test_cables(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 100); rounds_next(&r); r.seed++) {
		uint64_t seed = r.seed;
		struct mesh *mesh = random_cables(&seed, 60);
		int most = mesh->nnodes < 12 ? mesh->nnodes : 12;
		int count = random_int(&seed, 1, most), vertex[12];
		int *link = calloc((size_t)links_longest(mesh) + 1, sizeof(int));
		double *load = calloc((size_t)links_count(mesh) + 1, sizeof(double));
		struct load_meter *meter = load_meter_new(mesh, &arena);
		struct load_job job;

		assert_true(link && load && meter);
		for (int i = 0; i < count; i++)
			vertex[i] = random_int(&seed, 0, mesh->nvertices - 1);
		for (int i = 0; i < count; i++) {
			int n = links_route(mesh, vertex[i], vertex[(i + 1) % count], link);

			for (int j = 0; j < n; j++)
				load[link[j]] += links_slower(mesh, link[j]);
		}
		load_ranks(meter, vertex, count);
		load_of(meter, COMM_RING, NULL, &job);
		for (int i = 0; i < job.n; i++) {
			assert_true(
				fabs(load[job.link[i]] - job.load[i]) < 1e-9 * (1 + job.load[i]));
			load[job.link[i]] = 0;
		}
		for (int l = 0; l < links_count(mesh); l++)
			assert_true(load[l] == 0);
		free(link);
		free(load);
		arena_release(&arena);
		mesh_free(mesh);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_routes),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_slow_cable),
		cmocka_unit_test(test_cables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
