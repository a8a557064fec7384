/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/walk.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/sort.h"
#include "walk/walk_cut.h"
#include "walk/walk_search.h"

enum {
	STEPS = 4000000, /* looks at pairs of nodes: some 50 ms */
	TRIES = 200,	 /* the most parts that are searched */
	LONG = 64,	 /* nodes of a walk from which on it may be grown */
	WIDTHS = 8,	 /* the most numbers of lanes that are told apart */
	ANEW = 16,	 /* beginnings by chance */
	SOME = 4,	 /* tries among some nodes of each vertex */
	WIDER = 5,	 /* sizes of parts: 1/8 more nodes than the walk, then 2/8, ... */
};

/* Put the nodes of the points nearest to the start into *part, up to `size`. queue[points] */
static void grow_part(
	const struct walk_graph *g, int start, int size, int *queue, struct nodeset *part)
{
	int n = 0;

	nodeset_clear_all(part);
	queue[n++] = start;
	nodeset_add(part, g->node[start]);
	for (int i = 0; i < n; i++)
		walk_graph_each(p, g, queue[i])
			if (p != g->home && n < size && !nodeset_has(part, g->node[p])) {
				nodeset_add(part, g->node[p]);
				queue[n++] = p;
			}
}

/*
 * The length with which a long walk begins. Blocks (0) give rings of an even number; an odd ring
 * begins with a short one. In turns with these the whole walk is searched; or 3/4 of it, if it
 * needs most of what is free and something could be grown.
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
 * Search a walk in a part of the nodes that is hardly larger: a search in a wide space loses its
 * way, and a ring of blocks shall be compact. Returns how many nodes are in node[], which for
 * blocks may be fewer than wanted; 0: no walk was found; -1: memory is out.
 */
static int walk_in_part(const struct walk_question *q, const struct nodeset *nodes, bool blocks,
	struct walk_effort *effort, int *node)
{
	struct walk_graph part;
	int n = 0;

	if (walk_graph_init(&part, q, nodes))
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
	struct arena arena = {0};
	struct nodeset part;
	int *queue = arena_get(&arena, g->points, sizeof(*queue));
	int n = nodeset_get(&part, q->mesh->nnodes, &arena);

	for (int try = 0; try < TRIES && all->left > 0 && n >= 0 && n < q->length; try++) {
		int begin = begin_with(g, q, try, n > 0), length = begin ? begin : q->length;
		int64_t wide = length + 4 + length * (INT64_C(1) << try % WIDER) / 8;
		int size = !begin || wide < WALK_SEARCH_MOST ? (int)wide : WALK_SEARCH_MOST - 1;
		int64_t left = 8 * ways * length * size;

		some.length = length;
		some.seed = (uint64_t)try / 2; /* for blocks: their orientation */
		effort.left = left = left < all->left ? left : all->left;
		grow_part(g, (int)random_below(&random, (uint64_t)g->n), size, queue, &part);
		n = walk_in_part(&some, &part, !begin, &effort, node);
		all->left -= left - effort.left + size;
		if (n > 0 && n < q->length && walk_grow(g, node, n, q->length, all))
			n = q->length;
	}
	arena_release(&arena);
	return n < 0 ? WALK_NO_MEMORY : n == q->length ? WALK_FOUND : WALK_UNKNOWN;
}

/* The cost of all links of a walk. */
static int cost_of_walk(const struct walk_graph *g, const struct walk_question *q, const int *node)
{
	int cost = 0, last = -1;

	for (int i = 0; i <= q->length; i++) {
		const int *at = bsearch(&node[i % q->length], g->node, (size_t)g->n, sizeof(*at),
			sort_compare_int);
		int p = (int)(at - g->node);

		for (int k = last < 0 ? 0 : g->first[last]; last >= 0 && k < g->first[last + 1];
			k++)
			if (g->to[k] == p && (i < q->length || g->home < 0))
				cost += walk_graph_cost(g, k);
		last = p;
	}
	return cost;
}

