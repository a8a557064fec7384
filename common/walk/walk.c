/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/walk.h"

#include <stdlib.h>

#include "walk/walk_exact.h"
#include "walk/walk_grow.h"

/* Looks at pairs of nodes. */
enum { STEPS = 8000000 };

const char *walk_name(enum walk_kind kind)
{
	static const char *const name[] = {"", "line", "ring"};

	return kind <= WALK_RING ? name[kind] : NULL;
}

/* There and back is no more than a line. */
static enum walk_kind kind_of(enum walk_kind kind, int length)
{
	return length < 3 ? WALK_LINE : kind;
}

static enum walk_result search(
	const struct walk_graph *g, const struct walk_question *q, int *point)
{
	/* The search counts with an int. */
	int64_t steps = q->budget_steps <= 0 ? STEPS
		: q->budget_steps < INT32_MAX / 2 ? q->budget_steps : INT32_MAX / 2;
	/* What grows may take a quarter of the time: where it fails, mostly nothing is there. */
	struct walk_effort effort = {.left = steps / 4};
	enum walk_result result = WALK_UNKNOWN;

	if (g->longest < q->length)
		return WALK_PROVED;
	mesh_budget_start(&effort.budget, q->budget_ns ? q->budget_ns / 4 + 1 : 0);
	if (!q->required)
		result = walk_grow(g, q, &effort, point);
	if (result != WALK_UNKNOWN || g->n > WALK_EXACT_MOST)
		return result;
	effort.left = steps - steps / 4;
	mesh_budget_start(&effort.budget, q->budget_ns ? q->budget_ns - q->budget_ns / 4 : 0);
	return walk_exact(g, q, &effort, point);
}

enum walk_result walk_find(const struct walk_question *q, int *node)
{
	enum walk_kind kind = kind_of(q->kind, q->length);
	enum walk_result result = WALK_NO_MEMORY;
	struct walk_graph g;

	if (!walk_graph_init(&g, q->mesh, q->free, kind, q->length))
		result = search(&g, q, node);
	for (int i = 0; result == WALK_FOUND && i < q->length; i++)
		node[i] = g.node[node[i]];
	walk_graph_release(&g);
	return result;
}

bool walk_never(const struct mesh *mesh, const struct nodeset *nodes, enum walk_kind kind,
	int length, struct mesh_err *err)
{
	struct walk_graph g;
	bool known = !walk_graph_init(&g, mesh, nodes, kind_of(kind, length), length);
	bool never = known && g.longest < length;

	walk_graph_release(&g);
	if (!never)
		return false;
	if (kind == WALK_RING && length % 2 && !g.longest)
		err_printf(err, "a ring of an odd number of nodes cannot close on this mesh");
	else
		err_printf(err, "a %s of %d nodes: the longest there could be has %d",
			walk_name(kind), length, g.longest);
	return true;
}
