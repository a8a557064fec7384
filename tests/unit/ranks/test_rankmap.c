/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Ranks onto nodes and cores: the graph, the local search against all permutations, and what
 * holds for every mapping.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ranks/assign.h"
#include "ranks/drb.h"
#include "ranks/peak.h"
#include "ranks/rankfold.h"
#include "ranks/rankmap.h"
#include "conf/strategies.h"
#include "graph/linkgraph.h"
#include "support.h"
#include "decide/strategy_decide.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

/* How many steps of one along dimension d lead from x to y. */
static int steps(const struct traffic_grid *grid, int d, int x, int y)
{
	int apart = abs(x - y);

	return (apart == 1) + (grid->wrap[d] && apart == grid->side[d] - 1);
}

/* Bytes between two ranks by the definition of the grid. */
static double plain_weight(const struct traffic_grid *grid, int a, int b)
{
	int x[MESH_MAX_DIMS], y[MESH_MAX_DIMS], differ = 0, ways = 1;
	double least = 0;

	traffic_grid_coord(grid, a, x);
	traffic_grid_coord(grid, b, y);
	for (int d = 0; d < grid->ndims; d++)
		if (x[d] != y[d]) {
			least = differ++ && least < grid->weight[d] ? least : grid->weight[d];
			ways *= steps(grid, d, x[d], y[d]);
		}
	return differ > 1 && !grid->diagonal ? 0 : ways * least;
}

static double weight_in(const struct traffic *t, int a, int b)
{
	double weight = 0;

	for (size_t e = t->start[a]; e < t->start[a + 1]; e++)
		if (t->to[e] == b)
			weight += t->weight[e];
	return weight;
}

static void random_grid(uint64_t *seed, struct traffic_grid *grid, int most)
{
	int n = 1;

	*grid = (struct traffic_grid){.ndims = random_int(seed, 1, 4),
		.first_fastest = random_next(seed) & 1, .diagonal = random_next(seed) & 1};
	for (int d = 0; d < grid->ndims; d++) {
		grid->side[d] = random_int(seed, 1, most / n < 6 ? most / n : 6);
		grid->wrap[d] = random_next(seed) & 1;
		grid->weight[d] = random_int(seed, 0, 3);
		n *= grid->side[d];
	}
}

static void test_grid(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 200); rounds_next(&r);) {
		struct traffic_grid grid;
		struct traffic t;
		struct mesh_err err;

		random_grid(&r.seed, &grid, 60);
		assert_int_equal(traffic_init_grid(&t, &grid, &err), 0);
		for (int a = 0; a < t.n; a++)
			for (int b = 0; b < t.n; b++)
				assert_true(weight_in(&t, a, b) == plain_weight(&grid, a, b));
		traffic_release(&t);
	}
}

/* A message in each of a hundred steps, of more and more bytes: the last go with the first. */
static void test_steps(void **state)
{
	struct traffic_edge edge[100];
	struct traffic t;
	double sum = 0;

	(void)state;
	for (int i = 0; i < 100; i++)
		edge[i] = (struct traffic_edge){i % 4, (i + 1) % 4, i + 1, 1000 * 64 + i};
	assert_int_equal(traffic_init(&t, 4, edge, 100, NULL), 0);
	assert_int_equal(t.steps, TRAFFIC_STEPS);
	for (int k = 0; k < t.steps; k++) {
		const struct traffic *step = &t.step[k];

		assert_int_equal(step->start[4], 2);
		for (int i = 0; i < 4; i++)
			for (size_t e = step->start[i]; e < step->start[i + 1]; e++) {
				assert_true((step->weight[e] > 0) == (step->to[e] == (i + 1) % 4));
				sum += fabs(step->weight[e]);
			}
	}
	assert_true(sum == 2 * traffic_total(&t) && sum == 2 * 5050);
	assert_true(weight_in(&t.step[0], 0, 1) == 1 + 65 && weight_in(&t.step[0], 1, 0) == -66);
	assert_true(weight_in(&t.step[63], 3, 0) == 64);
	traffic_release(&t);
}

