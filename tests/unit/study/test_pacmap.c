/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * PaCMap against a plain implementation that walks all pairs and all nodes, and where the best
 * placement is known.
 */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "study/pacmap.h"
#include "strategies/strategies.h"
#include "support.h"

enum { MOST = 64 };

/* --- the plain one: weights in a matrix, no heap, no frame that is kept up to date ------- */

struct plain {
	const struct mesh *mesh;
	int n;
	double weight[MOST][MOST];
	bool free[MOST];
	int node[MOST]; /* of each task; -1 */
};

static int apart(const struct plain *p, int a, int b)
{
	return mesh_hops(p->mesh, p->mesh->vertex_of[a], p->mesh->vertex_of[b]);
}

/* The task with the least sum of ways, by Bellman and Ford. */
static int plain_center_task(const struct plain *p)
{
	double least = DBL_MAX;
	int best = 0;

	for (int from = 0; from < p->n; from++) {
		double way[MOST], sum = 0;

		for (int i = 0; i < p->n; i++)
			way[i] = i == from ? 0 : 1e6;
		for (int round = 0; round < p->n; round++)
			for (int a = 0; a < p->n; a++)
				for (int b = 0; b < p->n; b++)
					if (p->weight[a][b] > 0 &&
						way[a] + 1 / p->weight[a][b] < way[b])
						way[b] = way[a] + 1 / p->weight[a][b];
		for (int i = 0; i < p->n; i++)
			sum += way[i];
		if (sum < least) {
			least = sum;
			best = from;
		}
	}
	return best;
}

/* Places at this distance where there is no edge, counted one by one. */
static int plain_shell(const struct mesh *mesh, int d, int radius)
{
	int sum = 0;

	if (d == mesh->ndims)
		return radius == 0;
	if (mesh->wrap[d])
		for (int c = 0; c < mesh->side[d]; c++)
			sum += plain_shell(mesh, d + 1,
				radius - (c < mesh->side[d] - c ? c : mesh->side[d] - c));
	else
		for (int c = 1 - mesh->side[d]; c < mesh->side[d]; c++)
			sum += plain_shell(mesh, d + 1, radius - abs(c));
	return sum;
}

static int plain_center_node(const struct plain *p)
{
	const struct mesh *mesh = p->mesh;
	int last = 0, ball = mesh->nodes_per_vertex, longest = 0, best = -1;
	double most = -DBL_MAX;

	for (int d = 0; d < mesh->ndims; d++)
		longest += mesh->wrap[d] ? mesh->side[d] / 2 : mesh->side[d] - 1;
	while (ball < p->n && last < longest)
		ball += plain_shell(mesh, 0, ++last) * mesh->nodes_per_vertex;
	last = last + 2 < longest ? last + 2 : longest;
	for (int node = 0; node < mesh->nnodes; node++) {
		double score = 0;
		int have = 0;

		for (int r = 0; p->free[node] && r <= last; r++) {
			int here = 0, needed;

			for (int i = 0; i < mesh->nnodes; i++)
				here += p->free[i] && apart(p, node, i) == r;
			needed = here < p->n - have ? here : p->n - have;
			score += (double)(needed - (here - needed)) /
				(plain_shell(mesh, 0, r) * mesh->nodes_per_vertex);
			have += needed;
		}
		if (p->free[node] && score > most) {
			most = score;
			best = node;
		}
	}
	return best;
}

/* The task that is not placed and sends most to those that are. */
static int plain_next_task(const struct plain *p)
{
	double most = -1;
	int best = -1;

	for (int task = 0; task < p->n; task++) {
		double sum = 0;

		for (int i = 0; i < p->n; i++)
			sum += p->node[i] >= 0 ? p->weight[task][i] : 0;
		if (p->node[task] < 0 && sum > most) {
			most = sum;
			best = task;
		}
	}
	return best;
}

/* The free nodes nearest to a taken one, as they were when it was taken or later. */
static void plain_grow(const struct plain *p, int from, bool *frame)
{
	int nearest = INT32_MAX;

	for (int i = 0; i < p->mesh->nnodes; i++)
		if (p->free[i] && apart(p, from, i) < nearest)
			nearest = apart(p, from, i);
	for (int i = 0; i < p->mesh->nnodes; i++)
		frame[i] = p->free[i] && (frame[i] || apart(p, from, i) == nearest);
}