/* Look for walks over wider links, as long as there is one. */
static void widen(const struct walk_graph *g, const struct walk_question *q,
	struct walk_effort *effort, int *node)
{
	int64_t kept = effort->left * 3 / 4;

	if (!g->uneven || g->points > WALK_SEARCH_PROVES)
		return;
	effort->left -= kept;
	do
		/* The search also counts the two links to the home. */
		effort->limit = cost_of_walk(g, q, node) - 1 + 2 * (g->home >= 0);
	while (effort->limit > 0 && walk_search(g, q, effort, node) == WALK_FOUND);
	effort->limit = 0;
	effort->left += kept;
}

/* A search that goes wrong early does not come back: begin again and again, by chance. */
static enum walk_result search_anew(const struct walk_graph *g, const struct walk_question *q,
	struct walk_effort *effort, int *node)
{
	enum walk_result result = WALK_UNKNOWN;
	uint64_t random = random_stream(q->seed, 1);
	int64_t part = effort->left / ANEW;

	effort->random = &random;
	for (int try = 0; try < ANEW && result == WALK_UNKNOWN; try++) {
		effort->left = part;
		result = walk_search(g, q, effort, node);
	}
	effort->random = NULL;
	return result;
}

static enum walk_result search(const struct walk_graph *g, const struct walk_question *q,
	int64_t steps, int *node)
{
	struct walk_effort effort = {.left = steps / 2};
	enum walk_result result = WALK_UNKNOWN;

	if (g->longest < q->length)
		return WALK_PROVED;
	mesh_budget_start(&effort.budget, q->budget_ns);
	if (g->points <= WALK_SEARCH_PROVES || q->required)
		result = g->points <= WALK_SEARCH_MOST ? walk_search(g, q, &effort, node) : result;
	if (result == WALK_FOUND)
		widen(g, q, &effort, node);
	if (result == WALK_UNKNOWN && !mesh_budget_late(&effort.budget) &&
		walk_cut(g, q->kind, q->length, NULL))
		result = WALK_PROVED;
	if (result == WALK_UNKNOWN && !q->required) {
		effort.left += steps / 2;
		result = search_parts(g, q, &effort, node);
	}
	if (result != WALK_UNKNOWN || g->points > WALK_SEARCH_PROVES)
		return result;
	effort.left = steps / 2;
	result = search_anew(g, q, &effort, node);
	if (result == WALK_FOUND)
		widen(g, q, &effort, node);
	return result;
}

/* --- lanes -------------------------------------------------------------------------------- */

/*
 * List the numbers of lanes of links, ascending; if they are more than WIDTHS, some. Returns how
 * many.
 */
static int list_widths(const struct walk_graph *g, int width[WIDTHS])
{
	int n = 0;

	for (int i = 0; i < g->first[g->points]; i++) {
		int lanes = g->lanes[i], at = n;

		while (at > 0 && width[at - 1] > lanes)
			at--;
		if (lanes == INT_MAX || (at > 0 && width[at - 1] == lanes) || n == WIDTHS)
			continue;
		memmove(width + at + 1, width + at, (size_t)(n - at) * sizeof(*width));
		width[at] = lanes;
		n++;
	}
	return n;
}

/* A part of the time; 0 stays: no limit. */
static int64_t share_of(int64_t budget_ns, int parts)
{
	return budget_ns > parts ? budget_ns / parts : budget_ns;
}

/* Find a walk over links of at least so many lanes. */
static enum walk_result search_wide(const struct walk_question *q, int64_t steps, int *node)
{
	enum walk_result result = WALK_NO_MEMORY;
	struct walk_graph g;

	if (!walk_graph_init(&g, q, q->free))
		result = search(&g, q, steps, node);
	arena_release(&g.arena);
	return result;
}

/* Set `some` to the required nodes, and to so many other free nodes of each vertex. */
static void take_some(const struct walk_question *q, int most, struct nodeset *some)
{
	const struct mesh *mesh = q->mesh;

	nodeset_clear_all(some);
	for (int v = 0; v < mesh->nvertices; v++)
		for (int i = mesh->first[v], taken = 0; i < mesh->first[v + 1]; i++) {
			int at = mesh->node_at[i];

			if (nodeset_has(q->free, at) && ((q->required &&
				nodeset_has(q->required, at)) || taken++ < most))
				nodeset_add(some, at);
		}
}