static void test_traffic(void **state)
{
	static const struct traffic_edge edge[] = {
		{0, 1, 2}, {1, 0, 3}, {2, 2, 9}, {1, 2, 0}, {3, 0, 1}};
	static const int group[] = {0, 0, 1, 1};
	struct traffic t, g;
	struct mesh_err err;

	(void)state;
	assert_int_equal(traffic_init(&t, 4, edge, 5, &err), 0);
	assert_true(weight_in(&t, 0, 1) == 5 && weight_in(&t, 1, 0) == 5);
	assert_true(weight_in(&t, 0, 3) == 1);
	assert_int_equal(t.start[4], 4); /* two pairs, both ways */
	assert_true(traffic_total(&t) == 6);
	assert_int_equal(traffic_init_groups(&g, &t, group, 2, &err), 0);
	assert_true(traffic_total(&g) == 1);
	traffic_release(&t);
	traffic_release(&g);
	assert_int_equal(traffic_init(&t, 3, edge, 5, &err), -1);
	assert_non_null(strstr(err.text, "rank 3: there are 0 to 2"));
	assert_int_equal(traffic_init(&t, 4, &(struct traffic_edge){0, 1, -1}, 1, &err), -1);
	assert_int_equal(traffic_init(&t, 0, edge, 0, &err), -1);
}

/* --- local search ----------------------------------------------------------------- */

static void random_traffic(uint64_t *seed, struct traffic *t, int n)
{
	struct traffic_edge edge[128]; /* n <= 36 */
	size_t count = (size_t)random_int(seed, 1, 3 * n);
	struct mesh_err err;

	for (size_t e = 0; e < count; e++)
		edge[e] = (struct traffic_edge){random_int(seed, 0, n - 1),
			random_int(seed, 0, n - 1), random_int(seed, 1, 9)};
	assert_int_equal(traffic_init(t, n, edge, count, &err), 0);
}

/* The least cost over all permutations of site[i..]. */
static double all_orders(const struct traffic *t, const struct assign_sites *table, int *site,
	int i)
{
	double least = assign_cost(t, table, site);

	for (int j = i; j < t->n; j++) {
		int swap = site[i];

		site[i] = site[j];
		site[j] = swap;
		double cost = i + 1 < t->n ? all_orders(t, table, site, i + 1)
					   : assign_cost(t, table, site);

		least = cost < least ? cost : least;
		site[j] = site[i];
		site[i] = swap;
	}
	return least;
}

static void test_assign(void **state)
{
	int optimal = 0;

	(void)state;
	for (struct rounds r = rounds(2, 150); rounds_next(&r);) {
		uint64_t links = r.seed;
		struct mesh *mesh = random_mesh(&r.seed, 3, 40);
		int per_site = random_int(&r.seed, 1, 2), sites = 6 / per_site;
		int vertex[6], site[6], count[6] = {0};
		struct assign_sites table;
		struct traffic t;

		random_traffic(&r.seed, &t, 6);
		for (int i = 0; i < sites; i++)
			vertex[i] = random_int(&r.seed, 0, mesh->nvertices - 1);
		for (int i = 0; i < 6; i++)
			site[i] = i / per_site;
		if (links % 4 == 0)
			random_links(&links, mesh, 10, 2);
		assert_int_equal(assign_sites_init(&table, mesh, vertex, sites, &arena), 0);
		for (int i = 0; i < sites * sites; i++)
			assert_int_equal(assign_hops(&table, i / sites, i % sites),
				linkgraph_mesh_hops(
					mesh, vertex[i / sites], vertex[i % sites]));
		double before = assign_cost(&t, &table, site);
		double least = all_orders(&t, &table, site, 0);
		double cost = assign_improve(&t, &table, site,
			&(struct assign_effort){.moves = 20000});

		assert_true(cost == assign_cost(&t, &table, site));
		assert_true(cost <= before && cost >= least);
		optimal += cost == least;
		for (int i = 0; i < 6; i++)
			count[site[i]]++;
		for (int i = 0; i < sites; i++)
			assert_int_equal(count[i], per_site);
		arena_release(&arena);
		traffic_release(&t);
		mesh_free(mesh);
	}
	assert_in_range(optimal, 130, 150);
}

