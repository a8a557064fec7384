/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nodes near each other by the graph: the least sum of hops from any centre that is tried, as by
 * sorting all vertices; and what snug makes of it.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "graph/graphpick.h"
#include "geometry/metrics.h"
#include "conf/strategies.h"
#include "decide/strategy_decide.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

static void load(struct graphpick *pick, const struct mesh *mesh, uint64_t *seed)
{
	int nfree = 0;

	for (int v = 0; v < mesh->nvertices; v++) {
		pick->nfree[v] =
			random_int(seed, 0, 1) * random_int(seed, 0, mesh_nodes_on(mesh, v));
		pick->must[v] = random_int(seed, 0, 19) ? 0 : random_int(seed, 0, pick->nfree[v]);
		nfree += pick->nfree[v];
		pick->nmust += pick->must[v];
	}
	pick->count = nfree ? random_int(seed, pick->nmust > 0 ? pick->nmust : 1, nfree) : 1;
}

/* The sum of hops from the centre that the answer has, or less: -1 if no centre reaches enough. */
static int64_t plain_least(const struct graphpick *pick, const struct mesh *mesh)
{
	int *hops = malloc((size_t)mesh->nvertices * sizeof(int));
	int64_t least = -1;

	assert_non_null(hops);
	for (int c = 0; c < mesh->nvertices; c++) {
		int left = pick->count - pick->nmust, must = pick->nmust;
		int64_t sum = 0;

		plain_graph_hops(mesh, c, hops);
		for (int far = 0; far < LINKGRAPH_CUT && far < 4 * mesh->nvertices; far++)
			for (int v = 0; v < mesh->nvertices; v++) {
				int more = pick->nfree[v] - pick->must[v];

				if (hops[v] != far)
					continue;
				more = more < left ? more : left;
				left -= more;
				must -= pick->must[v];
				sum += (int64_t)(more + pick->must[v]) * far;
			}
		if (!left && !must && (least < 0 || sum < least))
			least = sum;
	}
	free(hops);
	return least;
}

static void test_pick(void **state)
{
	(void)state;
	for (struct rounds r = rounds(1, 200); rounds_next(&r); r.seed++) {
		uint64_t seed = r.seed;
		/* So few that each vertex is a centre. */
		struct mesh *mesh = random_mesh(&seed, 3, 16);
		struct graphpick pick;
		bool found;
		int64_t least;
		int taken = 0;

		random_links(&seed, mesh, random_int(&seed, 0, 30), random_int(&seed, 0, 3));
		assert_int_equal(graphpick_init(&pick, mesh->graph, &arena), 0);
		load(&pick, mesh, &seed);
		found = graphpick_find(&pick);
		least = plain_least(&pick, mesh);
		assert_true(found ? least >= 0 : 1);
		for (int i = 0; found && i < pick.n; i++) {
			int v = pick.vertex[i];

			assert_true(pick.taken[i] > 0 && pick.taken[i] <= pick.nfree[v]);
			assert_true(pick.taken[i] >= pick.must[v]);
			taken += pick.taken[i];
		}
		if (found) {
			assert_int_equal(taken, pick.count);
			assert_true(pick.least >= least);
		}
		arena_release(&arena);
		mesh_free(mesh);
	}
}

/* Two halves that one link joins: snug keeps a job in one of them, MM does not know. */
static void test_snug(void **state)
{
	const int side[] = {8, 4};
	struct mesh *mesh = make_mesh(2, side, 0, 1);
	struct mesh_err err = {{0}};
	struct mesh_request request = {.count = 8};
	struct mesh_answer answer = {.node = malloc(32 * sizeof(int))};
	struct strategy *snug;
	struct nodeset set;

	(void)state;
	for (int y = 0; y < 3; y++)
		assert_int_equal(mesh_break(mesh, 3 + 8 * y, 0), 0);
	assert_int_equal(linkgraph_join(&mesh, 1, NULL, 0, &err), 0);
	snug = strategy_new(strategy_find("snug"), mesh, &err);
	assert_int_equal(nodeset_init(&set, 32), 0);
	assert_non_null(snug);
	/* Free: the two columns beside the cut, and those at both ends but for one node. */
	nodeset_set_all(&set);
	for (int y = 0; y < 4; y++) {
		nodeset_del(&set, 1 + 8 * y);
		nodeset_del(&set, 6 + 8 * y);
	}
	assert_int_equal(
		strategy_decide(snug, &(struct mesh_state){.free = &set}, &request, &answer),
		MESH_OK);
	for (int i = 1; i < 8; i++)
		assert_int_equal(answer.node[i] % 8 < 4, answer.node[0] % 8 < 4);
	strategy_free(snug);
	nodeset_release(&set);
	free(answer.node);
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pick),
		cmocka_unit_test(test_snug),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
