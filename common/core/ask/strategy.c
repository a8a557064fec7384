/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ask/strategy.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/sort.h"

const char *mesh_result_name(enum mesh_result result)
{
	static const char *const name[] = {"ok", "no-fit", "never", "error"};

	return name[result];
}

const struct strategy_ops *strategy_in(const struct strategy_ops *family, const char *name)
{
	for (const struct strategy_ops *ops = family; ops->name; ops++)
		if (!strcasecmp(ops->name, name))
			return ops;
	return NULL;
}

struct strategy *strategy_new(const struct strategy_ops *ops, const struct mesh *mesh,
	struct mesh_err *err)
{
	struct strategy *strategy = calloc(1, sizeof(*strategy));
	int bad;

	if (!strategy) {
		err_printf(err, "out of memory");
		return NULL;
	}
	strategy->ops = ops;
	strategy->mesh = mesh;
	bad = nodeset_get(&strategy->chosen, mesh->nnodes, &strategy->arena) ||
		(ops->init && ops->init(strategy, err));
	if (strategy->arena.out)
		bad = err_printf(err, "out of memory");
	if (!bad)
		return strategy;
	strategy_free(strategy);
	return NULL;
}

void strategy_free(struct strategy *strategy)
{
	if (!strategy)
		return;
	if (strategy->ops->release)
		strategy->ops->release(strategy);
	arena_release(&strategy->arena);
	free(strategy);
}

int64_t mesh_run_freed(const struct mesh_run *run, int64_t now, int64_t seconds, int64_t unit)
{
	int64_t left = run->end - now;

	if (!run->end || seconds <= 0 || left >= seconds)
		return 0;
	return (seconds - (left < 0 ? 0 : left)) * unit / seconds;
}

/* Answer what every strategy answers alike. MESH_OK: ask the strategy. */
static enum mesh_result check(const struct mesh *mesh, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_err *err)
{
	const struct nodeset *required = request->required;
	int usable = state->usable ? nodeset_count(state->usable) : mesh->nnodes;

	if (request->count < 1) {
		err_printf(err, "%d nodes wanted", request->count);
		return MESH_ERROR;
	}
	if (state->free->n != mesh->nnodes || (required && required->n != mesh->nnodes)) {
		err_printf(err, "a node set of another machine");
		return MESH_ERROR;
	}
	if (required && nodeset_count(required) > request->count) {
		err_printf(err, "%d nodes required but only %d wanted", nodeset_count(required),
			request->count);
		return MESH_NEVER;
	}
	if (request->count > usable) {
		if (request->shape.ndims)
			err_printf(err, "the shape has more nodes than the %d there are", usable);
		else
			err_printf(err, "%d nodes wanted of %d", request->count, usable);
		return MESH_NEVER;
	}
	if (required && state->usable && !nodeset_subset(required, state->usable)) {
		err_printf(err, "a required node cannot be used");
		return MESH_NEVER;
	}
	if (required && !nodeset_subset(required, state->free))
		return MESH_NO_FIT;
	return request->count > nodeset_count(state->free) ? MESH_NO_FIT : MESH_OK;
}

int mesh_shape_nodes(const struct mesh *mesh, const struct mesh_shape *shape)
{
	int64_t nodes = shape->walk ? 1 : mesh->nodes_per_vertex, node = 1;

	for (int d = 0; shape->chips && d < mesh->ndims && node <= INT32_MAX; d++)
		node *= mesh->node_side[d] ? mesh->node_side[d] : 1;
	for (int d = 0; d < shape->ndims && nodes / node <= mesh->nnodes; d++)
		nodes *= shape->side[d];
	nodes = (nodes + node - 1) / node;
	/* All numbers beyond the machine are alike: more than it has. */
	return nodes > mesh->nnodes ? mesh->nnodes + 1 : (int)nodes;
}

static enum mesh_result check_shape(
	const struct mesh *mesh, const struct mesh_shape *shape, struct mesh_err *err)
{
	bool good = shape->ndims >= 0 && shape->ndims <= MESH_MAX_DIMS;

	for (int d = 0; good && d < shape->ndims; d++)
		good = shape->side[d] >= 1;
	if (good)
		return mesh_shape_suits(mesh, shape, err) ? MESH_OK : MESH_NEVER;
	err_printf(err, "a shape has 1 to %d sides of at least 1", MESH_MAX_DIMS);
	return MESH_ERROR;
}