static int plain_best_node(const struct plain *p, int task, const bool *frame, int center)
{
	double least = DBL_MAX;
	int best = -1;

	for (int node = 0; node < p->mesh->nnodes; node++) {
		double cost = 0;

		for (int i = 0; i < p->n; i++)
			if (p->node[i] >= 0)
				cost += p->weight[task][i] * apart(p, node, p->node[i]);
		if (frame[node] &&
			(cost < least ||
				(cost <= least &&
					apart(p, node, center) < apart(p, best, center)))) {
			least = cost;
			best = node;
		}
	}
	return best;
}

static void plain_pacmap(struct plain *p)
{
	bool frame[MOST] = {false};
	int center = plain_center_node(p), task = plain_center_task(p), node = center;

	for (int i = 0; i < p->n; i++)
		p->node[i] = -1;
	for (int placed = 1;; placed++) {
		p->node[task] = node;
		p->free[node] = false;
		if (placed == p->n)
			return;
		plain_grow(p, node, frame);
		task = plain_next_task(p);
		node = plain_best_node(p, task, frame, center);
	}
}

static double plain_hop_bytes(const struct plain *p, const int *node)
{
	double sum = 0;

	for (int a = 0; a < p->n; a++)
		for (int b = 0; b < a; b++)
			sum += p->weight[a][b] * apart(p, node[a], node[b]);
	return sum;
}

/* --- both ------------------------------------------------------------------------------ */

/* Weights are powers of two: sums of them and of their inverses are exact in any order. */
static void random_traffic(uint64_t *seed, struct plain *p, struct traffic *traffic)
{
	struct traffic_edge edge[MOST * MOST];
	int percent = random_int(seed, 0, 2) ? random_int(seed, 3, 30) : 100;
	size_t n = 0;
	struct mesh_err err;

	memset(p->weight, 0, sizeof(p->weight));
	for (int a = 0; a < p->n; a++)
		for (int b = 0; b < a; b++)
			if (random_int(seed, 1, 100) <= percent) {
				double weight = percent == 100 ? 1 : 1 << random_int(seed, 0, 3);

				p->weight[a][b] = p->weight[b][a] = weight;
				edge[n++] = (struct traffic_edge){a, b, weight};
			}
	assert_int_equal(traffic_init(traffic, p->n, edge, n, &err), 0);
}

static void one_case(uint64_t *seed)
{
	struct mesh *mesh = random_mesh(seed, 4, MOST / 2);
	struct plain p = {.mesh = mesh};
	struct nodeset idle = {0};
	struct traffic traffic = {0};
	struct pacmap *map;
	int node[MOST], nfree, *members;
	double hop_bytes;

	if (mesh->nnodes > MOST) {
		mesh_free(mesh);
		return;
	}
	map = pacmap_new(mesh);
	members = malloc((size_t)mesh->nnodes * sizeof(int));
	assert_true(map && members && !nodeset_init(&idle, mesh->nnodes));
	random_set(seed, &idle, random_int(seed, 0, 3) ? random_int(seed, 20, 90) : 100);
	nodeset_add(&idle, 0);
	nfree = nodeset_members(&idle, members);
	for (int i = 0; i < nfree; i++)
		p.free[members[i]] = true;
	p.n = random_int(seed, 1, nfree);
	random_traffic(seed, &p, &traffic);
	/* Where all pairs send alike without a graph the answer is that of the graph. */
	bool alike = traffic.start[p.n] == (size_t)p.n * (size_t)(p.n - 1) && p.n > 4;

	for (int round = 0; round < 1 + alike; round++) {
		struct plain q = p;

		assert_true(pacmap_place(map,
			&(struct pacmap_tasks){.count = p.n,
				.traffic = round ? NULL : &traffic,
				.center = -1,
				.free = &idle},
			node, &hop_bytes));
		for (int a = 0; round && a < p.n; a++)
			for (int b = 0; b < p.n; b++)
				q.weight[a][b] = a != b;
		plain_pacmap(&q);
		assert_memory_equal(node, q.node, (size_t)p.n * sizeof(int));
		assert_true(hop_bytes == plain_hop_bytes(&q, node));
	}
	traffic_release(&traffic);
	nodeset_release(&idle);
	free(members);
	pacmap_free(map);
	mesh_free(mesh);
}

