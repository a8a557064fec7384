/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lengthens a walk by detours: between two of its points over one or two free points.
 */
#include "walk/walk_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/sort.h"

enum {
	STALE = 200, /* steps per point of the walk without a longer one, after which it gives up */
	SHRINK = 16, /* one in so many chances to become shorter is taken */
};

struct ring {
	const struct walk_graph *g;
	struct walk_effort *effort;
	int *next; /* by point: the next one on the ring, or -1: not on it */
	int wanted; /* points that are missing */
	uint64_t random;
};

static int any(struct ring *r, int n)
{
	return (int)random_below(&r->random, (uint64_t)n);
}

static bool joined(const struct ring *r, int p, int q)
{
	r->effort->left -= walk_graph_degree(r->g, p);
	return walk_graph_joined(r->g, p, q);
}

static void put(struct ring *r, int after, int p)
{
	r->next[p] = r->next[after];
	r->next[after] = p;
	r->wanted--;
}

static void drop_next(struct ring *r, int p)
{
	int out = r->next[p];

	r->next[p] = r->next[out];
	r->next[out] = -1;
	r->wanted++;
}

/*
 * From a over c, which is not on the ring, to the next point of the ring: directly, over one more
 * free point, or past that next point.
 */
static void detour(struct ring *r, int a, int c)
{
	int b = r->next[a];

	if (r->wanted && joined(r, c, b)) {
		put(r, a, c);
		return;
	}
	walk_graph_each(d, r->g, c)
		if (r->wanted > 1 && r->next[d] < 0 && joined(r, d, b)) {
			put(r, a, c);
			put(r, c, d);
			return;
		}
	if (b != r->g->home && r->next[b] != a && joined(r, c, r->next[b])) {
		drop_next(r, a);
		put(r, a, c);
	}
}

/* Try a step at a point of the ring: longer if possible, else different, now and then shorter. */
static void step(struct ring *r, int a)
{
	const struct walk_graph *g = r->g;
	int c = g->to[g->first[a] + any(r, walk_graph_degree(g, a))];
	int b = r->next[a], d = r->next[b];

	if (r->next[c] < 0) {
		detour(r, a, c);
	} else if (c == r->next[d] && c != b && b != g->home && d != g->home && !any(r, SHRINK)) {
		drop_next(r, a);
		drop_next(r, a);
	}
}

/* Load the walk of n nodes as a ring, with the home if there is one. Returns one of its points. */
static int begin(struct ring *r, const int *node, int n)
{
	const struct walk_graph *g = r->g;
	int first = g->home, last = g->home;

	memset(r->next, -1, (size_t)g->points * sizeof(*r->next));
	for (int i = 0; i < n; i++) {
		const int *at = bsearch(
			&node[i], g->node, (size_t)g->n, sizeof(*at), sort_compare_int);
		int p = (int)(at - g->node);

		if (last >= 0)
			r->next[last] = p;
		else
			first = p;
		last = p;
	}
	return r->next[last] = first;
}

bool walk_grow(const struct walk_graph *g, int *node, int n, int length,
	struct walk_effort *effort)
{
	struct ring r = {.g = g, .effort = effort, .wanted = length - n};
	struct arena arena = {0};
	int least = r.wanted, p;

	if (!arena_array(&arena, r.next, g->points))
		return false;
	p = begin(&r, node, n);
	for (int stale = 0; r.wanted && stale < STALE * length && effort->left > 0 &&
		!mesh_budget_late(&effort->budget); stale++, effort->left--) {
		int a = any(&r, g->points);

		if (r.next[a] >= 0)
			step(&r, p = a);
		stale = r.wanted < least ? 0 : stale;
		least = r.wanted < least ? r.wanted : least;
	}
	p = g->home >= 0 ? r.next[g->home] : p;
	for (int i = 0; !r.wanted && i < length; i++, p = r.next[p])
		node[i] = g->node[p];
	arena_release(&arena);
	return !r.wanted;
}
