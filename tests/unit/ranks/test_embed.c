/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Grids folded into boxes: every grid and box of up to 16 points against a search that tries
 * everything; walks; grids found again in shuffled traffic; cuts of graphs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#include "boxes/fold.h"
#include "ranks/assign.h"
#include "ranks/bipart.h"
#include "ranks/embed.h"
#include "ranks/embed_walk.h"
#include "ranks/gridfind.h"
#include "ranks/peak.h"
#include "ranks/rankmap.h"
#include "ranks/rankorder.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

enum { LARGEST = 16 };

static struct mesh *box_mesh(const struct embed_box *box)
{
	struct mesh_spec spec = {.name = "box", .ndims = box->ndims, .nnodes = 1,
		.nodes_per_vertex = 1};

	for (int d = 0; d < box->ndims; d++) {
		spec.side[d] = box->side[d];
		spec.wrap[d] = box->wrap[d];
		spec.nnodes *= box->side[d];
	}
	return mesh_new(&spec, NULL);
}

/* The sides 2.. of all boxes of n points, in ascending order: calls back with each. */
static void each_shape(int n, int least, int ndims, int *side, void (*found)(int, const int *))
{
	if (n == 1) {
		found(ndims, side);
		return;
	}
	for (int s = least; s <= n && ndims < 4; s++)
		if (n % s == 0) {
			side[ndims] = s;
			each_shape(n / s, s, ndims + 1, side, found);
		}
}

static int shape[64][5], nshapes; /* ndims, sides */

static void note_shape(int ndims, const int *side)
{
	shape[nshapes][0] = ndims;
	memcpy(shape[nshapes++] + 1, side, (size_t)ndims * sizeof(int));
}

/* Can ranks from.. be put, each beside its neighbours that are there already? */
static bool search(
	const struct traffic *t, const struct mesh *mesh, int *site, int rank, char *used)
{
	if (rank == t->n)
		return true;
	for (int v = 0; v < mesh->nvertices; v++) {
		bool good = !used[v];

		for (size_t e = t->start[rank]; good && e < t->start[rank + 1]; e++)
			good = t->to[e] > rank || mesh_hops(mesh, v, site[t->to[e]]) == 1;
		if (!good)
			continue;
		used[v] = 1;
		site[rank] = v;
		if (search(t, mesh, site, rank + 1, used))
			return true;
		used[v] = 0;
		if (!rank && mesh->wrap[0])
			return false; /* all vertices of a torus are alike */
	}
	return false;
}

static void set_sides(int *side, bool *wrap, const int *from, bool wraps)
{
	for (int d = 0; d < from[0]; d++) {
		side[d] = from[d + 1];
		wrap[d] = wraps;
	}
}

static int check_pair(const int *guest, bool periodic, const int *host, bool torus)
{
	struct traffic_grid grid = {.ndims = guest[0], .weight = {1, 1, 1, 1}};
	struct embed_box box = {.ndims = host[0]};
	struct fold_grid folded = {.ndims = guest[0]}, into = {.ndims = host[0]};
	struct mesh *mesh;
	struct traffic t;
	int site[LARGEST], place[LARGEST];
	char used[LARGEST] = {0};
	double cost;
	bool there;

	set_sides(grid.side, grid.wrap, guest, periodic);
	set_sides(box.side, box.wrap, host, torus);
	set_sides(folded.side, folded.ring, guest, periodic);
	set_sides(into.side, into.ring, host, torus);
	mesh = box_mesh(&box);
	assert_int_equal(traffic_init_grid(&t, &grid, NULL), 0);
	there = search(&t, mesh, site, 0, used);
	assert_int_equal(embed_grid(&grid, &box, place, &cost), 0);
	memset(used, 0, sizeof(used));
	for (int i = 0; i < t.n; i++) {
		assert_in_range(place[i], 0, t.n - 1);
		assert_false(used[place[i]]++);
		site[i] = place[i];
	}
	struct assign_sites table;

	assert_int_equal(assign_sites_init(&table, mesh, mesh->vertex_of, mesh->nnodes, &arena), 0);
	assert_true(fabs(cost - assign_cost(&t, &table, site)) < 1e-6 * cost);
	assert_int_equal(cost < traffic_total(&t) * (1 + 1e-9), there);
	assert_int_equal(fold_fits(&folded, &into), there);
	arena_release(&arena);
	traffic_release(&t);
	mesh_free(mesh);
	return there;
}

