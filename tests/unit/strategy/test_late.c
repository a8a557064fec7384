/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The budget ends at each look at the clock in turn. Each time there is a right answer, or none,
 * and it says that time was out. The clock is replaced at link time (-Wl,--wrap): it stands
 * still, and from one look on each look is a second later, far beyond any budget.
 */
#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include "base/budget.h"
#include "conf/strategies.h"
#include "decide/strategy_decide.h"
#include "support.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
static long looks;	 /* since the decision began */
static long late = LONG_MAX; /* late from this look on */

int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
	static bool now;

	if (clock == CLOCK_MONOTONIC)
		now = looks++ >= late;
	*t = (struct timespec){.tv_sec = now ? 2000 + looks : 1000};
	return 0;
}

struct work {
	struct mesh *mesh;
	struct nodeset free, required;
	struct mesh_request request;
	const char *strategy;
	int *node;
};

static void check_nodes(const struct work *w, const struct mesh_answer *answer)
{
	for (int i = 0; i < answer->count; i++) {
		assert_true(nodeset_has(&w->free, answer->node[i]));
		assert_true(!i || answer->node[i - 1] < answer->node[i]);
	}
	if (w->request.required)
		nodeset_each(must, &w->required) {
			int at = 0;

			while (at < answer->count && answer->node[at] < must)
				at++;
			assert_true(at < answer->count && answer->node[at] == must);
		}
}

/* One decision, late from a look on. Returns how often it looked. */
static long decide(const struct work *w, long from)
{
	struct strategy *strategy = strategy_new(strategy_find(w->strategy), w->mesh, NULL);
	struct mesh_answer answer = {.node = w->node};
	enum mesh_result result;

	assert_non_null(strategy);
	looks = 0;
	late = from;
	result = strategy_decide(
		strategy, &(struct mesh_state){.free = &w->free}, &w->request, &answer);
	late = LONG_MAX;
	if (result == MESH_OK)
		assert_int_equal(answer.count, w->request.count);
	else
		assert_int_equal(result, MESH_NO_FIT);
	check_nodes(w, &answer);
	if (from == LONG_MAX)
		assert_true(result == MESH_OK && !answer.out_of_time);
	else if (from && looks > from)
		assert_true(answer.out_of_time);
	strategy_free(strategy);
	return looks;
}

static void each_in_turn(struct work *w)
{
	long all = decide(w, LONG_MAX);

	assert_true(all > 1);
	/* Look 0 starts the budget. */
	for (long from = 1; from < all; from += from < 400 ? 1 : 1 + from / 16)
		decide(w, from);
	decide(w, all - 1);
}

static void open_machine(struct work *w, const char *strategy, int count)
{
	uint64_t seed = 3;

	*w = (struct work){.mesh = make_mesh(2, (const int[]){36, 36}, 1, 1), .strategy = strategy,
		.request = {.count = count, .budget_ns = 1000000}};
	assert_false(nodeset_init(&w->free, w->mesh->nnodes) ||
		nodeset_init(&w->required, w->mesh->nnodes));
	random_set(&seed, &w->free, 90);
	nodeset_set_all(&w->required);
	for (int i = 0; i < w->mesh->nnodes; i++)
		if (i % 211 != 5 || !nodeset_has(&w->free, i))
			nodeset_del(&w->required, i);
	w->node = malloc((size_t)w->mesh->nnodes * sizeof(int));
	assert_non_null(w->node);
}

static void close_machine(struct work *w)
{
	free(w->node);
	nodeset_release(&w->free);
	nodeset_release(&w->required);
	mesh_free(w->mesh);
}

static void scatter(void **state)
{
	struct work w;

	(void)state;
	open_machine(&w, "scatter", 1100);
	each_in_turn(&w);
	w.request.required = &w.required;
	each_in_turn(&w);
	close_machine(&w);
}

static void snug(void **state)
{
	static const int count[] = {2, 30, 1100};
	struct work w;

	(void)state;
	for (int i = 0; i < 3; i++)
		for (enum comm_pattern pattern = COMM_NONE; pattern < COMM_PATTERNS; pattern++) {
			open_machine(&w, "snug", count[i]);
			w.request.pattern = pattern;
			each_in_turn(&w);
			close_machine(&w);
		}
}

static void required(void **state)
{
	struct work w;

	(void)state;
	open_machine(&w, "snug", 60);
	w.request.required = &w.required;
	each_in_turn(&w);
	close_machine(&w);
}

/* With broken and extra links. */
static void links(void **state)
{
	struct work w;

	(void)state;
	open_machine(&w, "snug", 40);
	random_links(&(uint64_t){5}, w.mesh, 2, 3);
	each_in_turn(&w);
	close_machine(&w);
}

static void segments(void **state)
{
	struct work w;

	(void)state;
	open_machine(&w, "snug", 12);
	w.request.segment = 4;
	each_in_turn(&w);
	close_machine(&w);
	open_machine(&w, "ff", 12);
	w.request.segment = 4;
	each_in_turn(&w);
	w.request.count = 6;
	w.request.segment = 3;
	w.request.shape = (struct mesh_shape){.ndims = 2, .side = {4, 2}};
	each_in_turn(&w);
	close_machine(&w);
}

/* On the wall time is over, and the thread has not had its own yet; then it has. */
static void two_clocks(void **state)
{
	struct mesh_budget budget;

	(void)state;
	late = LONG_MAX;
	mesh_budget_start(&budget, 0);
	assert_false(mesh_budget_late(&budget));
	assert_true(mesh_budget_left(&budget) == INT64_MAX);
	mesh_budget_start(&budget, 5);
	assert_false(mesh_budget_late(&budget));
	assert_int_equal(mesh_budget_left(&budget), 5);
	budget.look -= 10;
	assert_false(mesh_budget_late(&budget));
	looks = late = 0;
	assert_true(mesh_budget_late(&budget));
	assert_int_equal(mesh_budget_left(&budget), 0);
	late = LONG_MAX;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_clocks),
		cmocka_unit_test(scatter),
		cmocka_unit_test(snug),
		cmocka_unit_test(required),
		cmocka_unit_test(links),
		cmocka_unit_test(segments),
	};

	return cmocka_run_group_tests_name("late", tests, NULL, NULL);
}
