/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Depth first; points with the fewest ways on come first (H. Warnsdorff, 1823). After each step
 * the walk has an end, and a home to which it must come back. A point can still be on the walk if
 * it is in the block (R. Tarjan, "Depth-first search and linear graph algorithms", 1972) that an
 * edge from the end to the home would be in, in the graph of the points that are left. Dead ends,
 * and parts that hang on by one point, are not in it. A step is not taken if it leaves too few
 * such points, in all or in one half; for a line, if no chain of blocks from it has enough.
 *
 * O(nodes * neighbours) for a step; exponentially many steps at worst.
 */
#include "walk/walk_search.h"

#include <string.h>

#include "base/random.h"

enum { LUCK = 4 }; /* chance may prefer a point with one way on more, seldom with two */

struct search {
	const struct walk_graph *g;
	struct walk_effort *effort;
	int home;	  /* where the walk begins and ends */
	int length;	  /* of path[], with the home */
	int *path, depth; /* depth: the points so far */
	bool *taken;	  /* on the path, or of no use any more */
	bool *must;	  /* must be on the walk */
	int nmust;
	/* The last sweep: */
	int *seen, *low; /* by point: clock when it was first seen; lowest clock that it reaches */
	int clock, begin;
	int *stack, top; /* the points of the block */
	int *after;	 /* by point: the most points that a line can have after it */
	bool *useful;	 /* [points] the block as a set, made anew each time */
	int *steps;	 /* by point: steps from the home, over any points; -1: not reached */
	int *way, *price; /* ways on from each point of the path, one list after the other, and the
			   * cost of their links */
	int cost;	 /* the cost of the path's links */
	int gap; /* steps between two sweeps, as sweeps of large graphs are long */
	bool late;
};

/* --- what can still be on the walk -------------------------------------------------- */

/*
 * Visit all points below p in the depth-first tree. At the end the stack has the points with two
 * separate ways to the end of the walk.
 */
static void sweep(struct search *s, int p)
{
	int at = s->top;

	s->seen[p] = s->low[p] = s->clock++;
	s->stack[s->top++] = p;
	s->effort->left -= walk_graph_degree(s->g, p);
	walk_graph_each(q, s->g, p) {
		if (s->seen[q] < s->begin && !s->taken[q]) {
			at = s->top;
			sweep(s, q);
			if (s->low[q] >= s->seen[p])
				s->top = at;
			else if (s->low[q] < s->low[p])
				s->low[p] = s->low[q];
		} else if (s->seen[q] >= s->begin && s->seen[q] < s->low[p]) {
			s->low[p] = s->seen[q];
		}
	}
}

/* Find the block, in stack[1..top-1] and useful[], without the home. */
static void find_block(struct search *s, int end)
{
	s->begin = s->clock;
	s->seen[end] = s->clock++;
	s->top = 0;
	sweep(s, s->home);
	memset(s->useful, 0, (size_t)s->g->points * sizeof(*s->useful));
	for (int i = 1; i < s->top; i++)
		s->useful[s->stack[i]] = true;
}

/*
 * A block hangs at p by stack[from..top-1]. A line enters it from p, takes points of the two
 * halves in turn, and may go on from any of them to what hangs there.
 */
static void hang(struct search *s, int p, int from)
{
	const int8_t *half = s->g->half;
	int in = s->top - from, other = 0;

	for (int i = from; i < s->top; i++)
		other += half[s->stack[i]] != half[p];
	for (int i = from; i < s->top; i++) {
		int q = s->stack[i], most = in, same = in - other;

		if (s->g->halved && half[q] == half[p])
			most = 2 * (same < other ? same : other);
		else if (s->g->halved)
			most = 2 * (same < other - 1 ? same : other - 1) + 1;
		if (most + s->after[q] > s->after[p])
			s->after[p] = most + s->after[q];
	}
	s->top = from;
}

