/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The order for programs of which nothing is known: the traffic that it is made for, written out
 * plainly, and what holds for every order.
 */
#include <stdlib.h>
#include <string.h>

#include "graph/linkgraph.h"
#include "links/comm.h"
#include "ranks/rankmix.h"
#include "ranks/rankorder.h"
#include "support.h"

/* --- the mixture ------------------------------------------------------------------ */

/* Where ranks are in a grid of two or three sides. */
static void plain_place(const int *side, bool first_fastest, int rank, int *at)
{
	for (int i = 0; i < 3; i++) {
		int d = first_fastest ? i : 2 - i;

		at[d] = rank % side[d];
		rank /= side[d];
	}
}

/* The side on which alone two ranks differ; -1: there are several such sides. */
static int plain_along(const int *x, const int *y)
{
	int along = -1;

	for (int d = 0; d < 3; d++)
		if (x[d] != y[d]) {
			if (along >= 0)
				return -1;
			along = d;
		}
	return along;
}

/* What the ranks at two places of a periodic grid send each other. */
static int plain_faces(const int *side, bool first_fastest, int r, int s)
{
	int x[3], y[3], d, n;

	plain_place(side, first_fastest, r, x);
	plain_place(side, first_fastest, s, y);
	d = plain_along(x, y);
	n = d < 0 ? 1 : side[d];
	return d < 0 ? 0 : ((x[d] + 1) % n == y[d]) + ((y[d] + 1) % n == x[d]);
}

/* Exchanges in rows and columns, and transposes of a square. */
static double plain_others(const int *side, int r, int s)
{
	int x[3], y[3], d, digits;

	plain_place(side, false, r, x);
	plain_place(side, false, s, y);
	d = plain_along(x, y);
	digits = d < 0 ? 3 : x[d] ^ y[d];
	return !(digits & (digits - 1)) +
	       (side[0] == side[1] && x[0] == y[1] && x[1] == y[0] && r != s ? 0.5 : 0);
}

static double plain_bytes(int ranks, int r, int s)
{
	int three[3], two[3] = {1, 1, 1};
	double bytes = 3 * (((r + 1) % ranks == s) + ((s + 1) % ranks == r));

	comm_grid_sides(ranks, 2, two);
	comm_grid_sides(ranks, 3, three);
	for (int first = 0; first < 2; first++)
		bytes += (first ? 0.75 : 1.25) *
			 ((two[1] > 1 ? plain_faces(two, first, r, s) : 0) +
				 (three[2] > 1 ? 0.5 * plain_faces(three, first, r, s) : 0));
	return bytes + plain_others(two, r, s);
}

static double weight_of(const struct traffic *t, int a, int b)
{
	for (size_t e = t->start[a]; e < t->start[a + 1]; e++)
		if (t->to[e] == b)
			return t->weight[e];
	return 0;
}

static void hold_mixture(uint64_t *seed)
{
	struct rankmix mix = {
		random_int(seed, 1, 24), random_int(seed, 1, 4), random_int(seed, 0, 1)};
	int ranks = mix.nodes * mix.per_node;
	double sum[24 * 24] = {0};
	struct traffic traffic;

	assert_int_equal(rankmix_init(&traffic, &mix, NULL), 0);
	for (int r = 0; r < ranks; r++)
		for (int s = 0; s < r; s++) {
			int a = mix.cyclic ? r % mix.nodes : r / mix.per_node;
			int b = mix.cyclic ? s % mix.nodes : s / mix.per_node;

			sum[a * 24 + b] += plain_bytes(ranks, r, s);
			sum[b * 24 + a] += a == b ? 0 : plain_bytes(ranks, r, s);
		}
	for (int a = 0; a < mix.nodes; a++)
		for (int b = 0; b < mix.nodes; b++)
			if (a != b)
				assert_true(weight_of(&traffic, a, b) == sum[a * 24 + b]);
	traffic_release(&traffic);
}

static void mixture_is_as_written(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 100); rounds_next(&r);)
		hold_mixture(&r.seed);
}

static void many_ranks_are_few(void **state)
{
	struct rankmix mix = {.nodes = 100, .per_node = 1 << 20};
	struct traffic traffic;

	(void)state;
	assert_int_equal(rankmix_init(&traffic, &mix, NULL), 0);
	assert_int_equal(traffic.n, 100);
	traffic_release(&traffic);
}

