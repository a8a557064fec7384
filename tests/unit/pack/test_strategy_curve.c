/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The packers against plain ones that are written down from the definition.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/curve_measure.h"
#include "conf/strategies.h"
#include "support.h"
#include "decide/strategy_decide.h"

enum { MOST = 200 }; /* nodes */

/* The machine as a row of ranks. */
struct row {
	int n, k;
	bool free[MOST], required[MOST];
	int nrequired;
};

static int plain_ring_span(const struct row *row, const bool *chosen)
{
	int rank[MOST], count = 0, gap;

	for (int i = 0; i < row->n; i++)
		if (chosen[i])
			rank[count++] = i;
	gap = row->n - 1 - rank[count - 1] + rank[0];
	for (int i = 1; i < count; i++)
		if (rank[i] - rank[i - 1] - 1 > gap)
			gap = rank[i] - rank[i - 1] - 1;
	return row->n - gap;
}

static int64_t plain_squares(const struct row *row, const bool *busy)
{
	int64_t count[MOST + 1] = {0}, sum = 0;
	int run = 0;

	for (int i = 0; i <= row->n; i++)
		if (i < row->n && row->free[i] && !busy[i])
			run++;
		else {
			count[run]++;
			run = 0;
		}
	for (int i = 1; i <= MOST; i++)
		sum += count[i] * count[i];
	return sum;
}

/* Ranks start..start+k-1 in the interval from..to-1: are they allowed? */
static bool covers(const struct row *row, int start)
{
	int found = 0;

	for (int i = start; i < start + row->k; i++)
		found += row->required[i];
	return found == row->nrequired;
}

/* The interval packers. False when no interval will do. */
static bool plain_interval(const struct row *row, const char *packer, bool *chosen)
{
	int64_t least = INT64_MAX;
	int best = -1;

	for (int from = 0, to; from < row->n; from = to + 1) {
		int start = from;

		for (to = from; to < row->n && row->free[to]; to++)
			;
		while (start + row->k <= to && !covers(row, start))
			start++;
		if (start + row->k > to)
			continue;
		int64_t cost = 0;

		if (!strcmp(packer, "bf"))
			cost = to - from - row->k;
		if (!strcmp(packer, "ss")) {
			bool busy[MOST] = {false};

			memset(busy + start, true, (size_t)row->k);
			cost = plain_squares(row, busy);
		}
		if (cost < least) {
			least = cost;
			best = start;
		}
	}
	for (int i = best; best >= 0 && i < best + row->k; i++)
		chosen[i] = true;
	return best >= 0;
}

/* Required ones and the first others among the free ranks from..from+length-1, round the ring. */
static bool plain_take(const struct row *row, int from, int length, bool *chosen)
{
	int others = row->k - row->nrequired, found = 0;

	memset(chosen, 0, MOST * sizeof(*chosen));
	for (int i = from; i < from + length; i++) {
		int rank = i % row->n;

		if (!row->free[rank] || (!row->required[rank] && !others))
			continue;
		others -= !row->required[rank];
		found += row->required[rank];
		chosen[rank] = true;
	}
	return !others && found == row->nrequired;
}

/* The shortest stretch of the ring with what is needed in it; the first of those. */
static void plain_least_span(const struct row *row, bool *chosen)
{
	for (int length = row->k; length <= row->n; length++)
		for (int from = 0; from < row->n; from++)
			if (row->free[from] && plain_take(row, from, length, chosen))
				return;
	fail_msg("no stretch");
}

static void plain(const struct row *row, const char *packer, bool *chosen)
{
	memset(chosen, 0, MOST * sizeof(*chosen));
	if (!strcmp(packer, "sorted"))
		plain_take(row, 0, row->n, chosen);
	else if (!plain_interval(row, packer, chosen))
		plain_least_span(row, chosen);
}

/* Free sets as they come: noise, or runs. */
static void random_row(uint64_t *seed, struct row *row, int n)
{
	int percent = random_int(seed, 5, 100), run = random_int(seed, 1, 12), nfree = 0;
	bool state = true;

	row->n = n;
	row->nrequired = 0;
	for (int i = 0; i < row->n; i++) {
		if (random_int(seed, 1, run) == 1)
			state = random_int(seed, 1, 100) <= percent;
		row->free[i] = state;
		nfree += state;
	}
	row->k = random_int(seed, 1, nfree + 1);
	if (random_int(seed, 0, 1))
		row->k = row->k / 4 + 1;
	for (int i = 0; i < row->n; i++) {
		row->required[i] = row->free[i] && row->nrequired < row->k && percent % 3 == 0 &&
			random_int(seed, 0, 30) == 0;
		row->nrequired += row->required[i];
	}
}