/* Compute after[] of p and of all points below it in the tree that grows from the end of a line. */
static void measure(struct search *s, int p, int end)
{
	s->seen[p] = s->low[p] = s->clock++;
	s->after[p] = 0;
	s->effort->left -= walk_graph_degree(s->g, p);
	walk_graph_each(q, s->g, p) {
		int from = s->top;

		if (s->taken[q] && q != end)
			continue;
		if (s->seen[q] < s->begin) {
			s->stack[s->top++] = q;
			measure(s, q, end);
			if (s->low[q] >= s->seen[p])
				hang(s, p, from);
			else if (s->low[q] < s->low[p])
				s->low[p] = s->low[q];
		} else if (s->seen[q] < s->low[p]) {
			s->low[p] = s->seen[q];
		}
	}
}

/*
 * Are there enough points of each half? The walk takes them in turn, first the half that `end` is
 * not in.
 */
static bool enough_of_both(const struct search *s, int end, int wanted)
{
	int other = 0;

	if (!s->g->halved || end == s->g->home)
		return true;
	for (int i = 1; i < s->top; i++)
		other += s->g->half[s->stack[i]] != s->g->half[end];
	return other >= (wanted + 1) / 2 && s->top - 1 - other >= wanted / 2;
}

/* How many of n points must be on the walk. */
static int count_must(const struct search *s, const int *point, int n)
{
	int count = 0;

	for (int i = 0; s->nmust && i < n; i++)
		count += s->must[point[i]];
	return count;
}

static bool can_be(struct search *s, int end, int wanted)
{
	const struct walk_graph *g = s->g;

	if (end == s->home) { /* the first step */
		for (int p = 0; p < g->n; p++)
			s->useful[p] = !s->taken[p];
		return true;
	}
	if (s->home != g->home && s->steps[end] > wanted + 1)
		return false;
	if (s->depth % s->gap)
		return true;
	if (s->home == g->home) {
		s->begin = s->clock;
		s->top = 0;
		measure(s, end, end);
		if (s->after[end] < wanted)
			return false;
	}
	find_block(s, end);
	return s->top - 1 >= wanted && enough_of_both(s, end, wanted) &&
		count_must(s, s->path, s->depth) + count_must(s, s->stack + 1, s->top - 1) ==
			s->nmust;
}

/* --- the search --------------------------------------------------------------------- */

static int ways_on(const struct search *s, int p)
{
	int n = 0;

	walk_graph_each(q, s->g, p)
		n += s->useful[q];
	return n;
}

/* Compute steps[] from the home, over points that are not taken. */
static void count_steps(struct search *s)
{
	int n = 0;

	memset(s->steps, -1, (size_t)s->g->points * sizeof(*s->steps));
	s->steps[s->home] = 0;
	s->stack[n++] = s->home;
	for (int i = 0; i < n; i++) {
		s->effort->left -= walk_graph_degree(s->g, s->stack[i]);
		walk_graph_each(q, s->g, s->stack[i])
			if (s->steps[q] < 0 && !s->taken[q]) {
				s->steps[q] = s->steps[s->stack[i]] + 1;
				s->stack[n++] = q;
			}
	}
}

/* The cost of the link between two points that are joined. */
static int cost_of(const struct search *s, int p, int q)
{
	for (int at = s->g->first[p]; at < s->g->first[p + 1]; at++)
		if (s->g->to[at] == q)
			return walk_graph_cost(s->g, at);
	return 0;
}

/*
 * List the ways on from the end in way[]: the narrowest first, or with a limit the cheapest. How
 * many.
 */
static int list_ways(struct search *s, int end, int *way)
{
	int *price = s->price + (way - s->way), n = 0;

	for (int at = s->g->first[end]; at < s->g->first[end + 1]; at++) {
		int p = s->g->to[at], cost = s->effort->limit ? walk_graph_cost(s->g, at) : 0;
		int ways, i;

		if (!s->useful[p] || s->taken[p])
			continue;
		ways = LUCK * ways_on(s, p);
		if (s->effort->random)
			ways += (int)random_below(s->effort->random, 2 * LUCK);
		s->effort->left -= walk_graph_degree(s->g, p);
		for (i = n++; i > 0 && (price[i - 1] > cost || (price[i - 1] == cost &&
				s->low[way[i - 1]] > ways)); i--) {
			way[i] = way[i - 1];
			price[i] = price[i - 1];
		}
		way[i] = p;
		price[i] = cost;
		s->low[p] = ways; /* the sweep is over, so low[] is free for this */
	}
	return n;
}