/*
 * All free nodes have too many links: look for a walk among some nodes of each vertex. First so
 * many that they have about a quarter of the most links, then fewer, as a search among many links
 * loses its way.
 */
static enum walk_result find_among_fewer(const struct walk_question *q, int *node)
{
	int64_t near = (int64_t)q->mesh->nvertices * (1 + 2 * q->mesh->ndims);
	struct walk_question fewer = *q;
	enum walk_result result = WALK_UNKNOWN;
	struct arena arena = {0};
	struct nodeset some;
	int most = 1;

	if (nodeset_get(&some, q->mesh->nnodes, &arena))
		return WALK_NO_MEMORY;
	while (near * (most + 1) * (most + 1) <= WALK_GRAPH_LINKS / 4)
		most++;
	fewer.free = &some;
	fewer.budget_ns = share_of(q->budget_ns, SOME);
	for (int i = 0; i < SOME && most && result == WALK_UNKNOWN; i++, most /= 4) {
		take_some(q, most, &some);
		if (nodeset_count(&some) < q->length || nodeset_equal(&some, q->free))
			break;
		result = walk_find(&fewer, node);
		result = result == WALK_PROVED ? WALK_UNKNOWN : result;
	}
	arena_release(&arena);
	return result;
}

/*
 * Search first over the widest links alone. Only the last search, over all links of `least` lanes
 * and more, can prove that there is no walk.
 */
enum walk_result walk_find(const struct walk_question *q, int *node)
{
	/* The search counts in an int. */
	int64_t steps = q->budget_steps <= 0 ? STEPS
		: q->budget_steps < INT32_MAX / 2 ? q->budget_steps : INT32_MAX / 2;
	enum walk_result result = WALK_UNKNOWN;
	struct walk_question some = *q;
	int width[WIDTHS], widths = 0, bad;
	struct walk_graph g;

	bad = walk_graph_init(&g, q, q->free);
	if (bad > 0) {
		arena_release(&g.arena);
		return find_among_fewer(q, node);
	}
	if (!bad) {
		widths = list_widths(&g, width);
		for (int i = widths; i-- > 1 && result != WALK_FOUND && g.longest >= q->length;) {
			some.lanes = width[i];
			some.budget_ns = share_of(q->budget_ns, 2 * widths);
			result = search_wide(&some, steps / 2 / widths, node);
		}
	} else {
		result = WALK_NO_MEMORY;
	}
	if (result != WALK_FOUND && result != WALK_NO_MEMORY) {
		some.lanes = q->lanes;
		some.budget_ns = share_of(q->budget_ns, widths > 1 ? 2 : 1);
		result = search(&g, &some, widths > 1 ? steps / 2 : steps, node);
	}
	arena_release(&g.arena);
	return result;
}

bool walk_never(const struct mesh *mesh, const struct nodeset *nodes,
	const struct mesh_shape *shape, struct mesh_err *err)
{
	const struct walk_question q = {.mesh = mesh, .kind = shape->walk,
		.length = shape->side[0], .lanes = shape->lanes};
	const char *name = walk_name(q.kind), *wide = "";
	struct walk_graph g;
	char lanes[64];
	bool never = true;

	if (q.lanes) {
		snprintf(lanes, sizeof(lanes), " over links of %d lanes or more", q.lanes);
		wide = lanes;
	}
	if (walk_graph_init(&g, &q, nodes))
		never = false;
	else if (g.longest >= q.length)
		never = walk_cut(&g, q.kind, q.length, err);
	else if (q.kind == WALK_RING && q.length % 2 && !g.longest)
		err_printf(err, "a ring of an odd number of nodes cannot close on this mesh%s",
			wide);
	else
		err_printf(err, "a %s of %d nodes%s: the longest there could be has %d", name,
			q.length, wide, g.longest);
	arena_release(&g.arena);
	return never;
}