enum mesh_result strategy_check(const struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_request *whole,
	struct mesh_answer *answer)
{
	enum mesh_result result;

	answer->err.text[0] = '\0';
	answer->count = 0;
	answer->cost = 0;
	answer->ranked = answer->out_of_time = false;
	*whole = *request;
	result = check_shape(strategy->mesh, &request->shape, &answer->err);
	if (result != MESH_OK)
		return result;
	if (whole->count == 0 && whole->shape.ndims)
		whole->count = mesh_shape_nodes(strategy->mesh, &whole->shape);
	if (strategy->mesh->cabled && strategy->ops->flags & STRATEGY_CONTIGUOUS &&
		whole->count > 1 && !whole->shape.walk) {
		err_printf(&answer->err, "%s places boxes, and mesh %s has cables and no boxes",
			strategy->ops->name, strategy->mesh->name);
		return MESH_NEVER;
	}
	return check(strategy->mesh, state, whole, &answer->err);
}

/* Are these nodes of the machine, and in the set? */
static bool all_in(const struct mesh *mesh, const struct nodeset *set, const int *node, int count)
{
	for (int i = 0; i < count; i++)
		if (node[i] < 0 || node[i] >= mesh->nnodes || !nodeset_has(set, node[i]))
			return false;
	return true;
}

/*
 * Sort the nodes by a bitmap: qsort() may allocate, and is slow. None may be there twice, and
 * by_rank[] has to have each of them.
 */
static void sort_nodes(struct strategy *strategy, struct mesh_answer *answer)
{
	struct nodeset *chosen = &strategy->chosen;
	bool ranked = answer->ranked && answer->by_rank;
	int count = answer->count, i = 0;

	if (!ranked && sort_ascends(answer->node, count))
		return;
	for (int j = 0; j < count; j++)
		nodeset_add(chosen, answer->node[j]);
	answer->count = nodeset_members(chosen, answer->node);
	while (ranked && i < count && all_in(strategy->mesh, chosen, answer->by_rank + i, 1))
		nodeset_del(chosen, answer->by_rank[i++]);
	nodeset_clear_all(chosen);
	if (answer->count < count)
		err_printf(&answer->err, "%s chose a node twice", strategy->ops->name);
	else if (ranked && i < count)
		err_printf(&answer->err, "%s ranks other nodes than it chose", strategy->ops->name);
}

/* Does the sorted answer have all of the required nodes? */
static bool has_required(const struct nodeset *required, const struct mesh_answer *answer)
{
	int i = 0;

	nodeset_each(node, required) {
		while (i < answer->count && answer->node[i] < node)
			i++;
		if (i == answer->count || answer->node[i] != node)
			return false;
	}
	return true;
}

/* The strategy of a site may answer anything, and these numbers are indices from here on. */
static enum mesh_result check_answer(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	const char *name = strategy->ops->name;
	int count = answer->count;
	bool blocks = (strategy->ops->flags & STRATEGY_BLOCKS) == STRATEGY_BLOCKS;
	int most = blocks ? strategy->mesh->nnodes : request->count;

	if (count < request->count || count > most)
		err_printf(&answer->err, "%s chose %d nodes, not %d", name, count, request->count);
	else if (!all_in(strategy->mesh, state->free, answer->node, count))
		err_printf(&answer->err, "%s chose a node that is not free", name);
	else
		sort_nodes(strategy, answer);
	if (!answer->err.text[0] && request->required && !has_required(request->required, answer))
		err_printf(&answer->err, "%s left out a required node", name);
	return answer->err.text[0] ? MESH_ERROR : MESH_OK;
}

enum mesh_result strategy_settle(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, enum mesh_result result, struct mesh_answer *answer)
{
	if (result == MESH_OK)
		result = check_answer(strategy, state, request, answer);
	if (result != MESH_OK)
		answer->count = 0;
	return result;
}

enum mesh_result strategy_ask(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	struct mesh_request whole;
	enum mesh_result result = strategy_check(strategy, state, request, &whole, answer);

	if (result == MESH_OK)
		result = strategy->ops->decide(strategy, state, &whole, answer);
	return strategy_settle(strategy, state, &whole, result, answer);
}