/* The walk has all its points: is it the one that was asked for? */
static bool is_whole(const struct search *s, int end)
{
	return walk_graph_joined(s->g, end, s->home) &&
		count_must(s, s->path, s->depth) == s->nmust &&
		(!s->effort->limit || s->cost + cost_of(s, end, s->home) <= s->effort->limit);
}

/* Extend the path from its last point to the whole walk. */
static bool extend(struct search *s, int *way)
{
	int end = s->path[s->depth - 1], n;

	if (s->depth == s->length)
		return is_whole(s, end);
	if (s->effort->limit && s->cost + s->length - s->depth + 1 > s->effort->limit)
		return false;
	n = can_be(s, end, s->length - s->depth) ? list_ways(s, end, way) : 0;
	s->late = s->effort->left < 0 || mesh_budget_late(&s->effort->budget);
	for (int i = 0; i < n && !s->late; i++) {
		int price = s->price[way + i - s->way];

		s->path[s->depth++] = way[i];
		s->taken[way[i]] = true;
		s->cost += price;
		if (extend(s, way + n))
			return true;
		s->cost -= price;
		s->taken[way[i]] = false;
		s->depth--;
	}
	return false;
}

static bool walk_from(struct search *s, int home)
{
	s->home = s->path[0] = home;
	s->depth = 1;
	s->taken[home] = true;
	count_steps(s);
	return extend(s, s->way);
}

/* A ring may begin at any of its points: try a required one, or else its lowest. */
static bool try_homes(struct search *s)
{
	if (s->g->home >= 0)
		return walk_from(s, s->g->home);
	if (s->effort->random && !s->nmust)
		return walk_from(s, (int)random_below(s->effort->random, (uint64_t)s->g->n));
	for (int p = 0; p < s->g->n && !s->late; p++) {
		if (s->nmust && !s->must[p])
			continue;
		if (walk_from(s, p))
			return true;
		if (s->nmust)
			break;
	}
	return false;
}

static int prepare(struct search *s, const struct nodeset *required, struct arena *arena)
{
	int points = s->g->points;

	arena_array(arena, s->path, points);
	arena_array(arena, s->seen, points);
	arena_array(arena, s->low, points);
	arena_array(arena, s->stack, points);
	arena_array(arena, s->steps, points);
	arena_array(arena, s->after, points);
	arena_array(arena, s->way, s->g->first[points]);
	arena_array(arena, s->price, s->g->first[points]);
	arena_array(arena, s->taken, points);
	arena_array(arena, s->must, points);
	if (!arena_array(arena, s->useful, points))
		return -1;
	memset(s->seen, -1, (size_t)points * sizeof(*s->seen));
	for (int p = 0; required && p < s->g->n; p++)
		s->nmust += s->must[p] = nodeset_has(required, s->g->node[p]);
	return 0;
}

enum walk_result walk_search(const struct walk_graph *g, const struct walk_question *q,
	struct walk_effort *effort, int *node)
{
	int skip = g->home >= 0;
	struct search s = {.g = g, .effort = effort, .length = q->length + skip,
		.gap = 1 + (g->points - 1) / WALK_SEARCH_PROVES};
	enum walk_result result = WALK_NO_MEMORY;
	struct arena arena = {0};

	if (!prepare(&s, q->required, &arena)) {
		if (try_homes(&s))
			result = WALK_FOUND;
		else
			result = s.late || s.gap > 1 || effort->random ? WALK_UNKNOWN : WALK_PROVED;
		for (int i = 0; result == WALK_FOUND && i < q->length; i++)
			node[i] = g->node[s.path[i + skip]];
	}
	arena_release(&arena);
	return result;
}