/* The same with a table of hops and without. */
static void test_no_table(void **state)
{
	(void)state;
	for (struct rounds r = rounds(8, 100); rounds_next(&r);) {
		struct mesh *mesh = random_mesh(&r.seed, 4, 60);
		int per_site = random_int(&r.seed, 1, 3), sites = random_int(&r.seed, 2, 12);
		int vertex[12], site[36], again[36];
		struct assign_effort effort = {.moves = 5000};
		struct assign_sites table;
		struct traffic t;

		random_traffic(&r.seed, &t, sites * per_site);
		for (int i = 0; i < sites; i++)
			vertex[i] = random_int(&r.seed, 0, mesh->nvertices - 1);
		for (int i = 0; i < t.n; i++)
			site[i] = again[i] = i / per_site;
		assert_int_equal(assign_sites_init(&table, mesh, vertex, sites, &arena), 0);
		assert_true(assign_improve(&t, &table, site, &effort) ==
			assign_cost(&t, &table, site));
		table.hops = NULL;
		assign_improve(&t, &table, again, &effort);
		assert_memory_equal(site, again, (size_t)t.n * sizeof(int));
		arena_release(&arena);
		traffic_release(&t);
		mesh_free(mesh);
	}
}

/* --- halving ---------------------------------------------------------------------- */

/* All points stay, none of the first part lies behind one of the second along a longest side. */
static void test_halving(void **state)
{
	(void)state;
	for (struct rounds r = rounds(3, 100); rounds_next(&r);) {
		int point[60], seen[60] = {0}, n = random_int(&r.seed, 2, 60), first;
		int pos[60][MESH_MAX_DIMS];
		struct drb_points set = {n, 2, pos};
		uint64_t scratch[60];
		bool parted = false;

		for (int i = 0; i < n; i++) {
			point[i] = i;
			for (int d = 0; d < 2; d++)
				pos[i][d] = random_int(&r.seed, 0, 9);
		}
		first = drb_halve(&set, point, n, scratch);
		assert_in_range(first, n / 2 - n / 6, n / 2 + n / 6);
		for (int i = 0; i < n; i++)
			assert_int_equal(seen[point[i]]++, 0);
		for (int d = 0; d < 2; d++) {
			int last = 0, next = 9;

			for (int i = 0; i < first; i++)
				last = pos[point[i]][d] > last ? pos[point[i]][d] : last;
			for (int i = first; i < n; i++)
				next = pos[point[i]][d] < next ? pos[point[i]][d] : next;
			parted |= last <= next;
		}
		assert_true(parted);
	}
}

/* --- the whole -------------------------------------------------------------------- */

static void shuffle(uint64_t *seed, int *item, int n)
{
	for (int i = n - 1; i > 0; i--) {
		int j = random_int(seed, 0, i), swap = item[i];

		item[i] = item[j];
		item[j] = swap;
	}
}

/* Balanced, as costly as said, never worse than block, the same again. */
static void check_map(const struct rankmap_input *in)
{
	int n = in->traffic->n, nnodes = in->nnodes;
	int *place = malloc((size_t)n * sizeof(int)), *again = malloc((size_t)n * sizeof(int));
	int *count = calloc((size_t)nnodes, sizeof(int));
	struct rankmap_answer a = {.place = place}, b = {.place = again};
	struct mesh_err err;
	double cost = 0, block = 0;

	assert_int_equal(rankmap_solve(in, &a, &err), 0);
	assert_int_equal(rankmap_solve(in, &b, &err), 0);
	assert_memory_equal(place, again, (size_t)n * sizeof(int));
	for (int i = 0; i < n; i++) {
		assert_in_range(place[i], 0, nnodes - 1);
		count[place[i]]++;
		for (int j = 0; j < i; j++) {
			double w = weight_in(in->traffic, i, j);
			int here = in->mesh->vertex_of[in->node[place[i]]];
			int there = in->mesh->vertex_of[in->node[place[j]]];

			cost += w * mesh_hops(in->mesh, here, there);
			block += w * mesh_hops(in->mesh,
				in->mesh->vertex_of[in->node[i / in->per_node]],
				in->mesh->vertex_of[in->node[j / in->per_node]]);
		}
	}
	for (int i = 0; i < nnodes; i++)
		assert_int_equal(count[i], in->per_node);
	assert_true(cost == a.hop_bytes);
	assert_true(block == a.block_hop_bytes);
	assert_true(cost <= block);
	free(place);
	free(again);
	free(count);
}

