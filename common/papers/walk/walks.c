/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/walks.h"

#include <string.h>

#include "base/arena.h"
#include "base/budget.h"
#include "walk/walk.h"

/*
 * There is no walk: for good? Yes if that is proved for these nodes and no others may be used, or
 * if it is plain for those.
 */
static enum mesh_result none(const struct mesh *mesh, const struct mesh_state *state,
	const struct mesh_request *request, bool proved, struct mesh_answer *answer)
{
	const struct mesh_shape *shape = &request->shape;
	bool whole = state->usable ? nodeset_equal(state->free, state->usable)
				   : nodeset_count(state->free) == mesh->nnodes;

	if (walk_never(mesh, state->usable, shape, &answer->err))
		return MESH_NEVER;
	if (proved && whole) {
		err_printf(&answer->err, "there is no %s of %d nodes%s: all ways were tried",
			walk_name(shape->walk), shape->side[0],
			request->required ? " with those required"
			: shape->lanes ? " over links of so many lanes" : "");
		return MESH_NEVER;
	}
	answer->out_of_time = !proved;
	return MESH_NO_FIT;
}

enum mesh_result walks_decide(const struct mesh *mesh, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	const struct mesh_shape *shape = &request->shape;
	struct walk_question q = {.mesh = mesh, .free = state->free, .required = request->required,
		.kind = shape->walk, .length = shape->side[0], .lanes = shape->lanes,
		.seed = request->seed,
		.budget_ns = request->budget_ns, .budget_steps = request->budget_steps};
	enum walk_result result;
	struct mesh_budget budget;

	if (request->count != shape->side[0]) {
		err_printf(&answer->err, "a %s of %d nodes, but %d are wanted",
			walk_name(shape->walk), shape->side[0], request->count);
		return MESH_NEVER;
	}
	mesh_budget_start(&budget, request->budget_ns);
	result = walk_find(&q, answer->node);
	if (result == WALK_FOUND) {
		answer->count = request->count;
		answer->ranked = answer->by_rank;
		if (answer->ranked)
			memcpy(answer->by_rank, answer->node, (size_t)answer->count * sizeof(int));
		return MESH_OK;
	}
	if (result != WALK_NO_MEMORY && mesh_budget_late(&budget)) {
		answer->out_of_time = result != WALK_PROVED;
		return MESH_NO_FIT; /* no time is left to prove more */
	}
	if (result != WALK_NO_MEMORY)
		return none(mesh, state, request, result == WALK_PROVED, answer);
	err_printf(&answer->err, "out of memory");
	return MESH_ERROR;
}

int walks_order(
	const struct mesh *mesh, const int *node, int n, enum walk_kind kind, int *order)
{
	struct arena arena = {0};
	struct nodeset all;
	struct walk_question q = {.mesh = mesh, .free = &all, .kind = kind, .length = n};
	/* For nodes of the mesh: their index in node[]. */
	int *at = arena_get(&arena, mesh->nnodes, sizeof(*at)), result = -1;

	if (!nodeset_get(&all, mesh->nnodes, &arena)) {
		for (int i = 0; i < n; i++) {
			at[node[i]] = i;
			nodeset_add(&all, node[i]);
		}
		result = walk_find(&q, order) != WALK_FOUND;
	}
	for (int i = 0; !result && i < n; i++)
		order[i] = at[order[i]];
	arena_release(&arena);
	return result;
}
