/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Same input, same answer (strategy.h): an object that has answered other questions answers like
 * a new one, whatever they were.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf/strategies.h"
#include "support.h"
#include "decide/strategy_decide.h"

enum { QUESTIONS = 6, RUNS = 5 };

struct question {
	struct nodeset free, usable, required;
	struct mesh_run run[RUNS];
	int *node; /* [nnodes] of the runs */
	struct mesh_state state;
	struct mesh_request request;
};

/* Some of the nodes that are not free, as running jobs. */
static void make_runs(uint64_t *seed, struct question *q)
{
	int n = 0, first = 0;

	for (int i = 0; i < q->free.n; i++)
		if (!nodeset_has(&q->free, i))
			q->node[n++] = i;
	for (q->state.nruns = 0; q->state.nruns < RUNS && first < n; q->state.nruns++) {
		int count = random_int(seed, 1, n - first);

		q->run[q->state.nruns] = (struct mesh_run){.node = q->node + first,
			.count = count,
			.start = q->state.nruns,
			.end = random_int(seed, 0, 3) ? 100 + random_int(seed, -9, 900) : 0};
		first += count;
	}
	q->state.run = q->run;
}

static void make_shape(uint64_t *seed, const struct mesh *mesh, struct mesh_request *request)
{
	struct mesh_shape *shape = &request->shape;

	shape->ndims = random_int(seed, 1, mesh->ndims);
	shape->norotate = !random_int(seed, 0, 3);
	shape->torus = !random_int(seed, 0, 5);
	for (int d = 0; d < shape->ndims; d++)
		shape->side[d] = random_int(seed, 1, mesh->side[d]);
	if (random_int(seed, 0, 1))
		request->count = 0;
}

static void make_question(uint64_t *seed, const struct mesh *mesh, struct question *q)
{
	int few = mesh->nodes_per_vertex < mesh->nnodes ? mesh->nodes_per_vertex : mesh->nnodes;

	memset(q, 0, sizeof(*q));
	nodeset_init(&q->free, mesh->nnodes);
	nodeset_init(&q->usable, mesh->nnodes);
	nodeset_init(&q->required, mesh->nnodes);
	q->node = malloc((size_t)mesh->nnodes * sizeof(int));
	assert_non_null(q->node);
	random_set(seed, &q->free, random_int(seed, 0, 3) ? random_int(seed, 0, 100) : 100);
	make_runs(seed, q);
	q->state.free = &q->free;
	q->state.now = 100;
	if (!random_int(seed, 0, 3)) {
		random_set(seed, &q->usable, 80);
		nodeset_or(&q->usable, &q->free);
		q->state.usable = &q->usable;
	}
	q->request = (struct mesh_request){
		.count = random_int(seed, 1, random_int(seed, 0, 2) ? mesh->nnodes : few),
		.seed = random_next(seed), .budget_steps = random_int(seed, 1, 500),
		.time_limit = random_int(seed, 0, 3) ? random_int(seed, 1, 1000) : 0,
		.hint = (enum mesh_hint)random_int(seed, 0, 2)};
	if (!random_int(seed, 0, 2)) {
		random_set(seed, &q->required, 10);
		nodeset_and(&q->required, &q->free);
		q->request.required = &q->required;
	}
	if (!random_int(seed, 0, 2))
		make_shape(seed, mesh, &q->request);
}

static void drop_question(struct question *q)
{
	nodeset_release(&q->free);
	nodeset_release(&q->usable);
	nodeset_release(&q->required);
	free(q->node);
}

/* All that an answer says, as text. */
static void ask(struct strategy *strategy, const struct question *q, char *text, size_t room)
{
	int *node = malloc((size_t)strategy->mesh->nnodes * sizeof(int));
	struct mesh_answer answer = {.node = node};
	enum mesh_result result = strategy_decide(strategy, &q->state, &q->request, &answer);
	size_t at = (size_t)snprintf(text, room, "%s %d cost %.17g:", mesh_result_name(result),
		answer.count, answer.cost);

	for (int i = 0; i < answer.count && at < room; i++)
		at += (size_t)snprintf(text + at, room - at, " %d", node[i]);
	if (at < room)
		snprintf(text + at, room - at, " %s", answer.err.text);
	free(node);
}

static void ask_both(
	const struct strategy_ops *ops, struct strategy *used, const struct question *q)
{
	struct mesh_err err;
	struct strategy *fresh = strategy_new(ops, used->mesh, &err);
	char was[4096], is[4096];

	assert_non_null(fresh);
	ask(fresh, q, was, sizeof(was));
	ask(used, q, is, sizeof(is));
	if (strcmp(was, is))
		fail_msg("%s: new: %s; used: %s", ops->name, was, is);
	strategy_free(fresh);
}

static void one_round(uint64_t *seed)
{
	struct mesh *mesh = random_mesh(seed, 4, 80);
	struct question q[QUESTIONS];
	const struct strategy_ops *ops;

	for (int i = 0; i < QUESTIONS; i++)
		make_question(seed, mesh, &q[i]);
	for (int i = 0; (ops = strategy_at(i)); i++) {
		struct mesh_err err;
		struct strategy *used = strategy_new(ops, mesh, &err);

		assert_non_null(used);
		for (int j = 0; j < 2 * QUESTIONS; j++)
			ask_both(ops, used, &q[random_int(seed, 0, QUESTIONS - 1)]);
		strategy_free(used);
	}
	for (int i = 0; i < QUESTIONS; i++)
		drop_question(&q[i]);
	mesh_free(mesh);
}

static void forgets(void **state)
{
	(void)state;
	for (struct rounds r = rounds(21, 60); rounds_next(&r);)
		one_round(&r.seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(forgets)};

	return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