static void test_any_map(void **state)
{
	(void)state;
	for (struct rounds r = rounds(6, 60); rounds_next(&r);) {
		int round = random_int(&r.seed, 0, 59);
		struct mesh *mesh = random_mesh(&r.seed, 3, 100);
		struct traffic_grid grid;
		struct rankmap_input in = {.mesh = mesh, .seed = (uint64_t)round};
		int *node = malloc((size_t)mesh->nnodes * sizeof(int)), divisors[60], n = 0;
		struct traffic t;
		struct mesh_err err;

		random_grid(&r.seed, &grid, 60);
		assert_int_equal(traffic_init_grid(&t, &grid, &err), 0);
		for (int i = 1; i <= t.n && i <= mesh->nnodes; i++)
			if (t.n % i == 0)
				divisors[n++] = i;
		in.nnodes = divisors[random_int(&r.seed, 0, n - 1)];
		in.per_node = t.n / in.nnodes;
		for (int i = 0; i < mesh->nnodes; i++)
			node[i] = i;
		shuffle(&r.seed, node, mesh->nnodes);
		in.node = node;
		in.traffic = &t;
		in.grid = random_next(&r.seed) & 1 ? &grid : NULL;
		check_map(&in);
		traffic_release(&t);
		free(node);
		mesh_free(mesh);
	}
}

/* A grid on a machine of the same form, nodes in any order: folding finds one hop an edge. */
static void test_perfect(void **state)
{
	static const int side[] = {8, 4, 4};
	struct mesh *mesh = make_mesh(3, side, 0, 1);
	uint64_t seed = 7;
	int node[128], place[128];
	struct traffic_grid grid = {.ndims = 3, .side = {4, 8, 4}, .weight = {1, 1, 1}};
	struct traffic t;
	struct rankmap_input in = {.mesh = mesh, .node = node, .nnodes = 128, .per_node = 1,
		.traffic = &t, .grid = &grid, .fold_only = true};
	struct rankmap_answer answer = {.place = place};
	struct mesh_err err;

	(void)state;
	for (int i = 0; i < 128; i++)
		node[i] = i;
	shuffle(&seed, node, 128);
	assert_int_equal(traffic_init_grid(&t, &grid, &err), 0);
	assert_int_equal(rankmap_solve(&in, &answer, &err), 0);
	assert_true(answer.hop_bytes == traffic_total(&t));
	in.per_node = 2;
	assert_int_equal(rankmap_solve(&in, &answer, &err), -1);
	assert_non_null(strstr(err.text, "128 nodes with 2 ranks each do not make 128 ranks"));
	traffic_release(&t);
	mesh_free(mesh);
}

/* By the load of links: block order, unless another is better by 2%. */
static void test_block_or_better(void **state)
{
	int block = 0;

	(void)state;
	for (struct rounds r = rounds(4, 60); rounds_next(&r);) {
		struct mesh *mesh = make_mesh(2, (const int[]){4, 4}, r.seed & 3, 1);
		int n = random_int(&r.seed, 4, 10), node[16], place[10], plain[10];
		struct traffic t;
		struct rankmap_answer answer = {.place = place};
		struct peak_loads ours, theirs;

		for (int i = 0; i < 16; i++)
			node[i] = i;
		for (int i = 0; i < n; i++)
			plain[i] = i;
		random_traffic(&r.seed, &t, n);
		assert_int_equal(rankmap_solve(&(struct rankmap_input){.mesh = mesh, .node = node,
			.nnodes = n, .per_node = 1, .traffic = &t, .objective = RANKMAP_PEAK},
			&answer, NULL), 0);
		peak_loads(&(struct peak_input){mesh, &t, node}, place, &ours);
		peak_loads(&(struct peak_input){mesh, &t, node}, plain, &theirs);
		if (memcmp(place, plain, (size_t)n * sizeof(int)) != 0)
			assert_true(ours.cost <= 0.98 * theirs.cost);
		else
			block++;
		traffic_release(&t);
		mesh_free(mesh);
	}
	assert_in_range(block, 1, 59);
}

