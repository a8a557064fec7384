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

/*
 * A long walk is grown from blocks (0), which are rings of an even number, and an odd ring from a
 * short one; in turns with a search for all of it or, where it needs most of what is free and there
 * was something to grow, for 3/4.
 */
static int begin_with(
	const struct walk_graph *g, const struct walk_question *q, int try, bool found)
{
	int length = q->length, begin = try % 2 ? length * 3 / 4 : 4;

	if (length >= LONG && try % 2 == 0 && (length % 2 == 0 || q->kind == WALK_LINE))
		return 0;
	if (length < LONG || length <= g->n / 2 || (try % 2 && !found))
		return length;
	return begin + (begin + length) % 2;
}

/*
 * The walk in a part of the nodes that is hardly larger: a search in wide space loses itself, and a
 * ring of blocks is to be compact. How many nodes are in node[], of blocks not always all of them;
 * 0 if no walk was found, -1 when memory is out.
 */
static int walk_in_part(const struct walk_question *q, const struct nodeset *nodes, bool blocks,
	struct walk_effort *effort, int *node)
{
	struct walk_graph part;
	int n = 0;

	if (walk_graph_init(&part, q->mesh, nodes, q->kind, q->length))
		n = -1;
	else if (blocks)
		n = walk_blocks(&part, (int)q->seed, q->length, effort, node);
	else if (part.longest >= q->length)
		n = walk_search(&part, q, effort, node) == WALK_FOUND ? q->length : 0;
	arena_release(&part.arena);
	return n;
}

static enum walk_result search_parts(const struct walk_graph *g, const struct walk_question *q,
	struct walk_effort *all, int *node)
{
	int64_t ways = g->first[g->points] / g->points + 1;
	uint64_t random = random_stream(q->seed, 0);
	struct walk_effort effort = *all;
	struct walk_question some = *q;
	struct nodeset part;
	int n = 0;

	if (nodeset_init(&part, q->mesh->nnodes))
		return WALK_NO_MEMORY;
	for (int try = 0; try < TRIES && all->left > 0 && n >= 0 && n < q->length; try++) {
		int begin = begin_with(g, q, try, n > 0), length = begin ? begin : q->length;
		int64_t wide = length + 4 + length * (INT64_C(1) << try % WIDER) / 8;
		int size = !begin || wide < WALK_SEARCH_MOST ? (int)wide : WALK_SEARCH_MOST - 1;
		int64_t left = 8 * ways * length * size;

		some.length = length;
		some.seed = (uint64_t)try / 2; /* of blocks: which way they lie */
		effort.left = left = left < all->left ? left : all->left;
		n = grow_part(g, (int)random_below(&random, (uint64_t)g->n), size, &part)
			? -1 : walk_in_part(&some, &part, !begin, &effort, node);
		all->left -= left - effort.left + size;
		if (n > 0 && n < q->length && walk_grow(g, node, n, q->length, all))
			n = q->length;
	}
	nodeset_release(&part);
	return n < 0 ? WALK_NO_MEMORY : n == q->length ? WALK_FOUND : WALK_UNKNOWN;
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