/* The marks of a row as a set; node[i] is its i-th. */
static void set_of(const bool *marked, const int *node, int n, struct nodeset *set)
{
	nodeset_clear_all(set);
	for (int i = 0; i < n; i++)
		if (marked[i])
			nodeset_add(set, node[i]);
}

static void one_machine(enum curve curve, const char *packer, uint64_t *seed)
{
	struct mesh *mesh = random_mesh(seed, 4, 50);
	int *order = malloc((size_t)mesh->nvertices * sizeof(int)), node[MOST], answer_node[MOST];
	struct nodeset free_set, required;
	struct mesh_err err;
	struct strategy *strategy;
	char name[32];

	snprintf(name, sizeof(name), "%s-%s", curve_name(curve), packer);
	assert_non_null(strategy = strategy_new(strategy_find(name), mesh, &err));
	assert_int_equal(curve_fill(mesh, curve, order), 0);
	curve_nodes(mesh, order, node, NULL);
	nodeset_init(&free_set, mesh->nnodes);
	nodeset_init(&required, mesh->nnodes);
	for (int round = 0; round < 100; round++) {
		struct row row;
		struct mesh_answer answer = {.node = answer_node};
		struct mesh_state state = {.free = &free_set};
		bool chosen[MOST];

		random_row(seed, &row, mesh->nnodes);
		set_of(row.free, node, row.n, &free_set);
		set_of(row.required, node, row.n, &required);
		struct mesh_request request = {.count = row.k, .required = &required};

		if (row.k > nodeset_count(&free_set))
			continue;
		assert_int_equal(strategy_decide(strategy, &state, &request, &answer), MESH_OK);
		plain(&row, packer, chosen);
		assert_int_equal(answer.count, row.k);
		nodeset_clear_all(&free_set);
		for (int i = 0; i < answer.count; i++)
			nodeset_add(&free_set, answer.node[i]);
		for (int i = 0; i < row.n; i++)
			assert_int_equal(nodeset_has(&free_set, node[i]), chosen[i]);
		assert_true(answer.cost == plain_ring_span(&row, chosen));
	}
	nodeset_release(&free_set);
	nodeset_release(&required);
	strategy_free(strategy);
	free(order);
	mesh_free(mesh);
}

static void packers(void **state)
{
	static const enum curve curve[] = {CURVE_HILBERT, CURVE_SNAKE, CURVE_ROW};
	static const char *const packer[] = {"ff", "bf", "ss", "sorted"};

	(void)state;
	for (struct rounds r = rounds(5, 15); rounds_next(&r);)
		for (int c = 0; c < 3; c++)
			for (int p = 0; p < 4; p++)
				one_machine(curve[c], packer[p], &r.seed);
}

/* The order of the mesh itself stands in for Hilbert's. */
static void own_order(void **state)
{
	const int order[6] = {5, 0, 1, 2, 3, 4};
	const struct mesh_spec spec = {.name = "m", .ndims = 1, .side = {6}, .nnodes = 6,
		.nodes_per_vertex = 1, .order = order};
	struct mesh_err err;
	struct mesh *mesh = mesh_new(&spec, &err);
	struct strategy *strategy = strategy_new(strategy_find("hilbert-ff"), mesh, &err);
	struct nodeset all;
	int node[6];
	struct mesh_answer answer = {.node = node};

	(void)state;
	nodeset_init(&all, 6);
	nodeset_set_all(&all);
	assert_int_equal(strategy_decide(strategy, &(struct mesh_state){.free = &all},
		&(struct mesh_request){.count = 2}, &answer), MESH_OK);
	assert_int_equal(node[0], 0);
	assert_int_equal(node[1], 5);
	nodeset_release(&all);
	strategy_free(strategy);
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packers),
		cmocka_unit_test(own_order),
	};

	return cmocka_run_group_tests_name("strategy_curve", tests, NULL, NULL);
}