/* --- the order -------------------------------------------------------------------- */

static double cost_of(const struct mesh *mesh, const int *node, const struct traffic *t,
	const int *order)
{
	double cost = 0;

	for (int i = 0; i < t->n; i++)
		for (size_t e = t->start[i]; e < t->start[i + 1]; e++)
			cost += t->weight[e] * linkgraph_mesh_hops(mesh,
				mesh->vertex_of[node[order[i]]],
				mesh->vertex_of[node[order[t->to[e]]]]);
	return cost;
}

/* Each node once, the first stays, and node order unless another is better by 2%. How much better,
 * as a share. */
static double hold_order(const struct mesh *mesh, const int *node, const struct rankmix *mix)
{
	int n = mix->nodes, *order = calloc((size_t)n, sizeof(int));
	int *again = malloc((size_t)n * sizeof(int)), *plain = malloc((size_t)n * sizeof(int));
	char *seen = calloc((size_t)n, 1);
	struct traffic traffic;
	double before, after;

	assert_true(order && again && plain && seen);
	assert_int_equal(rankorder_mix(mesh, node, mix, order, NULL), 0);
	assert_int_equal(rankorder_mix(mesh, node, mix, again, NULL), 0);
	assert_memory_equal(order, again, (size_t)n * sizeof(int));
	assert_int_equal(order[0], 0);
	for (int i = 0; i < n; i++) {
		assert_true(order[i] >= 0 && order[i] < n && !seen[order[i]]);
		seen[order[i]] = 1;
		plain[i] = i;
	}
	assert_int_equal(rankmix_init(&traffic, mix, NULL), 0);
	before = cost_of(mesh, node, &traffic, plain);
	after = cost_of(mesh, node, &traffic, order);
	assert_true(after <= 0.98 * before || !memcmp(order, plain, (size_t)n * sizeof(int)));
	traffic_release(&traffic);
	free(order);
	free(again);
	free(plain);
	free(seen);
	return before > 0 ? 1 - after / before : 0;
}

/* So many of the mesh's nodes, drawn, in any order. */
static void draw_nodes(uint64_t *seed, const struct mesh *mesh, int *node, int n)
{
	for (int i = 0; i < mesh->nnodes; i++) {
		int j = random_int(seed, 0, i);

		if (i < n)
			node[i] = i;
		if (j < n && i < n) {
			node[i] = node[j];
			node[j] = i;
		} else if (j < n) {
			node[j] = i;
		}
	}
}

/* Some of them could be better by less than 2%. */
static void any_order_holds(void **state)
{
	(void)state;
	for (struct rounds r = rounds(8, 60); rounds_next(&r);) {
		struct mesh *mesh = random_mesh(&r.seed, 4, 200);
		struct rankmix mix = {random_int(&r.seed, 1, mesh->nnodes),
			random_int(&r.seed, 1, 5), random_int(&r.seed, 0, 1)};
		int *node = malloc((size_t)mesh->nnodes * sizeof(int));

		if (random_int(&r.seed, 0, 1))
			random_links(&r.seed, mesh, 5, 2);
		draw_nodes(&r.seed, mesh, node, mix.nodes);
		hold_order(mesh, node, &mix);
		free(node);
		mesh_free(mesh);
	}
}

/* All nodes of a machine at random, as if their names told nothing. */
static void shuffled_names_gain(void **state)
{
	static const int side[][3] = {{4, 4, 4}, {8, 8, 8}, {16, 8, 8}, {16, 16, 8}};

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct mesh *mesh = make_mesh(3, side[i], 7, 1);
		struct rankmix mix = {.nodes = mesh->nnodes, .per_node = 1};
		int *node = malloc((size_t)mesh->nnodes * sizeof(int));
		uint64_t seed = 3;

		draw_nodes(&seed, mesh, node, mix.nodes);
		assert_true(hold_order(mesh, node, &mix) > 0.3);
		free(node);
		mesh_free(mesh);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mixture_is_as_written),
		cmocka_unit_test(many_ranks_are_few),
		cmocka_unit_test(any_order_holds),
		cmocka_unit_test(shuffled_names_gain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