/* A ring on a box in a larger torus: the box has no rings of its own. */
static void test_inner_box(void **state)
{
	static const int node[] = {0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27};
	static const struct traffic_grid ring = {
		.ndims = 1, .side = {16}, .wrap = {true}, .weight = {1}};
	struct mesh *mesh = make_mesh(2, (const int[]){8, 8}, 3, 1);
	int place[16];
	struct rankmap_answer answer = {.place = place};
	struct traffic t;

	(void)state;
	assert_int_equal(traffic_init_grid(&t, &ring, NULL), 0);
	assert_int_equal(rankmap_solve(&(struct rankmap_input){.mesh = mesh, .node = node,
		.nnodes = 16, .per_node = 1, .traffic = &t, .grid = &ring, .fold_only = true},
		&answer, NULL), 0);
	assert_true(answer.hop_bytes == 16);
	traffic_release(&t);
	mesh_free(mesh);
}

/* Two pairs of ranks on two nodes: each pair shares a node, and nothing goes over the link. */
static void test_pairs(void **state)
{
	static const struct traffic_edge edge[] = {{0, 2, 1, 0}, {1, 3, 1, 0}};
	static const int node[] = {0, 1};
	struct mesh *mesh = make_mesh(1, (const int[]){2}, 0, 1);
	int place[4];
	struct rankmap_answer answer = {.place = place};
	struct traffic t;

	(void)state;
	assert_int_equal(traffic_init(&t, 4, edge, 2, NULL), 0);
	assert_int_equal(rankmap_solve(&(struct rankmap_input){.mesh = mesh, .node = node,
		.nnodes = 2, .per_node = 2, .traffic = &t}, &answer, NULL), 0);
	assert_true(answer.hop_bytes == 0 && answer.block_hop_bytes == 2);
	traffic_release(&t);
	mesh_free(mesh);
}

static void allocate(const struct mesh *mesh, int count, uint64_t seed, int *node)
{
	struct mesh_err err;
	struct strategy *mm = strategy_new(strategy_find("mm"), mesh, &err);
	struct nodeset free_set;
	struct mesh_state state = {.free = &free_set};
	struct mesh_answer answer = {.node = node};

	assert_non_null(mm);
	assert_int_equal(nodeset_init(&free_set, mesh->nnodes), 0);
	random_set(&seed, &free_set, 60);
	assert_int_equal(strategy_decide(mm, &state, &(struct mesh_request){.count = count},
		&answer), MESH_OK);
	nodeset_release(&free_set);
	strategy_free(mm);
}

/* On scattered allocations at least 25 % below block order. */
static void test_gain(void **state)
{
	static const struct {
		int nodes, per_node;
		struct traffic_grid grid;
	} job[] = {
		{64, 1, {.ndims = 3, .side = {4, 4, 4}, .weight = {1, 1, 1}}},
		{64, 1, {.ndims = 2, .side = {8, 8}, .weight = {1, 1}}},
		{64, 16, {.ndims = 3, .side = {8, 8, 16}, .weight = {1, 1, 1}}},
		{256, 1, {.ndims = 3, .side = {8, 8, 4}, .weight = {1, 1, 1}}},
		{512, 1, {.ndims = 2, .side = {32, 16}, .weight = {1, 1}}},
		{512, 1, {.ndims = 3, .side = {8, 8, 8}, .weight = {1, 1, 1}}},
	};
	static const int side[] = {10, 10, 10};
	struct mesh *mesh = make_mesh(3, side, 7, 1);
	int node[1000];

	(void)state;
	for (size_t j = 0; j < sizeof(job) / sizeof(job[0]); j++) {
		struct traffic t;
		struct rankmap_input in = {.mesh = mesh, .node = node, .nnodes = job[j].nodes,
			.per_node = job[j].per_node, .traffic = &t, .grid = &job[j].grid};
		struct rankmap_answer answer;
		struct mesh_err err;

		allocate(mesh, in.nnodes, j, node);
		assert_int_equal(traffic_init_grid(&t, in.grid, &err), 0);
		answer.place = malloc((size_t)t.n * sizeof(int));
		assert_int_equal(rankmap_solve(&in, &answer, &err), 0);
		assert_true(answer.hop_bytes <= 0.75 * answer.block_hop_bytes);
		traffic_release(&t);
		free(answer.place);
	}
	mesh_free(mesh);
}

/* --- inside the node -------------------------------------------------------------- */

