/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cutting the curve's order into parts instead gives 8% longer distances.
 */
#include "ranks/placement.h"

#include <stdlib.h>
#include <string.h>

#include "conf/strategies.h"
#include "decide/strategy_decide.h"

static int64_t first_of(const struct placement_input *input, int part)
{
	int64_t first = 0;

	for (int i = 0; i < part; i++)
		first += input->size[i];
	return first;
}

/* The largest part that is not placed yet, the first of equals. */
static int next_part(const struct placement_input *input, const char *placed)
{
	int best = -1;

	for (int i = 0; i < input->nparts; i++)
		if (!placed[i] && (best < 0 || input->size[i] > input->size[best]))
			best = i;
	return best;
}

struct placing {
	const struct placement_input *input;
	struct strategy *strategy;
	struct nodeset left; /* nodes for the parts not placed yet */
	char *placed;	     /* [nparts] */
};

static int place_parts(struct placing *p, int *node, struct mesh_err *err)
{
	const struct placement_input *input = p->input;
	struct mesh_state state = {.free = &p->left};
	struct mesh_answer answer = {.node = malloc((size_t)p->left.n * sizeof(int))};
	int result = answer.node ? 0 : err_printf(err, "out of memory");

	for (int part; !result && (part = next_part(input, p->placed)) >= 0;) {
		struct mesh_request request = {.count = input->size[part]};

		if (strategy_decide(p->strategy, &state, &request, &answer) != MESH_OK) {
			result = err_printf(err, "%s finds no place for a part of %d nodes%s%s",
				p->strategy->ops->name, request.count, *answer.err.text ? ": " : "",
				answer.err.text);
			break;
		}
		memcpy(node + first_of(input, part), answer.node,
			(size_t)request.count * sizeof(int));
		for (int i = 0; i < request.count; i++)
			nodeset_del(&p->left, answer.node[i]);
		p->placed[part] = 1;
	}
	free(answer.node);
	return result;
}

static int check(const struct placement_input *input, struct mesh_err *err)
{
	for (int i = 0; i < input->nparts; i++)
		if (input->size[i] < 1)
			return err_printf(err, "a part of %d nodes", input->size[i]);
	if (first_of(input, input->nparts) > nodeset_count(input->allocation))
		return err_printf(err, "parts of %lld nodes in all, the allocation has %d",
			(long long)first_of(input, input->nparts),
			nodeset_count(input->allocation));
	return 0;
}

int placement_solve(const struct placement_input *input, int *node, struct mesh_err *err)
{
	struct placing p = {.input = input};
	struct arena arena = {0};
	int result = -1;

	if (check(input, err))
		return -1;
	arena_array(&arena, p.placed, input->nparts);
	p.strategy = strategy_new(strategy_for(STRATEGY_RELAXED), input->mesh, err);
	if (nodeset_get(&p.left, input->mesh->nnodes, &arena)) {
		err_printf(err, "out of memory");
	} else if (p.strategy) {
		nodeset_copy(&p.left, input->allocation);
		result = place_parts(&p, node, err);
	}
	strategy_free(p.strategy);
	arena_release(&arena);
	return result;
}
