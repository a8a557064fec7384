/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decide/strategy_decide.h"

#include "decide/segments.h"
#include "decide/walks.h"

enum mesh_result strategy_decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	struct mesh_request whole;
	enum mesh_result result = strategy_check(strategy, state, request, &whole, answer);

	if (result == MESH_OK && whole.shape.ndims && whole.shape.walk)
		result = walks_decide(strategy->mesh, state, &whole, answer);
	else if (result == MESH_OK && segments_wanted(strategy, &whole))
		result = segments_decide(strategy, state, &whole, answer);
	else if (result == MESH_OK)
		result = strategy->ops->decide(strategy, state, &whole, answer);
	return strategy_settle(strategy, result, answer);
}
