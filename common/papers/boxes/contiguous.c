/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boxes/contiguous.h"

#include <stdlib.h>

#include "geometry/metrics.h"

static int begin(struct strategy *strategy, const struct contiguous_ops *ops)
{
	struct arena *arena = &strategy->arena;
	struct contiguous *c = arena_get(arena, 1, sizeof(*c));

	strategy->scratch = c;
	if (!c)
		return -1;
	c->ops = ops;
	c->mesh = strategy->mesh;
	return boxplan_init(&c->plan, c->mesh, arena) || bitbox_init(&c->bits, c->mesh, arena) ||
		nodeset_get(&c->taken, c->mesh->nnodes, arena) || (ops->init && ops->init(c, arena))
		? -1 : 0;
}

int contiguous_init(struct strategy *strategy, struct mesh_err *err)
{
	(void)err;
	return begin(strategy, strategy->ops->preset);
}

int contiguous_init_box(struct strategy *strategy, enum extras_boxes which)
{
	static const struct contiguous_ops *const ops[] = {
		[BOXES_FIRST_FIT] = &contiguous_first_fit,
		[BOXES_BEST_FIT] = &contiguous_best_fit,
		[BOXES_KEEPER] = &contiguous_keeper,
	};

	return begin(strategy, ops[which]);
}

bool contiguous_late(struct contiguous *c)
{
	return c->late = c->late || mesh_budget_late(&c->budget);
}

bool contiguous_first(struct contiguous *c, const struct boxplan_row *row, int rows,
	struct mesh_box *box)
{
	for (int i = 0; i < rows; i++) {
		int base[MESH_MAX_DIMS], bit = bitbox_first(&c->bits, row[i].side);

		if (bit < 0)
			continue;
		bitbox_coord(&c->bits, bit, base);
		*box = box_at(c->mesh->ndims, base, row[i].side);
		return true;
	}
	return false;
}

/* Find the best free box of the plan, group by group. */
static bool find_box(
	struct contiguous *c, const struct mesh_state *state, struct mesh_box *box)
{
	bool some = c->mesh->nlegal || (c->bits.sound && !c->bits.any_links);
	bool plain = c->request->required || (some && !c->ops->legal);

	bitbox_load(&c->bits, state->free);
	c->state = state;
	c->made = false;
	for (int i = 0, next; i < c->plan.count; i = next) {
		const struct boxplan_row *row = &c->plan.row[i];

		for (next = i + 1; next < c->plan.count && c->plan.row[next].group == row->group;)
			next++;
		if (plain ? contiguous_first(c, row, next - i, box)
			  : c->ops->find(c, row, next - i, box))
			return true;
		if (contiguous_late(c))
			return false;
	}
	return false;
}

/* No box is free now: would one be free on the idle machine? */
static enum mesh_result why_not(
	const struct strategy_ops *ops, struct contiguous *c, struct mesh_answer *answer)
{
	const struct mesh *mesh = c->mesh;
	struct mesh_state idle = {.free = c->state->usable, .now = c->state->now};
	struct mesh_box box;

	if (!idle.free) {
		/* A machine without gaps has room for every box of the plan. */
		if (ops->flags & STRATEGY_COMPLETE && !c->request->required &&
			mesh->nnodes == mesh->nvertices * mesh->nodes_per_vertex)
			return MESH_NO_FIT;
		nodeset_set_all(&c->taken);
		idle.free = &c->taken;
	}
	/* Broken links will be mended, as nodes that are down will. */
	c->bits.any_links = true;
	if (find_box(c, &idle, &box) || c->late)
		return MESH_NO_FIT;
	err_printf(&answer->err, "no such box, not even on the idle machine");
	return MESH_NEVER;
}

/* The sum over pairs; in closed form if the vertices are the first ones in snake order. */
static double hops(const struct contiguous *c, const struct mesh_box *box,
	const struct mesh_answer *answer)
{
	if (c->mesh->nodes_per_vertex > 1 || c->request->required)
		return (double)mesh_pairwise_hops(c->mesh, answer->node, answer->count);
	return (double)boxplan_hops(&c->plan, box->side, answer->count);
}

static void take(struct contiguous *c, const struct mesh_box *box, struct mesh_answer *answer)
{
	nodeset_clear_all(&c->taken);
	box_take(c->mesh, box, c->request->count, c->request->required, &c->taken);
	answer->count = nodeset_members(&c->taken, answer->node);
	answer->cost = hops(c, box, answer);
}

enum mesh_result contiguous_decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	struct contiguous *c = strategy->scratch;
	enum mesh_result result = MESH_OK;
	struct mesh_box box;

	bitbox_require(&c->bits, request->required);
	c->bits.any_links = request->shape.any_links;
	if (boxplan_make(&c->plan, request, c->bits.extent, &answer->err))
		return MESH_NEVER;
	mesh_budget_start(&c->budget, request->budget_ns);
	c->late = false;
	c->request = request;
	if (find_box(c, state, &box))
		take(c, &box, answer);
	else if (c->late)
		result = MESH_NO_FIT;
	else
		result = why_not(strategy->ops, c, answer);
	answer->out_of_time = c->late;
	return result;
}
