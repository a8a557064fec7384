/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What holds for every row of the strategy table: a new strategy is picked up here. With shared
 * objects of strategies as arguments, what holds for theirs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf/strategies.h"
#include "conf/strategynames.h"
#include "support.h"
#include "decide/strategy_decide.h"

/* The rows before this one are not tested. */
static int first_row;

static bool has(const int *node, int count, int i)
{
	for (int j = 0; j < count; j++)
		if (node[j] == i)
			return true;
	return false;
}

/* Exact in count, free, ascending, with the required nodes in it. */
static void check_answer(const struct mesh_state *state, const struct mesh_request *request,
	const struct mesh_answer *answer)
{
	assert_int_equal(answer->count, request->count);
	for (int i = 0; i < answer->count; i++) {
		assert_true(nodeset_has(state->free, answer->node[i]));
		assert_true(!i || answer->node[i - 1] < answer->node[i]);
	}
	if (request->required)
		nodeset_each(i, request->required)
			assert_true(has(answer->node, answer->count, i));
}

/* The busy nodes in up to five allocations. */
static int make_runs(
	uint64_t *seed, const struct nodeset *free_set, int *node, struct mesh_run *run)
{
	int n = 0, first = 0, nruns;

	for (int i = 0; i < free_set->n; i++)
		if (!nodeset_has(free_set, i))
			node[n++] = i;
	for (nruns = 0; nruns < 5 && first < n; nruns++) {
		int count = random_int(seed, 1, n - first);

		run[nruns] = (struct mesh_run){.node = node + first, .count = count,
			.start = nruns, .end = nruns + random_int(seed, 1, 1000)};
		first += count;
	}
	return nruns;
}

/* Who says not to look at running jobs answers the same with and without them. */
static void check_no_runs(struct strategy *strategy, struct mesh_state state,
	const struct mesh_request *request, const struct mesh_answer *answer, uint64_t *seed)
{
	size_t size = (size_t)strategy->mesh->nnodes * sizeof(int);
	struct mesh_answer again = {.node = malloc(size)};
	int *node = malloc(size);
	struct mesh_run run[5];

	if (strategy->ops->flags & STRATEGY_NO_RUNS) {
		struct mesh_request limited = *request;

		limited.time_limit = random_int(seed, 1, 500);
		state.nruns = make_runs(seed, state.free, node, run);
		state.run = run;
		strategy_decide(strategy, &state, &limited, &again);
		assert_int_equal(again.count, answer->count);
		assert_memory_equal(again.node, answer->node, (size_t)answer->count * sizeof(int));
	}
	free(again.node);
	free(node);
}

/* One in four is cables alone, and one in four of the others has broken and extra links. */
static struct mesh *linked_mesh(uint64_t *seed)
{
	struct mesh *mesh;

	if (!random_int(seed, 0, 3))
		return random_cables(seed, 120);
	mesh = random_mesh(seed, 4, 100);

	if (!random_int(seed, 0, 3))
		random_links(seed, mesh, random_int(seed, 0, 30), random_int(seed, 0, 2));
	return mesh;
}

static void one_round(const struct strategy_ops *ops, uint64_t *seed)
{
	struct mesh *mesh = linked_mesh(seed);
	struct mesh_err err;
	struct strategy *strategy = strategy_new(ops, mesh, &err);
	struct nodeset free_set, required;
	struct mesh_state state = {.free = &free_set};
	struct mesh_request request = {.count = random_int(seed, 1, mesh->nnodes),
		.budget_steps = 2000};
	struct mesh_answer answer = {0}, again = {0};

	assert_non_null(strategy);
	nodeset_init(&free_set, mesh->nnodes);
	nodeset_init(&required, mesh->nnodes);
	answer.node = malloc((size_t)mesh->nnodes * sizeof(int));
	again.node = malloc((size_t)mesh->nnodes * sizeof(int));
	random_set(seed, &free_set, random_int(seed, 0, 100));
	if (random_int(seed, 0, 2) == 0) {
		random_set(seed, &required, 10);
		nodeset_and(&required, &free_set);
		request.required = &required;
	}
	enum mesh_result result = strategy_decide(strategy, &state, &request, &answer);

	assert_int_not_equal(result, MESH_ERROR);
	if (result == MESH_OK)
		check_answer(&state, &request, &answer);
	else
		assert_int_equal(answer.count, 0);
	if (!(ops->flags & STRATEGY_CONTIGUOUS) && request.count <= nodeset_count(&free_set) &&
		(!request.required || nodeset_count(&required) <= request.count))
		assert_int_equal(result, MESH_OK);
	/* The same input, the same answer. */
	assert_int_equal(strategy_decide(strategy, &state, &request, &again), result);
	assert_int_equal(again.count, answer.count);
	assert_memory_equal(again.node, answer.node, (size_t)answer.count * sizeof(int));
	check_no_runs(strategy, state, &request, &answer, seed);
	free(answer.node);
	free(again.node);
	nodeset_release(&free_set);
	nodeset_release(&required);
	strategy_free(strategy);
	mesh_free(mesh);
}

