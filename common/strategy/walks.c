/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "strategy/walks.h"

#include <string.h>

static enum mesh_result found(const struct mesh_request *request, struct mesh_answer *answer)
{
	answer->count = request->count;
	answer->ranked = answer->by_rank;
	if (answer->ranked)
		memcpy(answer->by_rank, answer->node, (size_t)answer->count * sizeof(int));
	return MESH_OK;
}

/* Is it so for good? Where it was proved among these nodes, and no others may be used, or where it
 * is plain for those. */
static enum mesh_result none(const struct mesh *mesh, const struct mesh_state *state,
	const struct mesh_request *request, bool proved, struct mesh_answer *answer)
{
	struct nodeset all = {0};
	const struct nodeset *usable = state->usable ? state->usable : &all;
	const struct mesh_shape *shape = &request->shape;
	enum mesh_result result = MESH_NO_FIT;

	answer->out_of_time = !proved;
	if (nodeset_init(&all, mesh->nnodes)) {
		err_printf(&answer->err, "out of memory");
		return MESH_ERROR;
	}
	nodeset_set_all(&all);
	if (walk_never(mesh, usable, shape->walk, shape->side[0], &answer->err)) {
		result = MESH_NEVER;
	} else if (proved && nodeset_equal(state->free, usable)) {
		err_printf(&answer->err, "there is no %s of %d nodes%s", walk_name(shape->walk),
			shape->side[0], request->required ? " with those required" : "");
		result = MESH_NEVER;
	}
	answer->out_of_time &= result == MESH_NO_FIT;
	nodeset_release(&all);
	return result;
}

enum mesh_result walks_decide(const struct mesh *mesh, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	const struct mesh_shape *shape = &request->shape;
	struct walk_question q = {.mesh = mesh, .free = state->free, .required = request->required,
		.kind = shape->walk, .length = shape->side[0], .seed = request->seed,
		.budget_ns = request->budget_ns, .budget_steps = request->budget_steps};
	enum walk_result result;

	if (request->count != shape->side[0]) {
		err_printf(&answer->err, "a %s of %d nodes, but %d are wanted",
			walk_name(shape->walk), shape->side[0], request->count);
		return MESH_NEVER;
	}
	result = walk_find(&q, answer->node);
	if (result == WALK_FOUND)
		return found(request, answer);
	if (result != WALK_NO_MEMORY)
		return none(mesh, state, request, result == WALK_PROVED, answer);
	err_printf(&answer->err, "out of memory");
	return MESH_ERROR;
}

int walks_nodes(const struct mesh *mesh, const struct mesh_shape *shape, struct mesh_err *err)
{
	struct nodeset all;
	bool never;

	if (nodeset_init(&all, mesh->nnodes))
		return shape->side[0];
	nodeset_set_all(&all);
	never = walk_never(mesh, &all, shape->walk, shape->side[0], err);
	nodeset_release(&all);
	return never ? 0 : shape->side[0];
}
