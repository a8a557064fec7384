/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/walk.h"

#include <stdlib.h>

#include "base/random.h"
#include "walk/walk_search.h"

enum {
	STEPS = 4000000, /* looks at pairs of nodes: some 50 ms */
	TRIES = 200,	 /* parts that are searched, if there is time */
	LONG = 64,	 /* nodes of a walk that may be grown */
	WIDER = 5,	 /* parts have 1/8 more nodes than the walk, then 2/8, ...: so many sizes */
};

const char *walk_name(enum walk_kind kind)
{
	static const char *const name[] = {"", "line", "ring"};

	return kind <= WALK_RING ? name[kind] : NULL;
}

/* The nodes of the points nearest to the start, up to size of them, into *part. */
static int grow_part(const struct walk_graph *g, int start, int size, struct nodeset *part)
{
	int *queue = malloc((size_t)g->points * sizeof(*queue)), n = 0;

	if (!queue)
		return -1;
	nodeset_clear_all(part);
	queue[n++] = start;
	nodeset_add(part, g->node[start]);
	for (int i = 0; i < n; i++)
		walk_graph_each(p, g, queue[i])
			if (p != g->home && n < size && !nodeset_has(part, g->node[p])) {
				nodeset_add(part, g->node[p]);
				queue[n++] = p;
			}
	free(queue);
	return 0;
}

/* A long walk is grown where it needs most of what is free: from a short one and then, if there was
 * any, from one of 3/4; odd or even as it is. */
static int begin_with(const struct walk_graph *g, int length, int try, bool found)
{
	int begin = try % 2 ? length * 3 / 4 : 4;

	if (length < LONG || length <= g->n / 2 || (try % 2 && !found))
		return length;
	return begin + (begin + length) % 2;
}

static enum walk_result search_part(const struct walk_question *q, const struct nodeset *part,
	struct walk_effort *effort, int *node)
{
	enum walk_result result = WALK_NO_MEMORY;
	struct walk_graph g;

	if (!walk_graph_init(&g, q->mesh, part, q->kind, q->length))
		result = g.longest < q->length ? WALK_UNKNOWN : walk_search(&g, q, effort, node);
	arena_release(&g.arena);
	return result == WALK_PROVED ? WALK_UNKNOWN : result;
}

/* In parts hardly larger than the walk: a search in wide space loses itself. */
static enum walk_result search_parts(const struct walk_graph *g, const struct walk_question *q,
	struct walk_effort *all, int *node)
{
	int64_t ways = g->first[g->points] / g->points + 1;
	uint64_t random = random_stream(q->seed, 0);
	enum walk_result result = WALK_UNKNOWN;
	struct walk_effort effort = *all;
	struct nodeset part;
	bool found = false;

	if (nodeset_init(&part, q->mesh->nnodes))
		return WALK_NO_MEMORY;
	for (int try = 0; try < TRIES && all->left > 0 && result == WALK_UNKNOWN; try++) {
		int length = begin_with(g, q->length, try, found);
		int64_t wide = length + 4 + length * (INT64_C(1) << try % WIDER) / 8;
		int size = wide < WALK_SEARCH_MOST ? (int)wide : WALK_SEARCH_MOST - 1;
		int64_t some = 8 * ways * length * size;
		struct walk_question begin = *q;

		begin.length = length;
		effort.left = some = some < all->left ? some : all->left;
		result = grow_part(g, (int)random_below(&random, (uint64_t)g->n), size, &part)
			? WALK_NO_MEMORY : search_part(&begin, &part, &effort, node);
		all->left -= some - effort.left + size;
		found = result == WALK_FOUND;
		if (found && length < q->length &&
			!walk_grow(g, node, length, q->length, all))
			result = WALK_UNKNOWN;
	}
	nodeset_release(&part);
	return result;
}

static enum walk_result search(
	const struct walk_graph *g, const struct walk_question *q, int *node)
{
	/* The search counts with an int. */
	int64_t steps = q->budget_steps <= 0 ? STEPS
		: q->budget_steps < INT32_MAX / 2 ? q->budget_steps : INT32_MAX / 2;
	struct walk_effort effort = {.left = steps / 2};
	enum walk_result result = WALK_UNKNOWN;

	if (g->longest < q->length)
		return WALK_PROVED;
	mesh_budget_start(&effort.budget, q->budget_ns);
	if (g->points <= WALK_SEARCH_PROVES || q->required)
		result = g->points <= WALK_SEARCH_MOST ? walk_search(g, q, &effort, node) : result;
	if (result != WALK_UNKNOWN || q->required)
		return result;
	effort.left += steps / 2;
	return search_parts(g, q, &effort, node);
}

enum walk_result walk_find(const struct walk_question *q, int *node)
{
	enum walk_result result = WALK_NO_MEMORY;
	struct walk_graph g;

	if (!walk_graph_init(&g, q->mesh, q->free, q->kind, q->length))
		result = search(&g, q, node);
	arena_release(&g.arena);
	return result;
}

bool walk_never(const struct mesh *mesh, const struct nodeset *nodes, enum walk_kind kind,
	int length, struct mesh_err *err)
{
	struct walk_graph g;
	bool never = !walk_graph_init(&g, mesh, nodes, kind, length) && g.longest < length;

	arena_release(&g.arena);
	if (!never)
		return false;
	if (kind == WALK_RING && length % 2 && !g.longest)
		err_printf(err, "a ring of an odd number of nodes cannot close on this mesh");
	else
		err_printf(err, "a %s of %d nodes: the longest there could be has %d",
			walk_name(kind), length, g.longest);
	return true;
}
