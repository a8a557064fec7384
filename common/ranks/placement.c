/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Parts of an allocation: one decision of a strategy for each, or a cut of the curve order.
 */
#include "ranks/placement.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "geometry/curve.h"
#include "geometry/metrics.h"
#include "strategies/strategies.h"

static int64_t first_of(const struct placement_input *input, int part)
{
	int64_t first = 0;

	for (int i = 0; i < part; i++)
		first += input->size[i];
	return first;
}

/* The largest part not placed yet, the first among equals. */
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

static int by_strategy(const struct placement_input *input, const char *name, int *node,
	struct mesh_err *err)
{
	const struct strategy_ops *ops = strategy_find(name);
	struct placing p = {.input = input};
	int result = -1;

	if (!ops)
		return err_printf(err, "unknown strategy '%.64s'", name);
	p.placed = calloc((size_t)input->nparts, 1);
	p.strategy = strategy_new(ops, input->mesh, err);
	if (!p.placed || nodeset_init(&p.left, input->mesh->nnodes)) {
		err_printf(err, "out of memory");
	} else if (p.strategy) {
		nodeset_copy(&p.left, input->allocation);
		result = place_parts(&p, node, err);
	}
	strategy_free(p.strategy);
	nodeset_release(&p.left);
	free(p.placed);
	return result;
}

static int by_cut(const struct placement_input *input, int *node, struct mesh_err *err)
{
	const struct mesh *mesh = input->mesh;
	int *order = malloc((size_t)mesh->nvertices * sizeof(*order));
	int *along = malloc((size_t)mesh->nnodes * sizeof(*along));
	int64_t want = first_of(input, input->nparts), count = 0;
	int result = order && along ? curve_fill(mesh, CURVE_MESH, order) : -1;

	if (!result) {
		curve_nodes(mesh, order, along, NULL);
		for (int i = 0; i < mesh->nnodes && count < want; i++)
			if (nodeset_has(input->allocation, along[i]))
				node[count++] = along[i];
		for (int i = 0; i < input->nparts; i++)
			sort_ints(node + first_of(input, i), input->size[i]);
	}
	free(order);
	free(along);
	return result ? err_printf(err, "out of memory") : 0;
}

static double total_hops(const struct placement_input *input, const int *node)
{
	double total = 0;

	for (int i = 0; i < input->nparts; i++)
		total += (double)mesh_pairwise_hops(input->mesh, node + first_of(input, i),
			input->size[i]);
	return total;
}

static int place_how(const struct placement_input *input, const char *how,
	struct placement_answer *answer, struct mesh_err *err)
{
	answer->how = how;
	if (strcmp(how, "cut") ? by_strategy(input, how, answer->node, err)
			       : by_cut(input, answer->node, err))
		return -1;
	answer->hops = total_hops(input, answer->node);
	return 0;
}

int placement_solve(const struct placement_input *input, struct placement_answer *answer,
	struct mesh_err *err)
{
	int64_t want = 0;
	struct placement_answer other;
	int result;

	for (int i = 0; i < input->nparts; i++) {
		if (input->size[i] < 1)
			return err_printf(err, "a part of %d nodes", input->size[i]);
		want += input->size[i];
	}
	if (want > nodeset_count(input->allocation))
		return err_printf(err, "parts of %lld nodes in all, the allocation has %d",
			(long long)want, nodeset_count(input->allocation));
	if (input->how)
		return place_how(input, input->how, answer, err);
	other.node = malloc(((size_t)want + 1) * sizeof(int));
	if (!other.node)
		return err_printf(err, "out of memory");
	result = place_how(input, strategy_for(STRATEGY_RELAXED)->name, answer, err);
	if (!result)
		result = place_how(input, "cut", &other, err);
	if (!result && other.hops < answer->hops) {
		memcpy(answer->node, other.node, (size_t)want * sizeof(int));
		answer->how = other.how;
		answer->hops = other.hops;
	}
	free(other.node);
	return result;
}