static void test_plain(void **state)
{
	(void)state;
	for (struct rounds r = rounds(25, 400); rounds_next(&r);)
		one_case(&r.seed);
}

/* --- where the best is known ------------------------------------------------------------ */

/* Hop-bytes of an empty machine, one rank a node. */
static double on_empty(struct mesh *mesh, const struct traffic_grid *grid)
{
	struct nodeset free = {0};
	struct traffic traffic = {0};
	struct pacmap *map = pacmap_new(mesh);
	struct mesh_err err;
	int node[256];
	double hop_bytes;

	assert_true(map && !nodeset_init(&free, mesh->nnodes) &&
		!traffic_init_grid(&traffic, grid, &err));
	nodeset_set_all(&free);
	assert_true(pacmap_place(map,
		&(struct pacmap_tasks){
			.count = traffic.n, .traffic = &traffic, .center = -1, .free = &free},
		node, &hop_bytes));
	traffic_release(&traffic);
	nodeset_release(&free);
	pacmap_free(map);
	mesh_free(mesh);
	return hop_bytes;
}

static void test_best(void **state)
{
	struct traffic_grid ring = {.ndims = 1, .wrap = {true}, .weight = {1}};
	struct traffic_grid line = {.ndims = 1, .side = {9}, .weight = {3}};

	(void)state;
	/* A ring on a ring of its length: one hop each. On a part of it: there and back, which is
	 * the least, as the k - 1 links between its ends are crossed twice each. */
	for (int k = 3; k <= 40; k++) {
		ring.side[0] = k;
		assert_true(on_empty(make_mesh(1, (int[]){k}, 1, 1), &ring) == k);
		assert_true(on_empty(make_mesh(1, (int[]){2 * k}, 1, 1), &ring) == 2 * (k - 1));
		assert_true(on_empty(make_mesh(1, (int[]){k}, 0, 1), &ring) == 2 * (k - 1));
	}
	/* A line where there is room: one hop each. */
	assert_true(on_empty(make_mesh(1, (int[]){30}, 1, 1), &line) == 8 * 3);
	/* Two nodes on each vertex: half of the hops. */
	ring.side[0] = 12;
	assert_true(on_empty(make_mesh(1, (int[]){6}, 1, 2), &ring) == 6);
}

/* A star: its middle goes first, the others around it, one hop each. */
static void test_star(void **state)
{
	struct mesh *mesh = make_mesh(3, (int[]){5, 6, 4}, 7, 1);
	struct traffic_edge edge[6];
	struct traffic traffic = {0};
	struct nodeset free = {0};
	struct pacmap *map = pacmap_new(mesh);
	struct mesh_err err;
	int node[7];
	double hop_bytes;

	(void)state;
	for (int i = 0; i < 6; i++)
		edge[i] = (struct traffic_edge){4, i < 4 ? i : i + 1, i + 1};
	assert_true(map && !nodeset_init(&free, mesh->nnodes));
	assert_int_equal(traffic_init(&traffic, 7, edge, 6, &err), 0);
	nodeset_set_all(&free);
	assert_true(pacmap_place(map,
		&(struct pacmap_tasks){
			.count = 7, .traffic = &traffic, .center = -1, .free = &free},
		node, &hop_bytes));
	assert_true(hop_bytes == 1 + 2 + 3 + 4 + 5 + 6);
	traffic_release(&traffic);
	nodeset_release(&free);
	pacmap_free(map);
	mesh_free(mesh);
}

/* --- ranks ------------------------------------------------------------------------------ */