/* Two packages of four cores, on each two caches of two. */
static void make_cores(struct assign_sites *table)
{
	*table = (struct assign_sites){.n = 8, .hops = calloc(64, sizeof(uint16_t))};
	for (int a = 0; a < 8; a++)
		for (int b = 0; b < 8; b++)
			table->hops[a * 8 + b] = (uint16_t)((a != b) + (a / 2 != b / 2) +
				(a / 4 != b / 4));
}

static void test_fold(void **state)
{
	struct assign_sites cores;

	(void)state;
	make_cores(&cores);
	for (struct rounds r = rounds(8, 40); rounds_next(&r);) {
		int nnodes = random_int(&r.seed, 1, 6), place[48], core[48], count[48] = {0};
		struct traffic_grid grid = {.ndims = 2, .side = {nnodes, 8}, .weight = {1, 1}};
		struct traffic t;
		struct rankfold_input in = {.traffic = &t, .grid = &grid, .place = place,
			.nnodes = nnodes, .per_node = 8, .cores = &cores};
		struct rankfold_answer answer = {.core = core};
		struct mesh_err err;

		assert_int_equal(traffic_init_grid(&t, &grid, &err), 0);
		for (int i = 0; i < t.n; i++)
			place[i] = i / 8;
		shuffle(&r.seed, place, t.n);
		assert_int_equal(rankfold_solve(&in, &answer, &err), 0);
		assert_true(answer.distance_bytes <= answer.in_order_distance_bytes);
		for (int i = 0; i < t.n; i++)
			count[place[i] * 8 + core[i]]++;
		for (int i = 0; i < t.n; i++)
			assert_int_equal(count[i], 1);
		place[0] = nnodes;
		assert_int_equal(rankfold_solve(&in, &answer, &err), -1);
		traffic_release(&t);
	}
	free(cores.hops);
}

/* One rank has no other to change places with, whatever is made least. */
static void test_one_rank(void **state)
{
	int place[1] = {-1}, node[1] = {5};
	struct mesh *mesh = make_mesh(2, (const int[]){4, 4}, 0, 1);
	struct traffic t;
	struct rankmap_input in = {.mesh = mesh, .node = node, .nnodes = 1, .per_node = 1,
		.traffic = &t, .objective = RANKMAP_PEAK};
	struct rankmap_answer answer = {.place = place};
	struct mesh_err err;

	(void)state;
	assert_int_equal(traffic_init(&t, 1, NULL, 0, &err), 0);
	assert_int_equal(rankmap_solve(&in, &answer, &err), 0);
	assert_int_equal(place[0], 0);
	traffic_release(&t);
	mesh_free(mesh);
}

/* 2x4 ranks on a node: the least is a 2x2 square on each package, ranks 0,1,4,5 and 2,3,6,7. */
static void test_fold_known(void **state)
{
	struct traffic_grid grid = {.ndims = 2, .side = {2, 4}, .weight = {1, 1}};
	int place[8] = {0}, core[8];
	struct assign_sites cores;
	struct traffic t;
	struct rankfold_input in = {.traffic = &t, .grid = &grid, .place = place, .nnodes = 1,
		.per_node = 8, .cores = &cores};
	struct rankfold_answer answer = {.core = core};
	struct mesh_err err;

	(void)state;
	make_cores(&cores);
	assert_int_equal(traffic_init_grid(&t, &grid, &err), 0);
	assert_int_equal(rankfold_solve(&in, &answer, &err), 0);
	for (int i = 0; i < 8; i++)
		assert_int_equal(core[i] / 4, core[i % 4 / 2 * 2] / 4);
	/* 4 edges in caches, 4 between caches of a package, 2 between packages */
	assert_true(answer.distance_bytes == 4 * 1 + 4 * 2 + 2 * 3);
	assert_true(answer.alike);
	traffic_release(&t);
	free(cores.hops);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grid),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_traffic),
		cmocka_unit_test(test_assign),
		cmocka_unit_test(test_no_table),
		cmocka_unit_test(test_halving),
		cmocka_unit_test(test_any_map),
		cmocka_unit_test(test_one_rank),
		cmocka_unit_test(test_perfect),
		cmocka_unit_test(test_block_or_better),
		cmocka_unit_test(test_inner_box),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_gain),
		cmocka_unit_test(test_fold),
		cmocka_unit_test(test_fold_known),
	};

	return cmocka_run_group_tests_name("rankmap", tests, NULL, NULL);
}
