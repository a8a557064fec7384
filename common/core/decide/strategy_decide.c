/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decide/strategy_decide.h"

#include <math.h>

#include "ask/extras.h"
#include "base/arena.h"
#include "decide/segments.h"
#include "geometry/metrics.h"

static enum mesh_result decide_walk(const struct mesh *mesh, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	const struct extras *more = extras(&answer->err);

	return more ? more->walks_decide(mesh, state, request, answer) : MESH_ERROR;
}

enum mesh_result strategy_decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	struct mesh_request whole;
	enum mesh_result result = strategy_check(strategy, state, request, &whole, answer);

	if (result == MESH_OK && whole.shape.ndims && whole.shape.walk)
		result = decide_walk(strategy->mesh, state, &whole, answer);
	else if (result == MESH_OK && segments_wanted(strategy, &whole))
		result = segments_decide(strategy, state, &whole, answer);
	else if (result == MESH_OK)
		result = strategy->ops->decide(strategy, state, &whole, answer);
	return strategy_settle(strategy, state, &whole, result, answer);
}

double strategy_idle_hops(struct strategy *strategy, int count, int64_t budget_ns)
{
	const struct mesh *mesh = strategy->mesh;
	struct nodeset all;
	struct arena arena = {0};
	struct mesh_answer answer = {.node = arena_get(&arena, mesh->nnodes, sizeof(int))};
	const struct mesh_state idle = {.free = &all};
	const struct mesh_request request = {.count = count, .budget_ns = budget_ns};
	double hops = (double)NAN;

	if (!nodeset_get(&all, mesh->nnodes, &arena)) {
		nodeset_set_all(&all);
		if (strategy_decide(strategy, &idle, &request, &answer) == MESH_OK)
			hops = mesh_mean_hops(mesh_pairwise_hops(mesh, answer.node, count), count);
	}
	arena_release(&arena);
	return hops;
}