/* Groups that talk among themselves only are one node's each, whatever their numbers. */
static void test_groups(void **state)
{
	enum { NODES = 6, EACH = 4, RANKS = NODES * EACH };
	struct mesh *mesh = make_mesh(2, (int[]){5, 5}, 0, 1);
	struct traffic_edge edge[RANKS * EACH];
	struct traffic traffic = {0};
	struct nodeset free = {0};
	struct pacmap *map = pacmap_new(mesh);
	struct mesh_err err;
	int node[NODES], place[RANKS], held[NODES] = {0};
	size_t n = 0;

	(void)state;
	for (int a = 0; a < RANKS; a++)
		for (int b = 0; b < a; b++)
			if (a % NODES == b % NODES)
				edge[n++] = (struct traffic_edge){a, b, 10};
	assert_true(map && !nodeset_init(&free, mesh->nnodes));
	assert_int_equal(traffic_init(&traffic, RANKS, edge, n, &err), 0);
	nodeset_set_all(&free);
	nodeset_del(&free, 12);
	struct pacmap_job job = {
		.free = &free, .traffic = &traffic, .nnodes = NODES, .per_node = EACH};

	assert_int_equal(pacmap_solve(map, &job, node, place, &err), 0);
	for (int i = 0; i < NODES; i++) {
		assert_true(nodeset_has(&free, node[i]) && (!i || node[i - 1] < node[i]));
		for (int a = i; a < RANKS; a += NODES)
			assert_int_equal(place[a], place[i]);
		held[place[i]]++;
	}
	for (int i = 0; i < NODES; i++)
		assert_int_equal(held[i], 1);
	job.nnodes = 5;
	assert_int_equal(pacmap_solve(map, &job, node, place, &err), -1);
	assert_string_equal(err.text, "5 nodes with 4 ranks each do not make 24 ranks");
	job = (struct pacmap_job){
		.free = &free, .traffic = &traffic, .nnodes = RANKS, .per_node = 1};
	nodeset_clear_all(&free);
	assert_int_equal(pacmap_solve(map, &job, node, place, &err), -1);
	assert_string_equal(err.text, "24 nodes wanted, 0 are free");
	traffic_release(&traffic);
	nodeset_release(&free);
	pacmap_free(map);
	mesh_free(mesh);
}

/* --- the strategy ------------------------------------------------------------------------ */

/* Ranks where the pattern is known, among them required nodes; of others the nodes alone. */
static void test_strategy(void **state)
{
	struct mesh *mesh = make_mesh(1, (int[]){16}, 1, 1);
	struct strategy *strategy = strategy_new(strategy_find("pacmap"), mesh, NULL);
	struct nodeset free = {0}, required = {0};
	int node[16], by_rank[16];
	struct mesh_request request = {.count = 16, .pattern = COMM_RING};
	struct mesh_answer answer = {.node = node, .by_rank = by_rank};

	(void)state;
	assert_true(strategy && !nodeset_init(&free, 16) && !nodeset_init(&required, 16));
	nodeset_set_all(&free);
	struct mesh_state now = {.free = &free};

	assert_int_equal(strategy_decide(strategy, &now, &request, &answer), MESH_OK);
	assert_true(answer.ranked && answer.cost == 16);
	for (int i = 0; i < 16; i++)
		assert_int_equal(mesh_hops(mesh, by_rank[i], by_rank[(i + 1) % 16]), 1);
	request.count = 4;
	request.required = &required;
	nodeset_add(&required, 3);
	nodeset_add(&required, 11);
	assert_int_equal(strategy_decide(strategy, &now, &request, &answer), MESH_OK);
	assert_true(answer.ranked && answer.count == 4);
	assert_true(nodeset_subset(&required, &free));
	for (int r = 3; r <= 11; r += 8) {
		int found = 0;

		for (int i = 0; i < 4; i++)
			found += by_rank[i] == r;
		assert_int_equal(found, 1);
	}
	request.pattern = COMM_ALL_TO_ALL;
	assert_int_equal(strategy_decide(strategy, &now, &request, &answer), MESH_OK);
	assert_false(answer.ranked);
	strategy_free(strategy);
	nodeset_release(&free);
	nodeset_release(&required);
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_best),
		cmocka_unit_test(test_star),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_strategy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