/* One hop a step is found exactly where there is such an embedding. */
static void test_exhaustive(void **state)
{
	int there = 0, all = 0;

	(void)state;
	for (int n = 2; n <= LARGEST; n++) {
		int side[4];

		nshapes = 0;
		each_shape(n, 2, 0, side, note_shape);
		for (int i = 0; i < nshapes * nshapes * 4; i++) {
			there += check_pair(shape[i / 4 / nshapes], i & 1,
				shape[i / 4 % nshapes], i & 2);
			all++;
		}
	}
	assert_in_range(there, all / 4, 3 * all / 4);
}

/* Larger ones whose least is known. */
static void test_known(void **state)
{
	static const struct {
		int guest[5], host[5];
		bool periodic, torus;
		double most; /* hops a step */
	} known[] = {
		{{2, 8, 8}, {3, 4, 4, 4}, false, true, 1},
		{{2, 8, 8}, {3, 4, 4, 4}, true, true, 1},
		{{2, 16, 16}, {3, 8, 8, 4}, false, true, 1},
		{{2, 16, 32}, {3, 8, 8, 8}, false, true, 1.033},
		{{3, 4, 8, 16}, {3, 8, 8, 8}, false, true, 1.025},
		{{1, 45}, {2, 5, 9}, true, true, 1},
		{{1, 512}, {3, 8, 8, 8}, true, false, 1},
		{{2, 25, 3}, {3, 5, 3, 5}, true, true, 1},
		{{3, 16, 16, 16}, {4, 4, 16, 4, 16}, true, true, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct traffic_grid grid = {.ndims = known[i].guest[0], .weight = {1, 1, 1}};
		struct embed_box box = {.ndims = known[i].host[0]};
		struct traffic t;
		int *place;
		double cost;

		set_sides(grid.side, grid.wrap, known[i].guest, known[i].periodic);
		set_sides(box.side, box.wrap, known[i].host, known[i].torus);
		assert_int_equal(traffic_init_grid(&t, &grid, NULL), 0);
		place = malloc((size_t)t.n * sizeof(int));
		assert_int_equal(embed_grid(&grid, &box, place, &cost), 0);
		assert_true(cost <= known[i].most * traffic_total(&t) * (1 + 1e-9));
		box.side[0]++;
		assert_int_equal(embed_grid(&grid, &box, place, &cost), 1);
		free(place);
		traffic_release(&t);
	}
}

/* Ranks of a grid in any order, with some lesser traffic besides: it is found. */
static void test_gridfind(void **state)
{
	(void)state;
	for (struct rounds r = rounds(5, 60); rounds_next(&r);) {
		int round = random_int(&r.seed, 0, 59);
		struct traffic_grid grid = {
			.ndims = random_int(&r.seed, 1, 3), .weight = {8, 6, 7}};
		struct traffic plain, t;
		struct traffic_edge edge[5000];
		int order[512], cell[512], n, same = 0;
		size_t count = 0;

		for (int d = 0; d < grid.ndims; d++) {
			grid.side[d] = random_int(&r.seed, 2, 7);
			grid.wrap[d] = grid.side[d] > 2 && round % 2;
		}
		n = traffic_grid_size(&grid, NULL);
		assert_int_equal(traffic_init_grid(&plain, &grid, NULL), 0);
		for (int i = 0; i < n; i++) {
			int j = random_int(&r.seed, 0, i);

			order[i] = order[j];
			order[j] = i;
		}
		for (int i = 0; i < n; i++)
			for (size_t e = plain.start[i]; e < plain.start[i + 1]; e++)
				if (plain.to[e] > i)
					edge[count++] = (struct traffic_edge){order[i],
						order[plain.to[e]], plain.weight[e]};
		for (int i = 0; round % 3 == 0 && i < n; i++)
			edge[count++] =
				(struct traffic_edge){i, random_int(&r.seed, 0, n - 1), 0.5};
		assert_int_equal(traffic_init(&t, n, edge, count, NULL), 0);
		assert_int_equal(gridfind(&t, &grid, cell), 0);
		assert_int_equal(traffic_grid_size(&grid, NULL), n);
		traffic_release(&t);
		assert_int_equal(traffic_init_grid(&t, &grid, NULL), 0);
		for (int i = 0; i < n; i++)
			for (size_t e = plain.start[i]; e < plain.start[i + 1]; e++)
				for (size_t k = t.start[cell[order[i]]];
					k < t.start[cell[order[i]] + 1]; k++)
					same += t.to[k] == cell[order[plain.to[e]]];
		assert_int_equal(same, (int)plain.start[n]);
		traffic_release(&plain);
		traffic_release(&t);
	}
}

/* No grid: a star, a tree, two pieces. */
static void test_no_grid(void **state)
{
	static const struct traffic_edge edge[][3] = {
		{{0, 1, 1}, {0, 2, 1}, {0, 3, 1}}, {{0, 1, 1}, {2, 3, 1}, {2, 3, 1}},
		{{0, 1, 1}, {1, 2, 1}, {1, 3, 1}}, {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
	};

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct traffic_grid grid;
		struct traffic t;
		int cell[4];

		assert_int_equal(traffic_init(&t, 4, edge[i], 3, NULL), 0);
		assert_int_equal(gridfind(&t, &grid, cell), 1);
		traffic_release(&t);
	}
}

/* A row of n, each linked to the next, is cut once and in the sizes asked for. */
static void test_bipart(void **state)
{
	uint64_t random = 3, seed = 4;

	(void)state;
	for (int round = 0; round < 50; round++) {
		int n = random_int(&seed, 2, 300), first = random_int(&seed, 1, n - 1);
		int start[301], to[600], size[300], part[300], end = 0, cuts = 0, count = 0;
		double weight[600], bias[300] = {0};
		struct bipart_graph g = {n, start, to, weight, size, bias};

		for (int i = 0; i < n; i++) {
			start[i] = end;
			size[i] = 1;
			for (int step = -1; step < 2; step += 2)
				if (i + step >= 0 && i + step < n) {
					to[end] = i + step;
					weight[end++] = 1;
				}
		}
		start[n] = end;
		bias[0] = round & 1 ? 100 : 0;
		assert_int_equal(bipart(&g, first, &random, part), 0);
		for (int i = 0; i < n; i++) {
			count += !part[i];
			cuts += i && part[i] != part[i - 1];
		}
		assert_int_equal(count, first);
		assert_in_range(cuts, 1, 3);
		assert_true(!(round & 1) || part[0] == 1);
	}
}

/* --- the load of links, the order of nodes ---------------------------------------- */

static void test_peak(void **state)
{
	static const struct traffic_edge edge[] = {{0, 1, 2}, {2, 3, 4}};
	static const int side[] = {4}, vertex[] = {0, 1, 2, 3};
	struct mesh *mesh = make_mesh(1, side, 0, 1);
	int site[] = {0, 2, 1, 3};
	struct traffic t;
	struct peak_input in = {mesh, &t, vertex};
	struct peak_loads loads;

	(void)state;
	assert_int_equal(traffic_init(&t, 4, edge, 2, NULL), 0);
	/* Half of each weight in each direction: 1 from 0 to 2, 2 from 1 to 3. */
	assert_int_equal(peak_loads(&in, site, &loads), 0);
	assert_true(loads.highest == 3);
	assert_int_equal(peak_loads(&in, vertex, &loads), 0);
	assert_true(loads.highest == 2 && fabs(loads.cost - pow(2 * (1 + 16), 0.25)) < 1e-9);
	/* So few tries look at nothing, not even at the mesh. */
	assert_int_equal(peak_improve(&(struct peak_input){NULL, &t, vertex}, 99, 1, site), 0);
	assert_int_equal(peak_improve(&in, 2000, 1, site), 0);
	assert_int_equal(peak_loads(&in, site, &loads), 0);
	assert_true(loads.highest == 2);
	traffic_release(&t);
	mesh_free(mesh);
}

/* Two steps, in which 0 sends to 1, and 2 to 3. */
static void test_steps(void **state)
{
	static const struct traffic_edge edge[] = {{0, 1, 2, 7}, {2, 3, 4, 8}};
	static const int side[] = {4}, vertex[] = {0, 1, 2, 3};
	struct mesh *mesh = make_mesh(1, side, 0, 1);
	int site[] = {0, 2, 1, 3};
	struct traffic t;
	struct peak_input in = {mesh, &t, vertex};
	struct peak_loads loads;

	(void)state;
	assert_int_equal(traffic_init(&t, 4, edge, 2, NULL), 0);
	assert_int_equal(t.steps, 2);
	assert_int_equal(peak_loads(&in, site, &loads), 0);
	assert_true(loads.highest == 6);
	assert_true(fabs(loads.cost - (2 + 4) * pow(2, 0.25) -
		0.3 * pow(pow(2, 4) + pow(6, 4) + pow(4, 4), 0.25)) < 1e-9);
	assert_int_equal(peak_improve(&in, 2000, 1, site), 0);
	assert_int_equal(peak_loads(&in, site, &loads), 0);
	assert_true(loads.highest == 4 && 
		fabs(loads.cost - 6 - 0.3 * pow(pow(2, 4) + pow(4, 4), 0.25)) < 1e-9);
	traffic_release(&t);
	mesh_free(mesh);
}

/* A ring on nodes that snug left to a job: no link has two of its messages. Exchanges alone end
 * with two on a link, and the ring takes almost twice as long. */
static void test_ring(void **state)
{
	static const int side[] = {8, 8}, vertex[] = {20, 21, 22, 23, 24, 25, 26, 27,
		28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 46, 47, 49, 52, 53, 54,
		55, 60, 61, 62};
	const struct traffic_grid grid = {.ndims = 1, .side = {32}, .wrap = {true}, .weight = {1}};
	struct mesh *mesh = make_mesh(2, side, 3, 1);
	struct traffic t;
	int place[32];
	struct rankmap_answer answer = {.place = place};
	struct rankmap_input in = {.mesh = mesh, .node = vertex, .nnodes = 32, .per_node = 1,
		.traffic = &t, .objective = RANKMAP_PEAK};

	(void)state;
	assert_int_equal(traffic_init_grid(&t, &grid, NULL), 0);
	assert_int_equal(rankmap_solve(&in, &answer, NULL), 0);
	assert_true(answer.peak_load == 0.5);
	traffic_release(&t);
	mesh_free(mesh);
}

/* One hop a step through every box in a machine, wherever it lies; all nodes once elsewhere. */
static void test_order(void **state)
{
	static const int side[] = {6, 5, 4};

	(void)state;
	for (struct rounds r = rounds(9, 60); rounds_next(&r);) {
		int round = random_int(&r.seed, 0, 59);
		struct mesh *mesh = make_mesh(3, side, (unsigned)round & 7, 1);
		int node[120], order[120], n = 0, low[3], high[3], seen[120] = {0};

		for (int d = 0; d < 3; d++) {
			low[d] = random_int(&r.seed, 0, side[d] - 1);
			high[d] = random_int(&r.seed, low[d], side[d] - 1);
		}
		for (int v = 0; v < 120; v++) {
			bool inside = true;

			for (int d = 0; d < 3; d++)
				inside = inside && mesh->coord[v][d] >= low[d] &&
					mesh->coord[v][d] <= high[d];
			if (inside)
				node[n++] = v;
		}
		assert_int_equal(rankorder(mesh, node, n, order, NULL), 0);
		for (int i = 0; i < n; i++) {
			assert_in_range(order[i], 0, n - 1);
			assert_int_equal(seen[order[i]]++, 0);
			if (i)
				assert_int_equal(mesh_hops(mesh, mesh->vertex_of[node[order[i]]],
					mesh->vertex_of[node[order[i - 1]]]), 1);
		}
		mesh_free(mesh);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exhaustive),
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_gridfind),
		cmocka_unit_test(test_no_grid),
		cmocka_unit_test(test_bipart),
		cmocka_unit_test(test_peak),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_ring),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests_name("embed", tests, NULL, NULL);
}