static void properties(void **state)
{
	const struct strategy_ops *ops;

	(void)state;
	for (int i = first_row; (ops = strategy_at(i)); i++) {
		struct rounds r = rounds((uint64_t)i, 300);

		for (r.what = ops->name; rounds_next(&r);)
			one_round(ops, &r.seed);
	}
}

static void nonsense(void **unused)
{
	const struct strategy_ops *ops;
	struct mesh *mesh = make_mesh(2, (int[]){4, 4}, 0, 1);
	struct nodeset all, none, busy;
	int node[16];

	(void)unused;
	nodeset_init(&all, 16);
	nodeset_init(&none, 16);
	nodeset_init(&busy, 16);
	nodeset_set_all(&all);
	nodeset_set_all(&busy);
	nodeset_del(&busy, 3);
	for (int i = first_row; (ops = strategy_at(i)); i++) {
		struct mesh_err err;
		struct strategy *s = strategy_new(ops, mesh, &err);
		struct mesh_answer a = {.node = node};
		struct mesh_state idle = {.free = &all}, full = {.free = &none},
				  most = {.free = &busy};
		struct nodeset need = none;

		assert_int_equal(strategy_decide(s, &idle, &(struct mesh_request){.count = 0}, &a),
			MESH_ERROR);
		assert_int_equal(strategy_decide(s, &idle, &(struct mesh_request){.count = -5}, &a),
			MESH_ERROR);
		assert_int_equal(strategy_decide(s, &idle, &(struct mesh_request){.count = 17}, &a),
			MESH_NEVER);
		assert_int_equal(strategy_decide(s, &full, &(struct mesh_request){.count = 1}, &a),
			MESH_NO_FIT);
		nodeset_add(&need, 3);
		assert_int_equal(strategy_decide(s, &most,
			&(struct mesh_request){.count = 2, .required = &need}, &a), MESH_NO_FIT);
		nodeset_del(&need, 3);
		strategy_free(s);
	}
	nodeset_release(&all);
	nodeset_release(&none);
	nodeset_release(&busy);
	mesh_free(mesh);
}

static void table(void **state)
{
	const struct strategy_ops *ops;

	(void)state;
	assert_null(strategy_find("no such"));
	assert_non_null(strategy_for(STRATEGY_DEFAULT));
	assert_non_null(strategy_for(STRATEGY_BOXES));
	assert_non_null(strategy_for(STRATEGY_RELAXED));
	assert_non_null(strategy_for(STRATEGY_QUICK));
	for (int i = 0; (ops = strategy_at(i)); i++) {
		assert_ptr_equal(strategy_find(ops->name), ops);
		assert_true(ops->summary && ops->source && ops->time);
	}
}

STRATEGIES_PAPERS(STRATEGIES_DECLARE)

/* The list that srun has is that of the table, without what is to compare with only. */
static void names(void **state)
{
	static const struct strategy_ops *const papers[] = {STRATEGIES_PAPERS(STRATEGIES_ROW)};
	const struct strategy_ops *ops;
	int listed = 0, rows = 0;

	(void)state;
	for (const char *name; (name = strategynames_at(listed)); listed++) {
		bool of_papers = false;

		for (size_t f = 0; f < sizeof(papers) / sizeof(*papers); f++)
			of_papers |= strategy_in(papers[f], name) != NULL;
		assert_non_null(strategy_find(name));
		assert_int_equal(strategynames_of_papers(name), of_papers);
	}
	for (int i = 0; (ops = strategy_at(i)); i++) {
		bool study = ops->flags & STRATEGY_STUDY;
		struct mesh_err err = {{0}};

		assert_int_equal(strategynames_has(ops->name), !study);
		assert_int_equal(strategy_named(ops->name, &err) == NULL, study);
		assert_int_equal(strstr(err.text, "is for smesh alone") != NULL, study);
		rows += !study;
	}
	assert_int_equal(listed, rows);
}

/* Add the strategies of this shared object. */
static bool load(const char *path)
{
	struct mesh_err err;

	if (!strategies_load(path, &err))
		return true;
	fprintf(stderr, "%s\n", err.text);
	return false;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(names),
		cmocka_unit_test(nonsense),
		cmocka_unit_test(properties),
	};
	const struct CMUnitTest loaded[] = {
		cmocka_unit_test(nonsense),
		cmocka_unit_test(properties),
	};

	while (argc > 1 && strategy_at(first_row))
		first_row++;
	for (int i = 1; i < argc; i++)
		if (!load(argv[i]))
			return 2;
	if (argc > 1)
		return cmocka_run_group_tests_name("loaded strategies", loaded, NULL, NULL);
	return cmocka_run_group_tests_name("strategy", tests, NULL, NULL);
}
